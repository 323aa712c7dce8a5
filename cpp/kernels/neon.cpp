// The kernels for 64-bit ARM: NEON as every such CPU has it.
#include "kernels/tables.h"

#if defined(__aarch64__)

#include <arm_neon.h>

namespace hippocore::kernels {
namespace {

double sum_lanes(float64x2_t (&lanes)[16]) {
  for (std::size_t width = 8; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) lanes[i] = vaddq_f64(lanes[i], lanes[i + width]);
  }
  return vgetq_lane_f64(lanes[0], 0) + vgetq_lane_f64(lanes[0], 1);
}

void add_products(const float* a, const float* b, float64x2_t (&lanes)[16]) {
  for (std::size_t part = 0; part < 8; ++part) {
    const float32x4_t left = vld1q_f32(a + 4 * part);
    const float32x4_t right = vld1q_f32(b + 4 * part);
    float64x2_t& low = lanes[2 * part];
    float64x2_t& high = lanes[2 * part + 1];
    low = vfmaq_f64(low, vcvt_f64_f32(vget_low_f32(left)), vcvt_f64_f32(vget_low_f32(right)));
    high = vfmaq_f64(high, vcvt_high_f64_f32(left), vcvt_high_f64_f32(right));
  }
}

void copy_padded(const float* values, std::size_t count, float* padded, std::size_t capacity) {
  for (std::size_t i = 0; i < capacity; ++i) padded[i] = i < count ? values[i] : 0.0F;
}

double dot(const float* a, const float* b, std::size_t count) {
  float64x2_t lanes[16];
  for (float64x2_t& lane : lanes) lane = vdupq_n_f64(0);
  std::size_t i = 0;
  for (; i + 32 <= count; i += 32) add_products(a + i, b + i, lanes);
  if (i < count) {
    float left[32];
    float right[32];
    copy_padded(a + i, count - i, left, 32);
    copy_padded(b + i, count - i, right, 32);
    add_products(left, right, lanes);
  }
  return sum_lanes(lanes);
}

// Four products of a nibble and a query value fit in 16 bits (4 * 15 * 128).
int16x8_t part_products(const std::uint8_t* bytes, const std::int8_t* query) {
  const uint8x16_t codes = vld1q_u8(bytes);
  const int8x16_t low = vreinterpretq_s8_u8(vandq_u8(codes, vdupq_n_u8(15)));
  const int8x16_t high = vreinterpretq_s8_u8(vshrq_n_u8(codes, 4));
  const int8x16_t low_query = vld1q_s8(query);
  const int8x16_t high_query = vld1q_s8(query + kGroupBytes);
  int16x8_t products = vmull_s8(vget_low_s8(low), vget_low_s8(low_query));
  products = vmlal_s8(products, vget_high_s8(low), vget_high_s8(low_query));
  products = vmlal_s8(products, vget_low_s8(high), vget_low_s8(high_query));
  return vmlal_s8(products, vget_high_s8(high), vget_high_s8(high_query));
}

std::int32_t dot_row(const std::uint8_t* row, std::size_t groups, const std::int8_t* query) {
  int32x4_t sums[2] = {vdupq_n_s32(0), vdupq_n_s32(0)};
  for (std::size_t group = 0; group < groups; ++group, row += kGroupBytes, query += kGroupDimensions) {
    for (std::size_t part = 0; part < 4; ++part) {
      sums[part % 2] = vpadalq_s16(sums[part % 2], part_products(row + 16 * part, query + 16 * part));
    }
  }
  return vaddvq_s32(vaddq_s32(sums[0], sums[1]));
}

// How far ahead of the row being read memory is asked for. Past the end that is wasted, never wrong: a prefetch cannot
// fault.
constexpr std::size_t kPrefetchBytes = 4096;

void dot_codes(const std::uint8_t* codes, std::size_t rows, std::size_t groups, const std::int8_t* query,
               std::int32_t* dots) {
  const std::size_t stride = groups * kGroupBytes;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint8_t* const first = codes + row * stride;
    for (std::size_t line = 0; line < groups; ++line) __builtin_prefetch(first + kPrefetchBytes + line * 64);
    dots[row] = dot_row(first, groups, query);
  }
}

