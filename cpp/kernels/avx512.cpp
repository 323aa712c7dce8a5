// The kernels for AVX-512 F, BW, DQ, VL and VNNI.
#include "kernels/tables.h"

#if defined(__x86_64__)

// gcc 12's own header leaves the unused source of its unmasked intrinsics uninitialised, and warns of it.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

namespace hippocore::kernels {
namespace {

// How far ahead of the row being read memory is asked for, into the second-level cache, which waits for more lines at
// once than the first. Past the end that is wasted, never wrong: a prefetch cannot fault.
constexpr std::size_t kPrefetchBytes = 12288;

__m512 load_tail(const float* values, std::size_t count) {
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1U << count) - 1), values);
}

__m512d lower_half(__m512 values) {
  return _mm512_cvtps_pd(_mm512_castps512_ps256(values));
}
__m512d upper_half(__m512 values) {
  return _mm512_cvtps_pd(_mm512_extractf32x8_ps(values, 1));
}

double sum_lanes(const __m512d (&lanes)[4]) {
  // Lane i + lane i + 16, then 8: registers 0 and 2, 1 and 3, and then those two. The rest within a register: 4, 2, 1.
  const __m512d eight = _mm512_add_pd(_mm512_add_pd(lanes[0], lanes[2]), _mm512_add_pd(lanes[1], lanes[3]));
  const __m256d four = _mm256_add_pd(_mm512_castpd512_pd256(eight), _mm512_extractf64x4_pd(eight, 1));
  const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

double dot(const float* a, const float* b, std::size_t count) {
  __m512d lanes[4] = {_mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd()};
  std::size_t i = 0;
  for (; i + 32 <= count; i += 32) {
    for (std::size_t half = 0; half < 2; ++half) {
      const __m512 left = _mm512_loadu_ps(a + i + 16 * half);
      const __m512 right = _mm512_loadu_ps(b + i + 16 * half);
      lanes[2 * half] = _mm512_fmadd_pd(lower_half(left), lower_half(right), lanes[2 * half]);
      lanes[2 * half + 1] = _mm512_fmadd_pd(upper_half(left), upper_half(right), lanes[2 * half + 1]);
    }
  }
  for (std::size_t half = 0; i < count; ++half, i += 16) {
    const std::size_t rest = count - i < 16 ? count - i : 16;
    const __m512 left = load_tail(a + i, rest);
    const __m512 right = load_tail(b + i, rest);
    lanes[2 * half] = _mm512_fmadd_pd(lower_half(left), lower_half(right), lanes[2 * half]);
    lanes[2 * half + 1] = _mm512_fmadd_pd(upper_half(left), upper_half(right), lanes[2 * half + 1]);
  }
  return sum_lanes(lanes);
}

__m512i halves(__m256i lower, __m256i upper) {
  return _mm512_inserti64x4(_mm512_castsi256_si512(lower), upper, 1);
}

// Loads are what limits the dots: gcc would otherwise load again for each use.
__m512i in_register(__m512i value) {
  asm("" : "+v"(value));
  return value;
}

// Products of one or more neighbouring rows, each row's spread over 16 sums. The upper nibbles are multiplied where
// they stand, 16 times too large, and their exact sum is shifted back. The rows share each load of the query.
template <std::size_t kRows, bool kPrefetch>
void row_sums(const std::uint8_t* rows, std::size_t groups, const std::int8_t* query, __m512i (&sums)[kRows]) {
  const __m512i low_nibbles = _mm512_set1_epi8(0x0F);
  const __m512i high_nibbles = _mm512_set1_epi8(static_cast<char>(0xF0));
  const std::size_t stride = groups * kGroupBytes;
  __m512i low[kRows];
  __m512i high[kRows];
  for (std::size_t row = 0; row < kRows; ++row) low[row] = high[row] = _mm512_setzero_si512();
  for (std::size_t group = 0; group < groups; ++group) {
    const __m512i low_query = _mm512_loadu_si512(query + group * kGroupDimensions);
    const __m512i high_query = _mm512_loadu_si512(query + group * kGroupDimensions + kGroupBytes);
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::uint8_t* const part = rows + row * stride + group * kGroupBytes;
      if constexpr (kPrefetch) _mm_prefetch(reinterpret_cast<const char*>(part + kPrefetchBytes), _MM_HINT_T1);
      const __m512i bytes = in_register(_mm512_loadu_si512(part));
      low[row] = _mm512_dpbusd_epi32(low[row], _mm512_and_si512(bytes, low_nibbles), low_query);
      high[row] = _mm512_dpbusd_epi32(high[row], _mm512_and_si512(bytes, high_nibbles), high_query);
    }
  }
  for (std::size_t row = 0; row < kRows; ++row) {
    sums[row] = _mm512_add_epi32(low[row], _mm512_srai_epi32(high[row], 4));
  }
}

