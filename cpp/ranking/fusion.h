// Hybrid relevance: similarity and lexical score brought to one scale, query by query.
//
// For each query both are standardised by their mean and deviation over the eligible memories, a mixture of what is
// seen and of a prior that counts as kPrior memories, so that one memory, or equal scores, have a scale too. Half of
// each is added, and what the query names the memory's label for counts one deviation more. The sum is mapped to 0..1:
//
//   y = ((similarity - mean) / deviation / 2 + (lexical - mean) / deviation / 2 + label - kCentre) / kWidth
//   relevance = 1/2 + y / (2 + 2 |y|)
//
// so that 0.5 means: kCentre deviations above what the store holds on average. Pure; the constants are fixed from the
// integer codes before anything is ranked, and so are part of the score's definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ranking/recall.h"
#include "ranking/sparse_column.h"

namespace hippocore::ranking {

inline constexpr double kPrior = 30;
inline constexpr double kCentre = 4;
inline constexpr double kWidth = 4;

struct Spread {
  double mean = 0;
  double deviation = 1;  // > 0
};

// Returns: the spread of the query's similarity to the eligible rows, as their codes say it; of some thousand rows that
// lie evenly among them where there are more. Requires: vector has `dimension` finite values, not all 0.
[[nodiscard]] Spread similarity_spread(std::span<const ScanChunk> chunks, std::size_t dimension,
                                       std::span<const float> vector);
// Returns: the same of the lexical scores of so many memories; none can reach `largest`. Requires: largest > 0.
[[nodiscard]] Spread lexical_spread(const SparseColumn& scores, std::size_t memories, double largest);

// What is known of the two legs; a leg that says nothing (no query vector, no term that any memory holds) is null.
struct Legs {
  const Spread* similarity = nullptr;
  const Spread* lexical = nullptr;
};

// Returns: the slope of y by similarity.
[[nodiscard]] double similarity_slope(const Legs& legs);
// Changes lexical scores to what y has beside the similarity, labels apart.
void make_column(const Legs& legs, SparseColumn& scores);
// Returns: what y gains by a label that the query names.
[[nodiscard]] constexpr float label_gain() {
  return static_cast<float>(1 / kWidth);
}

}  // namespace hippocore::ranking
