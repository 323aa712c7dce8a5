#include "memory/verify.h"

#include <algorithm>

#include "base/error.h"
#include "ranking/quantize.h"

namespace hippocore::memory {

using format::kChunkSlots;
using storage::Root;

namespace {

bool code_follows_from_vector(const Root& root, std::uint32_t slot) {
  const format::ChunkView& rows = root.rows(slot);
  const std::size_t row = Root::row(slot);
  std::vector<std::byte> code(format::code_bytes(rows.dimension()));
  const ranking::CodeBounds bounds = ranking::quantize(rows.vector(row), code);
  std::vector<std::byte> coarse(format::coarse_bytes(rows.dimension()));
  ranking::coarsen(code, coarse);
  return bounds.norm == rows.norms()[row] && bounds.scale == rows.code_scales()[row] &&
         bounds.error == rows.code_errors()[row] && std::ranges::equal(code, rows.code(row)) &&
         bounds.coarse_scale == rows.coarse_scales()[row] && bounds.coarse_error == rows.coarse_errors()[row] &&
         std::ranges::equal(coarse, rows.coarse_code(row));
}

void verify_chunk(const Root& root, std::size_t number, Verification& result) {
  const storage::ChunkPair& pair = (*root.chunks)[number];
  try {
    pair.chunk->check_columns(number, root.index->kind_count(), root.index->labels().size());
  } catch (const Error& error) {
    result.damages.push_back({std::nullopt, error.what()});
  }
  if (!pair.state->is_intact()) {
    result.damages.push_back(
        {std::nullopt, "the states of slots from " + std::to_string(number * kChunkSlots) + " on"});
  }
  result.bytes += pair.chunk->rows().layout().size() + sizeof(format::StateBlock);
}

void verify_slot(const Root& root, std::uint32_t slot, Verification& result) {
  const Id& id = root.id(slot);
  ++result.memories;
  try {
    (void)root.previous(slot);
    result.bytes += root.payload_bytes(slot).size();
    (void)root.read_payload(slot);
    if (!code_follows_from_vector(root, slot))
      result.damages.push_back({id, "the code does not follow from the vector"});
  } catch (const Error& error) {
    result.damages.push_back({id, error.what()});
  }
}

}  // namespace

Verification verify(const Root& root, const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  Verification result;
  for (std::size_t number = 0; number < root.chunks->size(); ++number) {
    verify_chunk(root, number, result);
    const auto first = static_cast<std::uint32_t>(number * kChunkSlots);
    const auto last = static_cast<std::uint32_t>(std::min<std::uint64_t>(root.count, first + kChunkSlots));
    for (std::uint32_t slot = first; slot < last; ++slot) {
      if ((root.flags(slot) & format::kForgotten) == 0) verify_slot(root, slot, result);
    }
    if (progress) progress(last, root.count);
  }
  return result;
}

}  // namespace hippocore::memory
