// 4-bit codes of vectors and the coarse codes in them, with the errors that make their bounds proofs.
//
// A code stands for scale * (n - 7.5) in each dimension, n in 0..15, of the vector divided by its norm. Byte j of
// 64-byte group g holds dimension 128 g + j in its low half and 128 g + 64 + j in its high half; dimensions behind the
// end hold n = 0 and count for nothing.
// The coarse code of a code stands for coarse_scale * (a - 1.5) with a the upper two bits of n. Byte j of 32-byte group
// g holds dimension 128 g + 32 k + j in its bits 2 k and 2 k + 1, k = 0..3.
// Each scale is the best for its code, so the error stands square on it: |<x / norm - code, code>| is at most 2^-22.
// The bounds of recall rest on that too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "format/chunk.h"

namespace hippocore::ranking {

struct CodeBounds {
  double norm = 0;         // of the vector, in double precision
  float scale = 0;         // 0 for a zero vector
  float error = 0;         // at least |x / norm - code|, rounded outward
  float coarse_scale = 0;  // the same of the coarse code
  float coarse_error = 0;
};

// Returns: the same on every kernel, to the bit.
// Requires: vector.size() in 1..65536, all finite; code.size() == format::code_bytes(vector.size()).
[[nodiscard]] CodeBounds quantize(std::span<const float> vector, std::span<std::byte> code);

// Writes the coarse code of a code. Requires: 2 * coarse.size() == code.size(), whole groups.
void coarsen(std::span<const std::byte> code, std::span<std::byte> coarse);

// Returns: the Euclidean norm, summed in double precision and a fixed order; squares of floats neither overflow nor
// vanish there.
[[nodiscard]] double norm(std::span<const float> vector);

}  // namespace hippocore::ranking
