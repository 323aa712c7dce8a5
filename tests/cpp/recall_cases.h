// Cases of recall, random and plain, and an oracle that scores every eligible memory in double precision and sorts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "ranking/recall.h"
#include "scan_rows.h"

namespace hippocore::ranking {

using testing::ScanColumns;
using testing::ScanRow;

// Reads coarse codes however few there are: otherwise only large stores would.
struct Case {
  Case() { query.coarse_from_bytes = 0; }

  std::size_t dimension = 8;
  std::vector<ScanRow> rows;
  std::vector<float> vector;
  Weights weights;
  RecallQuery query;
  std::shared_ptr<SparseColumn> column;  // null: none
  std::size_t chunk_rows = 1024;
};

// What the oracle says of a memory that is eligible.
struct OracleHit {
  std::uint32_t slot = 0;
  double score = 0;
  double relevance = 0;
};

[[nodiscard]] std::vector<OracleHit> oracle(const Case& c);
[[nodiscard]] std::vector<std::unique_ptr<ScanColumns>> columns_of(const Case& c);
[[nodiscard]] std::vector<Hit> recall_case(const Case& c, RecallCounts* counts = nullptr,
                                           const Splitting& splitting = {});

// The same scores at every rank, and the right order within them. Rows whose scores differ by rounding may change
// places.
void check_against_oracle(const Case& c);

template <typename T>
T one_of(std::initializer_list<T> values, std::mt19937& random) {
  return values.begin()[random() % values.size()];
}

[[nodiscard]] ScanRow random_row(std::size_t dimension, std::mt19937& random);
[[nodiscard]] Case random_case(std::mt19937& random);
// Some rows have a value of their own; some queries read nothing else.
void map_relevance(Case& c, std::mt19937& random);
// Vectors of normal distribution, ages of seconds to days, nothing else that differs.
[[nodiscard]] Case plain_case(std::size_t size, std::size_t dimension);

}  // namespace hippocore::ranking
