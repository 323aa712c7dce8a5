// The scorer on plain arrays, for callers that keep their memories elsewhere: the same formulas, no store and no
// bounds.
//
// Pure. Spans are read and written only during the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ranking/packer.h"
#include "ranking/score.h"

namespace hippocore::ranking {

// Four signals of many memories. Requires: all of one size.
struct SignalColumns {
  std::span<const double> relevance;
  std::span<const double> recency;
  std::span<const double> importance;
  std::span<const double> usage;
};

// Returns: the similarity of `query` to each row of `vectors`. Requires: query is not empty, its size divides
// vectors.size().
[[nodiscard]] std::vector<double> cosines(std::span<const float> query, std::span<const float> vectors);

// Returns: the score of each memory.
[[nodiscard]] std::vector<double> fused_scores(const SignalColumns& signals, const Weights& weights);

// Returns: the positions of the `limit` highest scores, best first, the earlier position first among equals.
// Requires: no score is NaN.
[[nodiscard]] std::vector<std::size_t> best_positions(std::span<const double> scores, std::size_t limit);

}  // namespace hippocore::ranking