// Products of one or more neighbouring rows, each row's spread over 16 sums. The 32 bytes of a group stand in both
// halves of a register. What stands at place k of a byte is multiplied there, 4^k times too large, and its exact sum is
// shifted back: places 0 and 1 in the halves of one register, 2 and 3 in those of another, as the query's values lie.
// The rows share each load of those.
template <std::size_t kRows, bool kPrefetch>
void plane_sums(const std::uint8_t* rows, std::size_t groups, const std::int8_t* query, __m512i (&sums)[kRows]) {
  const __m512i lower_places = halves(_mm256_set1_epi8(0x03), _mm256_set1_epi8(0x0C));
  const __m512i upper_places = halves(_mm256_set1_epi8(0x30), _mm256_set1_epi8(static_cast<char>(0xC0)));
  const std::size_t stride = groups * kPlaneGroupBytes;
  if constexpr (kPrefetch) {
    for (std::size_t line = 0; line < kRows * stride; line += 64) {
      _mm_prefetch(reinterpret_cast<const char*>(rows + line + kPrefetchBytes), _MM_HINT_T1);
    }
  }
  __m512i lower[kRows];
  __m512i upper[kRows];
  for (std::size_t row = 0; row < kRows; ++row) lower[row] = upper[row] = _mm512_setzero_si512();
  for (std::size_t group = 0; group < groups; ++group) {
    const __m512i lower_query = _mm512_loadu_si512(query + group * kGroupDimensions);
    const __m512i upper_query = _mm512_loadu_si512(query + group * kGroupDimensions + kGroupDimensions / 2);
    for (std::size_t row = 0; row < kRows; ++row) {
      const auto* const part = reinterpret_cast<const __m256i*>(rows + row * stride + group * kPlaneGroupBytes);
      const __m512i bytes = in_register(_mm512_broadcast_i64x4(_mm256_loadu_si256(part)));
      lower[row] = _mm512_dpbusd_epi32(lower[row], _mm512_and_si512(bytes, lower_places), lower_query);
      upper[row] = _mm512_dpbusd_epi32(upper[row], _mm512_and_si512(bytes, upper_places), upper_query);
    }
  }
  const __m512i lower_shifts = halves(_mm256_setzero_si256(), _mm256_set1_epi32(2));
  const __m512i upper_shifts = halves(_mm256_set1_epi32(4), _mm256_set1_epi32(6));
  for (std::size_t row = 0; row < kRows; ++row) {
    sums[row] =
        _mm512_add_epi32(_mm512_srav_epi32(lower[row], lower_shifts), _mm512_srav_epi32(upper[row], upper_shifts));
  }
}

__m512i interleave_32(__m512i a, __m512i b) {
  return _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
}
__m512i interleave_64(__m512i a, __m512i b) {
  return _mm512_add_epi32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
}

// Four rows' sums as four neighbours in each 128-bit lane, a quarter of every row in each lane.
__m512i quad_of(const __m512i (&sums)[4]) {
  return interleave_64(interleave_32(sums[0], sums[1]), interleave_32(sums[2], sums[3]));
}

// Each of four quads holds four rows.
void store_16_sums(const __m512i (&quads)[4], std::int32_t* dots) {
  // Each result lane adds the four lanes of one quad: first halves, then quarters.
  const __m512i first =
      _mm512_add_epi32(_mm512_shuffle_i64x2(quads[0], quads[1], 0x44), _mm512_shuffle_i64x2(quads[0], quads[1], 0xEE));
  const __m512i second =
      _mm512_add_epi32(_mm512_shuffle_i64x2(quads[2], quads[3], 0x44), _mm512_shuffle_i64x2(quads[2], quads[3], 0xEE));
  _mm512_storeu_si512(
      dots, _mm512_add_epi32(_mm512_shuffle_i64x2(first, second, 0x88), _mm512_shuffle_i64x2(first, second, 0xDD)));
}

