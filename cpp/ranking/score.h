// The score of one memory: four signals in 0..1 and their weighted sum, in double precision.
//
// Pure, and the only definition: what recall returns, what its bounds enclose and what hippocore.scoring computes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hippocore::ranking {

// Requires: all >= 0 and finite, half-lives > 0 (infinity: never fades).
struct Weights {
  double relevance = 0.5;
  double recency = 0.25;
  double importance = 0.15;
  double usage = 0.10;
  double usage_saturation = 99;
  std::vector<double> half_lives;  // seconds, by kind; longer than any kind that occurs
};

struct Signals {
  double relevance = 0;
  double recency = 0;
  double importance = 0;
  double usage = 0;
};

// Returns: the weighted sum, added in the order of Signals.
[[nodiscard]] double fuse(const Signals& signals, const Weights& weights);

// Returns: the cosine, -1..1; 0 when a norm is 0. The quotient is off by at most 2^-51, so what is nearer to 1 or -1
// than 2^-50 is that: a vector has similarity 1 to itself.
[[nodiscard]] double similarity(double dot, double norm, double other_norm);
// Requires: both of one size.
[[nodiscard]] double similarity(std::span<const float> vector, double norm, std::span<const float> other,
                                double other_norm);

// Returns: max(0, similarity).
[[nodiscard]] double relevance(double similarity);
// Returns: 2^(-age / half_life) with age = max(0, now - time) seconds. Times are microseconds; any two are fine.
[[nodiscard]] double recency(std::int64_t now, std::int64_t time, double half_life);
// Returns: min(1, ln(1 + use_count) / ln(1 + saturation)); with saturation 0 any use counts full.
[[nodiscard]] double usage(std::uint32_t use_count, double saturation);

}  // namespace hippocore::ranking
