#include <limits>
#include <thread>

#include "harness.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::storage {
namespace {

using testing::id_of;
using testing::Note;
using testing::open_store;

format::State state_of(Store& store, std::uint32_t number) {
  const auto root = store.snapshot();
  return root->state(root->find(id_of(number)));
}

}  // namespace

TEST(storage_touch_counts_every_use_and_keeps_the_last_time) {
  const testing::TemporaryDirectory place;
  {
    const auto store = open_store(place / "a");
    testing::write(*store, Note{id_of(1), "text"});
    store->touch(std::array{id_of(1)}, 9'000);
    store->touch(std::array{id_of(1), id_of(2)}, 7'000);  // the second is not there: no reason to fail
    CHECK_EQUAL(state_of(*store, 1).use_count, 0U);       // queued
    testing::write(*store, Note{id_of(3), "text"});
    CHECK_EQUAL(state_of(*store, 1).use_count, 2U);
  }
  const auto store = open_store(place / "a");
  CHECK_EQUAL(state_of(*store, 1).use_count, 2U);
  CHECK_EQUAL(state_of(*store, 1).last_used, 9'000);
}

TEST(storage_touch_is_written_within_about_a_second_without_another_write) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a", testing::options_of(Sync::kNormal));
  const auto other = open_store(place / "a");
  testing::write(*store, Note{id_of(1), "text"});
  store->touch(std::array{id_of(1)}, 9'000);
  while (state_of(*other, 1).use_count == 0) std::this_thread::yield();
}

TEST(storage_touch_is_written_at_close) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  testing::write(*store, Note{id_of(1), "text"});
  store->touch(std::array{id_of(1)}, 9'000);
  store->close();
  CHECK_EQUAL(state_of(*open_store(place / "a"), 1).use_count, 1U);
}

TEST(storage_touch_never_fails_for_a_lock_and_is_not_lost_with_it) {
  const testing::TemporaryDirectory place;
  OpenOptions options = testing::options_of();
  options.busy_timeout = std::chrono::milliseconds{1};
  const auto store = open_store(place / "a", options);
  testing::write(*store, Note{id_of(1), "text"});
  const auto holder = open_store(place / "a");
  holder->begin();
  store->touch(std::array{id_of(1)}, 9'000);
  CHECK_THROWS(ErrorCode::kStoreBusy, store->write({}));
  holder->end();
  store->write({});
  CHECK_EQUAL(state_of(*store, 1).use_count, 1U);
}

TEST(storage_touch_of_what_was_forgotten_is_dropped) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  testing::write(*store, Note{id_of(1), "text"});
  store->touch(std::array{id_of(1)}, 9'000);
  testing::forget(*store, id_of(1));
  store->touch(std::array{id_of(1)}, 9'000);
  store->write({});
  CHECK_EQUAL(store->snapshot()->find(id_of(1)), kNoSlot);
}

TEST(storage_touch_counts_no_further_than_a_counter_can) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  testing::write(*store, Note{id_of(1), "text"});
  format::State state = state_of(*store, 1);
  state.use_count = std::numeric_limits<std::uint32_t>::max() - 1;
  std::vector<std::byte> body;
  format::encode_operation(format::ChangeState{id_of(1), state}, body);
  store->write(body);
  for (int use = 0; use < 3; ++use) store->touch(std::array{id_of(1)}, 9'000);
  store->write({});
  CHECK_EQUAL(state_of(*store, 1).use_count, std::numeric_limits<std::uint32_t>::max());
}

// Also of uses that wait together: what is queued knows no state.
TEST(storage_touch_counts_the_uses_a_day_or_more_after_the_one_before) {
  constexpr std::int64_t kDay = format::kSpacing;
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  Note note{id_of(1), "text"};
  note.time = 1'000;
  testing::write(*store, note);
  const auto start = state_of(*store, 1).last_used;
  CHECK_EQUAL(state_of(*store, 1).stability, 1.0F);
  store->touch(std::array{id_of(1)}, start + kDay - 1);
  store->write({});
  CHECK_EQUAL(state_of(*store, 1).stability, 1.0F);
  for (const std::int64_t days : {2, 2, 3, 5}) store->touch(std::array{id_of(1), id_of(1)}, start + days * kDay);
  store->touch(std::array{id_of(1)}, start);  // a clock that went backwards
  store->write({});
  CHECK_EQUAL(state_of(*store, 1).stability, 4.0F);
  CHECK_EQUAL(state_of(*store, 1).use_count, 10U);
  CHECK_EQUAL(state_of(*store, 1).last_used, start + 5 * kDay);
}

TEST(storage_touch_takes_any_two_times) {
  constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
  constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
  CHECK(format::is_spaced(kFirst, kLast));
  CHECK(!format::is_spaced(kLast, kFirst));
  CHECK(!format::is_spaced(0, 0));
  CHECK(format::is_spaced(0, format::kSpacing));
  CHECK(!format::is_spaced(1, format::kSpacing));
}

// Row 32 of the field cases: times before 1970 are times.
TEST(storage_touch_keeps_a_time_before_1970) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  Note note{id_of(1), "text"};
  note.time = -5'000'000;
  testing::write(*store, note);
  std::vector<std::byte> body;
  format::State state = state_of(*store, 1);
  state.last_used = -5'000'000;
  format::encode_operation(format::ChangeState{id_of(1), state}, body);
  store->write(body);
  store->touch(std::array{id_of(1)}, -4'000'000);
  store->write({});
  CHECK_EQUAL(state_of(*store, 1).last_used, -4'000'000);
}

}  // namespace hippocore::storage
