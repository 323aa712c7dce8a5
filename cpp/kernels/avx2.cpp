// The kernels for AVX2 and FMA.
#include "kernels/tables.h"

#if defined(__x86_64__)

#include <immintrin.h>

namespace hippocore::kernels {
namespace {

// All ones in the first `count` lanes.
__m256i first_lanes(std::size_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

std::size_t lanes_left(std::size_t i, std::size_t count) {
  return i >= count ? 0 : count - i < 8 ? count - i : 8;
}

__m256 load_tail(const float* values, std::size_t i, std::size_t count) {
  const std::size_t rest = lanes_left(i, count);
  return rest == 0 ? _mm256_setzero_ps() : _mm256_maskload_ps(values + i, first_lanes(rest));
}

__m256d lower_half(__m256 values) {
  return _mm256_cvtps_pd(_mm256_castps256_ps128(values));
}
__m256d upper_half(__m256 values) {
  return _mm256_cvtps_pd(_mm256_extractf128_ps(values, 1));
}

double sum_lanes(const __m256d (&lanes)[8]) {
  __m256d four[4];
  for (std::size_t i = 0; i < 4; ++i) four[i] = _mm256_add_pd(lanes[i], lanes[i + 4]);
  const __m256d one = _mm256_add_pd(_mm256_add_pd(four[0], four[2]), _mm256_add_pd(four[1], four[3]));
  const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(one), _mm256_extractf128_pd(one, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

void add_products(__m256 left, __m256 right, __m256d& low, __m256d& high) {
  low = _mm256_fmadd_pd(lower_half(left), lower_half(right), low);
  high = _mm256_fmadd_pd(upper_half(left), upper_half(right), high);
}

double dot(const float* a, const float* b, std::size_t count) {
  __m256d lanes[8];
  for (__m256d& lane : lanes) lane = _mm256_setzero_pd();
  std::size_t i = 0;
  for (; i + 32 <= count; i += 32) {
    for (std::size_t part = 0; part < 4; ++part) {
      add_products(_mm256_loadu_ps(a + i + 8 * part), _mm256_loadu_ps(b + i + 8 * part), lanes[2 * part],
                   lanes[2 * part + 1]);
    }
  }
  for (std::size_t part = 0; part < 4; ++part) {
    add_products(load_tail(a, i + 8 * part, count), load_tail(b, i + 8 * part, count), lanes[2 * part],
                 lanes[2 * part + 1]);
  }
  return sum_lanes(lanes);
}

__m256i load_bytes(const void* bytes) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(bytes));
}

// One row's products, spread over 8 sums. Two products of a nibble and a query value fit in 16 bits without saturating
// (2 * 15 * 128), and so do the eight of a group that meet in one lane.
__m256i row_sums(const std::uint8_t* row, std::size_t groups, const std::int8_t* query) {
  const __m256i nibbles = _mm256_set1_epi8(0x0F);
  __m256i sums = _mm256_setzero_si256();
  for (std::size_t group = 0; group < groups; ++group, row += kGroupBytes, query += kGroupDimensions) {
    __m256i products = _mm256_setzero_si256();
    for (std::size_t half = 0; half < 64; half += 32) {
      const __m256i bytes = load_bytes(row + half);
      const __m256i low = _mm256_and_si256(bytes, nibbles);
      const __m256i high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibbles);
      products = _mm256_add_epi16(products, _mm256_maddubs_epi16(low, load_bytes(query + half)));
      products = _mm256_add_epi16(products, _mm256_maddubs_epi16(high, load_bytes(query + kGroupBytes + half)));
    }
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(products, _mm256_set1_epi16(1)));
  }
  return sums;
}

std::int32_t sum_integers(__m256i lanes) {
  const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
  const __m128i two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
  return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 1)));
}

// 16-bit sums of one group. Two products of a plane's value and a query's fit in 16 bits without saturating (2 * 3 *
// 128), and so do the eight of a group that meet in one lane.
__m256i plane_products(__m256i bytes, const std::int8_t* query) {
  const __m256i first_place = _mm256_set1_epi8(3);
  const __m256i values[4] = {bytes, _mm256_srli_epi16(bytes, 2), _mm256_srli_epi16(bytes, 4),
                             _mm256_srli_epi16(bytes, 6)};
  __m256i products = _mm256_setzero_si256();
  for (std::size_t k = 0; k < 4; ++k) {
    const __m256i place = _mm256_and_si256(values[k], first_place);
    products = _mm256_add_epi16(products, _mm256_maddubs_epi16(place, load_bytes(query + kPlaneGroupBytes * k)));
  }
  return products;
}

