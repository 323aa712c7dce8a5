// One sync serves all that wait, and one that fails ends them all.
#include <atomic>
#include <thread>
#include <vector>

#include "base/error.h"
#include "harness.h"
#include "storage/group_sync.h"

namespace hippocore::storage {

TEST(storage_group_sync_of_one_serves_all_that_waited_at_once) {
  GroupSync group;
  std::atomic<std::uint32_t> syncs{0};
  const auto work = [&]() -> std::uint64_t {
    if (++syncs > 1) return 8;
    while (group.waiting() < 7) std::this_thread::yield();  // the others come while the first syncs
    return 1;
  };
  std::thread first([&] { group.through(1, work); });
  while (syncs == 0) std::this_thread::yield();
  std::vector<std::thread> others;
  for (std::uint64_t sequence = 2; sequence <= 8; ++sequence) {
    others.emplace_back([&, sequence] { group.through(sequence, work); });
  }
  first.join();
  for (auto& other : others) other.join();
  CHECK_EQUAL(syncs.load(), 2U);
  CHECK_EQUAL(group.synced(), 8U);
}

// The system may say "done" to the next try, though what the failed one should have written is lost.
TEST(storage_group_sync_that_failed_fails_all_that_waited_and_all_that_come_later) {
  GroupSync group;
  std::atomic<bool> failing{false};
  std::atomic<std::uint32_t> refused{0};
  const auto ask = [&](std::uint64_t sequence, const GroupSync::Work& work) {
    try {
      group.through(sequence, work);
    } catch (const Error& error) {
      refused += error.code() == ErrorCode::kInputOutput ? 1U : 0U;
    }
  };
  std::thread first([&] {
    ask(1, [&]() -> std::uint64_t {
      failing = true;
      while (group.waiting() < 1) std::this_thread::yield();
      throw Error(ErrorCode::kInputOutput, "the disk refused");
    });
  });
  while (!failing) std::this_thread::yield();
  std::thread second([&] { ask(2, [] { return std::uint64_t{2}; }); });
  first.join();
  second.join();
  ask(3, [] { return std::uint64_t{3}; });
  CHECK_EQUAL(refused.load(), 3U);
  CHECK_EQUAL(group.synced(), 0U);
}

TEST(storage_group_sync_is_not_asked_for_what_a_checkpoint_kept) {
  GroupSync group;
  group.note(5);
  group.note(3);
  group.through(5, []() -> std::uint64_t { throw Error(ErrorCode::kInputOutput, "nobody should sync"); });
  CHECK_EQUAL(group.synced(), 5U);
}

}  // namespace hippocore::storage
