// Every small damage that a run of bytes can suffer, and bytes to damage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hippocore::testing {

// Returns: bytes that look random and are the same in every run.
inline std::vector<std::byte> patterned_bytes(std::size_t length, std::uint32_t seed = 1) {
  std::vector<std::byte> bytes(length);
  for (std::byte& byte : bytes) {
    seed = seed * 1664525 + 1013904223;
    byte = static_cast<std::byte>(seed >> 24);
  }
  return bytes;
}

// Calls visit(damaged) with each single bit flipped in turn. The bytes are on the heap and no longer than they should
// be, so that the address sanitizer sees a read past their end.
template <typename Visit>
void for_each_flipped_bit(std::span<const std::byte> bytes, Visit&& visit) {
  std::vector<std::byte> damaged(bytes.begin(), bytes.end());
  for (std::byte& byte : damaged) {
    for (int bit = 0; bit < 8; ++bit) {
      byte ^= static_cast<std::byte>(1 << bit);
      visit(std::span<const std::byte>(damaged));
      byte ^= static_cast<std::byte>(1 << bit);
    }
  }
}

// Calls visit(shorter) with every length below the whole.
template <typename Visit>
void for_each_truncation(std::span<const std::byte> bytes, Visit&& visit) {
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::vector<std::byte> shorter(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    visit(std::span<const std::byte>(shorter));
  }
}

}  // namespace hippocore::testing
