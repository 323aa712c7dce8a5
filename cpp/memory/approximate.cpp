// Memory: what an approximate search needs of it, and recall among what that proposes.
#include <algorithm>

#include "memory/eligible.h"
#include "memory/memory.h"

namespace hippocore::memory {

using storage::Root;

namespace {

SlotMasks among_candidates(const SlotMasks& eligible, const Candidates& candidates, std::uint32_t count) {
  SlotMasks proposed(count);
  for (const std::uint32_t slot : candidates.slots) proposed.add(slot);
  for (std::uint32_t slot = candidates.from; slot < count; ++slot) proposed.add(slot);
  proposed.keep_only(eligible);
  return proposed;
}

}  // namespace

RecallAnswer Memory::recall(const RecallRequest& request, const Candidates& candidates) {
  const auto root = store_->snapshot();
  const SlotMasks eligible = eligible_slots(*root, request.filter, splitting_);
  const std::span vectors(&request.vector, 1);
  const std::span lexical(&request.lexical, 1);
  if (request.mode == Mode::kDense && candidates.generation == root->header->generation) {
    const SlotMasks ranked = among_candidates(eligible, candidates, root->count);
    RecallAnswer answer = std::move(answers(*root, ranked, request, vectors, lexical).front());
    if (answer.hits.size() == request.limit) return answer;
  }
  return std::move(answers(*root, eligible, request, vectors, lexical).front());
}

EligibleSlots Memory::eligible(const Filter& filter) {
  const auto root = store_->snapshot();
  const SlotMasks masks = eligible_slots(*root, filter, splitting_);
  EligibleSlots found{root->header->generation, root->count, static_cast<std::uint32_t>(count_slots(masks)), {}};
  found.words.resize((std::size_t{root->count} + 63) / 64);
  for (const ChunkMask& mask : masks.chunks()) {
    const std::size_t first = mask.chunk * kMaskWords;
    const std::size_t words = std::min(kMaskWords, found.words.size() - first);
    std::copy_n(mask.words.begin(), words, found.words.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return found;
}

SlotVectors Memory::slot_vectors(std::uint32_t first_slot, std::size_t limit) {
  const auto root = store_->snapshot();
  SlotVectors found{root->header->generation, root->header->dimension, {}, {}};
  const std::size_t end = std::min(limit, std::size_t{root->count} - std::min(first_slot, root->count)) + first_slot;
  for (std::uint32_t slot = first_slot; slot < end; ++slot) {
    root->check_state(slot);
    found.forgotten.push_back((root->flags(slot) & format::kForgotten) != 0 ? 1 : 0);
    const auto vector = root->rows(slot).vector(Root::row(slot));
    found.vectors.insert(found.vectors.end(), vector.begin(), vector.end());
  }
  return found;
}

}  // namespace hippocore::memory
