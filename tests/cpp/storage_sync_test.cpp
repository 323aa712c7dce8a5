// What each sync level keeps through a power loss, on a disk that loses everything that was not synced.
#include <thread>

#include "faulty_directory.h"
#include "harness.h"
#include "store_fixture.h"

namespace hippocore::storage {
namespace {

using testing::FaultyDisk;
using testing::id_of;
using testing::Loss;
using testing::Note;

std::size_t kept(const FaultyDisk& disk) {
  return testing::contents_of(*Store::open(disk.crashed(Loss::kEverything, 1)->open(), testing::options_of())).size();
}

}  // namespace

TEST(storage_sync_full_loses_nothing_acknowledged) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = Store::open(disk->open(), testing::options_of(Sync::kFull));
  for (std::uint32_t number = 1; number < 30; ++number) {
    testing::write(*store, Note{id_of(number), "text"});
    CHECK_EQUAL(kept(*disk), number);
  }
}

TEST(storage_sync_normal_loses_at_most_what_is_younger_than_a_round_of_the_background) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = Store::open(disk->open(), testing::options_of(Sync::kNormal));
  testing::write(*store, Note{id_of(1), "text"});
  while (kept(*disk) == 0) std::this_thread::yield();
}

TEST(storage_sync_off_loses_at_most_what_came_after_the_last_checkpoint_or_sync) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = Store::open(disk->open(), testing::options_of(Sync::kOff));
  testing::write(*store, Note{id_of(1), "text"});
  CHECK_EQUAL(kept(*disk), 0U);
  store->checkpoint();
  CHECK_EQUAL(kept(*disk), 1U);
  testing::write(*store, Note{id_of(2), "text"});
  CHECK_EQUAL(kept(*disk), 1U);
  store->sync();
  CHECK_EQUAL(kept(*disk), 2U);
}

TEST(storage_sync_of_one_serves_all_that_wrote_before) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto first = Store::open(disk->open(), testing::options_of(Sync::kOff));
  const auto second = Store::open(disk->open(), testing::options_of(Sync::kFull));
  for (std::uint32_t number = 0; number < 10; ++number) testing::write(*first, Note{id_of(number), "text"});
  testing::write(*second, Note{id_of(10), "text"});
  CHECK_EQUAL(kept(*disk), 11U);
  disk->set_plan({0, 0, ErrorCode::kStoreFull, testing::Change::kSync});
  second->sync();
  CHECK_EQUAL(disk->calls(), 0U);  // nothing left to do
}

TEST(storage_sync_of_a_write_that_another_handle_folded_is_done) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto first = Store::open(disk->open(), testing::options_of(Sync::kOff));
  const auto second = Store::open(disk->open(), testing::options_of(Sync::kOff));
  testing::write(*first, Note{id_of(1), "text"});
  second->compact();
  first->sync();
  CHECK_EQUAL(kept(*disk), 1U);
}

// An unfinished write of a process that died is dropped, said, and never comes back to life.
TEST(storage_sync_tail_of_a_dead_writer_is_discarded_and_reported) {
  const auto disk = std::make_shared<FaultyDisk>();
  {
    const auto store = Store::open(disk->open(), testing::options_of(Sync::kFull));
    testing::write(*store, Note{id_of(1), "text"});
  }
  const auto end = Store::open(disk->open(), testing::options_of())->snapshot()->position.offset;
  const auto log = disk->open()->open("log-1", os::Access::kReadWrite);
  log->write_at(end, std::vector<std::byte>(123, std::byte{0x48}));
  const auto store = Store::open(disk->open(), testing::options_of());
  CHECK_EQUAL(store->discarded_bytes(), 123U);
  CHECK_EQUAL(testing::contents_of(*store).size(), 1U);
  testing::write(*store, Note{id_of(3), "text"});
  CHECK_EQUAL(store->snapshot()->header->epoch, 2U);
  const auto next = Store::open(disk->open(), testing::options_of());
  CHECK_EQUAL(next->discarded_bytes(), 0U);
  CHECK_EQUAL(testing::contents_of(*next).size(), 2U);
}

}  // namespace hippocore::storage
