// The four signals at their edges.
#include <cmath>
#include <limits>
#include <vector>

#include "harness.h"
#include "ranking/score.h"

namespace hippocore::ranking {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
constexpr double kForever = std::numeric_limits<double>::infinity();

}  // namespace

TEST(recency_halves_with_each_half_life_and_never_exceeds_one) {
  CHECK_EQUAL(recency(3'000'000, 0, 3), 0.5);
  CHECK_EQUAL(recency(6'000'000, 0, 3), 0.25);
  CHECK_EQUAL(recency(0, 1, 3), 1.0);
  CHECK_EQUAL(recency(kLowest, kHighest, 3), 1.0);
  CHECK_EQUAL(recency(kHighest, kLowest, 1), 0.0);
  CHECK_EQUAL(recency(kHighest, kLowest, kForever), 1.0);
  CHECK_EQUAL(recency(5, 5, 1e-300), 1.0);
}

TEST(usage_grows_from_zero_to_one_at_saturation) {
  CHECK_EQUAL(usage(0, 99), 0.0);
  CHECK(std::abs(usage(9, 99) - 0.5) < 1e-15);
  CHECK_EQUAL(usage(99, 99), 1.0);
  CHECK_EQUAL(usage(0xFFFFFFFF, 99), 1.0);
  CHECK_EQUAL(usage(0, 0), 0.0);
  CHECK_EQUAL(usage(1, 0), 1.0);
}

TEST(similarity_is_a_cosine_that_knows_zero_and_itself) {
  CHECK_EQUAL(similarity(0, 0, 1), 0.0);
  CHECK_EQUAL(similarity(0, 1, 0), 0.0);
  CHECK_EQUAL(similarity(6, 2, 3), 1.0);
  CHECK_EQUAL(similarity(-6, 2, 3), -1.0);
  CHECK_EQUAL(similarity(6.1, 2, 3), 1.0);
  CHECK_EQUAL(similarity(3, 2, 3), 0.5);
  CHECK_EQUAL(similarity(3e-40, std::sqrt(3e-40), std::sqrt(3e-40)), 1.0);
  CHECK_EQUAL(relevance(-0.5), 0.0);
  CHECK_EQUAL(relevance(0.5), 0.5);
}

TEST(fuse_weighs_each_signal) {
  Weights weights;
  CHECK_EQUAL(fuse({1, 0, 0, 0}, weights), 0.5);
  CHECK_EQUAL(fuse({0, 1, 0, 0}, weights), 0.25);
  CHECK_EQUAL(fuse({0, 0, 1, 0}, weights), 0.15);
  CHECK_EQUAL(fuse({0, 0, 0, 1}, weights), 0.10);
}

}  // namespace hippocore::ranking
