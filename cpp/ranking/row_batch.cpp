#include "ranking/row_batch.h"

namespace hippocore::ranking {
namespace {

const std::uint8_t* code_of(const ScanChunk& chunk, std::size_t row, std::size_t code_bytes) {
  return reinterpret_cast<const std::uint8_t*>(chunk.codes) + row * code_bytes;
}

}  // namespace

void RowBatch::add(const ScanChunk& chunk, std::uint32_t chunk_index, std::uint32_t row) {
  if (code_bytes_ != 0) {
    const std::uint8_t* const code = code_of(chunk, row, code_bytes_);
    for (std::size_t line = 0; line < code_bytes_; line += 64) __builtin_prefetch(code + line);
    __builtin_prefetch(chunk.code_scales + row);
    __builtin_prefetch(chunk.code_errors + row);
  }
  __builtin_prefetch(chunk.times + row);
  __builtin_prefetch(chunk.importance + row);
  __builtin_prefetch(chunk.log_uses + row);
  __builtin_prefetch(chunk.kinds + row);
  rows_[size_++] = {&chunk, chunk_index, row};
}

void RowBatch::gather() {
  for (std::size_t i = 0; i < size_; ++i) {
    const ScanChunk& chunk = *rows_[i].chunk;
    const std::uint32_t row = rows_[i].row;
    if (code_bytes_ != 0) {
      code_scales_[i] = chunk.code_scales[row];
      code_errors_[i] = chunk.code_errors[row];
    }
    times_[i] = chunk.times[row];
    importance_[i] = chunk.importance[row];
    log_uses_[i] = chunk.log_uses[row];
    kinds_[i] = chunk.kinds[row];
  }
}

kernels::BlockRows RowBatch::rows_for(const std::int8_t* query, const SparseColumn* column) {
  const auto dot_codes = kernels::kernels().dot_codes;
  for (std::size_t i = 0; query != nullptr && i < size_; ++i) {
    const std::uint8_t* const code = code_of(*rows_[i].chunk, rows_[i].row, code_bytes_);
    dot_codes(code, 1, code_bytes_ / kernels::kGroupBytes, query, &dots_[i]);
  }
  for (std::size_t i = 0; column != nullptr && i < size_; ++i) {
    column_[i] = column->of(rows_[i].chunk->first_slot + rows_[i].row);
  }
  return {.dots = query == nullptr ? nullptr : dots_.data(),
          .code_scales = code_scales_.data(),
          .code_errors = code_errors_.data(),
          .times = times_.data(),
          .importance = importance_.data(),
          .log_uses = log_uses_.data(),
          .kinds = kinds_.data(),
          .column = column == nullptr ? nullptr : column_.data()};
}

}  // namespace hippocore::ranking
