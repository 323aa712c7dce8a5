// Reciprocal rank fusion against places found by sorting everything; and the weight of words.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "harness.h"
#include "memory/eligible.h"
#include "memory_fixture.h"
#include "words_as_terms.h"

namespace hippocore::memory {
namespace {

using testing::asking;
using testing::MemoryFixture;

constexpr std::uint32_t kMemories = 400;
const std::vector<std::string> kWords = {"red", "fox", "dog", "tea"};
const std::vector<float> kAsked = testing::vector_of(7);

void fill(MemoryFixture& store) {
  std::mt19937 random(3);
  for (std::uint32_t number = 0; number < kMemories; ++number) {
    NewVersion version = testing::version_of(number);
    version.state.importance = static_cast<double>(random() % 1'000) / 999;
    std::vector<std::string> said;
    for (auto left = random() % 6; left > 0; --left) said.push_back(kWords[random() % kWords.size()]);
    version.terms = testing::terms_of(said);
    store.write(version, 1'000 + number % 390);  // some vectors are there twice
  }
}

RecallRequest by_places(std::span<const float> vector, double constant) {
  RecallRequest request;
  request.mode = Mode::kHybrid;
  request.vector = vector;
  request.lexical = asking({"fox", "tea", "never"});
  request.filter.now = 5'000'000;
  request.half_lives.other = 100;
  request.fusion.rank_constant = constant;
  return request;
}

// Adds to each memory's relevance what its place in an order by falling scores gives; those of minus infinity have
// none.
void add_places(const std::vector<double>& scores, std::size_t pool, double constant, std::vector<double>& relevance) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t number = 0; number < kMemories; ++number) {
    if (scores[number] > -1e9) order.push_back(number);
  }
  // A later number is newer.
  std::ranges::sort(order, [&](std::uint32_t left, std::uint32_t right) {
    return scores[left] != scores[right] ? scores[left] > scores[right] : left > right;
  });
  order.resize(std::min(order.size(), pool));
  for (std::size_t place = 0; place < order.size(); ++place) {
    relevance[order[place]] += (constant + 1) / 2 / (constant + static_cast<double>(place) + 1);
  }
}

std::vector<double> cosines(std::span<const float> asked) {
  std::vector<double> found;
  for (std::uint32_t number = 0; number < kMemories; ++number) {
    const std::vector<float> vector = testing::vector_of(1'000 + number % 390);
    double product = 0, own = 0, other = 0;
    for (std::size_t at = 0; at < vector.size(); ++at) {
      product += static_cast<double>(vector[at]) * static_cast<double>(asked[at]);
      own += static_cast<double>(vector[at]) * static_cast<double>(vector[at]);
      other += static_cast<double>(asked[at]) * static_cast<double>(asked[at]);
    }
    found.push_back(product / std::sqrt(own) / std::sqrt(other));
  }
  return found;
}

std::vector<double> word_scores(MemoryFixture& store, const RecallRequest& request) {
  const auto root = store->store().snapshot();
  const LexicalLeg leg =
      read_lexical(*root, request.filter, eligible_slots(*root, request.filter), request.lexical, {2, 0.01});
  std::vector<double> found;
  for (std::uint32_t slot = 0; slot < kMemories; ++slot) {
    const auto score = static_cast<double>(leg.scores.of(slot));
    found.push_back(score > 0 ? score : -1e10);
  }
  return found;
}

}  // namespace

TEST(memory_rank_fusion_is_of_the_places_by_similarity_and_by_words) {
  MemoryFixture store;
  fill(store);
  for (const double constant : {60.0, 1.0}) {
    for (const std::size_t limit : {0U, 5U, 150U, 1'000U}) {
      for (const double least : {0.0, 0.3}) {
        RecallRequest request = by_places(kAsked, constant);
        request.limit = limit;
        request.min_relevance = least;
        const std::size_t pool = std::max<std::size_t>(limit, 100);
        std::vector<double> relevance(kMemories);
        add_places(cosines(kAsked), pool, constant, relevance);
        add_places(word_scores(store, request), pool, constant, relevance);
        std::vector<double> scores;
        for (std::uint32_t number = 0; number < kMemories; ++number) {
          if (relevance[number] < least) continue;
          const Row row = store->get(std::array{testing::id_of(number)}).front();
          const double age = (5'000'000.0 - static_cast<double>(row.state.last_used)) / 1e6;
          scores.push_back(0.5 * relevance[number] + 0.25 * std::exp2(-age / 100) + 0.15 * row.state.importance);
        }
        std::ranges::sort(scores, std::greater{});
        const RecallAnswer answer = store->recall(request);
        CHECK_EQUAL(answer.hits.size(), std::min(limit, scores.size()));
        for (std::size_t rank = 0; rank < answer.hits.size(); ++rank) {
          CHECK(std::abs(answer.hits[rank].score - scores[rank]) < 1e-9);
          CHECK(std::abs(answer.hits[rank].relevance - relevance[answer.rows[rank].slot]) < 1e-12);
          CHECK(std::abs(answer.hits[rank].similarity - cosines(kAsked)[answer.rows[rank].slot]) < 1e-12);
        }
        CHECK(!answer.confidence);
      }
    }
  }
}

TEST(memory_rank_fusion_of_one_leg_that_says_nothing_is_of_the_other) {
  MemoryFixture store;
  fill(store);
  const std::vector<float> zero(testing::kDimension);
  RecallRequest request = by_places(zero, 60);
  request.weights = {.relevance = 1, .recency = 0, .importance = 0, .usage = 0, .half_lives = {}};
  CHECK_EQUAL(store->recall(request).hits.front().relevance, 0.5);
  request.vector = kAsked;
  request.lexical = asking({"never"});
  const RecallAnswer answer = store->recall(request);
  CHECK_EQUAL(answer.hits.front().relevance, 0.5);
  const std::vector<double> all = cosines(kAsked);
  CHECK(std::abs(answer.hits.front().similarity - *std::ranges::max_element(all)) < 1e-12);
}

TEST(memory_fusion_by_weight_goes_from_similarity_to_words) {
  MemoryFixture store;
  fill(store);
  RecallRequest request = by_places(kAsked, 60);
  request.fusion.rank_constant.reset();
  request.weights = {.relevance = 1, .recency = 0, .importance = 0, .usage = 0, .half_lives = {}};
  request.filter.kinds = {"fact"};
  for (std::uint32_t number = 0; number < 60; ++number) {  // facts without a source lend nothing
    NewVersion version = testing::version_of(1'000 + number);
    version.kind = "fact";
    version.terms = testing::terms_of({kWords[number % 3], "other"});
    store.write(version, 2'000 + number);
  }
  const auto in_order = [&](double lexical_weight, auto&& key) {
    request.fusion.lexical_weight = lexical_weight;
    const RecallAnswer answer = store->recall(request);
    return std::ranges::is_sorted(answer.hits, std::greater{}, key);
  };
  CHECK(in_order(0, &ranking::Hit::similarity));
  CHECK(in_order(1, &ranking::Hit::lexical));
  CHECK(!in_order(0.5, &ranking::Hit::similarity));
}

}  // namespace hippocore::memory
