// 4-bit codes of vectors, with the error that makes their bounds proofs.
//
// A code stands for scale * (n - 7.5) in each dimension, n in 0..15, of the vector divided by its norm. Byte j of
// 64-byte group g holds dimension 128 g + j in its low half and 128 g + 64 + j in its high half; dimensions behind the
// end hold n = 0 and count for nothing. The scale is the best for its code, so the error stands square on it: |<x /
// norm - code, code>| is at most 2^-22. The bounds of recall rest on that too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "format/chunk.h"

namespace hippocore::ranking {

struct CodeBounds {
  double norm = 0;  // of the vector, in double precision
  float scale = 0;  // 0 for a zero vector
  float error = 0;  // at least |x / norm - code|, rounded outward
};

// Returns: the same on every kernel, to the bit.
// Requires: vector.size() in 1..65536, all finite; code.size() == format::code_bytes(vector.size()).
[[nodiscard]] CodeBounds quantize(std::span<const float> vector, std::span<std::byte> code);

// Returns: the Euclidean norm, summed in double precision and a fixed order; squares of floats neither overflow nor
// vanish there.
[[nodiscard]] double norm(std::span<const float> vector);

}  // namespace hippocore::ranking
