#include "memory/associations.h"

#include <algorithm>

#include "memory/hit_order.h"
#include "ranking/association.h"
#include "ranking/quantize.h"
#include "ranking/top_k.h"

namespace hippocore::memory {

using ranking::Hit;
using ranking::RankedHit;
using storage::Root;

Associations::Associations(const QuerySource& source, const ranking::Weights& weights)
    : source_(source), weights_(weights), chunks_(source.root.chunks->size()) {
  for (std::uint32_t at = 0; at < source.chunks.size(); ++at) {
    chunks_[source.chunks[at].first_slot / format::kChunkSlots] = at;
  }
}

Associations::Found Associations::find(const ranking::RecallQuery& query, const QueryRelevance& relevance,
                                       std::span<const Hit> pool, std::span<const Hit> others) const {
  Found found;
  if (pool.empty()) return found;
  const std::vector<Borrower> borrowers = lend(source_, relevance, pool, others);
  std::vector<RankedHit> ranked = hits_of(query, borrowers, found.scored_exactly);
  ranking::TopHits top(std::min(query.limit, ranked.size()));
  double best = 0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    Hit& hit = ranked[i].hit;
    ranking::Parts parts = relevance.parts(hit.slot, hit.similarity);
    parts.lent = borrowers[i].lent;
    best = i == 0 ? parts.sum() : std::max(best, parts.sum());
    hit.relevance = ranking::relevance_of_sum(parts.sum());
    hit.score = ranking::fuse({hit.relevance, hit.recency, hit.importance, hit.usage}, weights_);
    hit.reason = parts.reason();
    if (hit.relevance >= query.min_relevance) top.add(ranked[i]);
  }
  for (const RankedHit& one : top.take()) found.hits.push_back(one.hit);
  found.best_sum = best;
  return found;
}

// Those that the first stage has not scored are scored now.
std::vector<RankedHit> Associations::hits_of(const ranking::RecallQuery& query, std::span<const Borrower> borrowers,
                                             std::size_t& read) const {
  std::vector<ranking::Candidate> rows;
  for (const Borrower& borrower : borrowers) {
    if (borrower.hit != nullptr) continue;
    rows.push_back(
        {0, chunks_[borrower.slot / format::kChunkSlots], static_cast<std::uint32_t>(Root::row(borrower.slot))});
  }
  const double norm = ranking::norm(query.vector);
  const auto scored = ranking::score_rows(source_.chunks, {weights_, query, norm, norm != 0}, rows);
  if (norm != 0) read = rows.size();
  std::vector<RankedHit> hits;
  hits.reserve(borrowers.size());
  auto next = scored.begin();
  for (const Borrower& borrower : borrowers) {
    hits.push_back(borrower.hit == nullptr ? *next++ : ranked_hit(source_.root, *borrower.hit));
  }
  return hits;
}

}  // namespace hippocore::memory
