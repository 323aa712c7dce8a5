#include <thread>

#include "child_process.h"
#include "harness.h"
#include "sleeping_threads.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::storage {
namespace {

using testing::id_of;
using testing::Note;
using testing::open_store;

}  // namespace

// Row 38 of the field cases.
TEST(storage_fork_leaves_the_child_a_handle_that_refuses_everything) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a", testing::options_of(Sync::kNormal));
  testing::write(*store, Note{id_of(1), "text"});
  testing::ChildProcess child([&] {
    CHECK_THROWS(ErrorCode::kForkedHandle, store->snapshot());
    CHECK_THROWS(ErrorCode::kForkedHandle, testing::write(*store, Note{id_of(2), "text"}));
    CHECK_THROWS(ErrorCode::kForkedHandle, store->touch(std::array{id_of(1)}, 5));
    CHECK_THROWS(ErrorCode::kForkedHandle, store->begin());
    CHECK_THROWS(ErrorCode::kForkedHandle, store->checkpoint());
    CHECK_THROWS(ErrorCode::kForkedHandle, store->compact());
    CHECK_THROWS(ErrorCode::kForkedHandle, store->sync());
    CHECK_THROWS(ErrorCode::kForkedHandle, store->close());
    return 0;
  });
  CHECK_EQUAL(child.exit_code(), 0);
  testing::write(*store, Note{id_of(3), "text"});
  CHECK_EQUAL(testing::contents_of(*store).size(), 2U);
}

// The parent's background thread, which waits, is not in the child: destroying what it waits on must not wait for it.
TEST(storage_fork_lets_the_child_destroy_its_handle_while_the_parent_is_in_the_middle) {
  const testing::TemporaryDirectory place;
  auto store = open_store(place / "a", testing::options_of(Sync::kNormal));
  testing::write(*store, Note{id_of(1), "text"});
  store->touch(std::array{id_of(1)}, 5'000);
  store->begin();
  std::thread waiting([&] { testing::write(*store, Note{id_of(2), "text"}); });
  testing::wait_until_others_sleep();
  testing::ChildProcess child([&] {
    store.reset();
    const auto own = open_store(place / "a");
    return testing::contents_of(*own).size() == 1 ? 0 : 1;
  });
  CHECK_EQUAL(child.exit_code(), 0);
  CHECK_EQUAL(testing::contents_of(*store).at(id_of(1)).size(), 1U);
  store->end();
  waiting.join();
  CHECK_EQUAL(testing::contents_of(*store).size(), 2U);
}

TEST(storage_fork_in_a_transaction_leaves_the_lock_with_the_parent) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  store->begin();
  testing::ChildProcess child([&] {
    store->end();
    OpenOptions options = testing::options_of();
    options.busy_timeout = std::chrono::milliseconds{0};
    const auto own = open_store(place / "a", options);
    CHECK_THROWS(ErrorCode::kStoreBusy, testing::write(*own, Note{id_of(1), "text"}));
    return 0;
  });
  CHECK_EQUAL(child.exit_code(), 0);
  testing::write(*store, Note{id_of(2), "text"});
  store->end();
  CHECK_EQUAL(testing::contents_of(*store).size(), 1U);
}

}  // namespace hippocore::storage
