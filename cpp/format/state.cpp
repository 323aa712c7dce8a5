#include "format/state.h"

#include <cmath>
#include <cstddef>

#include "base/crc32c.h"
#include "format/finite.h"

namespace hippocore::format {

State get_state(const StateBlock& block, std::size_t index) noexcept {
  return {.importance = block.importance[index],
          .confidence = block.confidence[index],
          .stability = block.stability[index],
          .use_count = block.use_count[index],
          .flags = block.flags[index],
          .trust = static_cast<Trust>(block.trust[index]),
          .last_used = block.last_used[index],
          .expires_at = block.expires_at[index],
          .valid_until = block.valid_until[index],
          .archived_at = block.archived_at[index]};
}

void set_state(StateBlock& block, std::size_t index, const State& state) noexcept {
  block.importance[index] = state.importance;
  block.last_used[index] = state.last_used;
  block.expires_at[index] = state.expires_at;
  block.valid_until[index] = state.valid_until;
  block.archived_at[index] = state.archived_at;
  block.log_uses[index] = static_cast<float>(std::log1p(static_cast<double>(state.use_count)));
  block.confidence[index] = state.confidence;
  block.stability[index] = state.stability;
  block.use_count[index] = state.use_count;
  block.flags[index] = state.flags;
  block.trust[index] = static_cast<std::uint8_t>(state.trust);
}

std::uint32_t state_crc(const StateBlock& block) noexcept {
  return crc32c(0, std::as_bytes(std::span(&block, 1)).first(offsetof(StateBlock, crc)));
}

bool states_are_sound(const StateBlock& block, std::size_t count) noexcept {
  bool sound = true;
  for (std::size_t row = 0; row < count; ++row) {
    const std::uint8_t flags = block.flags[row];
    const bool expires = block.expires_at[row] != kNever;
    sound &= block.importance[row] >= 0 && block.importance[row] <= 1;
    sound &= is_measure(block.log_uses[row]) && is_measure(block.confidence[row]) && is_measure(block.stability[row]);
    sound &= (flags & ~kKnownFlags) == 0 && (flags & kWritten) != 0 && ((flags & kExpires) != 0) == expires;
    sound &= block.trust[row] <= static_cast<std::uint8_t>(Trust::kTrusted);
  }
  return sound;
}

}  // namespace hippocore::format
