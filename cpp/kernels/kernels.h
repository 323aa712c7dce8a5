// The inner loops of recall and of quantising, once for each instruction set, behind one table of functions.
//
// kernels() picks the best table for this CPU once; every other file calls through it and is built for the baseline
// CPU. All functions are pure, keep nothing and may run on any number of threads. Pointers need no alignment beyond
// their type's and ranges never overlap.
//
// dot, dot_codes, dot_plane, fit_code and encode_group give the same bits on every table. The bounds do not: each table
// rounds its own way, always outward, so that they prove the same answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hippocore::kernels {

inline constexpr std::size_t kBlockRows = 64;
inline constexpr std::size_t kGroupBytes = 64;        // one group of a code …
inline constexpr std::size_t kGroupDimensions = 128;  // … holds this many dimensions, see ranking/quantize.h
inline constexpr std::size_t kPlaneGroupBytes = 32;   // the same group of a coarse code

// How well a step suits a vector: with digits d = 2 n - 15 of its code, sum x d and sum d d.
struct CodeFit {
  float product = 0;
  std::int64_t squares = 0;
};

// Columns of exactly kBlockRows rows; scales and errors are of the codes, fine or coarse, that gave the dots.
struct BlockRows {
  const std::int32_t* dots = nullptr;  // of codes; null: similarity is 0 for all, the next two are not read
  const float* code_scales = nullptr;
  const float* code_errors = nullptr;
  const std::int64_t* times = nullptr;
  const double* importance = nullptr;
  const float* log_uses = nullptr;
  const std::uint16_t* kinds = nullptr;
  const float* column = nullptr;  // of a mapped query; null: its `rest` for all
};

// What one query asks of every block. ranking/bounds.h makes it and says why the slacks suffice.
struct BlockQuery {
  // Similarity of the codes: (2 dot - code_offset) * code_scale * code_factor, off by at most code_error * (1 - t t / 2
  // - t t t t / 8) + query_error with t = |similarity| - query_error.
  std::int32_t code_offset = 0;
  float code_factor = 0;
  float query_error = 0;  // rounding of the similarity included
  // Relevance is the similarity, clamped to 0..1; of a mapped query y = slope * similarity + column, clamped, or
  // 1/2 + y / (2 + 2 |y|) where it is soft. Requires: slope >= 0.
  bool mapped = false;
  bool soft = false;
  float slope = 1;
  float rest = 0;
  // Recency 2 ** (-age * decay[kind]) with age = max(0, now - time), usage min(1, log_uses * usage_factor).
  std::int64_t now = 0;
  const float* decay = nullptr;
  std::size_t decay_count = 0;  // every kind is below it
  float usage_factor = 0;
  // Weights of the score, and how far a computed bound moves outward.
  float relevance = 0;
  float recency = 0;
  float importance = 0;
  float usage = 0;
  float slack = 0;
  // A row with less relevance than `possible_relevance` fails the query's condition, one with `certain_relevance`
  // passes it.
  float possible_relevance = 0;
  float certain_relevance = 0;
};

struct BlockBounds {
  alignas(64) float lower[kBlockRows];
  alignas(64) float upper[kBlockRows];
  std::uint64_t reaching = 0;  // bit i: row i may pass the condition on relevance and upper[i] >= threshold
  std::uint64_t raising = 0;   // bit i: row i surely passes it and lower[i] > threshold
};

struct Kernels {
  const char* name;

  // Returns: the sum of a[i] * b[i] in double precision: 32 lanes by i mod 32, then lane i + lane i + 16, 8, 4, 2, 1.
  // The products are exact, so a fused multiply-add gives the same bits.
  double (*dot)(const float* a, const float* b, std::size_t count);

  // dots[r] = sum n q over the dimensions of row r, exact. A row is `groups` groups; query holds groups * 128 values in
  // the order of dimensions, 0 behind the end. Requires: groups <= 512.
  void (*dot_codes)(const std::uint8_t* codes, std::size_t rows, std::size_t groups, const std::int8_t* query,
                    std::int32_t* dots);

  // The same of coarse codes, with their a in 0..3 for n.
  void (*dot_plane)(const std::uint8_t* plane, std::size_t rows, std::size_t groups, const std::int8_t* query,
                    std::int32_t* dots);

  void (*bound_block)(const BlockRows& rows, const BlockQuery& query, float threshold, BlockBounds& bounds);

  // n = clamp(floor(x * inverse_step + 8), 0, 15) in each dimension. Requires: |x * inverse_step| < 2^30.
  CodeFit (*fit_code)(const float* vector, std::size_t count, float inverse_step);
  // The same n as one group of a code, and its digits. Requires: 0 < count <= kGroupDimensions; digits holds as many,
  // zeros from count on.
  void (*encode_group)(const float* vector, std::size_t count, float inverse_step, std::uint8_t* group, float* digits);
};

// Returns: the best table that this CPU and system support, or the one that the environment variable
// HIPPOCORE_FORCE_KERNEL names. Throws: Error{kInvalidArgument} when that name is none of available_kernels().
[[nodiscard]] const Kernels& choose_kernels();

// Returns: the table in use: what choose_kernels() said at the first call, and then always the same.
// Throws: as choose_kernels(), at the first call.
[[nodiscard]] const Kernels& kernels();

// Returns: what this machine can run, best first, "scalar" last.
[[nodiscard]] std::span<const Kernels* const> available_kernels();

// Makes kernels() return `chosen` from now on; for tests, while no other thread is in the core.
void use_kernels(const Kernels& chosen);

}  // namespace hippocore::kernels