// So many groups meet in one 16-bit lane without overflow (8 * 3 * 128 each).
constexpr std::size_t kNarrowGroups = 8;

// One row's products, spread over 8 sums.
__m256i plane_sums(const std::uint8_t* row, std::size_t groups, const std::int8_t* query) {
  __m256i sums = _mm256_setzero_si256();
  while (groups != 0) {
    const std::size_t run = groups < kNarrowGroups ? groups : kNarrowGroups;
    __m256i products = _mm256_setzero_si256();
    for (std::size_t group = 0; group < run; ++group, row += kPlaneGroupBytes, query += kGroupDimensions) {
      products = _mm256_add_epi16(products, plane_products(load_bytes(row), query));
    }
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(products, _mm256_set1_epi16(1)));
    groups -= run;
  }
  return sums;
}

void store_4_sums(__m256i a, __m256i b, __m256i c, __m256i d, std::int32_t* dots) {
  const __m256i sums = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(dots),
                   _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1)));
}

// How far ahead of the row being read memory is asked for, into the second-level cache, which waits for more lines at
// once than the first. Past the end that is wasted, never wrong: a prefetch cannot fault.
constexpr std::size_t kPrefetchBytes = 4096;

void dot_codes(const std::uint8_t* codes, std::size_t rows, std::size_t groups, const std::int8_t* query,
               std::int32_t* dots) {
  const std::size_t stride = groups * kGroupBytes;
  std::size_t row = 0;
  for (; row + 4 <= rows; row += 4) {
    const std::uint8_t* const first = codes + row * stride;
    for (std::size_t line = 0; line < 4 * groups; ++line) {
      _mm_prefetch(reinterpret_cast<const char*>(first + kPrefetchBytes + line * 64), _MM_HINT_T1);
    }
    store_4_sums(row_sums(first, groups, query), row_sums(first + stride, groups, query),
                 row_sums(first + 2 * stride, groups, query), row_sums(first + 3 * stride, groups, query), dots + row);
  }
  for (; row < rows; ++row) dots[row] = sum_integers(row_sums(codes + row * stride, groups, query));
}

void dot_plane(const std::uint8_t* plane, std::size_t rows, std::size_t groups, const std::int8_t* query,
               std::int32_t* dots) {
  const std::size_t stride = groups * kPlaneGroupBytes;
  std::size_t row = 0;
  for (; row + 4 <= rows; row += 4) {
    const std::uint8_t* const first = plane + row * stride;
    for (std::size_t line = 0; line < 4 * stride; line += 64) {
      _mm_prefetch(reinterpret_cast<const char*>(first + kPrefetchBytes + line), _MM_HINT_T1);
    }
    store_4_sums(plane_sums(first, groups, query), plane_sums(first + stride, groups, query),
                 plane_sums(first + 2 * stride, groups, query), plane_sums(first + 3 * stride, groups, query),
                 dots + row);
  }
  for (; row < rows; ++row) dots[row] = sum_integers(plane_sums(plane + row * stride, groups, query));
}

// There is no conversion from 64-bit integers: the halves are placed in the mantissas of 2^84 and 2^52 and added.
__m128 floats(__m256i values) {
  const __m256i low = _mm256_blend_epi32(_mm256_set1_epi64x(0x4330000000000000), values, 0x55);
  const __m256i high = _mm256_xor_si256(_mm256_srli_epi64(values, 32), _mm256_set1_epi64x(0x4530000000000000));
  const __m256d upper = _mm256_sub_pd(_mm256_castsi256_pd(high), _mm256_set1_pd(0x1p84 + 0x1p52));
  return _mm256_cvtpd_ps(_mm256_add_pd(upper, _mm256_castsi256_pd(low)));
}

__m128 ages(const std::int64_t* times, __m256i now) {
  const __m256i time = load_bytes(times);
  // A difference of two 64-bit times fits in 64 bits without a sign.
  return floats(_mm256_and_si256(_mm256_cmpgt_epi64(now, time), _mm256_sub_epi64(now, time)));
}

__m256 decays(const std::uint16_t* kinds, const BlockQuery& query) {
  const __m256i index = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kinds)));
  if (query.decay_count > 8) return _mm256_i32gather_ps(query.decay, index, 4);
  return _mm256_permutevar8x32_ps(load_tail(query.decay, 0, query.decay_count), index);
}

