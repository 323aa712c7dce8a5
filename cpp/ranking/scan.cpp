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

// Whether to bound the next block by its coarse codes first. That pays where they rule most rows out, and while they do
// not, one block in a few is enough to see when they do.
class CoarseTrial {
 public:
  explicit CoarseTrial(bool can_pay) : can_pay_(can_pay) {}
  [[nodiscard]] bool due() const noexcept { return can_pay_ && (passing_ <= kPaysUpTo || skipped_ >= kSkipped); }
  void skip() noexcept { ++skipped_; }
  void saw(int passing) noexcept {
    passing_ += (static_cast<float>(passing) - passing_) / 8;
    skipped_ = 0;
  }

 private:
  static constexpr float kPaysUpTo = 5;  // rows of a block
  static constexpr int kSkipped = 31;
  bool can_pay_;
  float passing_ = 0;  // a running mean
  int skipped_ = 0;
};

class Scan {
 public:
  Scan(std::span<const ScanChunk> chunks, std::size_t dimension, const QueryBounds& bounds, std::size_t limit,
       std::size_t coarse_from_bytes)
      : chunks_(chunks),
        code_bytes_(format::code_bytes(dimension)),
        codes_(bounds.reads_codes() ? bounds.code().values.data() : nullptr),
        query_(bounds.block()),
        coarse_query_(bounds.coarse_block()),
        trial_(chunks.size() * format::kChunkSlots * code_bytes_ >= coarse_from_bytes),
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
        add_rows(index, static_cast<std::uint32_t>(block * kernels::kBlockRows), eligible);
      }
    }
  }

  void visit_block(std::uint32_t index, std::uint32_t first, std::uint64_t eligible) {
    const ScanChunk& chunk = chunks_[index];
    if (codes_ != nullptr) {
      if (trial_.due()) {
        eligible &= reaching_coarsely(chunk, first);
        trial_.saw(std::popcount(eligible));
        if (std::popcount(eligible) < kDenseRows) return add_rows(index, first, eligible);
      }
      trial_.skip();
      prefetch_metadata(chunk, first, chunk.code_scales, chunk.code_errors);
      kernels_.dot_codes(reinterpret_cast<const std::uint8_t*>(chunk.codes) + first * code_bytes_, kernels::kBlockRows,
                         code_bytes_ / kernels::kGroupBytes, codes_, dots_.data());
    }
    bound(block_rows(chunk, first, chunk.code_scales, chunk.code_errors), eligible,
          [&](std::uint32_t bit) { return RowBatch::Row{&chunk, index, first + bit}; });
  }

  void add_rows(std::uint32_t index, std::uint32_t first, std::uint64_t rows) {
    for_each_bit(rows, [&](std::uint32_t bit) {
      batch_.add(chunks_[index], index, first + bit);
      if (batch_.full()) flush();
    });
  }

  // Returns: the rows of a block that their coarse codes do not rule out.
  std::uint64_t reaching_coarsely(const ScanChunk& chunk, std::uint32_t first) {
    prefetch_metadata(chunk, first, chunk.coarse_scales, chunk.coarse_errors);
    kernels_.dot_plane(reinterpret_cast<const std::uint8_t*>(chunk.coarse_codes) + first * code_bytes_ / 2,
                       kernels::kBlockRows, code_bytes_ / kernels::kGroupBytes, codes_, dots_.data());
    kernels_.bound_block(block_rows(chunk, first, chunk.coarse_scales, chunk.coarse_errors), coarse_query_,
                         threshold_.value(), bounds_);
    return bounds_.reaching;
  }

  // Six short columns are too many for the CPU to foresee; they arrive while the codes are read.
  static void prefetch_metadata(const ScanChunk& chunk, std::uint32_t first, const float* scales, const float* errors) {
    prefetch_block(chunk.times + first);
    prefetch_block(chunk.importance + first);
    prefetch_block(chunk.log_uses + first);
    prefetch_block(scales + first);
    prefetch_block(errors + first);
    prefetch_block(chunk.kinds + first);
  }

  kernels::BlockRows block_rows(const ScanChunk& chunk, std::uint32_t first, const float* scales,
                                const float* errors) const {
    return {.dots = codes_ == nullptr ? nullptr : dots_.data(),
            .code_scales = scales + first,
            .code_errors = errors + first,
            .times = chunk.times + first,
            .importance = chunk.importance + first,
            .log_uses = chunk.log_uses + first,
            .kinds = chunk.kinds + first};
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
  kernels::BlockQuery coarse_query_;
  CoarseTrial trial_;
  RowBatch batch_;
  KthLargest threshold_;
  kernels::BlockBounds bounds_;
  alignas(64) std::array<std::int32_t, kernels::kBlockRows> dots_{};
  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<Candidate> scan(std::span<const ScanChunk> chunks, std::size_t dimension, const QueryBounds& bounds,
                            std::size_t limit, std::size_t coarse_from_bytes) {
  return Scan(chunks, dimension, bounds, limit, coarse_from_bytes).run();
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
