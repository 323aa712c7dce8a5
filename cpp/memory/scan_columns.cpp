#include "memory/scan_columns.h"

#include <algorithm>
#include <cmath>

#include "memory/eligible.h"

namespace hippocore::memory {

using format::kChunkSlots;

namespace {

ranking::ScanChunk columns_of(const storage::Root& root, const ChunkMask& mask) {
  const storage::ChunkPair& pair = (*root.chunks)[mask.chunk];
  const format::ChunkView& rows = pair.chunk->rows();
  const format::StateBlock& states = pair.state->block();
  ranking::ScanChunk chunk;
  chunk.first_slot = static_cast<std::uint32_t>(mask.chunk * kChunkSlots);
  chunk.count = static_cast<std::uint32_t>(std::min<std::size_t>(kChunkSlots, root.count - chunk.first_slot));
  chunk.eligible = mask.words;
  chunk.coarse_codes = rows.coarse_codes().data();
  chunk.coarse_scales = rows.coarse_scales().data();
  chunk.coarse_errors = rows.coarse_errors().data();
  chunk.codes = rows.codes().data();
  chunk.code_scales = rows.code_scales().data();
  chunk.code_errors = rows.code_errors().data();
  chunk.times = states.last_used;
  chunk.importance = states.importance;
  chunk.log_uses = states.log_uses;
  chunk.use_counts = states.use_count;
  chunk.kinds = rows.kinds().data();
  chunk.vectors = rows.vector(0).data();
  chunk.norms = rows.norms().data();
  chunk.valid_from = rows.valid_from().data();
  chunk.ids = rows.ids().data();
  return chunk;
}

bool is_empty(const ChunkMask& mask) {
  return std::all_of(mask.words.begin(), mask.words.end(), [](std::uint64_t word) { return word == 0; });
}

}  // namespace

ScanColumns::ScanColumns(const storage::Root& root, const SlotMasks& eligible, const Filter& filter,
                         RecencyOf recency_of) {
  chunks_.reserve(eligible.chunks().size());
  for (const ChunkMask& mask : eligible.chunks()) {
    if (is_empty(mask)) continue;
    chunks_.push_back(columns_of(root, mask));
    if (!filter.as_of && recency_of == RecencyOf::kCreated) {
      chunks_.back().times = (*root.chunks)[mask.chunk].chunk->rows().created_at().data();
    } else if (filter.as_of || recency_of == RecencyOf::kEvent) {
      adjust(root, mask, filter, recency_of, chunks_.back());
    }
  }
}

void ScanColumns::adjust(const storage::Root& root, const ChunkMask& mask, const Filter& filter, RecencyOf recency_of,
                         ranking::ScanChunk& chunk) {
  const format::ChunkView& rows = (*root.chunks)[mask.chunk].chunk->rows();
  const format::StateBlock& states = (*root.chunks)[mask.chunk].state->block();
  const std::int64_t moment = filter.moment();
  auto adjusted = std::make_unique<Adjusted>();
  for (std::size_t row = 0; row < chunk.count; ++row) {
    // Only the last use is known: one that came after the moment is not counted, and the age goes back to the creation.
    const bool used_later = filter.as_of && states.use_count[row] > 0 && states.last_used[row] > moment;
    const std::int64_t used = used_later ? rows.created_at()[row] : states.last_used[row];
    adjusted->times[row] = recency_of == RecencyOf::kLastUsed  ? used
                           : recency_of == RecencyOf::kCreated ? rows.created_at()[row]
                                                               : happened_at(rows, row);
    adjusted->use_counts[row] = states.use_count[row] - (used_later ? 1 : 0);
    adjusted->log_uses[row] =
        used_later ? static_cast<float>(std::log1p(adjusted->use_counts[row])) : states.log_uses[row];
  }
  chunk.times = adjusted->times;
  chunk.use_counts = adjusted->use_counts;
  chunk.log_uses = adjusted->log_uses;
  adjusted_.push_back(std::move(adjusted));
}

}  // namespace hippocore::memory
