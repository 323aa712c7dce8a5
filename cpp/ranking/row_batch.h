// Rows from anywhere, gathered into columns of one block, so that scattered rows go through the same kernel as whole
// blocks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"
#include "ranking/recall.h"

namespace hippocore::ranking {

class RowBatch {
 public:
  struct Row {
    const ScanChunk* chunk = nullptr;
    std::uint32_t chunk_index = 0;
    std::uint32_t row = 0;
  };

  // `code_bytes` is the width of a code, 0 when codes are not read.
  explicit RowBatch(std::size_t code_bytes) : code_bytes_(code_bytes) {}

  // Asks memory for the row's columns; gather() reads them. Requires: not full.
  void add(const ScanChunk& chunk, std::uint32_t chunk_index, std::uint32_t row);
  [[nodiscard]] bool full() const noexcept { return size_ == kernels::kBlockRows; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const Row& row(std::size_t i) const noexcept { return rows_[i]; }
  void clear() noexcept { size_ = 0; }

  // Copies the rows' columns. Rows from size() on are whatever was there before.
  void gather();
  // Returns: a view of what was gathered, with the dots and the column of this query; null: without, for a query that
  // reads no codes or has no column. It holds until the next call.
  [[nodiscard]] kernels::BlockRows rows_for(const std::int8_t* query, const SparseColumn* column);

 private:
  std::size_t code_bytes_;
  std::size_t size_ = 0;
  std::array<Row, kernels::kBlockRows> rows_;
  std::array<std::int32_t, kernels::kBlockRows> dots_{};
  std::array<float, kernels::kBlockRows> code_scales_{};
  std::array<float, kernels::kBlockRows> code_errors_{};
  std::array<std::int64_t, kernels::kBlockRows> times_{};
  std::array<double, kernels::kBlockRows> importance_{};
  std::array<float, kernels::kBlockRows> log_uses_{};
  std::array<std::uint16_t, kernels::kBlockRows> kinds_{};
  std::array<float, kernels::kBlockRows> column_{};
};

}  // namespace hippocore::ranking
