// Every kernel this machine has, against the scalar one and against plain arithmetic.
#include "kernels/kernels.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "harness.h"

namespace hippocore::kernels {
namespace {

constexpr std::size_t kDimensions[] = {1, 3, 17, 127, 128, 129, 383, 384, 1536};

const Kernels& scalar() {
  return *available_kernels().back();
}

// Elements at an address that is a multiple of nothing but their own size.
template <typename T>
class Unaligned {
 public:
  explicit Unaligned(std::size_t size) : bytes_(size * sizeof(T) + 64) {
    start_ =
        reinterpret_cast<T*>(bytes_.data() + 32 + sizeof(T) - reinterpret_cast<std::uintptr_t>(bytes_.data()) % 32);
  }
  T* data() { return start_; }
  T& operator[](std::size_t i) { return start_[i]; }

 private:
  std::vector<std::byte> bytes_;
  T* start_;
};

Unaligned<float> random_vector(std::size_t size, float magnitude, std::mt19937& random) {
  std::normal_distribution<float> normal;
  Unaligned<float> vector(size);
  for (std::size_t i = 0; i < size; ++i) vector[i] = magnitude * normal(random);
  return vector;
}

bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

TEST(kernels_list_the_best_first_and_scalar_last) {
  CHECK(!available_kernels().empty());
  CHECK_EQUAL(std::string(scalar().name), "scalar");
}

TEST(kernels_give_the_same_exact_dot_to_the_bit) {
  std::mt19937 random(1);
  for (const float magnitude : {1.0F, 1e-20F, 1e-42F, 1e18F}) {
    for (const std::size_t size : kDimensions) {
      auto a = random_vector(size, magnitude, random);
      auto b = random_vector(size, magnitude, random);
      const double expected = scalar().dot(a.data(), b.data(), size);
      long double sum = 0;
      for (std::size_t i = 0; i < size; ++i) sum += static_cast<long double>(a[i]) * static_cast<long double>(b[i]);
      const double length = std::sqrt(scalar().dot(a.data(), a.data(), size) * scalar().dot(b.data(), b.data(), size));
      CHECK(std::abs(static_cast<double>(sum) - expected) <= 1e-14 * length);
      for (const Kernels* kernels : available_kernels()) {
        CHECK(same_bits(kernels->dot(a.data(), b.data(), size), expected));
      }
    }
  }
}

TEST(kernels_give_the_same_code_dot_at_extremes_and_odd_sizes) {
  std::mt19937 random(2);
  for (const std::size_t groups : {1U, 2U, 3U, 5U, 12U, 512U}) {
    for (int variant = 0; variant < 4; ++variant) {
      const std::size_t rows = groups == 512 ? 17 : 37;
      Unaligned<std::uint8_t> codes(rows * groups * kGroupBytes);
      Unaligned<std::int8_t> query(groups * kGroupDimensions);
      const int extremes[] = {-128, 127, -127};
      for (std::size_t i = 0; i < rows * groups * kGroupBytes; ++i) {
        codes[i] = static_cast<std::uint8_t>(variant == 0 ? random() : 255);
      }
      for (std::size_t i = 0; i < groups * kGroupDimensions; ++i) {
        query[i] =
            static_cast<std::int8_t>(variant == 0 ? static_cast<int>(random() % 256) - 128 : extremes[variant - 1]);
      }
      for (const Kernels* kernels : available_kernels()) {
        std::vector<std::int32_t> dots(rows);
        kernels->dot_codes(codes.data(), rows, groups, query.data(), dots.data());
        for (std::size_t row = 0; row < rows; ++row) {
          std::int64_t expected = 0;
          for (std::size_t i = 0; i < groups * kGroupDimensions; ++i) {
            const std::uint8_t byte =
                codes[row * groups * kGroupBytes + i / kGroupDimensions * kGroupBytes + i % kGroupBytes];
            const int n = i % kGroupDimensions < kGroupBytes ? byte & 15 : byte >> 4;
            expected += n * query[i];
          }
          CHECK_EQUAL(static_cast<std::int64_t>(dots[row]), expected);
        }
      }
    }
  }
}

TEST(kernels_give_the_same_plane_dot_at_extremes_and_odd_sizes) {
  std::mt19937 random(5);
  for (const std::size_t groups : {1U, 2U, 3U, 5U, 8U, 9U, 12U, 512U}) {
    for (const int extreme : {0, -128, 127, -127}) {
      const std::size_t rows = groups == 512 ? 17 : 37;
      Unaligned<std::uint8_t> plane(rows * groups * kPlaneGroupBytes);
      Unaligned<std::int8_t> query(groups * kGroupDimensions);
      for (std::size_t i = 0; i < rows * groups * kPlaneGroupBytes; ++i) {
        plane[i] = static_cast<std::uint8_t>(extreme == 0 ? random() : 255);
      }
      for (std::size_t i = 0; i < groups * kGroupDimensions; ++i) {
        query[i] = static_cast<std::int8_t>(extreme == 0 ? static_cast<int>(random() % 256) - 128 : extreme);
      }
      for (const Kernels* kernels : available_kernels()) {
        std::vector<std::int32_t> dots(rows);
        kernels->dot_plane(plane.data(), rows, groups, query.data(), dots.data());
        for (std::size_t row = 0; row < rows; ++row) {
          std::int64_t expected = 0;
          for (std::size_t i = 0; i < groups * kGroupDimensions; ++i) {
            const std::size_t in_group = i % kGroupDimensions;
            const std::uint8_t byte = plane[(row * groups + i / kGroupDimensions) * kPlaneGroupBytes + in_group % 32];
            expected += (byte >> in_group / 32 * 2 & 3) * query[i];
          }
          CHECK_EQUAL(static_cast<std::int64_t>(dots[row]), expected);
        }
      }
    }
  }
}

TEST(kernels_give_the_same_codes_and_fits_to_the_bit) {
  std::mt19937 random(3);
  for (const float magnitude : {1.0F, 1e-6F, 1e6F}) {
    for (const std::size_t size : kDimensions) {
      auto vector = random_vector(size, magnitude, random);
      vector[size / 2] = 100 * magnitude;
      for (const float inverse : {0.075F / magnitude, 2.5F / magnitude, 30.0F / magnitude}) {
        const CodeFit expected = scalar().fit_code(vector.data(), size, inverse);
        for (const Kernels* kernels : available_kernels()) {
          const CodeFit fit = kernels->fit_code(vector.data(), size, inverse);
          CHECK_EQUAL(fit.product, expected.product);
          CHECK_EQUAL(fit.squares, expected.squares);
        }
      }
    }
  }
}

TEST(kernels_encode_the_same_groups_and_leave_zeros_behind_the_end) {
  std::mt19937 random(4);
  for (const std::size_t count : {1U, 7U, 8U, 16U, 63U, 64U, 65U, 127U, 128U}) {
    auto vector = random_vector(count, 1, random);
    std::vector<std::uint8_t> expected(kGroupBytes);
    std::vector<float> expected_digits(kGroupDimensions);
    scalar().encode_group(vector.data(), count, 3, expected.data(), expected_digits.data());
    for (std::size_t i = 0; i < kGroupDimensions; ++i) {
      const int n = i < kGroupBytes ? expected[i] & 15 : expected[i - kGroupBytes] >> 4;
      const int wanted = i < count ? std::clamp(static_cast<int>(std::floor(vector[i] * 3 + 8)), 0, 15) : 0;
      CHECK_EQUAL(n, wanted);
      CHECK_EQUAL(expected_digits[i], i < count ? static_cast<float>(2 * n - 15) : 0.0F);
    }
    for (const Kernels* kernels : available_kernels()) {
      std::vector<std::uint8_t> group(kGroupBytes, 0xAA);
      std::vector<float> digits(kGroupDimensions, 7);
      kernels->encode_group(vector.data(), count, 3, group.data(), digits.data());
      CHECK(group == expected);
      CHECK(digits == expected_digits);
    }
  }
}

TEST(kernels_refuse_a_forced_name_that_is_not_there) {
  const Kernels& before = kernels();
  ::setenv("HIPPOCORE_FORCE_KERNEL", "abacus", 1);
  CHECK_THROWS(ErrorCode::kInvalidArgument, choose_kernels());
  ::setenv("HIPPOCORE_FORCE_KERNEL", "scalar", 1);
  CHECK_EQUAL(std::string(choose_kernels().name), "scalar");
  ::unsetenv("HIPPOCORE_FORCE_KERNEL");
  CHECK_EQUAL(std::string(choose_kernels().name), std::string(available_kernels().front()->name));
  CHECK(&kernels() == &before);
}

}  // namespace hippocore::kernels
