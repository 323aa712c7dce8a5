// Hybrid relevance: similarity and lexical score brought to one scale, query by query.
//
// For each query both are standardised by their mean and deviation over the eligible memories, a mixture of what is
// seen and of a prior that counts as kPrior memories, so that one memory, or equal scores, have a scale too. They are
// added by their weights, half and half unless said otherwise, and what else speaks for a memory counts in the same
// deviations: that the query names its label, that it happened when the query asks about (ranking/period.h), and what
// others lend it (ranking/association.h). The sum is mapped to 0..1:
//
//   sum = (1 - w) (similarity - mean) / deviation + w (lexical - mean) / deviation + label + date + lent
//   y = (sum - kCentre) / kWidth
//   relevance = 1/2 + y / (2 + 2 |y|)
//
// so that 0.5 means: kCentre deviations above what the store holds on average. Pure; the constants are fixed from the
// integer codes before anything is ranked, and so are part of the score's definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "ranking/recall.h"
#include "ranking/sparse_column.h"

namespace hippocore::ranking {

inline constexpr double kPrior = 30;
inline constexpr double kCentre = 4;
inline constexpr double kWidth = 4;
inline constexpr double kLabel = 1;  // what a memory gains whose label the query names

struct Spread {
  double mean = 0;
  double deviation = 1;  // > 0
};

// Returns: the spread of the query's similarity to the eligible rows, as their codes say it; of some hundred rows that
// lie evenly among them where there are more. Requires: vector has the rows' dimension, all finite, not all 0.
[[nodiscard]] Spread similarity_spread(std::span<const ScanChunk> chunks, std::span<const float> vector);
// Returns: the same of the lexical scores of so many memories; none can reach `largest`. Requires: largest > 0.
[[nodiscard]] Spread lexical_spread(const SparseColumn& scores, std::size_t memories, double largest);

// What is known of the two legs; one that says nothing (no query vector, no term that any memory holds) is empty.
struct Legs {
  std::optional<Spread> similarity;
  std::optional<Spread> lexical;
  double lexical_weight = 0.5;  // 0..1; the other leg has the rest

  // Returns: what the similarity, or the lexical score, of a memory adds to its sum.
  [[nodiscard]] double meaning(double of_memory) const {
    return similarity ? (1 - lexical_weight) * (of_memory - similarity->mean) / similarity->deviation : 0;
  }
  [[nodiscard]] double words(double of_memory) const {
    return lexical ? lexical_weight * (of_memory - lexical->mean) / lexical->deviation : 0;
  }
};

// What speaks for one memory, in deviations.
struct Parts {
  double meaning = 0;
  double words = 0;
  double label = 0;
  double date = 0;
  double lent = 0;

  [[nodiscard]] double own() const noexcept { return meaning + words; }
  [[nodiscard]] double sum() const noexcept { return own() + label + date + lent; }
  // Returns: which of them is the most; kNone where nothing speaks for it. A label is a word.
  [[nodiscard]] Reason reason() const noexcept;
};

// Returns: the relevance of what has this sum.
[[nodiscard]] double relevance_of_sum(double sum);

// Returns: the slope of y by similarity.
[[nodiscard]] double similarity_slope(const Legs& legs);
// Changes lexical scores to what y has beside the similarity, labels and dates apart.
void make_column(const Legs& legs, SparseColumn& scores);
// Returns: what y gains by so many deviations.
[[nodiscard]] constexpr float column_gain(double deviations) {
  return static_cast<float>(deviations / kWidth);
}

}  // namespace hippocore::ranking
