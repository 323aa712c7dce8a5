#include <atomic>
#include <thread>
#include <vector>

#include "child_process.h"
#include "harness.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::storage {
namespace {

using namespace std::chrono_literals;
using testing::id_of;
using testing::Note;
using testing::open_store;

OpenOptions impatient() {
  OpenOptions options = testing::options_of();
  options.busy_timeout = 20ms;
  return options;
}

}  // namespace

// Row 39 of the field cases.
TEST(storage_locks_make_the_second_writer_wait_and_then_say_busy) {
  const testing::TemporaryDirectory place;
  const auto holder = open_store(place / "a");
  const auto other = open_store(place / "a", impatient());
  holder->begin();
  const auto start = std::chrono::steady_clock::now();
  CHECK_THROWS(ErrorCode::kStoreBusy, testing::write(*other, Note{id_of(1), "text"}));
  CHECK(std::chrono::steady_clock::now() - start >= 20ms);
  CHECK_EQUAL(testing::contents_of(*other).size(), 0U);  // reading never waits
  holder->end();
  testing::write(*other, Note{id_of(1), "text"});
  CHECK_EQUAL(testing::contents_of(*holder).size(), 1U);
}

TEST(storage_locks_of_a_killed_process_free_themselves) {
  const testing::TemporaryDirectory place;
  testing::write(*open_store(place / "a"), Note{id_of(1), "text"});
  const testing::Sign held;
  testing::ChildProcess child([&] {
    const auto store = open_store(place / "a");
    store->begin();
    held.give();
    for (;;) ::pause();
    return 0;
  });
  held.wait();
  const auto store = open_store(place / "a", impatient());
  CHECK_THROWS(ErrorCode::kStoreBusy, testing::write(*store, Note{id_of(2), "text"}));
  child.kill();
  testing::write(*store, Note{id_of(2), "text"});
  CHECK_EQUAL(testing::contents_of(*store).size(), 2U);
}

// The system's older locks are the process's, and go with whichever descriptor of the file is closed first.
TEST(storage_locks_outlive_the_closing_of_another_handle_of_the_process) {
  const testing::TemporaryDirectory place;
  const auto holder = open_store(place / "a");
  holder->begin();
  {
    const auto other = open_store(place / "a", impatient());
    CHECK_THROWS(ErrorCode::kStoreBusy, testing::write(*other, Note{id_of(1), "text"}));
    other->close();
  }
  testing::ChildProcess child([&] {
    CHECK_THROWS(ErrorCode::kStoreBusy, testing::write(*open_store(place / "a", impatient()), Note{id_of(2), "text"}));
    return 0;
  });
  CHECK_EQUAL(child.exit_code(), 0);
  const auto third = open_store(place / "a", impatient());
  CHECK_THROWS(ErrorCode::kStoreBusy, testing::write(*third, Note{id_of(3), "text"}));
  holder->end();
  testing::write(*third, Note{id_of(4), "text"});
  CHECK_EQUAL(testing::contents_of(*holder).size(), 1U);
}

TEST(storage_locks_let_the_threads_of_one_handle_take_turns) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a", impatient());
  store->begin();
  std::atomic<bool> busy = false;
  std::thread other([&] {
    try {
      testing::write(*store, Note{id_of(1), "text"});
    } catch (const Error& error) {
      busy = error.code() == ErrorCode::kStoreBusy;
    }
  });
  other.join();
  CHECK(busy);
  testing::write(*store, Note{id_of(2), "text"});  // the thread that has begun may
  store->end();
  CHECK_EQUAL(testing::contents_of(*store).size(), 1U);
}

