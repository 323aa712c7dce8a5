// Recall against an oracle that scores every eligible memory in double precision and sorts.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "harness.h"
#include "ranking/recall.h"
#include "scan_rows.h"

namespace hippocore::ranking {
namespace {

using testing::ScanColumns;
using testing::ScanRow;

// However few there are: otherwise only large stores would.
RecallQuery reading_coarse_codes() {
  RecallQuery query;
  query.coarse_from_bytes = 0;
  return query;
}

struct Case {
  std::size_t dimension = 8;
  std::vector<ScanRow> rows;
  std::vector<float> vector;
  Weights weights;
  RecallQuery query = reading_coarse_codes();
  std::shared_ptr<SparseColumn> column;  // null: none
  std::size_t chunk_rows = 1024;
};

double oracle_cosine(const std::vector<float>& a, std::span<const float> b) {
  if (b.empty()) return 0;
  double dot = 0;
  double left = 0;
  double right = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    dot += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    left += static_cast<double>(a[i]) * static_cast<double>(a[i]);
    right += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  }
  if (left == 0 || right == 0) return 0;
  return std::clamp(dot / std::sqrt(left) / std::sqrt(right), -1.0, 1.0);
}

struct OracleHit {
  std::uint32_t slot = 0;
  double score = 0;
  double relevance = 0;
};

std::vector<OracleHit> oracle(const Case& c) {
  std::vector<OracleHit> hits;
  for (std::uint32_t slot = 0; slot < c.rows.size(); ++slot) {
    const ScanRow& row = c.rows[slot];
    const double relevance = c.query.relevance.of(oracle_cosine(row.vector, c.query.vector), slot);
    if (!row.eligible || relevance < c.query.min_relevance) continue;
    const long double age =
        std::max(0.0L, static_cast<long double>(c.query.now) - static_cast<long double>(row.time)) / 1e6L;
    const double recency =
        static_cast<double>(std::pow(0.5L, age / static_cast<long double>(c.weights.half_lives[row.kind])));
    const double usage = row.use_count == 0
                             ? 0
                             : std::min(1.0, std::log(1.0 + row.use_count) / std::log(1 + c.weights.usage_saturation));
    hits.push_back({slot,
                    c.weights.relevance * relevance + c.weights.recency * recency +
                        c.weights.importance * row.importance + c.weights.usage * usage,
                    relevance});
  }
  std::ranges::stable_sort(hits, [&](const OracleHit& a, const OracleHit& b) { return a.score > b.score; });
  return hits;
}

std::vector<std::unique_ptr<ScanColumns>> columns_of(const Case& c) {
  std::vector<std::unique_ptr<ScanColumns>> chunks;
  for (std::size_t first = 0; first < c.rows.size(); first += c.chunk_rows) {
    const auto rows = std::span(c.rows).subspan(first, std::min(c.chunk_rows, c.rows.size() - first));
    chunks.push_back(std::make_unique<ScanColumns>(rows, c.dimension, static_cast<std::uint32_t>(first)));
  }
  return chunks;
}

std::vector<Hit> recall_case(const Case& c, RecallCounts* counts = nullptr, const Splitting& splitting = {}) {
  const auto columns = columns_of(c);
  std::vector<ScanChunk> chunks;
  for (const auto& each : columns) chunks.push_back(each->scan());
  return recall(chunks, c.dimension, c.weights, c.query, counts, splitting);
}

// The same hits as alone, whoever helps.
void check_with_helpers(const Case& c, std::span<os::Workers> workers) {
  const std::vector<Hit> expected = recall_case(c);
  for (os::Workers& each : workers) {
    const std::vector<Hit> hits = recall_case(c, nullptr, {.workers = &each, .from_bytes = 0});
    CHECK(hits == expected);
  }
}

// The same scores at every rank, and the right order within them. Rows whose scores differ by rounding may change
// places.
void check_against_oracle(const Case& c) {
  RecallCounts counts;
  const std::vector<Hit> hits = recall_case(c, &counts);
  std::vector<OracleHit> expected = oracle(c);
  CHECK_EQUAL(hits.size(), std::min(c.query.limit, expected.size()));
  std::vector<bool> seen(c.rows.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const Hit& hit = hits[i];
    CHECK(std::abs(hit.score - expected[i].score) <= 1e-12);
    CHECK(!seen[hit.slot] && c.rows[hit.slot].eligible);
    seen[hit.slot] = true;
    CHECK(std::abs(hit.similarity - oracle_cosine(c.rows[hit.slot].vector, c.query.vector)) <= 1e-13);
    CHECK(hit.relevance == c.query.relevance.of(hit.similarity, hit.slot) && hit.relevance >= c.query.min_relevance);
    if (i == 0) continue;
    CHECK(hits[i - 1].score >= hit.score);
    if (hits[i - 1].score == hit.score) {
      const ScanRow& before = c.rows[hits[i - 1].slot];
      const ScanRow& after = c.rows[hit.slot];
      CHECK(before.valid_from > after.valid_from || (before.valid_from == after.valid_from && before.id < after.id));
    }
  }
  // Of those with exactly the last score, none that would rank before the last hit was left out.
  if (hits.empty()) return;
  const ScanRow& last = c.rows[hits.back().slot];
  for (std::uint32_t slot = 0; slot < c.rows.size(); ++slot) {
    const ScanRow& row = c.rows[slot];
    const bool twin = row.vector == last.vector && row.time == last.time && row.kind == last.kind &&
                      row.importance == last.importance && row.use_count == last.use_count && row.eligible &&
                      (c.column == nullptr || c.column->of(slot) == c.column->of(hits.back().slot));
    if (!twin || seen[slot]) continue;
    CHECK(row.valid_from < last.valid_from || (row.valid_from == last.valid_from && last.id < row.id));
  }
}

template <typename T>
T one_of(std::initializer_list<T> values, std::mt19937& random) {
  return values.begin()[random() % values.size()];
}

ScanRow random_row(std::size_t dimension, std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<double> uniform;
  ScanRow row;
  const float magnitude = one_of({1.0F, 1.0F, 1.0F, 0.0F, 1e-20F, 1e-44F, 1e30F}, random);
  for (std::size_t i = 0; i < dimension; ++i) row.vector.push_back(magnitude * normal(random));
  if (random() % 8 == 0) row.vector[0] = 300 * magnitude;
  row.time = one_of<std::int64_t>({-static_cast<std::int64_t>(3e11 * uniform(random)), 0, 1'000'000'000,
                                   std::numeric_limits<std::int64_t>::min(), 253'402'300'799'000'000},
                                  random);
  row.valid_from = static_cast<std::int64_t>(random() % 3);
  row.importance = one_of({0.5, 0.5, uniform(random), 1.0, 0.0}, random);
  row.use_count = one_of<std::uint32_t>({0, 0, 1, 7, 99, 4'000'000'000}, random);
  row.kind = static_cast<std::uint16_t>(random() % 3);
  return row;
}

void name_row(ScanRow& row, std::uint32_t slot) {
  // Ids that do not follow the order of slots.
  row.id.bytes[0] = static_cast<std::uint8_t>(slot * 157);
  row.id.bytes[14] = static_cast<std::uint8_t>(slot >> 8);
  row.id.bytes[15] = static_cast<std::uint8_t>(slot);
}

Weights random_weights(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform;
  Weights weights;
  weights.relevance = one_of({0.5, 1.0, 0.0, uniform(random)}, random);
  weights.recency = one_of({0.25, 0.0, uniform(random)}, random);
  weights.importance = one_of({0.15, 0.0}, random);
  weights.usage = one_of({0.1, 0.0}, random);
  weights.usage_saturation = one_of({99.0, 0.0, 3.0}, random);
  weights.half_lives = {one_of({3.0 * 86'400, 1e-9}, random), 1e5, std::numeric_limits<double>::infinity()};
  return weights;
}

// Some rows have a value of their own; some queries read nothing else.
void map_relevance(Case& c, std::mt19937& random) {
  const float scale = one_of({0.3F, 1.0F, 20.0F}, random);
  c.chunk_rows = one_of<std::size_t>({64, 128, 1024}, random);  // blocks of slots are blocks of rows
  std::normal_distribution<float> normal(0, scale);
  c.column = std::make_shared<SparseColumn>(c.rows.size(), one_of({0.0F, -1.0F, normal(random)}, random));
  const unsigned share = one_of<unsigned>({1, 3, 50, 10'000}, random);
  for (std::uint32_t slot = 0; slot < c.rows.size(); ++slot) {
    if (random() % share == 0) c.column->at(slot) = normal(random);
  }
  c.query.relevance = {
      .slope = one_of({1.0, 0.0, 0.4, 30.0}, random), .column = c.column.get(), .soft = random() % 2 == 0};
}

Case random_case(std::mt19937& random) {
  Case c;
  c.dimension = one_of<std::size_t>({1, 2, 5, 16, 31, 128, 130}, random);
  c.chunk_rows = one_of<std::size_t>({1, 63, 64, 65, 100, 128, 1024}, random);
  const std::size_t size = random() % one_of<std::size_t>({3, 40, 300, 700}, random);
  const bool copies = random() % 3 == 0;
  const unsigned share = one_of<unsigned>({1, 1, 2, 9, 40}, random);
  for (std::uint32_t slot = 0; slot < size; ++slot) {
    const bool copy = copies && slot > 0 && random() % 2 == 0;
    c.rows.push_back(copy ? c.rows[random() % slot] : random_row(c.dimension, random));
    if (copy) c.rows.back().valid_from = static_cast<std::int64_t>(random() % 3);
    c.rows.back().eligible = random() % share == 0;
    name_row(c.rows.back(), slot);
  }
  c.weights = random_weights(random);
  c.vector = random_row(c.dimension, random).vector;
  c.query.now = one_of<std::int64_t>(
      {0, 0, 1'000'000, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}, random);
  c.query.limit = one_of<std::size_t>({0, 1, 2, 5, 20, 1000}, random);
  c.query.coarse_from_bytes = one_of<std::size_t>({0, 0, RecallQuery{}.coarse_from_bytes}, random);
  const double none = -std::numeric_limits<double>::infinity();
  c.query.min_relevance = one_of({none, none, 0.0, 0.05, 0.3, 0.9, 2.0}, random);
  return c;
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

Case plain_case(std::size_t size, std::size_t dimension) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  Case c;
  c.dimension = dimension;
  for (std::uint32_t slot = 0; slot < size; ++slot) {
    ScanRow row;
    for (std::size_t i = 0; i < dimension; ++i) row.vector.push_back(normal(random));
    row.time = -static_cast<std::int64_t>(random() % 1'000'000) * 1'000'000;
    name_row(row, slot);
    c.rows.push_back(std::move(row));
  }
  c.vector = c.rows[size / 2].vector;
  c.weights.half_lives = {3.0 * 86'400};
  c.query.vector = c.vector;
  c.query.limit = 10;
  return c;
}

}  // namespace

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

// One of two threads sees the best first: the other must not wait for its own to know what is out.
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
