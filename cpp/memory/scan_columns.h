// The columns that recall scans, for the eligible slots of a root, seen from a moment.
//
// Most are the store's own. Where they depend on the question (recency by event; `as_of`, which does not count a later
// use) adjusted copies are made and kept here, so this object outlives the scan. The root must too.
#pragma once

#include <memory>
#include <vector>

#include "memory/filter.h"
#include "memory/slot_masks.h"
#include "ranking/recall.h"
#include "storage/root.h"

namespace hippocore::memory {

enum class RecencyOf { kLastUsed, kCreated, kEvent };

class ScanColumns {
 public:
  ScanColumns(const storage::Root& root, const SlotMasks& eligible, const Filter& filter, RecencyOf recency_of);
  [[nodiscard]] std::span<const ranking::ScanChunk> chunks() const noexcept { return chunks_; }

 private:
  struct Adjusted {
    std::int64_t times[format::kChunkSlots];
    float log_uses[format::kChunkSlots];
    std::uint32_t use_counts[format::kChunkSlots];
  };
  void adjust(const storage::Root& root, const ChunkMask& mask, const Filter& filter, RecencyOf recency_of,
              ranking::ScanChunk& chunk);

  std::vector<ranking::ScanChunk> chunks_;
  std::vector<std::unique_ptr<Adjusted>> adjusted_;
};

}  // namespace hippocore::memory