TEST(storage_locks_make_one_handle_the_worker_and_the_next_one_when_it_ends) {
  const testing::TemporaryDirectory place;
  const auto first = open_store(place / "a");
  const auto second = open_store(place / "a");
  CHECK(first->become_worker());
  CHECK(first->become_worker());
  CHECK(!second->become_worker());
  second->resign_worker();  // it is not the one
  testing::write(*second, Note{id_of(1), "text"});
  first->compact();
  second->checkpoint();
  CHECK(!second->become_worker());
  CHECK(open_store(place / "b")->become_worker());
  first->resign_worker();
  CHECK(second->become_worker());
  CHECK(!first->become_worker());
  second->close();
  CHECK_THROWS(ErrorCode::kStoreClosed, second->become_worker());
  second->resign_worker();
  CHECK(first->become_worker());
}

TEST(storage_locks_of_the_worker_are_not_for_who_only_reads_and_not_for_a_child) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  OpenOptions options = testing::options_of();
  options.read_only = true;
  CHECK_THROWS(ErrorCode::kReadOnlyStore, open_store(place / "a", options)->become_worker());
  CHECK(store->become_worker());
  testing::ChildProcess child([&] {
    CHECK_THROWS(ErrorCode::kForkedHandle, store->become_worker());
    store->resign_worker();
    CHECK(!open_store(place / "a")->become_worker());
    return 0;
  });
  CHECK_EQUAL(child.exit_code(), 0);
  CHECK(!open_store(place / "a")->become_worker());
}

TEST(storage_locks_of_a_killed_worker_free_themselves) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  const testing::Sign held;
  testing::ChildProcess child([&] {
    const auto theirs = open_store(place / "a");
    CHECK(theirs->become_worker());
    held.give();
    for (;;) ::pause();
    return 0;
  });
  held.wait();
  CHECK(!store->become_worker());
  child.kill();
  CHECK(store->become_worker());
}

TEST(storage_locks_taken_twice_by_a_thread_are_refused_at_once) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  store->begin();
  CHECK_THROWS(ErrorCode::kInvalidArgument, store->begin());
  store->end();
  store->end();  // does nothing
  store->begin();
  store->end();
}

TEST(storage_locks_hold_what_was_read_until_it_is_written) {
  const testing::TemporaryDirectory place;
  const auto first = open_store(place / "a");
  const auto second = open_store(place / "a");
  constexpr std::uint32_t kTurns = 200;
  const auto count_up = [&](Store& store) {
    for (std::uint32_t turn = 0; turn < kTurns; ++turn) {
      store.begin();
      testing::write(store, Note{id_of(store.snapshot()->count), "text"});
      store.end();
    }
  };
  std::thread other([&] { count_up(*second); });
  count_up(*first);
  other.join();
  CHECK_EQUAL(testing::contents_of(*first).size(), 2 * kTurns);
}

TEST(storage_locks_with_any_timeout_are_taken_or_refused) {
  const testing::TemporaryDirectory place;
  for (const auto timeout : {std::chrono::milliseconds::max(), std::chrono::milliseconds::min(), 0ms}) {
    OpenOptions options = testing::options_of();
    options.busy_timeout = timeout;
    testing::write(*open_store(place / "a", options), Note{id_of(1), "text"});
  }
}

// The one order: maintenance, then the writer's lock. Here a checkpoint has the first and waits for the second.
TEST(storage_locks_of_reembed_and_of_a_checkpoint_do_not_wait_for_each_other) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  testing::write(*store, Note{id_of(1), "text"});
  store->begin();
  const auto checkpointing = open_store(place / "a");
  std::thread checkpoint([&] { checkpointing->checkpoint(); });
  while (os::open_directory(place / "a", os::Create::kNo)->lock(os::LockName::kMaintenance, 0ms) != nullptr) {
    std::this_thread::yield();
  }
  const std::vector<float> vector = testing::vector_of(3, 16);
  const auto start = std::chrono::steady_clock::now();
  store->reembed(16, "wider", [&](std::size_t) { return std::span(vector); });
  CHECK(std::chrono::steady_clock::now() - start < 4s);
  store->end();
  checkpoint.join();
  CHECK_EQUAL(store->snapshot()->header->dimension, 16U);
}

}  // namespace hippocore::storage
