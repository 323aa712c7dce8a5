#include <cmath>
#include <cstring>
#include <memory>

#include "damage.h"
#include "format/state.h"
#include "harness.h"

namespace hippocore::format {
namespace {

State unusual_state() {
  return {.importance = 0.125,
          .confidence = 0.25F,
          .stability = 3.5F,
          .use_count = 4'000'000'000U,
          .flags = kWritten | kQuarantined,
          .trust = Trust::kUntrusted,
          .last_used = -5,
          .expires_at = 6,
          .valid_until = 7,
          .archived_at = 8};
}

}  // namespace

TEST(format_state_comes_back_as_it_was_set) {
  const auto block = std::make_unique<StateBlock>();
  set_state(*block, 0, State{});
  set_state(*block, 1023, unusual_state());
  CHECK(get_state(*block, 0) == State{});
  CHECK(get_state(*block, 1023) == unusual_state());
  CHECK_EQUAL(block->flags[1022], 0);
}

TEST(format_state_keeps_the_logarithm_of_the_use_count) {
  const auto block = std::make_unique<StateBlock>();
  for (const std::uint32_t uses : {0U, 1U, 9U, 0xFFFFFFFFU}) {
    set_state(*block, 3, State{.use_count = uses});
    CHECK_EQUAL(block->log_uses[3], static_cast<float>(std::log1p(static_cast<double>(uses))));
  }
}

TEST(format_state_checksum_covers_every_column) {
  const auto block = std::make_unique<StateBlock>();
  const auto pattern = testing::patterned_bytes(offsetof(StateBlock, crc));
  auto* bytes = reinterpret_cast<std::byte*>(block.get());
  std::memcpy(bytes, pattern.data(), pattern.size());
  const std::uint32_t before = state_crc(*block);
  for (std::size_t offset = 0; offset < pattern.size(); offset += 509) {
    bytes[offset] ^= std::byte{1};
    CHECK(state_crc(*block) != before);
    bytes[offset] ^= std::byte{1};
  }
  bytes[pattern.size() - 1] ^= std::byte{1};
  CHECK(state_crc(*block) != before);
  bytes[pattern.size() - 1] ^= std::byte{1};
  block->crc = 17;
  CHECK_EQUAL(state_crc(*block), before);
}

// Stores hold this layout: an intended change of it is a new format version.
TEST(format_state_block_layout_is_the_one_that_stores_hold) {
  CHECK_EQUAL(offsetof(StateBlock, archived_at), 32768U);
  CHECK_EQUAL(offsetof(StateBlock, log_uses), 40960U);
  CHECK_EQUAL(offsetof(StateBlock, flags), 57344U);
  CHECK_EQUAL(offsetof(StateBlock, crc), 59392U);
  CHECK_EQUAL(sizeof(StateBlock), 59456U);
}

}  // namespace hippocore::format
