// CRC32C (Castagnoli), the checksum of everything on disk. Uses the CPU's instruction where there is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hippocore {

// Returns: the CRC32C of `bytes` continued from `seed`, so that crc32c(crc32c(0, a), b) == crc32c(0, a followed by b).
[[nodiscard]] std::uint32_t crc32c(std::uint32_t seed, std::span<const std::byte> bytes) noexcept;

// Returns: the same value, from tables alone. What a CPU without the instruction runs, and what tests compare with.
[[nodiscard]] std::uint32_t crc32c_from_tables(std::uint32_t seed, std::span<const std::byte> bytes) noexcept;

}  // namespace hippocore
