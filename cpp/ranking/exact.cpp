#include "ranking/exact.h"

#include <algorithm>
#include <atomic>

namespace hippocore::ranking {
namespace {

// How many candidates ahead the vectors are asked for.
constexpr std::size_t kAhead = 4;

std::span<const float> vector_of(const ScanChunk& chunk, std::uint32_t row, std::size_t dimension) {
  return {chunk.vectors + row * dimension, dimension};
}

class ExactScorer {
 public:
  ExactScorer(std::span<const ScanChunk> chunks, const ExactQuery& query) : chunks_(chunks), query_(query) {}

  void prefetch(const Candidate& candidate) const {
    const auto vector = vector_of(chunks_[candidate.chunk], candidate.row, query_.query.vector.size());
    for (std::size_t i = 0; i < vector.size(); i += 16) __builtin_prefetch(vector.data() + i);
  }

  double similarity_of(std::uint32_t chunk, std::uint32_t row) const {
    return ranking::similarity_of(chunks_[chunk], row, query_.query.vector, query_.query_norm);
  }

  RankedHit score(const Candidate& candidate) {
    const ScanChunk& chunk = chunks_[candidate.chunk];
    const std::uint32_t row = candidate.row;
    RankedHit ranked{{}, chunk.valid_from[row], chunk.ids + row, candidate.chunk, row};
    Hit& hit = ranked.hit;
    hit.slot = chunk.first_slot + row;
    hit.similarity = query_.needs_vectors ? similarity_of(candidate.chunk, row) : 0;
    hit.relevance = query_.query.relevance.of(hit.similarity, hit.slot);
    hit.recency = recency_of(chunk.times[row], chunk.kinds[row]);
    hit.importance = chunk.importance[row];
    hit.usage = usage_of(chunk.use_counts[row]);
    hit.score = fuse({hit.relevance, hit.recency, hit.importance, hit.usage}, query_.weights);
    return ranked;
  }

 private:
  // What was imported together has one time and no uses: then the last answer is this one too.
  double recency_of(std::int64_t time, std::uint16_t kind) {
    if (time != last_time_ || kind != last_kind_) {
      last_time_ = time;
      last_kind_ = kind;
      last_recency_ = recency(query_.query.now, time, query_.weights.half_lives[kind]);
    }
    return last_recency_;
  }
  double usage_of(std::uint32_t use_count) {
    if (use_count != last_use_count_) {
      last_use_count_ = use_count;
      last_usage_ = usage(use_count, query_.weights.usage_saturation);
    }
    return last_usage_;
  }

  std::span<const ScanChunk> chunks_;
  const ExactQuery& query_;
  std::int64_t last_time_ = 0;
  std::uint32_t last_kind_ = UINT32_MAX;  // no kind
  double last_recency_ = 0;
  std::uint32_t last_use_count_ = 0;
  double last_usage_ = 0;
};

// Puts the candidates with the highest bounds first, best first: they raise the threshold so far that few of the others
// are scored. Those keep the order of memory, in which a crowd is read fastest.
void order_by_promise(std::span<Candidate> candidates, std::size_t limit) {
  const auto by_upper = [](const Candidate& a, const Candidate& b) { return a.upper > b.upper; };
  const std::size_t head = std::min(candidates.size(), std::max<std::size_t>(1024, 4 * limit));
  if (head < candidates.size()) {
    std::ranges::nth_element(candidates, candidates.begin() + static_cast<std::ptrdiff_t>(head), by_upper);
    std::ranges::sort(candidates.subspan(head), [](const Candidate& a, const Candidate& b) {
      return a.chunk != b.chunk ? a.chunk < b.chunk : a.row < b.row;
    });
  }
  std::ranges::sort(candidates.first(head), by_upper);
}

// Candidates that a thread takes at once: enough for vectors to be asked for ahead, few enough to share a short list.
constexpr std::size_t kTaken = 32;

// Scores what can still be among the best, each thread its share. Returns: how many vectors were read.
std::size_t score_candidates(std::span<const ScanChunk> chunks, const ExactQuery& query,
                             std::span<const Candidate> candidates, const Helpers& helpers, Together<TopHits>& top) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> vectors_read = 0;
  helpers.share([&] {
    ExactScorer scorer(chunks, query);
    std::size_t read = 0;
    for (std::size_t first = next.fetch_add(kTaken); first < candidates.size(); first = next.fetch_add(kTaken)) {
      const auto taken = candidates.subspan(first, std::min(kTaken, candidates.size() - first));
      for (std::size_t i = 0; i < taken.size(); ++i) {
        // Only what is surely worse is left out: at an equal score newest and id decide.
        if (taken[i].upper < top.threshold()) continue;
        if (query.needs_vectors) {
          if (first + i + kAhead < candidates.size()) scorer.prefetch(candidates[first + i + kAhead]);
          ++read;
        }
        const RankedHit hit = scorer.score(taken[i]);
        const bool passes = hit.hit.relevance >= query.query.min_relevance && hit.hit.score >= top.threshold();
        if (passes) top.add([&](TopHits& hits) { hits.add(hit); });
      }
    }
    vectors_read += read;
  });
  return vectors_read;
}

}  // namespace

std::vector<Hit> rank_exactly(std::span<const ScanChunk> chunks, const ExactQuery& query,
                              std::span<Candidate> candidates, std::size_t limit, const Helpers& helpers,
                              std::size_t& scored_exactly) {
  const Helpers helping = candidates.size() > kTaken ? helpers : Helpers{};
  Together<TopHits> top(limit, !helping.any());
  if (query.needs_vectors) order_by_promise(candidates, limit);
  scored_exactly += score_candidates(chunks, query, candidates, helping, top);

  const ExactScorer scorer(chunks, query);
  std::vector<Hit> hits;
  for (RankedHit& ranked : top.best().take()) {
    if (!query.needs_vectors && query.query_norm != 0) {
      ranked.hit.similarity = scorer.similarity_of(ranked.chunk, ranked.row);
      ranked.hit.relevance = query.query.relevance.of(ranked.hit.similarity, ranked.hit.slot);
      ++scored_exactly;
    }
    hits.push_back(ranked.hit);
  }
  return hits;
}

double similarity_of(const ScanChunk& chunk, std::uint32_t row, std::span<const float> vector, double norm) {
  return similarity(vector, norm, vector_of(chunk, row, vector.size()), chunk.norms[row]);
}

std::vector<RankedHit> score_rows(std::span<const ScanChunk> chunks, const ExactQuery& query,
                                  std::span<const Candidate> rows) {
  ExactScorer scorer(chunks, query);
  std::vector<RankedHit> hits;
  hits.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (query.needs_vectors && i + kAhead < rows.size()) scorer.prefetch(rows[i + kAhead]);
    hits.push_back(scorer.score(rows[i]));
  }
  return hits;
}

}  // namespace hippocore::ranking
