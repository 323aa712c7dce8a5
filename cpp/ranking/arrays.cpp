#include "ranking/arrays.h"

#include <algorithm>
#include <numeric>

#include "ranking/quantize.h"

namespace hippocore::ranking {

std::vector<double> cosines(std::span<const float> query, std::span<const float> vectors) {
  const double query_norm = norm(query);
  std::vector<double> results;
  results.reserve(vectors.size() / query.size());
  for (; !vectors.empty(); vectors = vectors.subspan(query.size())) {
    const auto row = vectors.first(query.size());
    results.push_back(similarity(query, query_norm, row, norm(row)));
  }
  return results;
}

std::vector<double> fused_scores(const SignalColumns& signals, const Weights& weights) {
  std::vector<double> scores;
  scores.reserve(signals.relevance.size());
  for (std::size_t i = 0; i < signals.relevance.size(); ++i) {
    scores.push_back(
        fuse({signals.relevance[i], signals.recency[i], signals.importance[i], signals.usage[i]}, weights));
  }
  return scores;
}

std::vector<std::size_t> best_positions(std::span<const double> scores, std::size_t limit) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  limit = std::min(limit, order.size());
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(limit);
  std::ranges::partial_sort(order, middle, [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  order.resize(limit);
  return order;
}

}  // namespace hippocore::ranking