// Eight products of a plane's value and a query's fit in 16 bits (8 * 3 * 128).
int16x8_t plane_products(const std::uint8_t* bytes, const std::int8_t* query) {
  uint8x16_t codes = vld1q_u8(bytes);
  int16x8_t products = vdupq_n_s16(0);
  for (std::size_t k = 0; k < 4; ++k, codes = vshrq_n_u8(codes, 2)) {
    const int8x16_t place = vreinterpretq_s8_u8(vandq_u8(codes, vdupq_n_u8(3)));
    const int8x16_t values = vld1q_s8(query + kPlaneGroupBytes * k);
    products = vmlal_s8(products, vget_low_s8(place), vget_low_s8(values));
    products = vmlal_s8(products, vget_high_s8(place), vget_high_s8(values));
  }
  return products;
}

std::int32_t plane_dot_row(const std::uint8_t* row, std::size_t groups, const std::int8_t* query) {
  int32x4_t sums[2] = {vdupq_n_s32(0), vdupq_n_s32(0)};
  for (std::size_t group = 0; group < groups; ++group, row += kPlaneGroupBytes, query += kGroupDimensions) {
    for (std::size_t half = 0; half < 2; ++half) {
      sums[half] = vpadalq_s16(sums[half], plane_products(row + 16 * half, query + 16 * half));
    }
  }
  return vaddvq_s32(vaddq_s32(sums[0], sums[1]));
}

void dot_plane(const std::uint8_t* plane, std::size_t rows, std::size_t groups, const std::int8_t* query,
               std::int32_t* dots) {
  const std::size_t stride = groups * kPlaneGroupBytes;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint8_t* const first = plane + row * stride;
    for (std::size_t line = 0; line < stride; line += 64) __builtin_prefetch(first + kPrefetchBytes + line);
    dots[row] = plane_dot_row(first, groups, query);
  }
}

float32x2_t ages(const std::int64_t* times, int64x2_t now) {
  const int64x2_t time = vld1q_s64(times);
  // A difference of two 64-bit times fits in 64 bits without a sign.
  const uint64x2_t age = vreinterpretq_u64_s64(vsubq_s64(now, time));
  return vcvt_f32_f64(vcvtq_f64_u64(vandq_u64(age, vcltq_s64(time, now))));
}

float32x4_t decays(const std::uint16_t* kinds, const BlockQuery& query) {
  const float rates[4] = {query.decay[kinds[0]], query.decay[kinds[1]], query.decay[kinds[2]], query.decay[kinds[3]]};
  return vld1q_f32(rates);
}

float32x4_t power_of_two(float32x4_t exponent) {
  exponent = vmaxq_f32(exponent, vdupq_n_f32(kSmallestExponent));
  const float32x4_t whole = vrndnq_f32(exponent);
  const float32x4_t rest = vsubq_f32(exponent, whole);
  float32x4_t sum = vdupq_n_f32(kExp2Terms[4]);
  for (int term = 3; term >= 0; --term) sum = vfmaq_f32(vdupq_n_f32(kExp2Terms[term]), sum, rest);
  sum = vfmaq_f32(vdupq_n_f32(1.0F), sum, rest);
  const int32x4_t power = vshlq_n_s32(vaddq_s32(vcvtq_s32_f32(whole), vdupq_n_s32(127)), 23);
  return vmulq_f32(sum, vreinterpretq_f32_s32(power));
}

