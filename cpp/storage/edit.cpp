#include "storage/edit.h"

#include <algorithm>
#include <cstring>

#include "base/bytes.h"
#include "format/payload.h"
#include "ranking/quantize.h"

namespace hippocore::storage {

using format::kChunkSlots;

Edit::Edit(const Root& from) : root_(from) {}

std::vector<ChunkPair>& Edit::own_chunks() {
  if (owned_chunks_ == nullptr) {
    owned_chunks_ = std::make_shared<std::vector<ChunkPair>>(*root_.chunks);
    root_.chunks = owned_chunks_;
  }
  return *owned_chunks_;
}

// The chunk that takes the slot `count`: a new one, the one in memory, or a copy of the mapped tail.
format::MutableChunkView Edit::own_tail() {
  const std::size_t number = root_.count / kChunkSlots;
  if (number == root_.chunks->size()) {
    own_chunks().push_back({std::make_shared<Chunk>(root_.layout), std::make_shared<StateChunk>()});
    owned_states_.insert(number);
  } else if (const Chunk& tail = *(*root_.chunks)[number].chunk; !tail.in_memory()) {
    auto copy = std::make_shared<Chunk>(root_.layout, tail);
    own_chunks()[number].chunk = std::move(copy);
  }
  return (*root_.chunks)[number].chunk->filling();
}

format::StateBlock& Edit::own_states(std::uint32_t slot) {
  const std::size_t number = slot / kChunkSlots;
  const bool shown = slot < root_.count;  // no root shows a row behind the count: it may be written in place
  if (owned_states_.contains(number) || (!shown && (*root_.chunks)[number].state->in_memory())) {
    return (*root_.chunks)[number].state->changing();
  }
  auto copy = std::make_shared<StateChunk>(*(*root_.chunks)[number].state);
  format::StateBlock& block = copy->changing();
  own_chunks()[number].state = std::move(copy);
  owned_states_.insert(number);
  return block;
}

void Edit::write_state(std::uint32_t slot, const format::State& state) {
  format::State kept = state;
  kept.flags = static_cast<std::uint8_t>(kept.flags | format::kWritten);
  if (kept.expires_at != format::kNever) {
    kept.flags = static_cast<std::uint8_t>(kept.flags | format::kExpires);
  } else {
    kept.flags = static_cast<std::uint8_t>(kept.flags & ~format::kExpires);
  }
  format::set_state(own_states(slot), Root::row(slot), kept);
}

void Edit::forget_slot(std::uint32_t slot) {
  format::State state = root_.state(slot);
  state.flags = static_cast<std::uint8_t>(state.flags | format::kForgotten);
  write_state(slot, state);
}

void Edit::end_previous(std::uint32_t slot, std::int64_t valid_until) {
  format::State state = root_.state(slot);
  if ((state.flags & format::kForgotten) != 0) return;
  state.flags = static_cast<std::uint8_t>(state.flags | format::kSuperseded);
  state.valid_until = valid_until;
  write_state(slot, state);
}

void Edit::apply(const format::WriteVersion& version, std::uint64_t payload_place) {
  const std::uint32_t slot = root_.count;
  const std::size_t row = Root::row(slot);
  const std::uint32_t previous = root_.find_even_forgotten(version.id);
  Index& index = *root_.index;
  const format::MutableChunkView rows = own_tail();

  rows.ids()[row] = version.id;
  rows.scopes()[row] = index.labels().intern(LabelType::kScope, version.scope);
  rows.kinds()[row] = index.intern_kind(version.kind);
  rows.sources()[row] = version.source.empty() ? kNoLabel : index.labels().intern(LabelType::kSource, version.source);
  rows.created_at()[row] = version.created_at;
  rows.valid_from()[row] = version.valid_from;
  rows.event_time()[row] = version.event_time;
  rows.text_keys()[row] = version.text_key;
  rows.merge_keys()[row] = version.merge_key;
  rows.tokens()[row] = version.tokens;
  rows.versions()[row] = version.version;
  rows.previous()[row] = previous;
  rows.payload_offsets()[row] = payload_place;
  rows.payload_lengths()[row] = static_cast<std::uint32_t>(version.payload.size());
  rows.norms()[row] = version.norm;
  rows.code_scales()[row] = version.code_scale;
  rows.code_errors()[row] = version.code_error;
  std::memcpy(rows.code(row).data(), version.code.data(), version.code.size());
  rows.coarse_scales()[row] = version.coarse_scale;
  rows.coarse_errors()[row] = version.coarse_error;
  ranking::coarsen(version.code, rows.coarse_code(row));
  std::memcpy(rows.vector(row).data(), version.vector.data(), version.vector.size());
  write_state(slot, version.state);

  index.labels().add_slot(rows.scopes()[row], slot);
  if (rows.sources()[row] != kNoLabel) index.labels().add_slot(rows.sources()[row], slot);
  for (const std::string_view facet : format::decode_payload(version.payload).facets) {
    index.labels().add_slot(index.labels().intern(LabelType::kFacet, facet), slot);
  }
  index.add(slot, {version.id, version.merge_key, previous});
  ++root_.count;
  if (previous != kNoSlot) end_previous(previous, version.valid_from);
}

void Edit::apply(const format::ChangeState& change) {
  const std::uint32_t slot = root_.find_even_forgotten(change.id);
  if (slot != kNoSlot && (root_.flags(slot) & format::kForgotten) == 0) write_state(slot, change.state);
}

void Edit::apply(const format::Forget& forget) {
  for (const std::uint32_t slot : root_.versions_in_spite_of_damage(forget.id)) forget_slot(slot);
}

// Behind a forgotten version all are forgotten: who walks along them may stop there.
void Edit::apply(const format::ForgetEnded& ended) {
  std::vector<std::uint32_t> slots = root_.versions_in_spite_of_damage(ended.id);
  std::sort(slots.begin(), slots.end());
  for (std::size_t at = 0; at + 1 < slots.size() && root_.state(slots[at]).valid_until <= ended.moment; ++at) {
    forget_slot(slots[at]);
  }
}

void Edit::replace_chunk(std::size_t number, std::shared_ptr<const Chunk> chunk) {
  own_chunks()[number].chunk = std::move(chunk);
}

std::shared_ptr<const Root> Edit::finish(const LogPosition& position) {
  root_.position = position;
  return std::make_shared<const Root>(std::move(root_));
}

}  // namespace hippocore::storage
