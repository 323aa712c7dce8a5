// Values that no store writes are refused whatever their checksums say.
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "aligned_bytes.h"
#include "format/chunk.h"
#include "format/state.h"
#include "harness.h"

namespace hippocore::format {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST(format_sound_states_are_those_that_a_slot_in_use_can_have) {
  auto block = std::make_unique<StateBlock>();
  const auto reset = [&] {
    set_state(*block, 0, {});
    set_state(*block, 1, {.use_count = 3, .flags = kWritten | kExpires, .expires_at = 5});
  };
  reset();
  CHECK(states_are_sound(*block, 2));
  CHECK(states_are_sound(*block, 0));
  CHECK(!states_are_sound(*block, 3));  // the third was never written
  const std::vector<std::function<void()>> changes = {
      [&] { block->importance[1] = -0.1; },
      [&] { block->importance[1] = 1.1; },
      [&] { block->importance[1] = kNan; },
      [&] { block->log_uses[1] = kInfinity; },
      [&] { block->log_uses[1] = -1; },
      [&] { block->confidence[1] = kNan; },
      [&] { block->stability[1] = kInfinity; },
      [&] { block->stability[1] = -1; },
      [&] { block->flags[1] = 0x40 | kWritten | kExpires; },
      [&] { block->flags[1] = kExpires; },
      [&] { block->flags[1] = kWritten; },     // expires, and does not say so
      [&] { block->expires_at[1] = kNever; },  // says so, and does not
      [&] { block->trust[1] = 3; },
  };
  for (const auto& change : changes) {
    reset();
    change();
    CHECK(!states_are_sound(*block, 2));
    CHECK(states_are_sound(*block, 1));
  }
}

TEST(format_sound_rows_have_a_finite_vector_and_measures) {
  const ChunkLayout layout(5, 64);
  testing::AlignedBytes bytes(layout.size());
  const MutableChunkView rows(&layout, bytes.data());
  const std::vector<std::function<void()>> changes = {
      [&] { rows.norms()[1] = -1; },          [&] { rows.norms()[1] = kInfinity; },
      [&] { rows.code_scales()[1] = kNan; },  [&] { rows.code_errors()[1] = -1; },
      [&] { rows.coarse_scales()[1] = -1; },  [&] { rows.coarse_errors()[1] = kInfinity; },
      [&] { rows.vector(1)[4] = kInfinity; }, [&] { rows.vector(1)[0] = kNan; },
  };
  CHECK(row_is_sound(rows, 1));
  for (const auto& change : changes) {
    change();
    CHECK(!row_is_sound(rows, 1));
    CHECK(row_is_sound(rows, 0) && row_is_sound(rows, 2));
    std::fill_n(bytes.data(), layout.size(), std::byte{0});
  }
}

}  // namespace hippocore::format
