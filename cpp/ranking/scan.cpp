#include "ranking/scan.h"

#include <array>
#include <bit>
#include <limits>

#include "ranking/eligible_rows.h"
#include "ranking/row_batch.h"
#include "ranking/top_k.h"

namespace hippocore::ranking {
namespace {

// From so many eligible rows on, a block is read whole: neighbours cost less than hops.
constexpr int kDenseRows = 20;

template <typename T>
void prefetch_block(const T* column) {
  const char* const bytes = reinterpret_cast<const char*>(column);
  for (std::size_t offset = 0; offset < kernels::kBlockRows * sizeof(T); offset += 64)
    __builtin_prefetch(bytes + offset);
}

class Scan {
 public:
  Scan(std::span<const ScanChunk> chunks, std::size_t dimension, const QueryBounds& bounds, std::size_t limit)
      : chunks_(chunks),
        code_bytes_(format::code_bytes(dimension)),
        codes_(bounds.reads_codes() ? bounds.code().values.data() : nullptr),
        query_(bounds.block()),
        batch_(bounds.reads_codes() ? code_bytes_ : 0),
        threshold_(limit) {}

  std::vector<Candidate> run() {
    // Newest first: where memories fade with age the best come early, the threshold is high at once and fewer rows
    // pass.
    for (std::size_t index = chunks_.size(); index-- > 0;) visit_chunk(static_cast<std::uint32_t>(index));
    flush();
    std::erase_if(candidates_, [this](const Candidate& candidate) { return candidate.upper < threshold_.value(); });
    return std::move(candidates_);
  }

 private:
  void visit_chunk(std::uint32_t index) {
    const ScanChunk& chunk = chunks_[index];
    for (std::size_t block = 0; block < block_count(chunk); ++block) {
      const std::uint64_t eligible = eligible_bits(chunk, block);
      const bool whole = chunk.count >= (block + 1) * kernels::kBlockRows;
      if (whole && (eligible == ~std::uint64_t{0} || std::popcount(eligible) >= kDenseRows)) {
        visit_block(index, static_cast<std::uint32_t>(block * kernels::kBlockRows), eligible);
      } else {
        for_each_bit(eligible, [&](std::uint32_t bit) {
          batch_.add(chunk, index, static_cast<std::uint32_t>(block * kernels::kBlockRows) + bit);
          if (batch_.full()) flush();
        });
      }
    }
  }

  void visit_block(std::uint32_t index, std::uint32_t first, std::uint64_t eligible) {
    const ScanChunk& chunk = chunks_[index];
    if (codes_ != nullptr) {
      // Six short columns are too many for the CPU to foresee; they arrive while the codes are read.
      prefetch_block(chunk.times + first);
      prefetch_block(chunk.importance + first);
      prefetch_block(chunk.log_uses + first);
      prefetch_block(chunk.code_scales + first);
      prefetch_block(chunk.code_errors + first);
      prefetch_block(chunk.kinds + first);
      kernels_.dot_codes(reinterpret_cast<const std::uint8_t*>(chunk.codes) + first * code_bytes_, kernels::kBlockRows,
                         code_bytes_ / kernels::kGroupBytes, codes_, dots_.data());
    }
    bound({.dots = codes_ == nullptr ? nullptr : dots_.data(),
           .code_scales = chunk.code_scales + first,
           .code_errors = chunk.code_errors + first,
           .times = chunk.times + first,
           .importance = chunk.importance + first,
           .log_uses = chunk.log_uses + first,
           .kinds = chunk.kinds + first},
          eligible, [&](std::uint32_t bit) { return RowBatch::Row{&chunk, index, first + bit}; });
  }

  void flush() {
    if (batch_.size() == 0) return;
    const std::uint64_t used = ~std::uint64_t{0} >> (kernels::kBlockRows - batch_.size());
    bound(batch_.gather(codes_), used, [&](std::uint32_t bit) { return batch_.row(bit); });
    batch_.clear();
  }

  template <typename Locate>
  void bound(const kernels::BlockRows& rows, std::uint64_t eligible, Locate&& locate) {
    kernels_.bound_block(rows, query_, threshold_.value(), bounds_);
    for_each_bit(bounds_.raising & eligible, [&](std::uint32_t bit) { threshold_.add(bounds_.lower[bit]); });
    for_each_bit(bounds_.reaching & eligible, [&](std::uint32_t bit) {
      if (bounds_.upper[bit] < threshold_.value()) return;
      const RowBatch::Row row = locate(bit);
      candidates_.push_back({bounds_.upper[bit], row.chunk_index, row.row});
    });
  }

  const kernels::Kernels& kernels_ = kernels::kernels();
  std::span<const ScanChunk> chunks_;
  std::size_t code_bytes_;
  const std::int8_t* codes_;
  kernels::BlockQuery query_;
  RowBatch batch_;
  KthLargest threshold_;
  kernels::BlockBounds bounds_;
  alignas(64) std::array<std::int32_t, kernels::kBlockRows> dots_{};
  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<Candidate> scan(std::span<const ScanChunk> chunks, std::size_t dimension, const QueryBounds& bounds,
                            std::size_t limit) {
  return Scan(chunks, dimension, bounds, limit).run();
}

std::vector<Candidate> all_eligible(std::span<const ScanChunk> chunks) {
  std::vector<Candidate> candidates;
  for (std::uint32_t index = 0; index < chunks.size(); ++index) {
    for (std::size_t block = 0; block < block_count(chunks[index]); ++block) {
      const auto first = static_cast<std::uint32_t>(block * kernels::kBlockRows);
      for_each_bit(eligible_bits(chunks[index], block), [&](std::uint32_t bit) {
        candidates.push_back({std::numeric_limits<float>::infinity(), index, first + bit});
      });
    }
  }
  return candidates;
}

std::size_t count_eligible(std::span<const ScanChunk> chunks) {
  std::size_t count = 0;
  for (const ScanChunk& chunk : chunks) {
    for (std::size_t block = 0; block < block_count(chunk); ++block) {
      count += static_cast<std::size_t>(std::popcount(eligible_bits(chunk, block)));
    }
  }
  return count;
}

}  // namespace hippocore::ranking
