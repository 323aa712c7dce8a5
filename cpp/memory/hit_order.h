// A hit with what decides among equal scores, for ranking it once more.
#pragma once

#include "ranking/top_k.h"
#include "storage/root.h"

namespace hippocore::memory {

// The root outlives what is returned.
[[nodiscard]] inline ranking::RankedHit ranked_hit(const storage::Root& root, const ranking::Hit& hit) {
  const format::ChunkView& rows = root.rows(hit.slot);
  const std::size_t row = storage::Root::row(hit.slot);
  return {hit, rows.valid_from()[row], &rows.ids()[row], 0, 0};
}

}  // namespace hippocore::memory
