#include "memory/slot_masks.h"

namespace hippocore::memory {

SlotMasks SlotMasks::all(std::uint32_t count) {
  SlotMasks set(count);
  set.masks_.reserve(set.places_.size());
  for (std::size_t chunk = 0; chunk < set.places_.size(); ++chunk) {
    ChunkMask& mask = set.mask_of(chunk);
    mask.words.fill(~std::uint64_t{0});
  }
  const std::size_t used = count % format::kChunkSlots;
  if (used == 0) return set;
  for (std::size_t word = used / 64; word < kMaskWords; ++word) {
    const std::size_t rows = word == used / 64 ? used % 64 : 0;
    set.masks_.back().words[word] = (std::uint64_t{1} << rows) - 1;
  }
  return set;
}

ChunkMask& SlotMasks::mask_of(std::size_t chunk) {
  std::uint32_t& place = places_[chunk];
  if (place == 0) {
    masks_.push_back({static_cast<std::uint32_t>(chunk), {}});
    place = static_cast<std::uint32_t>(masks_.size());
  }
  return masks_[place - 1];
}

void SlotMasks::keep_only(const SlotMasks& other) {
  for (ChunkMask& mask : masks_) {
    const std::uint32_t place = other.places_[mask.chunk];
    for (std::size_t word = 0; word < kMaskWords; ++word) {
      mask.words[word] &= place == 0 ? 0 : other.masks_[place - 1].words[word];
    }
  }
}

}  // namespace hippocore::memory
