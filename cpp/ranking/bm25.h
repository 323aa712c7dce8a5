// BM25 as Lucene computes it: without the factor k1 + 1, which changes no order (Robertson and Zaragoza 2009, "The
// Probabilistic Relevance Framework: BM25 and Beyond"; Lucene's BM25Similarity).
//
// Pure, in double precision.
#pragma once

#include <cmath>
#include <cstddef>

namespace hippocore::ranking {

// Requires: k1 >= 0, 0 <= b <= 1.
struct Bm25 {
  double k1 = 0.9;
  double b = 0.3;
};

// Returns: ln(1 + (n - df + 0.5) / (df + 0.5)) for a term that `holders` of `memories` hold.
[[nodiscard]] inline double inverse_document_frequency(std::size_t memories, std::size_t holders) {
  const auto n = static_cast<double>(memories);
  const auto df = static_cast<double>(holders);
  return std::log1p((n - df + 0.5) / (df + 0.5));
}

// Returns: count / (count + k1 (1 - b + b length / mean_length)), in 0..1. Requires: mean_length > 0.
[[nodiscard]] inline double saturation(const Bm25& bm25, double count, double length, double mean_length) {
  return count / (count + bm25.k1 * (1 - bm25.b + bm25.b * length / mean_length));
}

}  // namespace hippocore::ranking
