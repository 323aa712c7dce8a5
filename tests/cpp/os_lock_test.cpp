#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "child_process.h"
#include "harness.h"
#include "os/native_file.h"
#include "temporary_directory.h"

namespace hippocore::os {
namespace {

using namespace std::chrono_literals;

constexpr auto kLong = 30s;  // ends at once unless something is broken

std::ptrdiff_t open_descriptors() {
  const std::filesystem::directory_iterator entries("/proc/self/fd");
  return std::distance(begin(entries), end(entries));
}

std::unique_ptr<Directory> open(const testing::TemporaryDirectory& place) {
  return open_directory(place.path(), Create::kNo);
}

}  // namespace

TEST(os_lock_excludes_other_handles_until_it_is_released) {
  const testing::TemporaryDirectory place;
  const auto first = open(place);
  const auto second = open(place);
  auto held = first->lock(LockName::kWriter, 0ms);
  CHECK(held != nullptr);
  CHECK(second->lock(LockName::kWriter, 0ms) == nullptr);
  held.reset();
  held = second->lock(LockName::kWriter, 0ms);
  CHECK(held != nullptr);
  CHECK(first->lock(LockName::kWriter, 0ms) == nullptr);
}

TEST(os_lock_names_are_independent) {
  const testing::TemporaryDirectory place;
  const auto first = open(place);
  const auto second = open(place);
  const auto writer = first->lock(LockName::kWriter, 0ms);
  const auto maintenance = second->lock(LockName::kMaintenance, 0ms);
  CHECK(writer != nullptr);
  CHECK(maintenance != nullptr);
  CHECK(first->lock(LockName::kMaintenance, 0ms) == nullptr);
}

TEST(os_lock_leaves_the_header_as_it_is) {
  const testing::TemporaryDirectory place;
  const auto directory = open(place);
  static_cast<void>(directory->lock(LockName::kWriter, 0ms));
  const auto header = directory->open("header", Access::kReadWrite);
  CHECK_EQUAL(header->size(), 0U);
  header->write_at(0, std::vector<std::byte>(8192, std::byte{1}));
  static_cast<void>(open(place)->lock(LockName::kMaintenance, 0ms));
  CHECK_EQUAL(header->size(), 8192U);
  CHECK(directory->names() == std::vector<std::string>({"header"}));
}

// As it would be with locks of the whole process.
TEST(os_lock_is_not_lost_when_another_descriptor_of_the_header_closes) {
  const testing::TemporaryDirectory place;
  const auto first = open(place);
  const auto held = first->lock(LockName::kWriter, 0ms);
  static_cast<void>(first->open("header", Access::kReadWrite));
  CHECK(open(place)->lock(LockName::kWriter, 0ms) == nullptr);
  CHECK(open(place)->lock(LockName::kWriter, 0ms) == nullptr);
}

TEST(os_lock_outlives_its_directory) {
  const testing::TemporaryDirectory place;
  auto held = open(place)->lock(LockName::kWriter, 0ms);
  CHECK(open(place)->lock(LockName::kWriter, 0ms) == nullptr);
  held.reset();
  CHECK(open(place)->lock(LockName::kWriter, 0ms) != nullptr);
}

TEST(os_lock_waits_as_long_as_it_was_told) {
  const testing::TemporaryDirectory place;
  const auto held = open(place)->lock(LockName::kWriter, 0ms);
  const auto start = std::chrono::steady_clock::now();
  CHECK(open(place)->lock(LockName::kWriter, 30ms) == nullptr);
  CHECK(std::chrono::steady_clock::now() - start >= 30ms);
}

TEST(os_lock_is_handed_to_who_waits) {
  const testing::TemporaryDirectory place;
  auto held = open(place)->lock(LockName::kWriter, 0ms);
  std::atomic<bool> waiting = false;
  std::atomic<bool> got = false;
  std::thread waiter([&] {
    const auto directory = open(place);
    waiting = true;
    waiting.notify_one();
    got = directory->lock(LockName::kWriter, kLong) != nullptr;
  });
  waiting.wait(false);
  held.reset();
  waiter.join();
  CHECK(got);
}

TEST(os_lock_keeps_one_descriptor_for_all_its_uses) {
  const testing::TemporaryDirectory place;
  const auto before = open_descriptors();
  {
    const auto directory = open(place);
    for (int turn = 0; turn < 1000; ++turn) CHECK(directory->lock(LockName::kWriter, 0ms) != nullptr);
    CHECK_EQUAL(open_descriptors(), before + 2);
  }
  CHECK_EQUAL(open_descriptors(), before);
}

TEST(os_lock_of_a_killed_process_is_free) {
  const testing::TemporaryDirectory place;
  const testing::Sign held;
  testing::ChildProcess child([&] {
    const auto lock = open(place)->lock(LockName::kWriter, 0ms);
    held.give();
    for (;;) ::pause();
    return lock != nullptr ? 0 : 1;
  });
  held.wait();
  const auto directory = open(place);
  CHECK(directory->lock(LockName::kWriter, 0ms) == nullptr);
  child.kill();
  CHECK(directory->lock(LockName::kWriter, 0ms) != nullptr);
}

TEST(os_lock_of_a_killed_process_is_free_though_its_child_lives) {
  const testing::TemporaryDirectory place;
  const testing::Sign ready;
  const testing::Sign end;
  testing::ChildProcess holder([&] {
    const auto lock = open(place)->lock(LockName::kWriter, 0ms);
    testing::ChildProcess grandchild([&] {
      ready.give();
      end.wait();
      return 0;
    });
    return lock != nullptr ? grandchild.exit_code() : 1;
  });
  ready.wait();
  const bool was_held = open(place)->lock(LockName::kWriter, 0ms) == nullptr;
  holder.kill();
  const bool is_free = open(place)->lock(LockName::kWriter, 0ms) != nullptr;
  end.give();
  CHECK(was_held);
  CHECK(is_free);
}

TEST(os_lock_in_a_forked_child_is_refused_and_stays_the_parents) {
  const testing::TemporaryDirectory place;
  auto directory = open(place);
  auto lock = directory->lock(LockName::kWriter, 0ms);
  testing::ChildProcess child([&] {
    CHECK_THROWS(ErrorCode::kForkedHandle, directory->lock(LockName::kWriter, 0ms));
    lock.reset();
    directory.reset();
    CHECK(open(place)->lock(LockName::kWriter, 0ms) == nullptr);
    return 0;
  });
  CHECK_EQUAL(child.exit_code(), 0);
  CHECK(open(place)->lock(LockName::kWriter, 0ms) == nullptr);
  lock.reset();
  CHECK(directory->lock(LockName::kWriter, 0ms) != nullptr);
}

TEST(os_lock_files_opened_and_closed_by_threads_do_not_hang_a_fork) {
  const testing::TemporaryDirectory place;
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int number = 0; number < 3; ++number) {
    threads.emplace_back([&] {
      while (!stop) static_cast<void>(open(place)->lock(LockName::kWriter, 0ms));
    });
  }
  int ended = 0;
  for (int turn = 0; turn < 50; ++turn) {
    testing::ChildProcess child([&] {
      static_cast<void>(open(place)->lock(LockName::kMaintenance, 0ms));
      return 0;
    });
    ended += child.exit_code() == 0 ? 1 : 0;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  CHECK_EQUAL(ended, 50);
}

}  // namespace hippocore::os
