// Recall against the oracle.
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "harness.h"
#include "recall_cases.h"

namespace hippocore::ranking {

TEST(recall_agrees_with_the_oracle_on_thousands_of_random_cases) {
  testing::on_every_kernel([] {
    std::mt19937 random(31);
    for (int round = 0; round < 1200; ++round) {
      Case c = random_case(random);
      if (random() % 6 != 0) c.query.vector = c.vector;
      if (round % 3 == 0) map_relevance(c, random);
      check_against_oracle(c);
    }
  });
}

// One of two threads sees the best first: the other must not wait for its own to know what is out.

TEST(recall_scores_few_slots_exactly_by_a_mapped_relevance_too) {
  testing::on_every_kernel([] {
    Case c = plain_case(4000, 128);
    std::mt19937 random(43);
    c.column = std::make_shared<SparseColumn>(c.rows.size(), -1.0F);
    for (int term = 0; term < 200; ++term) c.column->at(static_cast<std::uint32_t>(random() % 4000)) += 0.4F;
    c.query.relevance = {.slope = 1, .column = c.column.get(), .soft = true};
    check_against_oracle(c);
    RecallCounts counts;
    CHECK_EQUAL(recall_case(c, &counts).size(), 10U);
    CHECK(counts.scored_exactly >= 10 && counts.scored_exactly < 400);
  });
}

TEST(recall_finds_the_top_of_skewed_wide_vectors) {
  testing::on_every_kernel([] {
    Case c = plain_case(300, 1536);
    for (ScanRow& row : c.rows) row.vector[700] = 250;
    c.vector = c.rows[7].vector;
    c.query.vector = c.vector;
    check_against_oracle(c);
  });
}

TEST(recall_is_the_same_to_the_bit_on_every_kernel) {
  Case c = plain_case(3000, 96);
  const std::vector<Hit> expected = recall_case(c);
  testing::on_every_kernel([&] {
    const std::vector<Hit> hits = recall_case(c);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK_EQUAL(hits[i].slot, expected[i].slot);
      CHECK(hits[i].score == expected[i].score && hits[i].similarity == expected[i].similarity);
    }
  });
}

TEST(recall_scores_few_slots_exactly) {
  testing::on_every_kernel([] {
    Case c = plain_case(4000, 128);
    RecallCounts counts;
    check_against_oracle(c);
    CHECK_EQUAL(recall_case(c, &counts).size(), 10U);
    CHECK_EQUAL(counts.eligible, 4000U);
    CHECK(counts.scored_exactly >= 10 && counts.scored_exactly < 400);
  });
}

TEST(recall_orders_equal_scores_by_newest_then_id) {
  testing::on_every_kernel([] {
    Case c = plain_case(700, 16);
    for (std::uint32_t slot = 0; slot < c.rows.size(); ++slot) {
      const Id id = c.rows[slot].id;
      c.rows[slot] = c.rows[0];
      c.rows[slot].id = id;
      c.rows[slot].valid_from = slot % 7;
    }
    for (const std::size_t limit : {1U, 10U, 150U, 700U}) {
      c.query.limit = limit;
      check_against_oracle(c);
    }
  });
}

TEST(recall_without_a_query_reads_no_vector_and_no_code) {
  testing::on_every_kernel([] {
    Case c = plain_case(1000, 16);
    const auto columns = columns_of(c);
    ScanChunk chunk = columns.front()->scan();
    chunk.codes = nullptr;
    chunk.code_scales = chunk.code_errors = nullptr;
    chunk.coarse_codes = nullptr;
    chunk.coarse_scales = chunk.coarse_errors = nullptr;
    chunk.vectors = nullptr;
    const std::vector<float> zero(16);
    for (const std::span<const float> vector : {std::span<const float>(), std::span<const float>(zero)}) {
      c.query.vector = vector;
      RecallCounts counts;
      const auto hits = recall({&chunk, 1}, c.dimension, c.weights, c.query, &counts);
      CHECK_EQUAL(hits.size(), 10U);
      CHECK_EQUAL(hits[0].slot, oracle(c)[0].slot);
      CHECK_EQUAL(counts.scored_exactly, 0U);
      c.query.min_relevance = 0.1;
      CHECK(recall({&chunk, 1}, c.dimension, c.weights, c.query).empty());
      c.query.min_relevance = 0;
    }
  });
}

TEST(recall_reads_vectors_of_hits_only_when_relevance_has_no_weight) {
  testing::on_every_kernel([] {
    Case c = plain_case(1000, 16);
    c.weights.relevance = 0;
    check_against_oracle(c);
    RecallCounts counts;
    CHECK_EQUAL(recall_case(c, &counts).size(), 10U);
    CHECK_EQUAL(counts.scored_exactly, 10U);
  });
}

TEST(recall_never_looks_behind_the_count_of_a_chunk) {
  Case c = plain_case(100, 16);
  const auto columns = columns_of(c);
  ScanChunk chunk = columns.front()->scan();
  chunk.count = 70;
  chunk.eligible.fill(~std::uint64_t{0});
  c.query.limit = 100;
  CHECK_EQUAL(recall({&chunk, 1}, c.dimension, c.weights, c.query).size(), 70U);
}

TEST(recall_gives_a_vector_similarity_one_to_itself) {
  testing::on_every_kernel([] {
    std::mt19937 random(41);
    for (const std::vector<float>& vector : {std::vector<float>(3, 1e-20F),
                                             random_row(130, random).vector,
                                             std::vector<float>{1e-45F, 0.0F},
                                             {3e38F, 3e38F}}) {
      if (norm(vector) == 0) continue;
      Case c = plain_case(1, vector.size());
      c.rows[0].vector = vector;
      c.query.vector = vector;
      CHECK_EQUAL(recall_case(c).at(0).similarity, 1.0);
    }
  });
}

TEST(recall_of_nothing_is_nothing) {
  Case c = plain_case(1, 4);
  CHECK(recall({}, 4, c.weights, c.query).empty());
  c.rows[0].eligible = false;
  CHECK(recall_case(c).empty());
  c.rows[0].eligible = true;
  c.query.limit = 0;
  CHECK(recall_case(c).empty());
}

}  // namespace hippocore::ranking