void dot_16_rows(const std::uint8_t* rows, std::size_t groups, const std::int8_t* query, std::int32_t* dots) {
  __m512i quads[4];
  for (std::size_t quad = 0; quad < 4; ++quad) {
    __m512i sums[4];
    row_sums<4, true>(rows + 4 * quad * groups * kGroupBytes, groups, query, sums);
    quads[quad] = quad_of(sums);
  }
  store_16_sums(quads, dots);
}

void dot_codes(const std::uint8_t* codes, std::size_t rows, std::size_t groups, const std::int8_t* query,
               std::int32_t* dots) {
  const std::size_t stride = groups * kGroupBytes;
  std::size_t row = 0;
  for (; row + 16 <= rows; row += 16) dot_16_rows(codes + row * stride, groups, query, dots + row);
  for (; row < rows; ++row) {
    __m512i sums[1];
    row_sums<1, false>(codes + row * stride, groups, query, sums);
    dots[row] = _mm512_reduce_add_epi32(sums[0]);
  }
}

void plane_dot_16_rows(const std::uint8_t* rows, std::size_t groups, const std::int8_t* query, std::int32_t* dots) {
  __m512i quads[4];
  for (std::size_t quad = 0; quad < 4; ++quad) {
    __m512i sums[4];
    plane_sums<4, true>(rows + 4 * quad * groups * kPlaneGroupBytes, groups, query, sums);
    quads[quad] = quad_of(sums);
  }
  store_16_sums(quads, dots);
}

void dot_plane(const std::uint8_t* plane, std::size_t rows, std::size_t groups, const std::int8_t* query,
               std::int32_t* dots) {
  const std::size_t stride = groups * kPlaneGroupBytes;
  std::size_t row = 0;
  for (; row + 16 <= rows; row += 16) plane_dot_16_rows(plane + row * stride, groups, query, dots + row);
  for (; row < rows; ++row) {
    __m512i sums[1];
    plane_sums<1, false>(plane + row * stride, groups, query, sums);
    dots[row] = _mm512_reduce_add_epi32(sums[0]);
  }
}

__m512 join(__m256 low, __m256 high) {
  return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

__m256 ages(const std::int64_t* times, __m512i now) {
  const __m512i time = _mm512_loadu_si512(times);
  // A difference of two 64-bit times fits in 64 bits without a sign.
  return _mm512_cvtepu64_ps(_mm512_maskz_sub_epi64(_mm512_cmplt_epi64_mask(time, now), now, time));
}

__m512 decays(const std::uint16_t* kinds, const BlockQuery& query) {
  const __m512i index = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(kinds)));
  if (query.decay_count > 16) return _mm512_i32gather_ps(index, query.decay, 4);
  return _mm512_permutexvar_ps(index, load_tail(query.decay, query.decay_count));
}

