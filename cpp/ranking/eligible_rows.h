// Walking the set bits of a chunk's eligibility mask.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"
#include "ranking/recall.h"

namespace hippocore::ranking {

// Calls visit(position) for each set bit, lowest first.
template <typename Visit>
void for_each_bit(std::uint64_t bits, Visit&& visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<std::uint32_t>(std::countr_zero(bits)));
}

// Returns: how many blocks of 64 rows the chunk has, the last perhaps part-full.
[[nodiscard]] inline std::size_t block_count(const ScanChunk& chunk) {
  return (chunk.count + kernels::kBlockRows - 1) / kernels::kBlockRows;
}

// Returns: the eligible rows of a block; never one behind the chunk's count, whatever its mask says.
[[nodiscard]] inline std::uint64_t eligible_bits(const ScanChunk& chunk, std::size_t block) {
  const std::size_t rows = chunk.count - block * kernels::kBlockRows;
  const std::uint64_t used = rows >= kernels::kBlockRows ? ~std::uint64_t{0} : (std::uint64_t{1} << rows) - 1;
  return chunk.eligible[block] & used;
}

}  // namespace hippocore::ranking
