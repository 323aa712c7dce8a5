// The query as the code kernel wants it: 8-bit integers in the order of dimensions, with the error that makes bounds
// proofs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hippocore::ranking {

// Stands for scale * values[i] in dimension i of the query divided by its norm.
struct QueryCode {
  std::vector<std::int8_t> values;  // whole groups of 128, 0 behind the end
  std::int32_t sum = 0;             // of all values
  double scale = 0;
  double error = 0;  // at least |query / norm - what the values stand for|
};

// Requires: query is not empty, all finite; norm is its norm and not 0.
[[nodiscard]] QueryCode encode_query(std::span<const float> query, double norm);

}  // namespace hippocore::ranking
