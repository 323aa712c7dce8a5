// Memory: recall, in one stage or two.
#include <algorithm>
#include <deque>
#include <limits>

#include "base/error.h"
#include "memory/associations.h"
#include "memory/eligible.h"
#include "memory/memory.h"
#include "memory/query_relevance.h"
#include "memory/rank_fusion.h"
#include "ranking/association.h"

namespace hippocore::memory {

using storage::Root;

namespace {

using Queries = std::vector<ranking::RecallQuery>;

std::vector<double> half_lives_by_kind(const storage::Index& index, const KindHalfLives& given) {
  std::vector<double> half_lives(index.kind_count(), given.other);
  for (std::size_t kind = 0; kind < half_lives.size(); ++kind) {
    for (const auto& [name, seconds] : given.named) {
      if (name == index.kind(kind)) half_lives[kind] = seconds;
    }
  }
  return half_lives;
}

void require_dimension(const Root& root, std::span<const float> vector) {
  if (vector.empty() || vector.size() == root.header->dimension) return;
  throw Error(ErrorCode::kDimensionMismatch, "the query has " + std::to_string(vector.size()) +
                                                 " dimensions, the store " + std::to_string(root.header->dimension));
}

// All queries have one condition on relevance, or none.
bool have_condition(const Queries& queries) {
  return !queries.empty() && queries.front().min_relevance > 0;
}

// The pools of all queries, each with the rest of the best `limit` behind it; or, where relevance has a condition, the
// pools and behind them the best that meet it by themselves. What is lent only adds to it, so that as many are found as
// ask for it whenever there are so many.
Queries first_stage(const Queries& queries) {
  Queries asked;
  for (ranking::RecallQuery pool : queries) {
    if (pool.limit > 0) pool.limit = have_condition(queries) ? ranking::kPool : std::max(pool.limit, ranking::kPool);
    pool.min_relevance = -std::numeric_limits<double>::infinity();
    asked.push_back(pool);
  }
  if (have_condition(queries)) asked.insert(asked.end(), queries.begin(), queries.end());
  return asked;
}

// What one recall asks of a store, prepared.
struct Prepared {
  const QuerySource& source;
  const ranking::Weights& weights;
  const Queries& queries;
  const std::deque<QueryRelevance>& relevances;  // of each
  const ranking::Splitting& splitting;

  [[nodiscard]] std::vector<RecallAnswer> rank(const Queries& asked) const {
    return answers_of(ranking::recall_many(source.chunks, source.root.header->dimension, weights, asked, splitting));
  }
  [[nodiscard]] std::vector<RecallAnswer> rank_in_two_stages() const {
    std::vector<RecallAnswer> answers = rank(first_stage(queries));
    const Associations associations(source, weights);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const std::span<const ranking::Hit> best = answers[i].hits;
      const auto pool = best.first(std::min(best.size(), ranking::kPool));
      auto others = best.subspan(pool.size());
      if (have_condition(queries)) others = answers[queries.size() + i].hits;
      auto found = associations.find(queries[i], relevances[i], pool, others);
      answers[i].confidence = pool.empty() ? 0 : ranking::confidence_of(found.best_sum, answers[i].counts.eligible);
      answers[i].counts.scored_exactly += found.scored_exactly;
      answers[i].hits = std::move(found.hits);
    }
    answers.resize(queries.size());
    return answers;
  }
  [[nodiscard]] std::vector<RecallAnswer> rank_as_asked(const RecallRequest& request) const {
    if (request.mode != Mode::kHybrid) return rank(queries);
    if (!request.fusion.rank_constant) return rank_in_two_stages();
    const double constant = *request.fusion.rank_constant;
    return answers_of(rank_by_places(source, weights, queries, relevances, constant, splitting));
  }

 private:
  static std::vector<RecallAnswer> answers_of(std::vector<ranking::Answer> ranked) {
    std::vector<RecallAnswer> answers;
    answers.reserve(ranked.size());
    for (ranking::Answer& one : ranked) answers.push_back({{}, std::move(one.hits), one.counts, std::nullopt});
    return answers;
  }
};

}  // namespace

RecallAnswer Memory::recall(const RecallRequest& request) {
  return std::move(recall_many(request, {&request.vector, 1}, {&request.lexical, 1}).front());
}

std::vector<RecallAnswer> Memory::recall_many(const RecallRequest& request,
                                              std::span<const std::span<const float>> vectors,
                                              std::span<const LexicalQuery> lexical) {
  const auto root = store_->snapshot();
  return answers(*root, eligible_slots(*root, request.filter, splitting_), request, vectors, lexical);
}

std::vector<RecallAnswer> Memory::answers(const Root& root, const SlotMasks& eligible, const RecallRequest& request,
                                          std::span<const std::span<const float>> vectors,
                                          std::span<const LexicalQuery> lexical) const {
  for (const std::span<const float> vector : vectors) require_dimension(root, vector);
  ranking::Weights weights = request.weights;
  weights.half_lives = half_lives_by_kind(*root.index, request.half_lives);
  const ScanColumns columns(root, eligible, request.filter, request.recency_of);
  const QuerySource source{root, request.filter, eligible, columns.chunks()};
  std::deque<QueryRelevance> relevances;
  Queries queries;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const LexicalQuery& terms = lexical.empty() ? request.lexical : lexical[i];
    queries.push_back(
        {.vector = vectors[i],
         .now = request.filter.moment(),
         .limit = request.limit,
         .relevance =
             relevances.emplace_back(source, request.mode, vectors[i], terms, request.fusion.lexical_weight).map(),
         .min_relevance = request.min_relevance});
  }
  const Prepared prepared{source, weights, queries, relevances, splitting_};
  std::vector<RecallAnswer> found = prepared.rank_as_asked(request);
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::vector<std::uint32_t> slots;
    for (ranking::Hit& hit : found[i].hits) {
      hit.lexical = relevances[i].lexical(hit.slot);
      slots.push_back(hit.slot);
    }
    found[i].rows = copy_rows(root, slots);
  }
  return found;
}

std::optional<std::int64_t> Memory::newest_event(const Filter& filter) {
  const auto root = store_->snapshot();
  std::optional<std::int64_t> newest;
  for (const std::uint32_t slot : list_slots(eligible_slots(*root, filter, splitting_))) {
    const std::int64_t event = root->rows(slot).event_time()[Root::row(slot)];
    if (event != format::kUnset && (!newest || event > *newest)) newest = event;
  }
  return newest;
}

}  // namespace hippocore::memory
