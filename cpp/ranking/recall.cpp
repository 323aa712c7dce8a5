#include "ranking/recall.h"

#include <algorithm>
#include <optional>

#include "ranking/bounds.h"
#include "ranking/exact.h"
#include "ranking/quantize.h"
#include "ranking/scan.h"

namespace hippocore::ranking {
namespace {

// What a scan reads of each row beside its code.
constexpr std::size_t kMetadataBytes = 34;

// Up to so many eligible rows for each one wanted, bounds exclude too few to pay for reading codes first.
constexpr std::size_t kBoundsPayFrom = 2;

}  // namespace

std::vector<Hit> recall(std::span<const ScanChunk> chunks, std::size_t dimension, const Weights& weights,
                        const RecallQuery& query, RecallCounts* counts, const Splitting& splitting) {
  RecallCounts unused;
  RecallCounts& seen = counts == nullptr ? unused : *counts;
  seen = {.eligible = count_eligible(chunks)};
  const std::size_t limit = std::min(query.limit, seen.eligible);
  const double query_norm = query.vector.empty() ? 0 : norm(query.vector);
  const bool nothing_passes = query.min_relevance > (query_norm == 0 ? 0.0 : 1.0);
  if (limit == 0 || nothing_passes) return {};

  // Otherwise every memory is as relevant as the next for the ranking, and no vector or code is read to find the best.
  const bool needs_vectors = query_norm != 0 && (weights.relevance > 0 || query.min_relevance > 0);
  const bool scans = seen.eligible > kBoundsPayFrom * limit;
  const std::size_t row_bytes = !needs_vectors ? kMetadataBytes : scans ? format::code_bytes(dimension) : 4 * dimension;
  const Helpers helpers = splitting.helpers_to_read(seen.eligible * row_bytes);
  std::vector<Candidate> candidates;
  if (!scans) {
    candidates = all_eligible(chunks);
  } else {
    std::optional<QueryCode> code;
    if (needs_vectors) code = encode_query(query.vector, query_norm);
    candidates =
        scan(chunks, dimension, QueryBounds(weights, query, std::move(code)), limit, query.coarse_from_bytes, helpers);
  }
  const ExactQuery exact{weights, query, query_norm, needs_vectors};
  return rank_exactly(chunks, exact, candidates, limit, helpers, seen.scored_exactly);
}

}  // namespace hippocore::ranking
