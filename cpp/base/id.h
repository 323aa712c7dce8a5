// The 128-bit name of a memory or of a store.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace hippocore {

struct Id {
  std::array<std::uint8_t, 16> bytes{};
  auto operator<=>(const Id&) const = default;
};

// Returns: a well-mixed 64-bit hash, so that ids chosen by a user (counters, padded text) spread as well as random
// ones.
[[nodiscard]] inline std::uint64_t hash(const Id& id) noexcept {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::memcpy(&low, id.bytes.data(), 8);
  std::memcpy(&high, id.bytes.data() + 8, 8);
  std::uint64_t mixed = low ^ (high * 0x9E3779B97F4A7C15ULL);
  mixed ^= mixed >> 32;
  mixed *= 0xD6E8FEB86659FD93ULL;
  mixed ^= mixed >> 29;
  return mixed;
}

// Returns: 32 lower-case hexadecimal digits.
[[nodiscard]] std::string to_hex(const Id& id);

}  // namespace hippocore
