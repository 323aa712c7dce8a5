// The kernels in plain C++: the reference for the others, and what runs where there is nothing better.
#include "kernels/tables.h"

namespace hippocore::kernels {
namespace {

constexpr std::size_t kLanes = 32;

double sum_lanes(double (&lanes)[kLanes]) {
  for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::size_t lane = 0; lane < width; ++lane) lanes[lane] += lanes[lane + width];
  }
  return lanes[0];
}

double dot(const float* a, const float* b, std::size_t count) {
  double lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] += static_cast<double>(a[i + lane]) * static_cast<double>(b[i + lane]);
    }
  }
  for (; i < count; ++i) lanes[i % kLanes] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum_lanes(lanes);
}

std::int32_t dot_row(const std::uint8_t* row, std::size_t groups, const std::int8_t* query) {
  std::int32_t sum = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    for (std::size_t j = 0; j < kGroupBytes; ++j) {
      sum += (row[j] & 15) * query[j] + (row[j] >> 4) * query[kGroupBytes + j];
    }
    row += kGroupBytes;
    query += kGroupDimensions;
  }
  return sum;
}

void dot_codes(const std::uint8_t* codes, std::size_t rows, std::size_t groups, const std::int8_t* query,
               std::int32_t* dots) {
  for (std::size_t row = 0; row < rows; ++row) dots[row] = dot_row(codes + row * groups * kGroupBytes, groups, query);
}

std::int32_t plane_dot_row(const std::uint8_t* row, std::size_t groups, const std::int8_t* query) {
  std::int32_t sum = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    for (std::size_t j = 0; j < kPlaneGroupBytes; ++j) {
      for (std::size_t k = 0; k < 4; ++k) sum += (row[j] >> 2 * k & 3) * query[kPlaneGroupBytes * k + j];
    }
    row += kPlaneGroupBytes;
    query += kGroupDimensions;
  }
  return sum;
}

void dot_plane(const std::uint8_t* plane, std::size_t rows, std::size_t groups, const std::int8_t* query,
               std::int32_t* dots) {
  for (std::size_t row = 0; row < rows; ++row) {
    dots[row] = plane_dot_row(plane + row * groups * kPlaneGroupBytes, groups, query);
  }
}

float smaller(float a, float b) {
  return a < b ? a : b;
}
float larger(float a, float b) {
  return a > b ? a : b;
}

float power_of_two(float exponent) {
  if (exponent < kSmallestExponent) exponent = kSmallestExponent;
  const auto whole = static_cast<std::int32_t>(exponent - 0.5F);  // nearest, for exponents <= 0
  const float rest = exponent - static_cast<float>(whole);
  float sum = kExp2Terms[4];
  for (int term = 3; term >= 0; --term) sum = sum * rest + kExp2Terms[term];
  return (sum * rest + 1.0F) * __builtin_bit_cast(float, (whole + 127) << 23);
}

float metadata_score(const BlockRows& rows, const BlockQuery& query, std::size_t i) {
  const std::int64_t time = rows.times[i];
  // A difference of two 64-bit times fits in 64 bits without a sign.
  const std::uint64_t age =
      time < query.now ? static_cast<std::uint64_t>(query.now) - static_cast<std::uint64_t>(time) : 0;
  const float recency = power_of_two(-static_cast<float>(age) * query.decay[rows.kinds[i]]);
  const float usage = smaller(1.0F, rows.log_uses[i] * query.usage_factor);
  return query.recency * recency + query.importance * static_cast<float>(rows.importance[i]) + query.usage * usage;
}

struct Interval {
  float lower = 0;
  float upper = 0;
};

Interval similarity(const BlockRows& rows, const BlockQuery& query, std::size_t i) {
  if (rows.dots == nullptr) return {};
  const float centre =
      static_cast<float>(2 * rows.dots[i] - query.code_offset) * (rows.code_scales[i] * query.code_factor);
  const float sure = larger(0.0F, (centre < 0 ? -centre : centre) - query.query_error);
  const float square = sure * sure;
  const float margin = rows.code_errors[i] * (1.0F - square * (0.5F + square * 0.125F)) + query.query_error;
  return {centre - margin, centre + margin};
}

float map(float similarity, float column, const BlockQuery& query) {
  const float y = query.slope * similarity + column;
  if (!query.soft) return y;
  return 0.5F + 0.5F * y / (1.0F + (y < 0 ? -y : y));
}

Interval relevance(const BlockRows& rows, const BlockQuery& query, std::size_t i) {
  Interval interval = similarity(rows, query, i);
  if (query.mapped) {
    const float column = rows.column == nullptr ? query.rest : rows.column[i];
    interval = {map(interval.lower, column, query), map(interval.upper, column, query)};
  }
  return {smaller(1.0F, larger(0.0F, interval.lower)), smaller(1.0F, larger(0.0F, interval.upper))};
}

void bound_block(const BlockRows& rows, const BlockQuery& query, float threshold, BlockBounds& bounds) {
  bounds.reaching = 0;
  bounds.raising = 0;
  for (std::size_t i = 0; i < kBlockRows; ++i) {
    const Interval interval = relevance(rows, query, i);
    const float metadata = metadata_score(rows, query, i);
    bounds.lower[i] = query.relevance * interval.lower + metadata - query.slack;
    bounds.upper[i] = query.relevance * interval.upper + metadata + query.slack;
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (bounds.upper[i] >= threshold && interval.upper >= query.possible_relevance) bounds.reaching |= bit;
    if (bounds.lower[i] > threshold && interval.lower >= query.certain_relevance) bounds.raising |= bit;
  }
}

// Truncation is floor here, since what it rounds is clamped to 0 .. 15 after.
std::int32_t nearest_code(float value, float inverse_step) {
  const auto n = static_cast<std::int32_t>(value * inverse_step + 8.0F);
  return n < 0 ? 0 : n > 15 ? 15 : n;
}

CodeFit fit_code(const float* vector, std::size_t count, float inverse_step) {
  constexpr std::size_t kFitLanes = 16;
  float lanes[kFitLanes] = {};
  CodeFit fit;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t digit = 2 * nearest_code(vector[i], inverse_step) - 15;
    lanes[i % kFitLanes] += vector[i] * static_cast<float>(digit);
    fit.squares += digit * digit;
  }
  for (std::size_t width = kFitLanes / 2; width > 0; width /= 2) {
    for (std::size_t lane = 0; lane < width; ++lane) lanes[lane] += lanes[lane + width];
  }
  fit.product = lanes[0];
  return fit;
}

void encode_group(const float* vector, std::size_t count, float inverse_step, std::uint8_t* group, float* digits) {
  std::uint8_t codes[kGroupDimensions] = {};
  for (std::size_t i = 0; i < kGroupDimensions; ++i) digits[i] = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t n = nearest_code(vector[i], inverse_step);
    codes[i] = static_cast<std::uint8_t>(n);
    digits[i] = static_cast<float>(2 * n - 15);
  }
  for (std::size_t j = 0; j < kGroupBytes; ++j) {
    group[j] = static_cast<std::uint8_t>(codes[j] | codes[kGroupBytes + j] << 4);
  }
}

}  // namespace

const Kernels kScalarKernels = {"scalar", dot, dot_codes, dot_plane, bound_block, fit_code, encode_group};

}  // namespace hippocore::kernels
