// What changes about a slot after it was written, for kChunkSlots slots at a time: a fixed-size block of columns.
//
// Pure data, trivially copyable: a block on disk is a block in memory. Times are microseconds since 1970 (UTC).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "format/chunk.h"

namespace hippocore::format {

inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();  // expiry or end that does not come
inline constexpr std::int64_t kUnset = std::numeric_limits<std::int64_t>::min();  // no event time, not archived

enum Flag : std::uint8_t {
  kWritten = 1,     // the slot holds a version
  kSuperseded = 2,  // a later version or another memory took its place: only as_of and history see it
  kForgotten = 4,   // never returned again; compaction drops it
  kArchived = 8,
  kQuarantined = 16,
  kExpires = 32,  // derived: expires_at is not kNever, so that a scan of live slots need not read that column
};

inline constexpr std::uint8_t kKnownFlags = kWritten | kSuperseded | kForgotten | kArchived | kQuarantined | kExpires;

// A use this long after the one before, or after the creation, is a spaced one: 24 hours.
inline constexpr std::int64_t kSpacing = 86'400'000'000;

// Returns: whether a use at `time` is a spaced one. Times may be any there are: their difference may not fit.
[[nodiscard]] constexpr bool is_spaced(std::int64_t before, std::int64_t time) noexcept {
  return time > before &&
         static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(before) >= static_cast<std::uint64_t>(kSpacing);
}

enum class Trust : std::uint8_t { kUntrusted = 0, kUnverified = 1, kTrusted = 2 };

// One slot's changing values.
struct State {
  double importance = 0.5;
  float confidence = 1.0F;
  float stability = 1.0F;  // 1 and the spaced uses; what forgetting multiplies the half-life by
  std::uint32_t use_count = 0;
  std::uint8_t flags = kWritten;
  Trust trust = Trust::kTrusted;
  std::int64_t last_used = 0;  // creation time while use_count is 0
  std::int64_t expires_at = kNever;
  std::int64_t valid_until = kNever;
  std::int64_t archived_at = kUnset;
  bool operator==(const State&) const = default;
};

struct alignas(64) StateBlock {
  double importance[kChunkSlots];
  std::int64_t last_used[kChunkSlots];
  std::int64_t expires_at[kChunkSlots];
  std::int64_t valid_until[kChunkSlots];
  std::int64_t archived_at[kChunkSlots];
  float log_uses[kChunkSlots];  // ln(1 + use_count), kept for the scan
  float confidence[kChunkSlots];
  float stability[kChunkSlots];
  std::uint32_t use_count[kChunkSlots];
  std::uint8_t flags[kChunkSlots];
  std::uint8_t trust[kChunkSlots];
  std::uint32_t crc;  // of every column above
};
static_assert(sizeof(StateBlock) % 64 == 0);

[[nodiscard]] State get_state(const StateBlock& block, std::size_t index) noexcept;
void set_state(StateBlock& block, std::size_t index, const State& state) noexcept;
[[nodiscard]] std::uint32_t state_crc(const StateBlock& block) noexcept;
// Returns: whether the first `count` slots hold what set_state can have written of a slot in use: numbers within their
// bounds, known flags and trust. A right checksum does not say so when somebody else made the file.
[[nodiscard]] bool states_are_sound(const StateBlock& block, std::size_t count) noexcept;

}  // namespace hippocore::format
