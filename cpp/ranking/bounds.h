// What a query asks of every block of rows, prepared once: the query's code, and constants whose slack makes the block
// kernel's float arithmetic a proof.
#pragma once

#include <optional>
#include <vector>

#include "kernels/kernels.h"
#include "ranking/query_code.h"
#include "ranking/recall.h"

namespace hippocore::ranking {

// How far the rounding of a similarity made of codes may take it.
inline constexpr double kSimilarityRounding = 0x1p-18;

class QueryBounds {
 public:
  // `code` is empty when similarity plays no part: then it counts as 0 in every row.
  QueryBounds(const Weights& weights, const RecallQuery& query, std::optional<QueryCode> code);

  [[nodiscard]] bool reads_codes() const noexcept { return code_.has_value(); }
  // Requires: reads_codes().
  [[nodiscard]] const QueryCode& code() const noexcept { return *code_; }
  // For dots with codes, and for dots with coarse ones. Both point into this object, which must outlive their use.
  [[nodiscard]] kernels::BlockQuery block() const;
  [[nodiscard]] kernels::BlockQuery coarse_block() const;
  // What each slot's relevance has beside its similarity; null where there is nothing.
  [[nodiscard]] const SparseColumn* column() const noexcept { return column_; }

 private:
  std::optional<QueryCode> code_;
  std::vector<float> decay_;
  kernels::BlockQuery block_;
  const SparseColumn* column_;
};

}  // namespace hippocore::ranking
