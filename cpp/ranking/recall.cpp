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

// So many queries at most share the reading of a block. At 500,000 x 384, 8, 16, 32 and 64 of them take 4.3, 2.7, 2.5
// and 2.4 ms each, one alone 7 (bench/scan.cpp): more would gain little and keep all their candidates meanwhile.
constexpr std::size_t kGroup = 32;

// One query over the eligible rows.
struct Asked {
  Asked(const RecallQuery& asked, const Weights& weights, std::size_t eligible)
      : query(asked),
        limit(std::min(asked.limit, eligible)),
        query_norm(asked.vector.empty() ? 0 : norm(asked.vector)),
        needs_vectors(query_norm != 0 && asked.relevance.slope > 0 &&
                      (weights.relevance > 0 || asked.min_relevance > 0)),
        scans(eligible > kBoundsPayFrom * limit) {}

  [[nodiscard]] bool finds_nothing() const {
    const double largest = query_norm == 0 && query.relevance.is_plain() ? 0 : 1;
    return limit == 0 || query.min_relevance > largest;
  }

  const RecallQuery& query;
  std::size_t limit;
  double query_norm;
  // Otherwise every memory is as relevant as the next for the ranking, and no vector or code is read to find the best.
  bool needs_vectors;
  bool scans;
  std::vector<Candidate> candidates{};
};

class ManyRecalls {
 public:
  ManyRecalls(std::span<const ScanChunk> chunks, std::size_t dimension, const Weights& weights,
              const Splitting& splitting, std::size_t eligible)
      : chunks_(chunks), dimension_(dimension), weights_(weights), splitting_(splitting), eligible_(eligible) {}

  // Answers a group of queries that share what they read.
  void answer(std::span<Asked> group, std::span<Answer> answers) const {
    find_candidates(group, true);
    find_candidates(group, false);
    // One alone is split within; of several each is a piece of work.
    const bool alone = group.size() == 1;
    const Helpers helpers = splitting_.helpers_to_read(group.size() * bytes_of(group.front()));
    os::for_each_piece(helpers.workers, alone ? 0 : helpers.others, group.size(),
                       [&](std::size_t i) { rank(group[i], alone ? helpers : Helpers{}, answers[i]); });
  }

 private:
  // Fills the candidates of those that scan, and need vectors or do not.
  void find_candidates(std::span<Asked> group, bool needs_vectors) const {
    std::vector<Asked*> scanning;
    std::vector<ScanQuery> queries;
    for (Asked& asked : group) {
      if (asked.finds_nothing() || !asked.scans || asked.needs_vectors != needs_vectors) continue;
      std::optional<QueryCode> code;
      if (needs_vectors) code = encode_query(asked.query.vector, asked.query_norm);
      queries.push_back(
          {QueryBounds(weights_, asked.query, std::move(code)), asked.limit, asked.query.coarse_from_bytes});
      scanning.push_back(&asked);
    }
    if (queries.empty()) return;
    const Helpers helpers = splitting_.helpers_to_read(queries.size() * bytes_of(*scanning.front()));
    auto candidates = scan(chunks_, dimension_, queries, helpers);
    for (std::size_t i = 0; i < scanning.size(); ++i) scanning[i]->candidates = std::move(candidates[i]);
  }

  void rank(Asked& asked, const Helpers& helpers, Answer& answer) const {
    if (asked.finds_nothing()) return;
    if (!asked.scans) asked.candidates = all_eligible(chunks_);
    const ExactQuery exact{weights_, asked.query, asked.query_norm, asked.needs_vectors};
    answer.hits = rank_exactly(chunks_, exact, asked.candidates, asked.limit, helpers, answer.counts.scored_exactly);
    asked.candidates = {};
  }

  [[nodiscard]] std::size_t bytes_of(const Asked& asked) const {
    if (!asked.needs_vectors) return eligible_ * kMetadataBytes;
    return eligible_ * (asked.scans ? format::code_bytes(dimension_) : dimension_ * sizeof(float));
  }

  std::span<const ScanChunk> chunks_;
  std::size_t dimension_;
  const Weights& weights_;
  const Splitting& splitting_;
  std::size_t eligible_;
};

}  // namespace

std::vector<Hit> recall(std::span<const ScanChunk> chunks, std::size_t dimension, const Weights& weights,
                        const RecallQuery& query, RecallCounts* counts, const Splitting& splitting) {
  Answer answer = std::move(recall_many(chunks, dimension, weights, {&query, 1}, splitting).front());
  if (counts != nullptr) *counts = answer.counts;
  return std::move(answer.hits);
}

std::vector<Answer> recall_many(std::span<const ScanChunk> chunks, std::size_t dimension, const Weights& weights,
                                std::span<const RecallQuery> queries, const Splitting& splitting) {
  const std::size_t eligible = count_eligible(chunks);
  const ManyRecalls many(chunks, dimension, weights, splitting, eligible);
  std::vector<Answer> answers(queries.size(), {.hits = {}, .counts = {.eligible = eligible}});
  std::vector<Asked> all;
  all.reserve(queries.size());
  for (const RecallQuery& query : queries) all.emplace_back(query, weights, eligible);

  for (std::size_t first = 0; first < all.size(); first += kGroup) {
    const std::size_t count = std::min(kGroup, all.size() - first);
    many.answer(std::span(all).subspan(first, count), std::span(answers).subspan(first, count));
  }
  return answers;
}

}  // namespace hippocore::ranking