float32x4_t metadata_scores(const BlockRows& rows, const BlockQuery& query, std::size_t i) {
  const int64x2_t now = vdupq_n_s64(query.now);
  const float32x4_t age = vcombine_f32(ages(rows.times + i, now), ages(rows.times + i + 2, now));
  const float32x4_t recency = power_of_two(vmulq_f32(vnegq_f32(age), decays(rows.kinds + i, query)));
  const float32x4_t usage =
      vminq_f32(vdupq_n_f32(1.0F), vmulq_f32(vld1q_f32(rows.log_uses + i), vdupq_n_f32(query.usage_factor)));
  const float32x4_t importance =
      vcombine_f32(vcvt_f32_f64(vld1q_f64(rows.importance + i)), vcvt_f32_f64(vld1q_f64(rows.importance + i + 2)));
  float32x4_t score = vmulq_f32(recency, vdupq_n_f32(query.recency));
  score = vfmaq_f32(score, importance, vdupq_n_f32(query.importance));
  return vfmaq_f32(score, usage, vdupq_n_f32(query.usage));
}

struct Interval {
  float32x4_t lower;
  float32x4_t upper;
};

Interval similarities(const BlockRows& rows, const BlockQuery& query, std::size_t i) {
  const float32x4_t zero = vdupq_n_f32(0);
  const float32x4_t one = vdupq_n_f32(1.0F);
  if (rows.dots == nullptr) return {zero, zero};
  const int32x4_t dots = vld1q_s32(rows.dots + i);
  const int32x4_t centred = vsubq_s32(vaddq_s32(dots, dots), vdupq_n_s32(query.code_offset));
  const float32x4_t scale = vmulq_f32(vld1q_f32(rows.code_scales + i), vdupq_n_f32(query.code_factor));
  const float32x4_t similarity = vmulq_f32(vcvtq_f32_s32(centred), scale);
  const float32x4_t query_error = vdupq_n_f32(query.query_error);
  const float32x4_t sure = vmaxq_f32(zero, vsubq_f32(vabsq_f32(similarity), query_error));
  const float32x4_t square = vmulq_f32(sure, sure);
  const float32x4_t gain = vmulq_f32(square, vfmaq_f32(vdupq_n_f32(0.5F), square, vdupq_n_f32(0.125F)));
  const float32x4_t margin = vfmaq_f32(query_error, vld1q_f32(rows.code_errors + i), vsubq_f32(one, gain));
  return {vsubq_f32(similarity, margin), vaddq_f32(similarity, margin)};
}

float32x4_t map(float32x4_t similarity, float32x4_t column, const BlockQuery& query) {
  const float32x4_t y = vfmaq_f32(column, similarity, vdupq_n_f32(query.slope));
  if (!query.soft) return y;
  const float32x4_t half = vdupq_n_f32(0.5F);
  return vaddq_f32(half, vdivq_f32(vmulq_f32(half, y), vaddq_f32(vdupq_n_f32(1.0F), vabsq_f32(y))));
}

Interval relevances(const BlockRows& rows, const BlockQuery& query, std::size_t i) {
  const float32x4_t zero = vdupq_n_f32(0);
  const float32x4_t one = vdupq_n_f32(1.0F);
  Interval interval = similarities(rows, query, i);
  if (query.mapped) {
    const float32x4_t column = rows.column == nullptr ? vdupq_n_f32(query.rest) : vld1q_f32(rows.column + i);
    interval = {map(interval.lower, column, query), map(interval.upper, column, query)};
  }
  return {vminq_f32(one, vmaxq_f32(zero, interval.lower)), vminq_f32(one, vmaxq_f32(zero, interval.upper))};
}

std::uint64_t bits(uint32x4_t mask) {
  const std::uint32_t positions[4] = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32(mask, vld1q_u32(positions)));
}

void bound_block(const BlockRows& rows, const BlockQuery& query, float threshold, BlockBounds& bounds) {
  bounds.reaching = 0;
  bounds.raising = 0;
  for (std::size_t i = 0; i < kBlockRows; i += 4) {
    const Interval interval = relevances(rows, query, i);
    const float32x4_t metadata = metadata_scores(rows, query, i);
    const float32x4_t weight = vdupq_n_f32(query.relevance);
    const float32x4_t slack = vdupq_n_f32(query.slack);
    const float32x4_t lower = vsubq_f32(vfmaq_f32(metadata, interval.lower, weight), slack);
    const float32x4_t upper = vaddq_f32(vfmaq_f32(metadata, interval.upper, weight), slack);
    vst1q_f32(bounds.lower + i, lower);
    vst1q_f32(bounds.upper + i, upper);
    const uint32x4_t possible = vcgeq_f32(interval.upper, vdupq_n_f32(query.possible_relevance));
    const uint32x4_t certain = vcgeq_f32(interval.lower, vdupq_n_f32(query.certain_relevance));
    bounds.reaching |= bits(vandq_u32(possible, vcgeq_f32(upper, vdupq_n_f32(threshold)))) << i;
    bounds.raising |= bits(vandq_u32(certain, vcgtq_f32(lower, vdupq_n_f32(threshold)))) << i;
  }
}