__m512 power_of_two(__m512 exponent) {
  exponent = _mm512_max_ps(exponent, _mm512_set1_ps(kSmallestExponent));
  const __m512 whole = _mm512_roundscale_ps(exponent, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m512 rest = _mm512_sub_ps(exponent, whole);
  __m512 sum = _mm512_set1_ps(kExp2Terms[4]);
  for (int term = 3; term >= 0; --term) sum = _mm512_fmadd_ps(sum, rest, _mm512_set1_ps(kExp2Terms[term]));
  return _mm512_scalef_ps(_mm512_fmadd_ps(sum, rest, _mm512_set1_ps(1.0F)), whole);
}

__m512 metadata_scores(const BlockRows& rows, const BlockQuery& query, std::size_t i) {
  const __m512i now = _mm512_set1_epi64(query.now);
  const __m512 age = join(ages(rows.times + i, now), ages(rows.times + i + 8, now));
  const __m512 rate = _mm512_sub_ps(_mm512_setzero_ps(), decays(rows.kinds + i, query));
  const __m512 recency = power_of_two(_mm512_mul_ps(age, rate));
  const __m512 usage = _mm512_min_ps(
      _mm512_set1_ps(1.0F), _mm512_mul_ps(_mm512_loadu_ps(rows.log_uses + i), _mm512_set1_ps(query.usage_factor)));
  const __m512 importance = join(_mm512_cvtpd_ps(_mm512_loadu_pd(rows.importance + i)),
                                 _mm512_cvtpd_ps(_mm512_loadu_pd(rows.importance + i + 8)));
  __m512 score = _mm512_mul_ps(recency, _mm512_set1_ps(query.recency));
  score = _mm512_fmadd_ps(importance, _mm512_set1_ps(query.importance), score);
  return _mm512_fmadd_ps(usage, _mm512_set1_ps(query.usage), score);
}

struct Interval {
  __m512 lower;
  __m512 upper;
};

Interval similarities(const BlockRows& rows, const BlockQuery& query, std::size_t i) {
  const __m512 zero = _mm512_setzero_ps();
  const __m512 one = _mm512_set1_ps(1.0F);
  if (rows.dots == nullptr) return {zero, zero};
  const __m512i dots = _mm512_loadu_si512(rows.dots + i);
  const __m512i centred = _mm512_sub_epi32(_mm512_add_epi32(dots, dots), _mm512_set1_epi32(query.code_offset));
  const __m512 scale = _mm512_mul_ps(_mm512_loadu_ps(rows.code_scales + i), _mm512_set1_ps(query.code_factor));
  const __m512 similarity = _mm512_mul_ps(_mm512_cvtepi32_ps(centred), scale);
  const __m512 query_error = _mm512_set1_ps(query.query_error);
  const __m512 sure = _mm512_max_ps(zero, _mm512_sub_ps(_mm512_abs_ps(similarity), query_error));
  const __m512 square = _mm512_mul_ps(sure, sure);
  const __m512 gain = _mm512_mul_ps(square, _mm512_fmadd_ps(square, _mm512_set1_ps(0.125F), _mm512_set1_ps(0.5F)));
  const __m512 margin = _mm512_fmadd_ps(_mm512_loadu_ps(rows.code_errors + i), _mm512_sub_ps(one, gain), query_error);
  return {_mm512_sub_ps(similarity, margin), _mm512_add_ps(similarity, margin)};
}

__m512 map(__m512 similarity, __m512 column, const BlockQuery& query) {
  const __m512 y = _mm512_fmadd_ps(similarity, _mm512_set1_ps(query.slope), column);
  if (!query.soft) return y;
  const __m512 half = _mm512_set1_ps(0.5F);
  return _mm512_add_ps(half,
                       _mm512_div_ps(_mm512_mul_ps(half, y), _mm512_add_ps(_mm512_set1_ps(1.0F), _mm512_abs_ps(y))));
}

Interval relevances(const BlockRows& rows, const BlockQuery& query, std::size_t i) {
  const __m512 zero = _mm512_setzero_ps();
  const __m512 one = _mm512_set1_ps(1.0F);
  Interval interval = similarities(rows, query, i);
  if (query.mapped) {
    const __m512 column = rows.column == nullptr ? _mm512_set1_ps(query.rest) : _mm512_loadu_ps(rows.column + i);
    interval = {map(interval.lower, column, query), map(interval.upper, column, query)};
  }
  return {_mm512_min_ps(one, _mm512_max_ps(zero, interval.lower)),
          _mm512_min_ps(one, _mm512_max_ps(zero, interval.upper))};
}

void bound_block(const BlockRows& rows, const BlockQuery& shared_query, float threshold, BlockBounds& bounds) {
  // A copy, which what is written to the bounds cannot change: its values stay in registers.
  const BlockQuery query = shared_query;
  const __m512 limit = _mm512_set1_ps(threshold);
  const __m512 slack = _mm512_set1_ps(query.slack);
  bounds.reaching = 0;
  bounds.raising = 0;
  for (std::size_t i = 0; i < kBlockRows; i += 16) {
    const Interval interval = relevances(rows, query, i);
    const __m512 metadata = metadata_scores(rows, query, i);
    const __m512 weight = _mm512_set1_ps(query.relevance);
    const __m512 lower = _mm512_sub_ps(_mm512_fmadd_ps(interval.lower, weight, metadata), slack);
    const __m512 upper = _mm512_add_ps(_mm512_fmadd_ps(interval.upper, weight, metadata), slack);
    _mm512_store_ps(bounds.lower + i, lower);
    _mm512_store_ps(bounds.upper + i, upper);
    const __mmask16 possible = _mm512_cmp_ps_mask(interval.upper, _mm512_set1_ps(query.possible_relevance), _CMP_GE_OQ);
    const __mmask16 certain = _mm512_cmp_ps_mask(interval.lower, _mm512_set1_ps(query.certain_relevance), _CMP_GE_OQ);
    bounds.reaching |= static_cast<std::uint64_t>(_mm512_mask_cmp_ps_mask(possible, upper, limit, _CMP_GE_OQ)) << i;
    bounds.raising |= static_cast<std::uint64_t>(_mm512_mask_cmp_ps_mask(certain, lower, limit, _CMP_GT_OQ)) << i;
  }
}

__m512i nearest_codes(__m512 values, __m512 inverse_step) {
  // Not fused: the scalar kernel rounds the product too, and all must agree on every code.
  const __m512 shifted = _mm512_add_ps(_mm512_mul_ps(values, inverse_step), _mm512_set1_ps(8.0F));
  return _mm512_min_epi32(_mm512_max_epi32(_mm512_cvttps_epi32(shifted), _mm512_setzero_si512()),
                          _mm512_set1_epi32(15));
}

__m512i digits_of(__m512i codes) {
  return _mm512_sub_epi32(_mm512_add_epi32(codes, codes), _mm512_set1_epi32(15));
}

float sum_floats(__m512 lanes) {
  const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(lanes), _mm512_extractf32x8_ps(lanes, 1));
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

CodeFit fit_code(const float* vector, std::size_t count, float inverse_step) {
  const __m512 scale = _mm512_set1_ps(inverse_step);
  __m512 products = _mm512_setzero_ps();
  __m512i squares = _mm512_setzero_si512();
  for (std::size_t i = 0; i < count; i += 16) {
    const std::size_t rest = count - i < 16 ? count - i : 16;
    const __m512 values = load_tail(vector + i, rest);
    const __m512i digits =
        _mm512_maskz_mov_epi32(static_cast<__mmask16>((1U << rest) - 1), digits_of(nearest_codes(values, scale)));
    products = _mm512_add_ps(products, _mm512_mul_ps(values, _mm512_cvtepi32_ps(digits)));
    squares = _mm512_add_epi32(squares, _mm512_mullo_epi32(digits, digits));
  }
  return {sum_floats(products), _mm512_reduce_add_epi32(squares)};
}

void encode_group(const float* vector, std::size_t count, float inverse_step, std::uint8_t* group, float* digits) {
  const __m512 scale = _mm512_set1_ps(inverse_step);
  __m128i codes[8];
  for (std::size_t part = 0; part < 8; ++part) {
    const std::size_t begin = 16 * part;
    const std::size_t rest = begin >= count ? 0 : count - begin < 16 ? count - begin : 16;
    const auto mask = static_cast<__mmask16>((1U << rest) - 1);
    const __m512 values = rest == 0 ? _mm512_setzero_ps() : load_tail(vector + begin, rest);
    const __m512i n = _mm512_maskz_mov_epi32(mask, nearest_codes(values, scale));
    _mm512_storeu_ps(digits + begin, _mm512_maskz_cvtepi32_ps(mask, digits_of(n)));
    codes[part] = _mm512_cvtepi32_epi8(n);
  }
  for (std::size_t part = 0; part < 4; ++part) {
    const __m128i packed = _mm_or_si128(codes[part], _mm_slli_epi16(codes[part + 4], 4));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(group + 16 * part), packed);
  }
}

}  // namespace

const Kernels kAvx512Kernels = {"avx512", dot, dot_codes, dot_plane, bound_block, fit_code, encode_group};

}  // namespace hippocore::kernels

#endif
