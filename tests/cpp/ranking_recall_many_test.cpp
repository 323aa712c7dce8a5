// Recall with helpers, and of many queries: the same hits as of one thread and one query.
#include <array>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "harness.h"
#include "recall_cases.h"

namespace hippocore::ranking {
namespace {

// The same hits as alone, whoever helps.
void check_with_helpers(const Case& c, std::span<os::Workers> workers) {
  const std::vector<Hit> expected = recall_case(c);
  for (os::Workers& each : workers) {
    const std::vector<Hit> hits = recall_case(c, nullptr, {.workers = &each, .from_bytes = 0});
    CHECK(hits == expected);
  }
}

// Queries for the rows of a case: some without a vector, some of zeros, some that ask for what is there.
struct Questions {
  Questions(const Case& c, std::size_t count, std::mt19937& random) {
    const double none = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count; ++i) {
      const bool known = !c.rows.empty() && random() % 2 == 0;
      vectors.push_back(known ? c.rows[random() % c.rows.size()].vector : random_row(c.dimension, random).vector);
      if (random() % 8 == 0) vectors.back().assign(c.dimension, 0);
    }
    for (const std::vector<float>& vector : vectors) {
      queries.push_back(c.query);
      queries.back().vector = random() % 8 == 0 ? std::span<const float>() : vector;
      queries.back().limit = one_of<std::size_t>({0, 1, 5, 20, 1000}, random);
      queries.back().min_relevance = one_of({none, none, 0.3, 2.0}, random);
    }
  }

  std::vector<std::vector<float>> vectors;
  std::vector<RecallQuery> queries;
};

void check_many(const Case& c, std::span<const RecallQuery> queries, const Splitting& splitting) {
  const auto columns = columns_of(c);
  std::vector<ScanChunk> chunks;
  for (const auto& each : columns) chunks.push_back(each->scan());
  const std::vector<Answer> answers = recall_many(chunks, c.dimension, c.weights, queries, splitting);
  CHECK_EQUAL(answers.size(), queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    RecallCounts counts;
    CHECK(answers[i].hits == recall(chunks, c.dimension, c.weights, queries[i], &counts));
    CHECK_EQUAL(answers[i].counts.eligible, counts.eligible);
  }
}

}  // namespace

TEST(recall_with_helpers_is_the_same_to_the_bit) {
  std::array<os::Workers, 3> workers{os::Workers(2), os::Workers(3), os::Workers(4)};
  std::mt19937 random(37);
  for (int round = 0; round < 300; ++round) {
    Case c = random_case(random);
    if (random() % 6 != 0) c.query.vector = c.vector;
    check_with_helpers(c, workers);
  }
  Case ties = plain_case(3000, 16);
  ties.chunk_rows = 64;
  for (ScanRow& row : ties.rows) row.vector = ties.rows[row.id.bytes[0] % 8].vector;
  for (const std::size_t limit : {1U, 40U, 700U, 3000U}) {
    ties.query.limit = limit;
    check_with_helpers(ties, workers);
  }
}

TEST(recall_many_is_recall_of_each_to_the_bit) {
  os::Workers workers(3);
  testing::on_every_kernel([&] {
    std::mt19937 random(43);
    for (int round = 0; round < 60; ++round) {
      const Case c = random_case(random);
      const Questions questions(c, one_of<std::size_t>({0, 1, 2, 5, 40}, random), random);
      check_many(c, questions.queries, {});
      check_many(c, questions.queries, {.workers = &workers, .from_bytes = 0});
    }
  });
}

TEST(recall_many_keeps_ties_of_each_query_in_order) {
  std::mt19937 random(47);
  Case c = plain_case(3000, 16);
  for (ScanRow& row : c.rows) row.vector = c.rows[row.id.bytes[0] % 8].vector;
  os::Workers workers(2);
  Questions questions(c, 20, random);
  for (const std::size_t limit : {1U, 40U, 3000U}) {
    for (RecallQuery& query : questions.queries) query.limit = limit;
    check_many(c, questions.queries, {});
    check_many(c, questions.queries, {.workers = &workers, .from_bytes = 0});
  }
}

TEST(recall_with_helpers_scores_few_slots_exactly) {
  Case c = plain_case(8000, 128);
  c.chunk_rows = 64;
  os::Workers workers(2);
  RecallCounts counts;
  CHECK_EQUAL(recall_case(c, &counts, {.workers = &workers, .from_bytes = 0}).size(), 10U);
  CHECK(counts.scored_exactly >= 10 && counts.scored_exactly < 500);
}

TEST(recall_wakes_nobody_for_little) {
  const Case c = plain_case(3000, 96);
  os::Workers workers(2);
  CHECK_EQUAL(recall_case(c, nullptr, {.workers = &workers}).size(), 10U);
  CHECK_EQUAL(workers.started(), 0U);
  CHECK_EQUAL(recall_case(c, nullptr, {.workers = &workers, .from_bytes = 3000 * 64}).size(), 10U);
  CHECK_EQUAL(workers.started(), 1U);
}

}  // namespace hippocore::ranking