int32x4_t nearest_codes(float32x4_t values, float inverse_step) {
  // Not fused: the scalar kernel rounds the product too, and all must agree on every code.
  const float32x4_t shifted = vaddq_f32(vmulq_n_f32(values, inverse_step), vdupq_n_f32(8.0F));
  return vminq_s32(vmaxq_s32(vcvtq_s32_f32(shifted), vdupq_n_s32(0)), vdupq_n_s32(15));
}

int32x4_t digits_of(int32x4_t codes) {
  return vsubq_s32(vaddq_s32(codes, codes), vdupq_n_s32(15));
}

int32x4_t first_lanes(std::size_t i, std::size_t count) {
  const std::int32_t positions[4] = {0, 1, 2, 3};
  const auto rest = static_cast<std::int32_t>(i >= count ? 0 : count - i < 4 ? count - i : 4);
  return vreinterpretq_s32_u32(vcltq_s32(vld1q_s32(positions), vdupq_n_s32(rest)));
}

CodeFit fit_code(const float* vector, std::size_t count, float inverse_step) {
  float32x4_t products[4] = {vdupq_n_f32(0), vdupq_n_f32(0), vdupq_n_f32(0), vdupq_n_f32(0)};
  int32x4_t squares = vdupq_n_s32(0);
  for (std::size_t begin = 0; begin < count; begin += 4) {
    float padded[4];
    copy_padded(vector + begin, count - begin, padded, 4);
    const float32x4_t values = vld1q_f32(padded);
    const int32x4_t digits = vandq_s32(first_lanes(begin, count), digits_of(nearest_codes(values, inverse_step)));
    float32x4_t& lanes = products[begin / 4 % 4];
    lanes = vaddq_f32(lanes, vmulq_f32(values, vcvtq_f32_s32(digits)));
    squares = vmlaq_s32(squares, digits, digits);
  }
  const float32x4_t four = vaddq_f32(vaddq_f32(products[0], products[2]), vaddq_f32(products[1], products[3]));
  const float32x2_t two = vadd_f32(vget_low_f32(four), vget_high_f32(four));
  return {vget_lane_f32(two, 0) + vget_lane_f32(two, 1), vaddvq_s32(squares)};
}

void encode_group(const float* vector, std::size_t count, float inverse_step, std::uint8_t* group, float* digits) {
  float padded[kGroupDimensions];
  copy_padded(vector, count, padded, kGroupDimensions);
  std::uint8_t codes[kGroupDimensions];
  for (std::size_t begin = 0; begin < kGroupDimensions; begin += 4) {
    const int32x4_t mask = first_lanes(begin, count);
    const int32x4_t n = nearest_codes(vld1q_f32(padded + begin), inverse_step);
    vst1q_f32(digits + begin, vcvtq_f32_s32(vandq_s32(mask, digits_of(n))));
    std::int32_t values[4];
    vst1q_s32(values, vandq_s32(mask, n));
    for (std::size_t lane = 0; lane < 4; ++lane) codes[begin + lane] = static_cast<std::uint8_t>(values[lane]);
  }
  for (std::size_t j = 0; j < kGroupBytes; ++j) {
    group[j] = static_cast<std::uint8_t>(codes[j] | codes[kGroupBytes + j] << 4);
  }
}

}  // namespace

const Kernels kNeonKernels = {"neon", dot, dot_codes, dot_plane, bound_block, fit_code, encode_group};

}  // namespace hippocore::kernels

#endif
