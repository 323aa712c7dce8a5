// A set of slots as bit masks by chunk, so that a small set costs what is in it and a full one a bit a slot.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "format/chunk.h"

namespace hippocore::memory {

inline constexpr std::size_t kMaskWords = format::kChunkSlots / 64;

struct ChunkMask {
  std::uint32_t chunk = 0;
  std::array<std::uint64_t, kMaskWords> words{};

  // Requires: the slot is one of the chunk's.
  [[nodiscard]] bool contains(std::uint32_t slot) const {
    return (words[slot % format::kChunkSlots / 64] >> (slot % 64) & 1) != 0;
  }
};

class SlotMasks {
 public:
  // An empty set of slots below `count`.
  explicit SlotMasks(std::uint32_t count)
      : count_(count), places_((count + format::kChunkSlots - 1) / format::kChunkSlots) {}
  // Every slot below `count`.
  [[nodiscard]] static SlotMasks all(std::uint32_t count);

  // Ignores slots at or behind the count.
  void add(std::uint32_t slot) {
    if (slot >= count_) return;
    mask_of(slot / format::kChunkSlots).words[slot % format::kChunkSlots / 64] |= std::uint64_t{1} << (slot % 64);
  }
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  // Requires: the slot is below the count.
  [[nodiscard]] bool contains(std::uint32_t slot) const {
    const std::uint32_t place = places_[slot / format::kChunkSlots];
    return place != 0 && (masks_[place - 1].words[slot % format::kChunkSlots / 64] >> (slot % 64) & 1) != 0;
  }
  // Returns: the mask of a chunk, null where none of its slots is in the set; also for chunks behind the count.
  [[nodiscard]] const ChunkMask* find(std::size_t chunk) const {
    return chunk < places_.size() && places_[chunk] != 0 ? &masks_[places_[chunk] - 1] : nullptr;
  }
  void keep_only(const SlotMasks& other);

  [[nodiscard]] std::vector<ChunkMask>& chunks() noexcept { return masks_; }
  [[nodiscard]] const std::vector<ChunkMask>& chunks() const noexcept { return masks_; }

 private:
  ChunkMask& mask_of(std::size_t chunk);

  std::uint32_t count_;
  std::vector<std::uint32_t> places_;  // by chunk: position in masks_ + 1
  std::vector<ChunkMask> masks_;
};

// Clears the bits of rows that `keep(row)` refuses.
template <typename Keep>
void keep_rows(ChunkMask& mask, Keep&& keep) {
  for (std::size_t word = 0; word < kMaskWords; ++word) {
    for (std::uint64_t rest = mask.words[word]; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
      if (!keep(64 * word + bit)) mask.words[word] &= ~(std::uint64_t{1} << bit);
    }
  }
}

}  // namespace hippocore::memory
