// The second stage of a hybrid recall: what memories lend each other.
//
// The best of the first stage are the pool. Each lends what speaks for itself, similarity and words and no more, where
// that is above the average: to those that were said next to it, the less the more was said in between, and the best
// of a source to all of that source that are looked at. What a memory lends is made of its own content at the time of
// the query, so what is gone or may not be read lends nothing. Pure.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "ranking/fusion.h"

namespace hippocore::ranking {

inline constexpr std::size_t kPool = 50;  // however many are asked for
inline constexpr unsigned kSteps = 3;     // so far a memory lends, to either side
inline constexpr double kLent = 0.4;      // of what it has, to what is next to it …
inline constexpr double kReach = 50;      // … and half of that over so many terms
inline constexpr double kOfSource = 0.3;  // of what the best of a source has

[[nodiscard]] inline double lend_of(const Parts& parts) {
  return std::max(0.0, parts.own());
}

// Returns: what a neighbour gains. Distance counts terms from the middle of one memory to the middle of the other.
[[nodiscard]] inline double lent(double lend, double distance) {
  return kLent * lend / (1 + distance / kReach);
}

// Returns: 0..1, how surely the best sum among so many memories belongs to an answer. The best of many stands out more
// by chance alone, so what is even grows with the logarithm of their number, and so does the spread. Fitted, for this
// way of ranking, on pieces of 1 to 600 turns of conversations (LoCoMo) that were asked their own questions and those
// of others in equal parts: `bench/confidence.py`. Requires: memories > 0.
[[nodiscard]] inline double confidence_of(double best_sum, std::size_t memories) {
  const double size = std::log(static_cast<double>(memories));
  return 1 / (1 + std::exp((2 + 0.69 * size - best_sum) / (0.45 + 0.12 * size)));
}

}  // namespace hippocore::ranking
