// Which numbers a store may hold: neither a decoder nor a checksum lets an infinity or NaN into the ranking.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace hippocore::format {

// Returns: whether a number is finite and not negative, as norms, scales and errors are.
[[nodiscard]] inline bool is_measure(double value) noexcept {
  return std::isfinite(value) && value >= 0;
}

// Returns: whether each of these little-endian f32, not necessarily aligned, is finite. Requires: whole numbers.
[[nodiscard]] inline bool all_finite(std::span<const std::byte> vector) noexcept {
  constexpr std::uint32_t kExponent = 0x7F800000;
  constexpr std::uint32_t kOne = 0x00800000;  // added to an exponent of all ones, it carries into the sign
  const std::size_t count = vector.size() / sizeof(std::uint32_t);
  std::uint32_t carried = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, vector.data() + i * sizeof(bits), sizeof(bits));
    carried |= (bits & kExponent) + kOne;
  }
  return carried >> 31 == 0;
}

}  // namespace hippocore::format