__m256 power_of_two(__m256 exponent) {
  exponent = _mm256_max_ps(exponent, _mm256_set1_ps(kSmallestExponent));
  const __m256 whole = _mm256_round_ps(exponent, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m256 rest = _mm256_sub_ps(exponent, whole);
  __m256 sum = _mm256_set1_ps(kExp2Terms[4]);
  for (int term = 3; term >= 0; --term) sum = _mm256_fmadd_ps(sum, rest, _mm256_set1_ps(kExp2Terms[term]));
  sum = _mm256_fmadd_ps(sum, rest, _mm256_set1_ps(1.0F));
  const __m256i power = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(whole), _mm256_set1_epi32(127)), 23);
  return _mm256_mul_ps(sum, _mm256_castsi256_ps(power));
}

__m256 metadata_scores(const BlockRows& rows, const BlockQuery& query, std::size_t i) {
  const __m256i now = _mm256_set1_epi64x(query.now);
  const __m256 age = _mm256_set_m128(ages(rows.times + i + 4, now), ages(rows.times + i, now));
  const __m256 rate = _mm256_sub_ps(_mm256_setzero_ps(), decays(rows.kinds + i, query));
  const __m256 recency = power_of_two(_mm256_mul_ps(age, rate));
  const __m256 usage = _mm256_min_ps(
      _mm256_set1_ps(1.0F), _mm256_mul_ps(_mm256_loadu_ps(rows.log_uses + i), _mm256_set1_ps(query.usage_factor)));
  const __m256 importance = _mm256_set_m128(_mm256_cvtpd_ps(_mm256_loadu_pd(rows.importance + i + 4)),
                                            _mm256_cvtpd_ps(_mm256_loadu_pd(rows.importance + i)));
  __m256 score = _mm256_mul_ps(recency, _mm256_set1_ps(query.recency));
  score = _mm256_fmadd_ps(importance, _mm256_set1_ps(query.importance), score);
  return _mm256_fmadd_ps(usage, _mm256_set1_ps(query.usage), score);
}

struct Interval {
  __m256 lower;
  __m256 upper;
};

Interval similarities(const BlockRows& rows, const BlockQuery& query, std::size_t i) {
  const __m256 zero = _mm256_setzero_ps();
  const __m256 one = _mm256_set1_ps(1.0F);
  if (rows.dots == nullptr) return {zero, zero};
  const __m256i dots = load_bytes(rows.dots + i);
  const __m256i centred = _mm256_sub_epi32(_mm256_add_epi32(dots, dots), _mm256_set1_epi32(query.code_offset));
  const __m256 scale = _mm256_mul_ps(_mm256_loadu_ps(rows.code_scales + i), _mm256_set1_ps(query.code_factor));
  const __m256 similarity = _mm256_mul_ps(_mm256_cvtepi32_ps(centred), scale);
  const __m256 magnitude = _mm256_andnot_ps(_mm256_set1_ps(-0.0F), similarity);
  const __m256 query_error = _mm256_set1_ps(query.query_error);
  const __m256 sure = _mm256_max_ps(zero, _mm256_sub_ps(magnitude, query_error));
  const __m256 square = _mm256_mul_ps(sure, sure);
  const __m256 gain = _mm256_mul_ps(square, _mm256_fmadd_ps(square, _mm256_set1_ps(0.125F), _mm256_set1_ps(0.5F)));
  const __m256 margin = _mm256_fmadd_ps(_mm256_loadu_ps(rows.code_errors + i), _mm256_sub_ps(one, gain), query_error);
  return {_mm256_sub_ps(similarity, margin), _mm256_add_ps(similarity, margin)};
}

__m256 map(__m256 similarity, __m256 column, const BlockQuery& query) {
  const __m256 y = _mm256_fmadd_ps(similarity, _mm256_set1_ps(query.slope), column);
  if (!query.soft) return y;
  const __m256 half = _mm256_set1_ps(0.5F);
  return _mm256_add_ps(half,
                       _mm256_div_ps(_mm256_mul_ps(half, y),
                                     _mm256_add_ps(_mm256_set1_ps(1.0F), _mm256_andnot_ps(_mm256_set1_ps(-0.0F), y))));
}

Interval relevances(const BlockRows& rows, const BlockQuery& query, std::size_t i) {
  const __m256 zero = _mm256_setzero_ps();
  const __m256 one = _mm256_set1_ps(1.0F);
  Interval interval = similarities(rows, query, i);
  if (query.mapped) {
    const __m256 column = rows.column == nullptr ? _mm256_set1_ps(query.rest) : _mm256_loadu_ps(rows.column + i);
    interval = {map(interval.lower, column, query), map(interval.upper, column, query)};
  }
  return {_mm256_min_ps(one, _mm256_max_ps(zero, interval.lower)),
          _mm256_min_ps(one, _mm256_max_ps(zero, interval.upper))};
}

std::uint64_t bits(__m256 mask) {
  return static_cast<std::uint64_t>(static_cast<unsigned>(_mm256_movemask_ps(mask)));
}

