// The hash of byte strings in hippocore's tables. It is part of the file format: it never changes within a format
// version.
#pragma once

#include <cstdint>
#include <string_view>

namespace hippocore {

// Returns: FNV-1a over 64 bits, with a final mix so that the low bits, which tables use, depend on every byte.
[[nodiscard]] inline std::uint64_t hash_bytes(std::string_view bytes) noexcept {
  std::uint64_t value = 0xCBF29CE484222325ULL;
  for (const char byte : bytes) value = (value ^ static_cast<unsigned char>(byte)) * 0x100000001B3ULL;
  value ^= value >> 32;
  value *= 0xD6E8FEB86659FD93ULL;
  return value ^ (value >> 32);
}

}  // namespace hippocore
