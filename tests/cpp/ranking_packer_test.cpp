// Packing against its properties and, for small lists, against every subset.
#include <algorithm>
#include <random>
#include <vector>

#include "harness.h"
#include "ranking/packer.h"

namespace hippocore::ranking {
namespace {

struct List {
  std::vector<double> scores;
  std::vector<std::uint32_t> tokens;
  std::uint64_t budget = 0;
};

List random_list(std::mt19937& random) {
  List list;
  const std::size_t size = random() % 11;
  for (std::size_t i = 0; i < size; ++i) {
    list.scores.push_back(static_cast<double>(random() % 5) / 4);
    list.tokens.push_back(static_cast<std::uint32_t>(random() % 40));
  }
  list.budget = random() % 100;
  return list;
}

double total(const List& list, const std::vector<std::size_t>& positions) {
  double sum = 0;
  for (const std::size_t position : positions) sum += list.scores[position];
  return sum;
}

std::uint64_t tokens_of(const List& list, const std::vector<std::size_t>& positions) {
  std::uint64_t sum = 0;
  for (const std::size_t position : positions) sum += list.tokens[position];
  return sum;
}

double best_possible(const List& list) {
  double best = 0;
  for (unsigned subset = 0; subset < 1U << list.scores.size(); ++subset) {
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < list.scores.size(); ++i) {
      if (subset >> i & 1) positions.push_back(i);
    }
    if (tokens_of(list, positions) <= list.budget) best = std::max(best, total(list, positions));
  }
  return best;
}

std::vector<std::size_t> pack(const List& list, PackStrategy strategy) {
  return ranking::pack(list.scores, list.tokens, list.budget, strategy);
}

}  // namespace

TEST(pack_stays_in_the_budget_leaves_nothing_that_fits_and_keeps_the_order_of_score) {
  std::mt19937 random(51);
  for (int round = 0; round < 3000; ++round) {
    const List list = random_list(random);
    for (const PackStrategy strategy : {PackStrategy::kScore, PackStrategy::kDensity, PackStrategy::kBest}) {
      const auto packed = pack(list, strategy);
      const std::uint64_t used = tokens_of(list, packed);
      CHECK(used <= list.budget);
      for (std::size_t i = 0; i < list.scores.size(); ++i) {
        if (std::ranges::find(packed, i) == packed.end()) CHECK(list.tokens[i] > list.budget - used);
      }
      for (std::size_t i = 1; i < packed.size(); ++i) {
        const double before = list.scores[packed[i - 1]];
        const double after = list.scores[packed[i]];
        CHECK(before > after || (before == after && packed[i - 1] < packed[i]));
      }
      CHECK(total(list, packed) <= best_possible(list));
    }
  }
}

TEST(pack_best_is_the_better_of_the_two_and_at_least_half_of_the_possible) {
  std::mt19937 random(52);
  for (int round = 0; round < 3000; ++round) {
    const List list = random_list(random);
    const double best = total(list, pack(list, PackStrategy::kBest));
    CHECK_EQUAL(
        best, std::max(total(list, pack(list, PackStrategy::kScore)), total(list, pack(list, PackStrategy::kDensity))));
    CHECK(2 * best >= best_possible(list));
  }
}

TEST(pack_by_score_skips_what_does_not_fit_and_tries_the_next) {
  CHECK(pack({{0.9, 0.8, 0.7, 0.6}, {60, 50, 30, 10}, 100}, PackStrategy::kScore) == std::vector<std::size_t>{0, 2, 3});
}

TEST(pack_by_density_takes_many_small_ones_before_a_large_one) {
  const List list{{0.9, 0.5, 0.5}, {100, 50, 50}, 100};
  CHECK(pack(list, PackStrategy::kScore) == std::vector<std::size_t>{0});
  CHECK(pack(list, PackStrategy::kDensity) == (std::vector<std::size_t>{1, 2}));
  CHECK(pack(list, PackStrategy::kBest) == (std::vector<std::size_t>{1, 2}));
}

TEST(pack_of_nothing_or_into_nothing_is_nothing_but_what_is_free) {
  CHECK(pack({}, PackStrategy::kBest).empty());
  CHECK(pack({{0.5}, {1}, 0}, PackStrategy::kBest).empty());
  CHECK(pack({{0.5}, {0}, 0}, PackStrategy::kBest) == std::vector<std::size_t>{0});
}

}  // namespace hippocore::ranking
