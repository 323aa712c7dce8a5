// Threads that write at once share the writer's lock and the sync.
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "base/error.h"
#include "faulty_directory.h"
#include "harness.h"
#include "storage/group_write.h"
#include "store_fixture.h"

namespace hippocore::storage {
namespace {

using testing::FaultyDisk;
using testing::id_of;
using testing::Note;

constexpr std::array<std::byte, 1> kBytes{};

// Threads that have joined, and what became of each.
struct Followers {
  std::atomic<std::uint32_t> done{0}, led{0}, failed{0};
  std::vector<std::thread> threads;

  void add(GroupWrite& group) {
    threads.emplace_back([this, &group] {
      try {
        const auto own = group.join(kBytes);
        if (own == nullptr) {
          ++done;
        } else {
          ++led;
          group.hand_over(own);
        }
      } catch (const Error&) {
        ++failed;
      }
    });
  }
  void join() {
    for (auto& thread : threads) thread.join();
  }
};

}  // namespace

TEST(storage_group_write_is_taken_whole_by_who_leads_and_each_is_told_what_became_of_its_own) {
  GroupWrite group;
  const auto own = group.join(kBytes);
  Followers followers;
  for (int i = 0; i < 7; ++i) followers.add(group);
  while (group.in_line() < 8) std::this_thread::yield();
  const auto batch = group.take();
  CHECK_EQUAL(batch.size(), 8U);
  batch[3]->failure = std::make_exception_ptr(Error(ErrorCode::kStoreFull, "full"));
  GroupWrite::finish(batch, own);
  followers.join();
  group.hand_over(own);
  CHECK_EQUAL(followers.done.load(), 6U);
  CHECK_EQUAL(followers.failed.load(), 1U);
  CHECK(group.join(kBytes) != nullptr);  // nobody leads any more
}

TEST(storage_group_write_that_was_not_taken_or_was_given_back_is_led_by_its_own_thread) {
  GroupWrite group;
  const auto own = group.join(kBytes);
  Followers followers;
  for (int i = 0; i < 3; ++i) followers.add(group);
  while (group.in_line() < 4) std::this_thread::yield();
  const auto batch = group.take();
  group.give_back(batch.begin() + 1, batch.end());
  group.hand_over(own);
  followers.join();
  CHECK_EQUAL(followers.led.load(), 3U);
}

TEST(storage_group_write_keeps_its_own_failure_where_all_fail) {
  const auto failure_of = [](ErrorCode code) { return std::make_exception_ptr(Error(code, "it failed")); };
  const GroupWrite::Batch batch{std::make_shared<GroupWrite::Write>(kBytes),
                                std::make_shared<GroupWrite::Write>(kBytes)};
  batch[0]->failure = failure_of(ErrorCode::kStoreFull);
  GroupWrite::fail(batch, failure_of(ErrorCode::kInputOutput));
  CHECK_THROWS(ErrorCode::kStoreFull, std::rethrow_exception(batch[0]->failure));
  CHECK_THROWS(ErrorCode::kInputOutput, std::rethrow_exception(batch[1]->failure));
}

TEST(storage_group_write_of_nothing_in_a_transaction_changes_nothing) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = Store::open(disk->open(), testing::options_of(Sync::kOff));
  store->begin();
  const std::uint64_t before = store->snapshot()->position.sequence;
  store->write({});
  store->end();
  CHECK_EQUAL(store->snapshot()->position.sequence, before);
}

// Three that are taken together: the others are not written behind half an entry, and not told of a failure that was
// not theirs.
TEST(storage_group_write_that_fails_leaves_the_others_alone) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = Store::open(disk->open(), testing::options_of(Sync::kOff));
  std::atomic<std::uint32_t> failed{0};
  std::vector<std::thread> threads;
  store->begin();
  for (std::uint32_t number = 0; number < 3; ++number) {
    threads.emplace_back([&, number] {
      try {
        testing::write(*store, Note{id_of(number), "text"});
      } catch (const Error& error) {
        failed += error.code() == ErrorCode::kStoreFull ? 1U : 0U;
      }
    });
  }
  while (store->writes_in_line() < 3) std::this_thread::yield();
  disk->set_plan({1, 1, ErrorCode::kStoreFull, testing::Change::kWrite});
  store->end();
  for (auto& thread : threads) thread.join();
  CHECK_EQUAL(failed.load(), 1U);
  CHECK_EQUAL(testing::contents_of(*store).size(), 2U);
}

TEST(storage_group_write_of_a_transaction_is_synced_when_it_has_ended_and_the_lock_is_free) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = Store::open(disk->open(), testing::options_of(Sync::kFull));
  const auto other = Store::open(disk->open(), testing::options_of(Sync::kOff));
  const auto kept = [&] {
    const auto left = disk->crashed(testing::Loss::kEverything, 1);
    return testing::contents_of(*Store::open(left->open(), testing::options_of())).size();
  };
  store->begin();
  testing::write(*store, Note{id_of(1), "text"});
  CHECK_EQUAL(kept(), 0U);
  store->end();
  CHECK_EQUAL(kept(), 1U);
  store->begin();
  testing::write(*store, Note{id_of(2), "text"});
  disk->set_plan({1, 1, ErrorCode::kInputOutput, testing::Change::kSync});
  CHECK_THROWS(ErrorCode::kInputOutput, store->end());
  testing::write(*other, Note{id_of(3), "text"});
  CHECK_EQUAL(testing::contents_of(*other).size(), 3U);
}

}  // namespace hippocore::storage
