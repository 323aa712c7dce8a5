#include "ranking/scan.h"

#include <array>
#include <atomic>
#include <bit>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>

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

// What the threads of one scan share of a query.
struct Search {
  Search(const ScanQuery& asked, bool alone)
      : codes(asked.bounds.reads_codes() ? asked.bounds.code().values.data() : nullptr),
        query(asked.bounds.block()),
        column(asked.bounds.column()),
        threshold(asked.limit, alone) {}

  const std::int8_t* codes;  // null: not read
  kernels::BlockQuery query;
  const SparseColumn* column;  // null: none
  Together<KthLargest> threshold;
  std::mutex mutex;
  std::vector<Candidate> candidates;  // of the threads that are done
};

// The chunks that no thread has taken yet. Newest first: where memories fade with age the best come early, the
// threshold is high at once and fewer rows pass.
class ChunksLeft {
 public:
  explicit ChunksLeft(std::span<const ScanChunk> chunks) : chunks_(chunks), left_(chunks.size()) {}

  // Calls visit(index, chunk) for each chunk until none is left.
  template <typename Visit>
  void take(Visit&& visit) {
    for (std::size_t left = left_--; left > 0 && left <= chunks_.size(); left = left_--) {
      visit(static_cast<std::uint32_t>(left - 1), chunks_[left - 1]);
    }
  }

 private:
  std::span<const ScanChunk> chunks_;
  std::atomic<std::size_t> left_;
};

// One thread's part of a scan.
class Scan {
 public:
  // With `coarse_query`, coarse codes may be read first, of the only search.
  Scan(std::deque<Search>& searches, std::size_t code_bytes, const std::optional<kernels::BlockQuery>& coarse_query)
      : code_bytes_(code_bytes),
        reads_codes_(searches.front().codes != nullptr),
        coarse_query_(coarse_query.value_or(kernels::BlockQuery{})),
        trial_(coarse_query.has_value()),
        batch_(reads_codes_ ? code_bytes_ : 0) {
    lanes_.reserve(searches.size());
    for (Search& search : searches) lanes_.push_back({&search, {}});
  }

  // Leaves with each search the candidates among the rows of the chunks it took; the threshold may have risen behind
  // the first.
  void run(ChunksLeft& chunks) {
    chunks.take([this](std::uint32_t index, const ScanChunk& chunk) { visit_chunk(index, chunk); });
    flush();
    for (Lane& lane : lanes_) {
      const std::lock_guard lock(lane.search->mutex);
      auto& all = lane.search->candidates;
      all.insert(all.end(), lane.candidates.begin(), lane.candidates.end());
    }
  }

 private:
  // A search and what this thread found for it.
  struct Lane {
    Search* search;
    std::vector<Candidate> candidates;
  };

  void visit_chunk(std::uint32_t index, const ScanChunk& chunk) {
    for (std::size_t block = 0; block < block_count(chunk); ++block) {
      const std::uint64_t eligible = eligible_bits(chunk, block);
      if (eligible == 0) continue;
      const bool whole = chunk.count >= (block + 1) * kernels::kBlockRows;
      if (whole && (eligible == ~std::uint64_t{0} || std::popcount(eligible) >= kDenseRows)) {
        visit_block(index, chunk, static_cast<std::uint32_t>(block * kernels::kBlockRows), eligible);
      } else {
        add_rows(index, chunk, static_cast<std::uint32_t>(block * kernels::kBlockRows), eligible);
      }
    }
  }

  void visit_block(std::uint32_t index, const ScanChunk& chunk, std::uint32_t first, std::uint64_t eligible) {
    if (reads_codes_) {
      if (trial_.due()) {
        eligible &= reaching_coarsely(chunk, first);
        trial_.saw(std::popcount(eligible));
        if (std::popcount(eligible) < kDenseRows) return add_rows(index, chunk, first, eligible);
      }
      trial_.skip();
      prefetch_metadata(chunk, first, chunk.code_scales, chunk.code_errors);
    }
    for (Lane& lane : lanes_) {
      const auto rows = block_rows(*lane.search, chunk, first, chunk.code_scales, chunk.code_errors);
      if (reads_codes_) {
        kernels_.dot_codes(reinterpret_cast<const std::uint8_t*>(chunk.codes) + first * code_bytes_,
                           kernels::kBlockRows, code_bytes_ / kernels::kGroupBytes, lane.search->codes, dots_.data());
      }
      bound(lane, rows, eligible, [&](std::uint32_t bit) { return RowBatch::Row{&chunk, index, first + bit}; });
    }
  }

