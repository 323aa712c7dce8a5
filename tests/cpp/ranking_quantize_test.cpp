// The codes' promises: the error is a bound, the scale is the best one, and every kernel writes the same bytes.
#include <cmath>
#include <random>
#include <vector>

#include "harness.h"
#include "ranking/quantize.h"
#include "ranking/query_code.h"
#include "scan_rows.h"

namespace hippocore::ranking {
namespace {

using Vector = std::vector<float>;

std::vector<Vector> difficult_vectors() {
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  std::vector<Vector> vectors = {{1.0F},      {-3.0F}, {1e-20F, 1e-20F, 1e-20F}, {1e-45F}, {3e38F, -3e38F, 1e-45F},
                                 {0.0F, 5.0F}};
  for (const std::size_t size : {3U, 17U, 127U, 128U, 129U, 383U, 384U, 1536U}) {
    for (const float magnitude : {1.0F, 1e-30F, 1e-44F, 1e36F}) {
      Vector vector(size);
      for (float& value : vector) value = magnitude * normal(random);
      vectors.push_back(vector);
      vector[size / 3] = 90 * magnitude;  // one huge component
      vectors.push_back(vector);
    }
    vectors.push_back(Vector(size, 0.25F));
  }
  std::erase_if(vectors, [](const Vector& vector) { return norm(vector) == 0; });
  return vectors;
}

int fine_value(const std::vector<std::byte>& code, std::size_t i) {
  const auto byte = std::to_integer<int>(code[i / 128 * 64 + i % 64]);
  return i % 128 < 64 ? byte & 15 : byte >> 4;
}

int coarse_value(const std::vector<std::byte>& coarse, std::size_t i) {
  return std::to_integer<int>(coarse[i / 128 * 32 + i % 32]) >> i % 128 / 32 * 2 & 3;
}

// What a code stands for in each dimension, against the vector of that length.
void check_error(const Vector& vector, double length, const std::vector<double>& values, float bound) {
  long double error = 0;
  long double along = 0;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    const double value = values[i];
    const double rest = static_cast<double>(vector[i]) / length - value;
    error += static_cast<long double>(rest) * static_cast<long double>(rest);
    along += static_cast<long double>(rest) * static_cast<long double>(value);
  }
  CHECK(std::sqrt(error) <= static_cast<long double>(bound));
  CHECK(static_cast<double>(bound) <= static_cast<double>(std::sqrt(error)) * 1.000001 + 2e-6);
  CHECK(bound < 1);
  CHECK(std::abs(along) <= 0x1p-22L);
}

}  // namespace

TEST(quantize_bounds_the_error_from_above_and_closely) {
  testing::on_every_kernel([] {
    for (const Vector& vector : difficult_vectors()) {
      std::vector<std::byte> code(format::code_bytes(vector.size()));
      std::vector<std::byte> coarse(format::coarse_bytes(vector.size()));
      const CodeBounds bounds = quantize(vector, code);
      coarsen(code, coarse);
      long double squares = 0;
      for (const float value : vector) squares += static_cast<long double>(value) * static_cast<long double>(value);
      const auto length = static_cast<double>(std::sqrt(squares));
      CHECK(std::abs(bounds.norm - length) <= 1e-14 * length);
      std::vector<double> fine_values;
      std::vector<double> coarse_values;
      for (std::size_t i = 0; i < vector.size(); ++i) {
        fine_values.push_back(static_cast<double>(bounds.scale) * (fine_value(code, i) - 7.5));
        coarse_values.push_back(static_cast<double>(bounds.coarse_scale) * (coarse_value(coarse, i) - 1.5));
      }
      check_error(vector, length, fine_values, bounds.error);
      check_error(vector, length, coarse_values, bounds.coarse_error);
    }
  });
}

TEST(coarse_codes_are_the_upper_bits_of_codes) {
  std::mt19937 random(13);
  for (const std::size_t size : {128U, 384U, 1536U}) {
    std::vector<std::byte> code(format::code_bytes(size));
    for (std::byte& byte : code) byte = static_cast<std::byte>(random());
    std::vector<std::byte> coarse(format::coarse_bytes(size), std::byte{0x5A});
    coarsen(code, coarse);
    for (std::size_t i = 0; i < size; ++i) CHECK_EQUAL(coarse_value(coarse, i), fine_value(code, i) >> 2);
  }
}

TEST(quantize_leaves_little_error_on_vectors_like_embeddings) {
  std::mt19937 random(12);
  std::normal_distribution<float> normal;
  Vector vector(384);
  for (float& value : vector) value = normal(random);
  std::vector<std::byte> code(format::code_bytes(vector.size()));
  const CodeBounds bounds = quantize(vector, code);
  CHECK(bounds.error < 0.115F);
  CHECK(bounds.coarse_error < 0.42F);
}

TEST(quantize_writes_the_same_bytes_on_every_kernel) {
  for (const Vector& vector : difficult_vectors()) {
    std::vector<std::byte> expected(format::code_bytes(vector.size()));
    const CodeBounds bounds = quantize(vector, expected);
    testing::on_every_kernel([&] {
      std::vector<std::byte> code(expected.size(), std::byte{0x5A});
      const CodeBounds again = quantize(vector, code);
      CHECK(code == expected);
      CHECK(again.norm == bounds.norm && again.scale == bounds.scale && again.error == bounds.error);
      CHECK(again.coarse_scale == bounds.coarse_scale && again.coarse_error == bounds.coarse_error);
    });
  }
}

TEST(quantize_gives_a_zero_vector_a_code_that_counts_for_nothing) {
  std::vector<std::byte> code(64, std::byte{0xFF});
  const CodeBounds bounds = quantize(Vector(3, 0.0F), code);
  CHECK(bounds.norm == 0 && bounds.scale == 0 && bounds.error == 0);
  CHECK(bounds.coarse_scale == 0 && bounds.coarse_error == 0);
  CHECK(code == std::vector<std::byte>(64));
}

TEST(query_codes_bound_their_error) {
  for (const Vector& vector : difficult_vectors()) {
    const double length = norm(vector);
    const QueryCode code = encode_query(vector, length);
    CHECK_EQUAL(code.values.size() % 128, 0U);
    long double error = 0;
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < code.values.size(); ++i) {
      const double value = i < vector.size() ? static_cast<double>(vector[i]) / length : 0;
      const double rest = value - code.scale * code.values[i];
      error += static_cast<long double>(rest) * static_cast<long double>(rest);
      sum += code.values[i];
    }
    CHECK(std::sqrt(error) <= static_cast<long double>(code.error));
    CHECK_EQUAL(sum, code.sum);
  }
}

}  // namespace hippocore::ranking
