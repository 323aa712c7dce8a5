#include "ranking/packer.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hippocore::ranking {
namespace {

using Positions = std::vector<std::size_t>;

Positions by_score(std::span<const double> scores) {
  Positions order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  return order;
}

// What costs nothing is densest when it is worth something, and last when it takes away.
double density(double score, std::uint32_t tokens) {
  if (tokens != 0) return score / static_cast<double>(tokens);
  return score == 0 ? 0 : score * std::numeric_limits<double>::infinity();
}

Positions by_density(Positions order, std::span<const double> scores, std::span<const std::uint32_t> tokens) {
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return density(scores[a], tokens[a]) > density(scores[b], tokens[b]);
  });
  return order;
}

Positions take_what_fits(const Positions& order, std::span<const std::uint32_t> tokens, std::uint64_t budget) {
  Positions taken;
  for (const std::size_t position : order) {
    if (tokens[position] > budget) continue;
    budget -= tokens[position];
    taken.push_back(position);
  }
  return taken;
}

double total(const Positions& positions, std::span<const double> scores) {
  double sum = 0;
  for (const std::size_t position : positions) sum += scores[position];
  return sum;
}

}  // namespace

std::vector<std::size_t> pack(std::span<const double> scores, std::span<const std::uint32_t> tokens,
                              std::uint64_t budget, PackStrategy strategy) {
  const Positions order = by_score(scores);
  const Positions ranked = take_what_fits(order, tokens, budget);
  if (strategy == PackStrategy::kScore) return ranked;

  Positions dense = take_what_fits(by_density(order, scores, tokens), tokens, budget);
  if (strategy == PackStrategy::kBest && total(ranked, scores) >= total(dense, scores)) return ranked;
  std::ranges::sort(dense);
  std::ranges::stable_sort(dense, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  return dense;
}

}  // namespace hippocore::ranking
