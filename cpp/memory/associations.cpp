#include "memory/associations.h"

#include <algorithm>
#include <limits>

#include "memory/hit_order.h"
#include "ranking/association.h"
#include "ranking/code_similarity.h"
#include "ranking/quantize.h"
#include "ranking/top_k.h"

namespace hippocore::memory {

using ranking::Hit;
using ranking::RankedHit;
using storage::Root;

// The best of what is added, by what speaks for each.
class Associations::SecondStage {
 public:
  SecondStage(const ranking::RecallQuery& query, const QueryRelevance& relevance, const ranking::Weights& weights,
              std::size_t limit)
      : query_(query), relevance_(relevance), weights_(weights), top_(limit) {}

  void add(RankedHit ranked, double lent) {
    const ranking::Parts parts = judge(ranked.hit, lent);
    ranked.hit.reason = parts.reason();
    best_sum_ = std::max(best_sum_, parts.sum());
    if (ranked.hit.relevance >= query_.min_relevance) top_.add(ranked);
  }
  // Returns: whether a hit with no more similarity than this one's can change the answer.
  [[nodiscard]] bool can_take(Hit hit, double lent) const {
    const double sum = judge(hit, lent).sum();
    return sum > best_sum_ - kRounding || hit.score > top_.threshold() - kRounding;
  }
  [[nodiscard]] double best_sum() const noexcept { return best_sum_; }
  [[nodiscard]] std::vector<Hit> take() {
    std::vector<Hit> hits;
    for (const RankedHit& one : top_.take()) hits.push_back(one.hit);
    return hits;
  }

 private:
  static constexpr double kRounding = 1e-9;  // of either, and far more than it is

  // Gives the hit the relevance and score that it has by its similarity and by what it is lent.
  ranking::Parts judge(Hit& hit, double lent) const {
    ranking::Parts parts = relevance_.parts(hit.slot, hit.similarity);
    parts.lent = lent;
    hit.relevance = ranking::relevance_of_sum(parts.sum());
    hit.score = ranking::fuse({hit.relevance, hit.recency, hit.importance, hit.usage}, weights_);
    return parts;
  }

  const ranking::RecallQuery& query_;
  const QueryRelevance& relevance_;
  const ranking::Weights& weights_;
  ranking::TopHits top_;
  double best_sum_ = -std::numeric_limits<double>::infinity();
};

Associations::Associations(const QuerySource& source, const ranking::Weights& weights)
    : source_(source), weights_(weights), chunks_(source.root.chunks->size()) {
  for (std::uint32_t at = 0; at < source.chunks.size(); ++at) {
    chunks_[source.chunks[at].first_slot / format::kChunkSlots] = at;
  }
}

Associations::Found Associations::find(const ranking::RecallQuery& query, const QueryRelevance& relevance,
                                       std::span<const Hit> pool, std::span<const Hit> others) const {
  if (pool.empty()) return {};
  const std::vector<Borrower> borrowers = lend(source_, relevance, pool, others);
  SecondStage stage(query, relevance, weights_, std::min(query.limit, borrowers.size()));
  std::vector<Borrower> unscored;
  for (const Borrower& borrower : borrowers) {
    if (borrower.hit == nullptr) {
      unscored.push_back(borrower);
    } else {
      stage.add(ranked_hit(source_.root, *borrower.hit), borrower.lent);
    }
  }
  const std::size_t read = add_unscored(query, unscored, stage);
  return {stage.take(), stage.best_sum(), read};
}

// Those that the first stage has not scored have a similarity of their own only where it can matter. Returns: how many.
std::size_t Associations::add_unscored(const ranking::RecallQuery& query, std::span<const Borrower> borrowers,
                                       SecondStage& stage) const {
  std::vector<ranking::Candidate> rows;
  rows.reserve(borrowers.size());
  for (const Borrower& borrower : borrowers) {
    rows.push_back(
        {0, chunks_[borrower.slot / format::kChunkSlots], static_cast<std::uint32_t>(Root::row(borrower.slot))});
  }
  const double norm = ranking::norm(query.vector);
  auto scored = ranking::score_rows(source_.chunks, {weights_, query, norm, false}, rows);
  if (norm == 0) {
    for (std::size_t i = 0; i < scored.size(); ++i) stage.add(scored[i], borrowers[i].lent);
    return 0;
  }
  const ranking::CodeSimilarity similarity(query.vector, norm);
  for (const ranking::Candidate& row : rows) similarity.prefetch(source_.chunks[row.chunk], row.row);
  std::size_t read = 0;
  for (std::size_t i = 0; i < scored.size(); ++i) {
    const ranking::ScanChunk& chunk = source_.chunks[rows[i].chunk];
    scored[i].hit.similarity = similarity.at_most(chunk, rows[i].row);
    if (!stage.can_take(scored[i].hit, borrowers[i].lent)) continue;
    scored[i].hit.similarity = ranking::similarity_of(chunk, rows[i].row, query.vector, norm);
    stage.add(scored[i], borrowers[i].lent);
    ++read;
  }
  return read;
}

}  // namespace hippocore::memory
