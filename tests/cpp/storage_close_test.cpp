#include <thread>

#include "faulty_directory.h"
#include "harness.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::storage {
namespace {

using testing::FaultyDisk;
using testing::id_of;
using testing::Loss;
using testing::Note;
using testing::open_store;

}  // namespace

TEST(storage_close_is_idempotent_and_ends_every_other_call) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  testing::write(*store, Note{id_of(1), "text"});
  store->close();
  store->close();
  CHECK_THROWS(ErrorCode::kStoreClosed, store->snapshot());
  CHECK_THROWS(ErrorCode::kStoreClosed, testing::write(*store, Note{id_of(2), "text"}));
  CHECK_THROWS(ErrorCode::kStoreClosed, store->touch(std::array{id_of(1)}, 5));
  CHECK_THROWS(ErrorCode::kStoreClosed, store->begin());
  CHECK_THROWS(ErrorCode::kStoreClosed, store->sync());
  CHECK_THROWS(ErrorCode::kStoreClosed, store->checkpoint());
  CHECK_THROWS(ErrorCode::kStoreClosed, store->compact());
  CHECK_EQUAL(testing::contents_of(*open_store(place / "a")).size(), 1U);
}

TEST(storage_close_makes_what_was_written_survive_a_power_loss) {
  for (const Sync sync : {Sync::kOff, Sync::kNormal, Sync::kFull}) {
    const auto disk = std::make_shared<FaultyDisk>();
    const auto store = Store::open(disk->open(), testing::options_of(sync));
    testing::write(*store, Note{id_of(1), "text"});
    store->close();
    const auto left = disk->crashed(Loss::kEverything, 1);
    CHECK_EQUAL(testing::contents_of(*Store::open(left->open(), testing::options_of())).size(), 1U);
  }
}

TEST(storage_close_folds_only_a_long_log) {
  const testing::TemporaryDirectory place;
  OpenOptions options = testing::options_of();
  options.checkpoint_bytes = 10'000;
  {
    const auto store = open_store(place / "a", options);
    testing::write(*store, Note{id_of(1), "text"});
    store->close();
  }
  CHECK_EQUAL(open_store(place / "a")->snapshot()->header->epoch, 1U);
  {
    const auto store = open_store(place / "a");
    for (std::uint32_t number = 0; number < 50; ++number) testing::write(*store, Note{id_of(number), "text"});
  }
  {
    const auto store = open_store(place / "a", options);
    store->close();
  }
  CHECK_EQUAL(open_store(place / "a")->snapshot()->header->epoch, 2U);
}

TEST(storage_close_that_cannot_sync_says_so_and_closes) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = Store::open(disk->open(), testing::options_of());
  testing::write(*store, Note{id_of(1), "text"});
  disk->set_plan({1, 1, ErrorCode::kInputOutput, testing::Change::kSync});
  CHECK_THROWS(ErrorCode::kInputOutput, store->close());
  CHECK_THROWS(ErrorCode::kStoreClosed, store->snapshot());
  store->close();
}

TEST(storage_close_within_a_transaction_lets_go_of_the_lock_at_its_end) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  store->begin();
  testing::write(*store, Note{id_of(1), "text"});
  store->close();
  CHECK_THROWS(ErrorCode::kStoreClosed, testing::write(*store, Note{id_of(2), "text"}));
  store->end();
  OpenOptions options = testing::options_of();
  options.busy_timeout = std::chrono::milliseconds{0};
  const auto other = open_store(place / "a", options);
  testing::write(*other, Note{id_of(3), "text"});
  CHECK_EQUAL(testing::contents_of(*other).size(), 2U);
}

}  // namespace hippocore::storage
