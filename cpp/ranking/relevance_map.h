// How relevance is made of a memory's similarity and of what else speaks for it.
//
// Pure, in double precision; the kernels enclose it (kernels.h, BlockQuery). Owns nothing: the column must outlive it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "ranking/sparse_column.h"

namespace hippocore::ranking {

// Grows with y everywhere, from 0 to 1, and reaches neither.
[[nodiscard]] inline double softened(double y) {
  return 0.5 + y / (2 + 2 * std::abs(y));
}

// y = slope * similarity + column; relevance is y clamped to 0..1, or where it is soft, softened(y). Without a column,
// slope or softness: max(0, similarity).
struct RelevanceMap {
  double slope = 1;                      // >= 0
  const SparseColumn* column = nullptr;  // null: 0
  bool soft = false;

  [[nodiscard]] bool is_plain() const noexcept { return slope == 1 && column == nullptr && !soft; }
  [[nodiscard]] double of(double similarity, std::uint32_t slot) const {
    const double y = slope * similarity + (column == nullptr ? 0.0 : static_cast<double>(column->of(slot)));
    return soft ? softened(y) : std::clamp(y, 0.0, 1.0);
  }
};

}  // namespace hippocore::ranking