void bound_block(const BlockRows& rows, const BlockQuery& shared_query, float threshold, BlockBounds& bounds) {
  // A copy, which what is written to the bounds cannot change: its values stay in registers.
  const BlockQuery query = shared_query;
  const __m256 limit = _mm256_set1_ps(threshold);
  const __m256 slack = _mm256_set1_ps(query.slack);
  bounds.reaching = 0;
  bounds.raising = 0;
  for (std::size_t i = 0; i < kBlockRows; i += 8) {
    const Interval interval = relevances(rows, query, i);
    const __m256 metadata = metadata_scores(rows, query, i);
    const __m256 weight = _mm256_set1_ps(query.relevance);
    const __m256 lower = _mm256_sub_ps(_mm256_fmadd_ps(interval.lower, weight, metadata), slack);
    const __m256 upper = _mm256_add_ps(_mm256_fmadd_ps(interval.upper, weight, metadata), slack);
    _mm256_store_ps(bounds.lower + i, lower);
    _mm256_store_ps(bounds.upper + i, upper);
    const __m256 possible = _mm256_cmp_ps(interval.upper, _mm256_set1_ps(query.possible_relevance), _CMP_GE_OQ);
    const __m256 certain = _mm256_cmp_ps(interval.lower, _mm256_set1_ps(query.certain_relevance), _CMP_GE_OQ);
    bounds.reaching |= bits(_mm256_and_ps(possible, _mm256_cmp_ps(upper, limit, _CMP_GE_OQ))) << i;
    bounds.raising |= bits(_mm256_and_ps(certain, _mm256_cmp_ps(lower, limit, _CMP_GT_OQ))) << i;
  }
}

__m256i nearest_codes(__m256 values, __m256 inverse_step) {
  // Not fused: the scalar kernel rounds the product too, and all must agree on every code.
  const __m256 shifted = _mm256_add_ps(_mm256_mul_ps(values, inverse_step), _mm256_set1_ps(8.0F));
  return _mm256_min_epi32(_mm256_max_epi32(_mm256_cvttps_epi32(shifted), _mm256_setzero_si256()),
                          _mm256_set1_epi32(15));
}

__m256i digits_of(__m256i codes) {
  return _mm256_sub_epi32(_mm256_add_epi32(codes, codes), _mm256_set1_epi32(15));
}

float sum_floats(__m256 lower, __m256 upper) {
  const __m256 eight = _mm256_add_ps(lower, upper);
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

CodeFit fit_code(const float* vector, std::size_t count, float inverse_step) {
  const __m256 scale = _mm256_set1_ps(inverse_step);
  __m256 products[2] = {_mm256_setzero_ps(), _mm256_setzero_ps()};
  __m256i squares = _mm256_setzero_si256();
  for (std::size_t i = 0; i < count; i += 8) {
    const __m256 values = load_tail(vector, i, count);
    const __m256i digits = _mm256_and_si256(first_lanes(lanes_left(i, count)), digits_of(nearest_codes(values, scale)));
    __m256& lanes = products[i / 8 % 2];
    lanes = _mm256_add_ps(lanes, _mm256_mul_ps(values, _mm256_cvtepi32_ps(digits)));
    squares = _mm256_add_epi32(squares, _mm256_mullo_epi32(digits, digits));
  }
  return {sum_floats(products[0], products[1]), sum_integers(squares)};
}

// Eight 32-bit values below 256 as eight bytes.
__m128i bytes_of(__m256i values) {
  const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(values), _mm256_extracti128_si256(values, 1));
  return _mm_packus_epi16(words, words);
}

void encode_group(const float* vector, std::size_t count, float inverse_step, std::uint8_t* group, float* digits) {
  const __m256 scale = _mm256_set1_ps(inverse_step);
  __m128i codes[16];
  for (std::size_t part = 0; part < 16; ++part) {
    const std::size_t begin = 8 * part;
    const __m256i mask = first_lanes(lanes_left(begin, count));
    const __m256i n = _mm256_and_si256(mask, nearest_codes(load_tail(vector, begin, count), scale));
    _mm256_storeu_ps(digits + begin, _mm256_cvtepi32_ps(_mm256_and_si256(mask, digits_of(n))));
    codes[part] = bytes_of(n);
  }
  for (std::size_t part = 0; part < 8; ++part) {
    const __m128i packed = _mm_or_si128(codes[part], _mm_slli_epi16(codes[part + 8], 4));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(group + 8 * part), packed);
  }
}

}  // namespace

const Kernels kAvx2Kernels = {"avx2", dot, dot_codes, dot_plane, bound_block, fit_code, encode_group};

}  // namespace hippocore::kernels

#endif
