#include "recall_cases.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness.h"

namespace hippocore::ranking {
namespace {

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

}  // namespace

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

std::vector<Hit> recall_case(const Case& c, RecallCounts* counts, const Splitting& splitting) {
  const auto columns = columns_of(c);
  std::vector<ScanChunk> chunks;
  for (const auto& each : columns) chunks.push_back(each->scan());
  return recall(chunks, c.dimension, c.weights, c.query, counts, splitting);
}

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

}  // namespace hippocore::ranking
