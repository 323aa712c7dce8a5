#include "ranking/quantize.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/kernels.h"
#include "ranking/rounding.h"

namespace hippocore::ranking {
namespace {

// Where the outermost code value may lie, as a share of the largest component. Cutting the few largest buys finer steps
// for all others; which cut is best depends on the vector, so each is tried.
constexpr std::array<float, 8> kCuts = {1.0F, 0.88F, 0.78F, 0.70F, 0.62F, 0.54F, 0.46F, 0.36F};

struct Choice {
  float inverse_step = 0;
  std::int64_t squares = 0;
};

// The best scale for digits d leaves the squared error |x|^2 - (x d)^2 / d d: the step whose digits make the quotient
// largest.
Choice choose_step(std::span<const float> vector, float largest) {
  Choice best;
  double best_gain = -1;
  for (const float cut : kCuts) {
    const float inverse_step = 7.5F / (largest * cut);
    const auto fit = kernels::kernels().fit_code(vector.data(), vector.size(), inverse_step);
    const double gain = static_cast<double>(fit.product) * fit.product / static_cast<double>(fit.squares);
    if (gain > best_gain) {
      best = {inverse_step, fit.squares};
      best_gain = gain;
    }
  }
  return best;
}

// Of digits d of a code: sum x d and sum d d.
struct Projection {
  double product = 0;
  double squares = 0;
};

struct Projections {
  Projection fine;
  Projection coarse;
};

using Digits = std::array<float, kernels::kGroupDimensions>;

// From 2 n - 15 to 2 a - 3: the sign, and whether the outer half is meant. What is 0, behind the end, stays so.
Digits coarse_digits(const Digits& digits) {
  Digits coarse;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const float magnitude = std::abs(digits[i]);
    coarse[i] = std::copysign((magnitude > 0 ? 1.0F : 0.0F) + (magnitude > 8 ? 2.0F : 0.0F), digits[i]);
  }
  return coarse;
}

Projections encode(std::span<const float> vector, const Choice& choice, std::span<std::byte> code) {
  const auto& kernels = kernels::kernels();
  Digits digits;
  Projections sums;
  sums.fine.squares = static_cast<double>(choice.squares);
  auto* group = reinterpret_cast<std::uint8_t*>(code.data());
  for (std::size_t begin = 0; begin < vector.size(); begin += digits.size(), group += kernels::kGroupBytes) {
    const auto part = vector.subspan(begin, std::min(digits.size(), vector.size() - begin));
    kernels.encode_group(part.data(), part.size(), choice.inverse_step, group, digits.data());
    const Digits coarse = coarse_digits(digits);
    sums.fine.product += kernels.dot(part.data(), digits.data(), part.size());
    sums.coarse.product += kernels.dot(part.data(), coarse.data(), part.size());
    sums.coarse.squares += kernels.dot(coarse.data(), coarse.data(), part.size());
  }
  return sums;
}

struct ScaledCode {
  float scale = 0;
  float error = 0;
};

// The best scale for digits, and its error.
ScaledCode project(const Projection& sums, double norm, std::size_t size) {
  const double product = sums.product / norm;
  ScaledCode code;
  // The code is scale * d / 2.
  code.scale = static_cast<float>(2 * product / sums.squares);
  const double half = static_cast<double>(code.scale) / 2;
  const double squared_error = 1 - 2 * half * product + half * half * sums.squares;
  // The sums behind norm and product are each off by at most (size / 32 + 8) * 2^-53 of |x| |d|, and |code| <= 1:
  // together less than 7 times that.
  const double rounding = static_cast<double>(size + 64) * 0x1p-51;
  code.error = round_up(std::sqrt(std::max(0.0, squared_error) + rounding));
  return code;
}

// Requires: the components' squares and sums neither overflow nor vanish in float.
CodeBounds quantize_moderate(std::span<const float> vector, float largest, std::span<std::byte> code) {
  const double length = norm(vector);
  const Projections sums = encode(vector, choose_step(vector, largest), code);
  const ScaledCode fine = project(sums.fine, length, vector.size());
  const ScaledCode coarse = project(sums.coarse, length, vector.size());
  return {length, fine.scale, fine.error, coarse.scale, coarse.error};
}

float largest_magnitude(std::span<const float> vector) {
  float largest = 0;
  for (const float value : vector) largest = std::max(largest, std::abs(value));
  return largest;
}

// Scaled by a power of two so that the largest component lies in 1..2. What this pushes below the smallest float is
// less than 2^-140 of the vector.
std::vector<float> moderate_copy(std::span<const float> vector, float largest) {
  const int exponent = -std::ilogb(largest);
  std::vector<float> scaled(vector.begin(), vector.end());
  for (float& value : scaled) value = std::scalbn(value, exponent);
  return scaled;
}

}  // namespace

void coarsen(std::span<const std::byte> code, std::span<std::byte> coarse) {
  constexpr std::size_t kHalf = kernels::kPlaneGroupBytes;
  const auto* group = reinterpret_cast<const std::uint8_t*>(code.data());
  for (std::size_t at = 0; at < coarse.size(); at += kHalf, group += kernels::kGroupBytes) {
    for (std::size_t j = 0; j < kHalf; ++j) {
      // Dimensions j and 64 + j share a byte of the code, and so do 32 + j and 96 + j.
      const unsigned first = group[j] >> 2 & 0x33U;
      const unsigned second = group[kHalf + j] & 0xCCU;
      coarse[at + j] = static_cast<std::byte>(first | second);
    }
  }
}

double norm(std::span<const float> vector) {
  return std::sqrt(kernels::kernels().dot(vector.data(), vector.data(), vector.size()));
}

CodeBounds quantize(std::span<const float> vector, std::span<std::byte> code) {
  const float largest = largest_magnitude(vector);
  if (largest == 0) {
    std::ranges::fill(code, std::byte{0});
    return {};
  }
  if (largest > 0x1p-40F && largest < 0x1p40F) return quantize_moderate(vector, largest, code);
  const std::vector<float> scaled = moderate_copy(vector, largest);
  CodeBounds bounds = quantize_moderate(scaled, largest_magnitude(scaled), code);
  bounds.norm = norm(vector);
  return bounds;
}

}  // namespace hippocore::ranking
