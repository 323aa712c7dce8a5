#include "memory/rank_fusion.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "memory/hit_order.h"
#include "ranking/top_k.h"

namespace hippocore::memory {

using ranking::Answer;
using ranking::Hit;
using ranking::RecallQuery;

namespace {

// The candidates of one query and their relevance so far.
class Places {
 public:
  explicit Places(double constant) : constant_(constant) {}

  void add(std::span<const Hit> leg) {
    double place = 1;
    for (const Hit& hit : leg) candidate(hit).relevance += (constant_ + 1) / 2 / (constant_ + place++);
  }
  void add_without_place(std::span<const Hit> hits) {
    for (const Hit& hit : hits) candidate(hit);
  }
  [[nodiscard]] std::vector<Hit>& candidates() { return candidates_; }

 private:
  Hit& candidate(const Hit& hit) {
    const auto [found, is_new] = positions_.try_emplace(hit.slot, candidates_.size());
    if (is_new) candidates_.push_back(hit);
    if (is_new) candidates_.back().relevance = 0;
    return candidates_[found->second];
  }

  double constant_;
  std::vector<Hit> candidates_;
  std::unordered_map<std::uint32_t, std::size_t> positions_;
};

// First by similarity, then by words, for each query: orders alone, whose relevance means nothing.
std::vector<RecallQuery> legs_of(const std::vector<RecallQuery>& queries,
                                 const std::deque<QueryRelevance>& relevances) {
  std::vector<RecallQuery> legs;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    RecallQuery leg{.vector = queries[i].vector, .now = queries[i].now, .limit = queries[i].limit, .relevance = {}};
    if (leg.limit > 0) leg.limit = std::max(leg.limit, kPlaces);
    leg.relevance.soft = true;  // so that what is opposite comes last
    legs.push_back(leg);
    leg.relevance = relevances[i].lexical_map();
    legs.push_back(leg);
  }
  return legs;
}

std::vector<Hit> best_of(const storage::Root& root, const ranking::Weights& weights, const RecallQuery& query,
                         std::span<Hit> candidates) {
  ranking::TopHits top(std::max<std::size_t>(query.limit, 1));
  for (Hit& hit : candidates) {
    hit.score = ranking::fuse({hit.relevance, hit.recency, hit.importance, hit.usage}, weights);
    if (hit.relevance >= query.min_relevance) top.add(ranked_hit(root, hit));
  }
  std::vector<Hit> hits;
  for (const ranking::RankedHit& one : top.take()) hits.push_back(one.hit);
  return hits;
}

}  // namespace

std::vector<Answer> rank_by_places(const QuerySource& source, const ranking::Weights& weights,
                                   const std::vector<RecallQuery>& queries,
                                   const std::deque<QueryRelevance>& relevances, double constant,
                                   const ranking::Splitting& splitting) {
  const std::size_t dimension = source.root.header->dimension;
  ranking::Weights relevance_alone = weights;
  relevance_alone.relevance = 1;
  relevance_alone.recency = relevance_alone.importance = relevance_alone.usage = 0;
  ranking::Weights the_rest = weights;
  the_rest.relevance = 0;
  std::vector<RecallQuery> others;  // without a place the other signals decide
  others.reserve(queries.size());
  for (const RecallQuery& query : queries) {
    others.push_back({.vector = query.vector, .now = query.now, .limit = query.limit, .relevance = {}});
  }
  auto legs = ranking::recall_many(source.chunks, dimension, relevance_alone, legs_of(queries, relevances), splitting);
  auto answers = ranking::recall_many(source.chunks, dimension, the_rest, others, splitting);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    Answer& by_similarity = legs[2 * i];
    Answer& by_words = legs[2 * i + 1];
    std::erase_if(by_words.hits, [&](const Hit& hit) { return relevances[i].lexical(hit.slot) == 0; });
    Places places(constant);
    if (std::ranges::any_of(queries[i].vector, [](float value) { return value != 0; })) places.add(by_similarity.hits);
    places.add(by_words.hits);
    places.add_without_place(answers[i].hits);
    answers[i].hits = best_of(source.root, weights, queries[i], places.candidates());
    answers[i].counts.scored_exactly += by_similarity.counts.scored_exactly + by_words.counts.scored_exactly;
  }
  return answers;
}

}  // namespace hippocore::memory
