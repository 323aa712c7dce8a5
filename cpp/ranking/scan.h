// One pass over the eligible rows by bounds: which of them can be among the best k at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ranking/bounds.h"
#include "ranking/recall.h"
#include "ranking/splitting.h"

namespace hippocore::ranking {

// Where a row stands, and a float that its exact score does not exceed.
struct Candidate {
  float upper = 0;
  std::uint32_t chunk = 0;
  std::uint32_t row = 0;
};

// What is looked for, and the best `limit` of it. Requires: limit > 0.
struct ScanQuery {
  QueryBounds bounds;
  std::size_t limit = 0;
  std::size_t coarse_from_bytes = 0;  // RecallQuery's
};

// Returns: for each query every eligible row whose score can reach the `limit`-th best among those that pass the
// query's condition on relevance, ties included, in no order. The rows of a block are read from memory once for all
// queries. Requires: all of the queries read codes, or none.
[[nodiscard]] std::vector<std::vector<Candidate>> scan(std::span<const ScanChunk> chunks, std::size_t dimension,
                                                       std::span<const ScanQuery> queries, const Helpers& helpers);

// Returns: every eligible row, for when there is no choice to make: their upper bound is infinity.
[[nodiscard]] std::vector<Candidate> all_eligible(std::span<const ScanChunk> chunks);

[[nodiscard]] std::size_t count_eligible(std::span<const ScanChunk> chunks);

}  // namespace hippocore::ranking