  void add_rows(std::uint32_t index, const ScanChunk& chunk, std::uint32_t first, std::uint64_t rows) {
    for_each_bit(rows, [&](std::uint32_t bit) {
      batch_.add(chunk, index, first + bit);
      if (batch_.full()) flush();
    });
  }

  // Returns: the rows of a block that their coarse codes do not rule out.
  std::uint64_t reaching_coarsely(const ScanChunk& chunk, std::uint32_t first) {
    const Search& search = *lanes_.front().search;
    prefetch_metadata(chunk, first, chunk.coarse_scales, chunk.coarse_errors);
    kernels_.dot_plane(reinterpret_cast<const std::uint8_t*>(chunk.coarse_codes) + first * code_bytes_ / 2,
                       kernels::kBlockRows, code_bytes_ / kernels::kGroupBytes, search.codes, dots_.data());
    kernels_.bound_block(block_rows(search, chunk, first, chunk.coarse_scales, chunk.coarse_errors), coarse_query_,
                         search.threshold.threshold(), bounds_);
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

  kernels::BlockRows block_rows(const Search& search, const ScanChunk& chunk, std::uint32_t first, const float* scales,
                                const float* errors) const {
    return {.dots = reads_codes_ ? dots_.data() : nullptr,
            .code_scales = scales + first,
            .code_errors = errors + first,
            .times = chunk.times + first,
            .importance = chunk.importance + first,
            .log_uses = chunk.log_uses + first,
            .kinds = chunk.kinds + first,
            .column = search.column == nullptr ? nullptr : search.column->block(chunk.first_slot + first)};
  }

  void flush() {
    if (batch_.size() == 0) return;
    const std::uint64_t used = ~std::uint64_t{0} >> (kernels::kBlockRows - batch_.size());
    batch_.gather();
    for (Lane& lane : lanes_) {
      bound(lane, batch_.rows_for(lane.search->codes, lane.search->column), used,
            [&](std::uint32_t bit) { return batch_.row(bit); });
    }
    batch_.clear();
  }

  template <typename Locate>
  void bound(Lane& lane, const kernels::BlockRows& rows, std::uint64_t eligible, Locate&& locate) {
    auto& threshold = lane.search->threshold;
    kernels_.bound_block(rows, lane.search->query, threshold.threshold(), bounds_);
    if (const std::uint64_t raising = bounds_.raising & eligible; raising != 0) {
      threshold.add([&](KthLargest& largest) {
        for_each_bit(raising, [&](std::uint32_t bit) { largest.add(bounds_.lower[bit]); });
      });
    }
    const float reached = threshold.threshold();
    for_each_bit(bounds_.reaching & eligible, [&](std::uint32_t bit) {
      if (bounds_.upper[bit] < reached) return;
      const RowBatch::Row row = locate(bit);
      lane.candidates.push_back({bounds_.upper[bit], row.chunk_index, row.row});
    });
  }

  const kernels::Kernels& kernels_ = kernels::kernels();
  std::size_t code_bytes_;
  bool reads_codes_;
  kernels::BlockQuery coarse_query_;
  CoarseTrial trial_;
  RowBatch batch_;
  std::vector<Lane> lanes_;
  kernels::BlockBounds bounds_;
  alignas(64) std::array<std::int32_t, kernels::kBlockRows> dots_{};
};

// Several queries share what is read, and arithmetic limits them: coarse codes would only add to that.
std::optional<kernels::BlockQuery> coarse_query_of(std::span<const ScanQuery> queries, std::size_t bytes) {
  if (queries.size() > 1 || bytes < queries.front().coarse_from_bytes) return std::nullopt;
  return queries.front().bounds.coarse_block();
}

}  // namespace

std::vector<std::vector<Candidate>> scan(std::span<const ScanChunk> chunks, std::size_t dimension,
                                         std::span<const ScanQuery> queries, const Helpers& helpers) {
  const std::size_t code_bytes = format::code_bytes(dimension);
  const auto coarse_query = coarse_query_of(queries, chunks.size() * format::kChunkSlots * code_bytes);
  std::deque<Search> searches;
  for (const ScanQuery& query : queries) searches.emplace_back(query, !helpers.any());
  ChunksLeft left(chunks);
  helpers.share([&] { Scan(searches, code_bytes, coarse_query).run(left); });

  std::vector<std::vector<Candidate>> candidates;
  for (Search& search : searches) {
    const float threshold = search.threshold.threshold();
    std::erase_if(search.candidates, [threshold](const Candidate& found) { return found.upper < threshold; });
    candidates.push_back(std::move(search.candidates));
  }
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
      const std::uint64_t eligible = eligible_bits(chunk, block);
      if (eligible != 0) count += static_cast<std::size_t>(std::popcount(eligible));
    }
  }
  return count;
}

}  // namespace hippocore::ranking
