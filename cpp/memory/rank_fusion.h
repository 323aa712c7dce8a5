// Reciprocal rank fusion: relevance by the places that a memory has by similarity and by words, not by how much.
//
//   relevance = (1 / (c + place by similarity) + 1 / (c + place by words)) (c + 1) / 2
//
// with places from 1, so that what is first by both has 1. The first kPlaces by each, or `limit` where that
// is more, have a place; a memory that holds none of the query's words has none by words. Equal ones stand newest
// first, then by id. Labels, dates and neighbours play no part.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "memory/query_relevance.h"
#include "ranking/recall.h"

namespace hippocore::memory {

inline constexpr std::size_t kPlaces = 100;

// Returns: for each query the true top of the fused score with this relevance.
// Requires: a relevance of hybrid mode for each query; constant > 0.
[[nodiscard]] std::vector<ranking::Answer> rank_by_places(const QuerySource& source, const ranking::Weights& weights,
                                                          const std::vector<ranking::RecallQuery>& queries,
                                                          const std::deque<QueryRelevance>& relevances, double constant,
                                                          const ranking::Splitting& splitting);

}  // namespace hippocore::memory
