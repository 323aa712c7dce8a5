// Recall: the true top k of the fused score over the eligible slots, found by bounds and proved by f32.
//
// Pure: columns in, hits out; time is an argument, and who else works on it changes nothing. Owns nothing it is given.
// Any number of threads may call at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/id.h"
#include "format/chunk.h"
#include "ranking/relevance_map.h"
#include "ranking/score.h"
#include "ranking/splitting.h"

namespace hippocore::ranking {

// The columns of one chunk and which of its rows take part. Every span has at least `count` elements (codes and
// vectors: times their width); rows from `count` on must not be read, another thread may be writing them.
struct ScanChunk {
  std::uint32_t first_slot = 0;  // a multiple of 64 where relevance has a column
  std::uint32_t count = 0;
  std::array<std::uint64_t, format::kChunkSlots / 64> eligible{};  // bit i of word w: row 64 w + i takes part
  const std::byte* coarse_codes = nullptr;                         // coarse_bytes(dimension) a row
  const float* coarse_scales = nullptr;
  const float* coarse_errors = nullptr;
  const std::byte* codes = nullptr;  // code_bytes(dimension) a row
  const float* code_scales = nullptr;
  const float* code_errors = nullptr;
  const std::int64_t* times = nullptr;  // microseconds; the moment recency counts from
  const double* importance = nullptr;
  const float* log_uses = nullptr;  // ln(1 + use_count), rounded to float
  const std::uint32_t* use_counts = nullptr;
  const std::uint16_t* kinds = nullptr;
  const float* vectors = nullptr;  // dimension a row, as the caller gave them
  const double* norms = nullptr;
  const std::int64_t* valid_from = nullptr;  // for ties: newest first …
  const Id* ids = nullptr;                   // … then id
};

struct RecallQuery {
  std::span<const float> vector;  // empty: no query, relevance is 0 everywhere
  std::int64_t now = 0;           // microseconds
  std::size_t limit = 20;
  RelevanceMap relevance = {};
  double min_relevance = -std::numeric_limits<double>::infinity();  // hits below are left out; k counts those that pass
  // Where the codes are longer than this, coarse codes are read first: memory is then what limits the scan, and they
  // are half as long. In the cache arithmetic limits it, and they only add to that. The answer is the same.
  std::size_t coarse_from_bytes = std::size_t{32} << 20;
};

// What spoke most for a hit of a hybrid recall.
enum class Reason : std::uint8_t { kNone, kMeaning, kWords, kNeighbours, kDate };

struct Hit {
  std::uint32_t slot = 0;
  double score = 0;
  double relevance = 0;
  double recency = 0;
  double importance = 0;
  double usage = 0;
  double similarity = 0;          // cosine, -1..1; 0 for a zero vector
  double lexical = 0;             // 0..1: how much of what the query's terms tell the memory holds; left to the caller
  Reason reason = Reason::kNone;  // left to the caller
  bool operator==(const Hit&) const = default;
};

struct RecallCounts {
  std::size_t eligible = 0;
  std::size_t scored_exactly = 0;  // slots whose f32 vector was read
};

// Returns: at most `limit` hits, by score, then newest (valid_from), then id. The same on every kernel and with any
// number of workers, to the bit.
// Requires: dimension > 0; query.vector is empty or of `dimension` finite values; importance is in 0..1; codes, scales
// and errors are what quantize() gave for the vectors. Wrong ones give wrong hits, never a read outside the columns.
[[nodiscard]] std::vector<Hit> recall(std::span<const ScanChunk> chunks, std::size_t dimension, const Weights& weights,
                                      const RecallQuery& query, RecallCounts* counts = nullptr,
                                      const Splitting& splitting = {});

struct Answer {
  std::vector<Hit> hits;
  RecallCounts counts;
};

// Returns: for each query what recall returns. Codes are read from memory once for several queries.
// Requires: as recall, of each query.
[[nodiscard]] std::vector<Answer> recall_many(std::span<const ScanChunk> chunks, std::size_t dimension,
                                              const Weights& weights, std::span<const RecallQuery> queries,
                                              const Splitting& splitting = {});

}  // namespace hippocore::ranking
