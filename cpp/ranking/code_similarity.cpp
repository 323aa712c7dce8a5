#include "ranking/code_similarity.h"

#include <algorithm>
#include <cmath>

#include "ranking/bounds.h"

namespace hippocore::ranking {

CodeSimilarity::CodeSimilarity(std::span<const float> vector, double norm)
    : code_(encode_query(vector, norm)), width_(code_.values.size() / 2) {}

void CodeSimilarity::prefetch(const ScanChunk& chunk, std::uint32_t row) const {
  const std::uint8_t* const code = code_of(chunk, row);
  for (std::size_t at = 0; at < width_; at += 64) __builtin_prefetch(code + at);
  __builtin_prefetch(chunk.code_scales + row);
  __builtin_prefetch(chunk.code_errors + row);
}

double CodeSimilarity::of(const ScanChunk& chunk, std::uint32_t row) const {
  std::int32_t dot = 0;
  kernels_.dot_codes(code_of(chunk, row), 1, width_ / kernels::kGroupBytes, code_.values.data(), &dot);
  return (2 * dot - 15 * code_.sum) * static_cast<double>(chunk.code_scales[row]) * code_.scale / 2;
}

double CodeSimilarity::at_most(const ScanChunk& chunk, std::uint32_t row) const {
  const double similarity = of(chunk, row);
  const double query_error = code_.error + kSimilarityRounding;
  const double along = std::max(0.0, std::abs(similarity) - query_error);
  const double square = along * along;
  const double beside = 1 - square / 2 - square * square / 8;
  return similarity + static_cast<double>(chunk.code_errors[row]) * beside + query_error;
}

const std::uint8_t* CodeSimilarity::code_of(const ScanChunk& chunk, std::uint32_t row) const {
  return reinterpret_cast<const std::uint8_t*>(chunk.codes) + row * width_;
}

}  // namespace hippocore::ranking
