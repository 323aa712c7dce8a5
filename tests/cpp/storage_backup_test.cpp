#include <atomic>
#include <thread>

#include "faulty_directory.h"
#include "harness.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::storage {
namespace {

using testing::FaultyDisk;
using testing::id_of;
using testing::Note;
using testing::open_store;

std::unique_ptr<os::Directory> directory(const std::string& path) {
  return os::open_directory(path, os::Create::kIfMissing);
}

void check_none_or_whole(FaultyDisk& disk) {
  OpenOptions options = testing::options_of();
  options.create = false;
  try {
    CHECK_EQUAL(testing::contents_of(*Store::open(disk.open(), options)).size(), 2U);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kStoreNotFound);
  }
}

}  // namespace

TEST(storage_backup_is_the_store_at_that_moment_and_a_store_of_its_own) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  for (std::uint32_t number = 0; number < 1'100; ++number) testing::write(*store, Note{id_of(number), "text"});
  store->checkpoint();
  testing::write(*store, Note{id_of(5'000), "in the log"});
  const auto right = testing::contents_of(*store);
  store->backup(*directory(place / "b"));
  testing::write(*store, Note{id_of(5'001), "later"});
  const auto copy = open_store(place / "b");
  CHECK(testing::contents_of(*copy) == right);
  testing::write(*copy, Note{id_of(5'002), "only here"});
  copy->compact();
  CHECK(!testing::contents_of(*store).contains(id_of(5'002)));
}

TEST(storage_backup_of_a_live_store_is_a_state_it_had) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (std::uint32_t number = 0; !stop; ++number) {
      testing::write(*store, Note{id_of(number), "text"});
      if (number % 100 == 0) store->checkpoint();
    }
  });
  for (int round = 0; round < 10; ++round) {
    const std::string path = place / ("copy " + std::to_string(round));
    const auto least = store->snapshot()->count;
    store->backup(*directory(path));
    const auto copy = open_store(path);
    CHECK_EQUAL(copy->discarded_bytes(), 0U);
    const auto contents = testing::contents_of(*copy);
    CHECK(contents.size() >= least);
    for (std::uint32_t number = 0; number < contents.size(); ++number) CHECK(contents.contains(id_of(number)));
  }
  stop = true;
  writer.join();
}

TEST(storage_backup_never_writes_over_a_store) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  testing::write(*open_store(place / "b"), Note{id_of(1), "text"});
  CHECK_THROWS(ErrorCode::kInvalidArgument, store->backup(*directory(place / "b")));
  CHECK_THROWS(ErrorCode::kInvalidArgument, store->backup(*directory(place / "a")));
  CHECK_EQUAL(testing::contents_of(*open_store(place / "b")).size(), 1U);
}

TEST(storage_backup_that_fails_can_be_made_again_in_the_same_place) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = Store::open(disk->open(), testing::options_of());
  testing::write(*store, Note{id_of(1), "text"});
  store->checkpoint();
  testing::write(*store, Note{id_of(2), "text"});
  for (std::uint64_t call = 1;; ++call) {
    const auto target = std::make_shared<FaultyDisk>();
    target->set_plan({call, call, ErrorCode::kStoreFull, std::nullopt});
    bool failed = false;
    try {
      store->backup(*target->open());
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kStoreFull);
      failed = true;
      check_none_or_whole(*target);
    }
    if (!failed) break;
    target->set_plan({});
    try {
      store->backup(*target->open());
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kInvalidArgument);  // it was the very last step: the copy is whole
    }
    CHECK_EQUAL(testing::contents_of(*Store::open(target->open(), testing::options_of())).size(), 2U);
  }
}

TEST(storage_backup_survives_a_power_loss) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto target = std::make_shared<FaultyDisk>();
  const auto store = Store::open(disk->open(), testing::options_of());
  testing::write(*store, Note{id_of(1), "text"});
  store->backup(*target->open());
  const auto left = target->crashed(testing::Loss::kEverything, 1);
  CHECK_EQUAL(testing::contents_of(*Store::open(left->open(), testing::options_of())).size(), 1U);
}

}  // namespace hippocore::storage
