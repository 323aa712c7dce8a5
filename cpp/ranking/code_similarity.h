// The similarity of single rows as their codes say it, and the most that it can be: for rows that lie too far apart for
// the block kernels.
//
// Threads: any number may use one.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/kernels.h"
#include "ranking/query_code.h"
#include "ranking/recall.h"

namespace hippocore::ranking {

class CodeSimilarity {
 public:
  // Requires: norm is the vector's and not 0; rows have its dimension.
  CodeSimilarity(std::span<const float> vector, double norm);

  // Asks memory for what the others read.
  void prefetch(const ScanChunk& chunk, std::uint32_t row) const;
  [[nodiscard]] double of(const ScanChunk& chunk, std::uint32_t row) const;
  // Returns: what the row's similarity does not exceed (ranking/bounds.cpp says why).
  [[nodiscard]] double at_most(const ScanChunk& chunk, std::uint32_t row) const;

 private:
  [[nodiscard]] const std::uint8_t* code_of(const ScanChunk& chunk, std::uint32_t row) const;

  const kernels::Kernels& kernels_ = kernels::kernels();
  QueryCode code_;
  std::size_t width_;  // bytes of a row's code
};

}  // namespace hippocore::ranking
