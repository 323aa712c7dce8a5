#include "ranking/scan.h"

#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <mutex>

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

// What the threads of one scan share. Each takes a chunk at a time.
class ScanOrder {
 public:
  ScanOrder(std::span<const ScanChunk> chunks, std::size_t limit, bool alone)
      : threshold(limit, alone), chunks_(chunks), left_(chunks.size()) {}

  // Calls visit(index, chunk) for each chunk that no other thread took. Newest first: where memories fade with age the
  // best come early, the threshold is high at once and fewer rows pass.
  template <typename Visit>
  void take_chunks(Visit&& visit) {
    for (std::size_t left = left_--; left > 0 && left <= chunks_.size(); left = left_--) {
      visit(static_cast<std::uint32_t>(left - 1), chunks_[left - 1]);
    }
  }

  Together<KthLargest> threshold;

 private:
  std::span<const ScanChunk> chunks_;
  std::atomic<std::size_t> left_;
};

// One thread's part of a scan.
class Scan {
 public:
  Scan(ScanOrder& order, std::size_t dimension, const QueryBounds& bounds, bool can_read_coarse)
      : order_(order),
        code_bytes_(format::code_bytes(dimension)),
        codes_(bounds.reads_codes() ? bounds.code().values.data() : nullptr),
        query_(bounds.block()),
        coarse_query_(bounds.coarse_block()),
        trial_(can_read_coarse),
        batch_(bounds.reads_codes() ? code_bytes_ : 0) {}

  // Returns: the candidates among the rows of the chunks it took; the threshold may have risen behind the first.
  std::vector<Candidate> run() {
    order_.take_chunks([this](std::uint32_t index, const ScanChunk& chunk) { visit_chunk(index, chunk); });
    flush();
    return std::move(candidates_);
  }

 private:
  void visit_chunk(std::uint32_t index, const ScanChunk& chunk) {
    for (std::size_t block = 0; block < block_count(chunk); ++block) {
      const std::uint64_t eligible = eligible_bits(chunk, block);
      const bool whole = chunk.count >= (block + 1) * kernels::kBlockRows;
      if (whole && (eligible == ~std::uint64_t{0} || std::popcount(eligible) >= kDenseRows)) {
        visit_block(index, chunk, static_cast<std::uint32_t>(block * kernels::kBlockRows), eligible);
      } else {
        add_rows(index, chunk, static_cast<std::uint32_t>(block * kernels::kBlockRows), eligible);
      }
    }
  }

  void visit_block(std::uint32_t index, const ScanChunk& chunk, std::uint32_t first, std::uint64_t eligible) {
    if (codes_ != nullptr) {
      if (trial_.due()) {
        eligible &= reaching_coarsely(chunk, first);
        trial_.saw(std::popcount(eligible));
        if (std::popcount(eligible) < kDenseRows) return add_rows(index, chunk, first, eligible);
      }
      trial_.skip();
      prefetch_metadata(chunk, first, chunk.code_scales, chunk.code_errors);
      kernels_.dot_codes(reinterpret_cast<const std::uint8_t*>(chunk.codes) + first * code_bytes_, kernels::kBlockRows,
                         code_bytes_ / kernels::kGroupBytes, codes_, dots_.data());
    }
    bound(block_rows(chunk, first, chunk.code_scales, chunk.code_errors), eligible,
          [&](std::uint32_t bit) { return RowBatch::Row{&chunk, index, first + bit}; });
  }

  void add_rows(std::uint32_t index, const ScanChunk& chunk, std::uint32_t first, std::uint64_t rows) {
    for_each_bit(rows, [&](std::uint32_t bit) {
      batch_.add(chunk, index, first + bit);
      if (batch_.full()) flush();
    });
  }

  // Returns: the rows of a block that their coarse codes do not rule out.
  std::uint64_t reaching_coarsely(const ScanChunk& chunk, std::uint32_t first) {
    prefetch_metadata(chunk, first, chunk.coarse_scales, chunk.coarse_errors);
    kernels_.dot_plane(reinterpret_cast<const std::uint8_t*>(chunk.coarse_codes) + first * code_bytes_ / 2,
                       kernels::kBlockRows, code_bytes_ / kernels::kGroupBytes, codes_, dots_.data());
    kernels_.bound_block(block_rows(chunk, first, chunk.coarse_scales, chunk.coarse_errors), coarse_query_,
                         order_.threshold.threshold(), bounds_);
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
    kernels_.bound_block(rows, query_, order_.threshold.threshold(), bounds_);
    if (const std::uint64_t raising = bounds_.raising & eligible; raising != 0) {
      order_.threshold.add([&](KthLargest& largest) {
        for_each_bit(raising, [&](std::uint32_t bit) { largest.add(bounds_.lower[bit]); });
      });
    }
    const float threshold = order_.threshold.threshold();
    for_each_bit(bounds_.reaching & eligible, [&](std::uint32_t bit) {
      if (bounds_.upper[bit] < threshold) return;
      const RowBatch::Row row = locate(bit);
      candidates_.push_back({bounds_.upper[bit], row.chunk_index, row.row});
    });
  }

  const kernels::Kernels& kernels_ = kernels::kernels();
  ScanOrder& order_;
  std::size_t code_bytes_;
  const std::int8_t* codes_;
  kernels::BlockQuery query_;
  kernels::BlockQuery coarse_query_;
  CoarseTrial trial_;
  RowBatch batch_;
  kernels::BlockBounds bounds_;
  alignas(64) std::array<std::int32_t, kernels::kBlockRows> dots_{};
  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<Candidate> scan(std::span<const ScanChunk> chunks, std::size_t dimension, const QueryBounds& bounds,
                            std::size_t limit, std::size_t coarse_from_bytes, const Helpers& helpers) {
  const bool can_read_coarse = chunks.size() * format::kChunkSlots * format::code_bytes(dimension) >= coarse_from_bytes;
  ScanOrder order(chunks, limit, !helpers.any());
  std::mutex mutex;
  std::vector<Candidate> candidates;
  helpers.share([&] {
    const std::vector<Candidate> found = Scan(order, dimension, bounds, can_read_coarse).run();
    const std::lock_guard lock(mutex);
    candidates.insert(candidates.end(), found.begin(), found.end());
  });
  const float threshold = order.threshold.threshold();
  std::erase_if(candidates, [threshold](const Candidate& candidate) { return candidate.upper < threshold; });
  return candidates;
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
