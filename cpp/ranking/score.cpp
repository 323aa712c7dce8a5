#include "ranking/score.h"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.h"

namespace hippocore::ranking {

double fuse(const Signals& signals, const Weights& weights) {
  double score = weights.relevance * signals.relevance;
  score += weights.recency * signals.recency;
  score += weights.importance * signals.importance;
  score += weights.usage * signals.usage;
  return score;
}

double similarity(double dot, double norm, double other_norm) {
  if (norm == 0 || other_norm == 0) return 0;
  // Divided one after the other, since the product of two norms may be too small or too large for its digits.
  const double cosine = dot / norm / other_norm;
  if (std::abs(cosine) > 1 - 0x1p-50) return std::copysign(1.0, cosine);
  return cosine;
}

double similarity(std::span<const float> vector, double norm, std::span<const float> other, double other_norm) {
  return similarity(kernels::kernels().dot(vector.data(), other.data(), vector.size()), norm, other_norm);
}

double relevance(double similarity) {
  return std::max(0.0, similarity);
}

double recency(std::int64_t now, std::int64_t time, double half_life) {
  if (time >= now) return 1;
  // A difference of two 64-bit times fits in 64 bits without a sign.
  const std::uint64_t age = static_cast<std::uint64_t>(now) - static_cast<std::uint64_t>(time);
  return std::exp2(-(static_cast<double>(age) / 1e6) / half_life);
}

double usage(std::uint32_t use_count, double saturation) {
  if (use_count == 0) return 0;
  return std::min(1.0, std::log1p(static_cast<double>(use_count)) / std::log1p(saturation));
}

}  // namespace hippocore::ranking
