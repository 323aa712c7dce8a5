// The second half of recall: candidates scored exactly, in double precision, until the rest cannot matter.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ranking/recall.h"
#include "ranking/scan.h"
#include "ranking/top_k.h"

namespace hippocore::ranking {

struct ExactQuery {
  const Weights& weights;
  const RecallQuery& query;
  double query_norm = 0;       // 0: no query or a zero one, similarity is 0
  bool needs_vectors = false;  // whether similarity takes part in choosing; it is part of every hit in any case
};

// Returns: the best `limit` of the candidates that pass the query's condition on relevance, in order. Adds to
// `scored_exactly` the vectors read: with helpers a few more or less from time to time, since the threshold rises in
// another order.
// Requires: limit > 0. Reorders `candidates`.
[[nodiscard]] std::vector<Hit> rank_exactly(std::span<const ScanChunk> chunks, const ExactQuery& query,
                                            std::span<Candidate> candidates, std::size_t limit, const Helpers& helpers,
                                            std::size_t& scored_exactly);

// Returns: the similarity of one row. Requires: norm is the vector's.
[[nodiscard]] double similarity_of(const ScanChunk& chunk, std::uint32_t row, std::span<const float> vector,
                                   double norm);

// Returns: each of these rows as a hit, whatever its relevance, in their order.
[[nodiscard]] std::vector<RankedHit> score_rows(std::span<const ScanChunk> chunks, const ExactQuery& query,
                                                std::span<const Candidate> rows);

}  // namespace hippocore::ranking
