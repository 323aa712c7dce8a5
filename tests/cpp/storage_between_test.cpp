// What another process does between two calls of this one: files that go, a header that moves, a lock that is taken.
#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "faulty_directory.h"
#include "harness.h"
#include "hooked_directory.h"
#include "store_fixture.h"

namespace hippocore::storage {
namespace {

using testing::FaultyDisk;
using testing::HookedDirectory;
using testing::Hooks;
using testing::id_of;
using testing::Note;

OpenOptions hasty() {
  OpenOptions options = testing::options_of();
  options.busy_timeout = std::chrono::milliseconds{0};
  return options;
}

std::unique_ptr<Store> open(const std::shared_ptr<FaultyDisk>& disk) {
  return Store::open(disk->open(), hasty());
}

std::unique_ptr<Store> open(const std::shared_ptr<FaultyDisk>& disk, Hooks& hooks) {
  return Store::open(std::make_unique<HookedDirectory>(disk->open(), hooks), hasty());
}

// One memory in files of epoch 2.
std::shared_ptr<FaultyDisk> make_store() {
  auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(disk);
  testing::write(*store, Note{id_of(1), "text"});
  store->checkpoint();
  return disk;
}

// Returns: a hook by which the file is missing from the `which`-th time on that it is opened.
std::function<bool(std::string_view)> missing_from(std::string wanted, int which) {
  return [wanted = std::move(wanted), which, seen = 0](std::string_view name) mutable {
    return name != wanted || ++seen < which;
  };
}

void write_in_place(FaultyDisk& disk, const std::string& name, std::uint64_t offset, std::vector<std::byte> bytes) {
  disk.open()->open(name, os::Access::kReadWrite)->write_at(offset, bytes);
}

}  // namespace

TEST(storage_between_creating_and_opening_the_header_may_go) {
  Hooks hooks;
  hooks.open = missing_from("header", 4);  // looked for twice, written, and then gone
  CHECK_THROWS(ErrorCode::kInputOutput, open(std::make_shared<FaultyDisk>(), hooks));
  const auto disk = make_store();
  hooks.open = missing_from("header", 2);
  CHECK_THROWS(ErrorCode::kStoreNotFound, open(disk, hooks));
  hooks.open = missing_from("header", 3);
  CHECK_THROWS(ErrorCode::kCorruptStore, open(disk, hooks));
}

TEST(storage_between_looking_and_creating_another_process_may_create) {
  const auto disk = std::make_shared<FaultyDisk>();
  Hooks hooks;
  bool made = false;
  hooks.lock = [&](os::LockName, std::chrono::milliseconds) {
    if (!std::exchange(made, true)) testing::write(*open(disk), Note{id_of(7), "theirs"});
  };
  CHECK(testing::contents_of(*open(disk, hooks)).contains(id_of(7)));
}

TEST(storage_between_two_who_create_the_second_says_busy) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto lock = disk->open()->lock(os::LockName::kWriter, std::chrono::milliseconds{0});
  CHECK_THROWS(ErrorCode::kStoreBusy, open(disk));
}

TEST(storage_between_header_and_files_one_that_is_missing_is_named) {
  for (const char* name : {"tail-2", "state-2", "index-2", "payload-1", "records-1", "log-2"}) {
    const auto disk = make_store();
    disk->open()->remove(name);
    CHECK_THROWS(ErrorCode::kCorruptStore, open(disk));
  }
}

TEST(storage_between_header_and_files_an_error_of_the_disk_is_no_damage) {
  const auto disk = make_store();
  Hooks hooks;
  hooks.open = [](std::string_view name) {
    if (name == "tail-2") throw Error(ErrorCode::kInputOutput, "as planned");
    return true;
  };
  CHECK_THROWS(ErrorCode::kInputOutput, open(disk, hooks));
}

TEST(storage_between_two_reads_a_header_may_be_damaged) {
  const auto disk = make_store();
  const auto store = open(disk);
  // The second slot: the first is still the store, and says the same.
  write_in_place(*disk, "header", format::kHeaderSlotSize, std::vector<std::byte>(100, std::byte{0x7F}));
  CHECK(testing::contents_of(*store).contains(id_of(1)));
  // The first one too, and nothing in the second: a creation that was cut short looks so.
  write_in_place(*disk, "header", 0, std::vector<std::byte>(100, std::byte{0x7F}));
  write_in_place(*disk, "header", format::kHeaderSlotSize, std::vector<std::byte>(format::kHeaderSlotSize));
  CHECK_THROWS(ErrorCode::kCorruptStore, store->snapshot());
}

TEST(storage_between_an_intact_slot_and_none_the_store_is_damaged_or_was_never_made) {
  const auto disk = make_store();
  const std::vector<std::byte> noise(format::kHeaderSlotSize, std::byte{0x7F});
  write_in_place(*disk, "header", 0, noise);
  write_in_place(*disk, "header", format::kHeaderSlotSize, noise);
  OpenOptions options = hasty();
  options.create = false;
  CHECK_THROWS(ErrorCode::kCorruptStore, Store::open(disk->open(), options));
  write_in_place(*disk, "header", format::kHeaderSlotSize, std::vector<std::byte>(format::kHeaderSlotSize));
  CHECK_THROWS(ErrorCode::kStoreNotFound, Store::open(disk->open(), options));
}

TEST(storage_between_two_calls_files_that_go_end_a_checkpoint_and_a_backup) {
  const auto disk = make_store();
  const auto store = open(disk);
  testing::write(*store, Note{id_of(2), "more"});
  disk->open()->remove("records-1");
  CHECK_THROWS(ErrorCode::kCorruptStore, store->checkpoint());
  const auto into = std::make_shared<FaultyDisk>();
  const auto target = into->open();
  CHECK_THROWS(ErrorCode::kCorruptStore, store->backup(*target));
}

TEST(storage_between_reading_a_log_and_carrying_it_over_it_may_change) {
  const auto disk = make_store();
  const auto store = open(disk);
  const auto other = open(disk);
  bool changed = false;
  disk->watch = [&](const FaultyDisk::Call& call) {
    if (call.change == testing::Change::kCreate && call.name == "tail-3") {
      testing::write(*other, Note{id_of(3), "during"});  // behind what is folded: it is carried over
    }
    if (call.change != testing::Change::kCreate || call.name != "log-3" || std::exchange(changed, true)) return;
    write_in_place(*disk, "log-2", store->snapshot()->position.offset - 8, std::vector<std::byte>(8, std::byte{9}));
  };
  testing::write(*store, Note{id_of(2), "more"});
  CHECK_THROWS(ErrorCode::kCorruptStore, store->checkpoint());
  disk->watch = nullptr;
}

// A checkpoint follows what is written meanwhile, and does not wait for writers who are always faster.
TEST(storage_between_the_rounds_of_a_checkpoint_others_may_write_more_than_it_carries) {
  const auto disk = make_store();
  const auto store = open(disk);
  const auto other = open(disk);
  testing::write(*store, Note{id_of(2), "more"});
  std::uint32_t rounds = 0;
  disk->watch = [&](const FaultyDisk::Call& call) {
    const bool before = call.change == testing::Change::kCreate && call.name == "tail-3";
    const bool carried = call.change == testing::Change::kSync && call.name == "log-3" && rounds < 9;
    if (!before && !carried) return;
    ++rounds;
    testing::write(*other, Note{id_of(10 + rounds), std::string(300'000, 'x')});
  };
  store->checkpoint();
  disk->watch = nullptr;
  CHECK_EQUAL(rounds, 9U);
  CHECK_EQUAL(store->snapshot()->header->epoch, 3U);
  CHECK_EQUAL(testing::contents_of(*store).size(), 11U);
  CHECK_EQUAL(testing::contents_of(*open(disk)).size(), 11U);
}

TEST(storage_between_listing_and_opening_what_a_creation_left_may_go) {
  const auto disk = std::make_shared<FaultyDisk>();
  disk->replace("log-1", std::vector<std::byte>(10'000, std::byte{1}));  // with entries: a store without its header
  CHECK_THROWS(ErrorCode::kCorruptStore, open(disk));
  Hooks hooks;
  bool gone = false;
  hooks.open = [&](std::string_view name) { return name != "log-1" || std::exchange(gone, true); };
  CHECK(testing::contents_of(*open(disk, hooks)).empty());
}

TEST(storage_between_the_threads_of_a_handle_one_checkpoints_at_a_time) {
  const auto disk = make_store();
  const auto store = open(disk);
  testing::write(*store, Note{id_of(2), "more"});
  std::atomic<bool> under_way = false;
  std::atomic<bool> release = false;
  disk->watch = [&](const FaultyDisk::Call& call) {
    if (call.name != "tail-3") return;
    under_way = true;
    while (!release) std::this_thread::yield();
  };
  std::thread first([&] { store->checkpoint(); });
  while (!under_way) std::this_thread::yield();
  bool busy = false;
  try {
    store->compact();
  } catch (const Error& error) {
    busy = error.code() == ErrorCode::kStoreBusy;
  }
  release = true;
  first.join();
  CHECK(busy);
  CHECK_EQUAL(store->snapshot()->header->epoch, 3U);
}

TEST(storage_between_two_who_forget_the_second_changes_nothing) {
  const auto disk = make_store();
  const auto store = open(disk);
  testing::forget(*store, id_of(1));
  testing::forget(*store, id_of(1));
  CHECK(testing::contents_of(*store).empty());
  CHECK_EQUAL(store->snapshot()->find(id_of(1)), kNoSlot);
}

TEST(storage_between_two_maintainers_the_second_says_busy) {
  const auto disk = make_store();
  const auto store = open(disk);
  testing::write(*store, Note{id_of(2), "more"});
  const auto lock = disk->open()->lock(os::LockName::kMaintenance, std::chrono::milliseconds{0});
  CHECK_THROWS(ErrorCode::kStoreBusy, store->checkpoint());
}

TEST(storage_between_closing_and_another_writer_the_close_does_not_fail) {
  const auto disk = make_store();
  const auto store = open(disk);
  store->touch(std::array{id_of(1)}, 9'000);
  const auto lock = disk->open()->lock(os::LockName::kWriter, std::chrono::milliseconds{0});
  store->close();
  CHECK_THROWS(ErrorCode::kStoreClosed, store->snapshot());
}

// Somebody else maintains the store when it is to be re-embedded, and is done while this one waits.
TEST(storage_between_reembed_and_another_maintainer_nobody_may_write) {
  const std::vector<float> vector(4, 0.5F);
  const auto vectors = [&](std::size_t) { return std::span<const float>(vector); };
  for (const bool somebody_writes : {false, true}) {
    const auto disk = make_store();
    auto theirs = disk->open()->lock(os::LockName::kMaintenance, std::chrono::milliseconds{0});
    Hooks hooks;
    int tries = 0;
    hooks.lock = [&](os::LockName name, std::chrono::milliseconds) {
      if (name != os::LockName::kMaintenance || ++tries != 2) return;
      if (somebody_writes) testing::write(*open(disk), Note{id_of(2), "more"});
      theirs.reset();
    };
    const auto store = open(disk, hooks);
    store->begin();
    if (somebody_writes) {
      CHECK_THROWS(ErrorCode::kStoreBusy, store->reembed(4, "other", vectors));
    } else {
      store->reembed(4, "other", vectors);
      CHECK_EQUAL(store->snapshot()->header->dimension, 4U);
    }
    store->end();
  }
}

TEST(storage_between_two_writes_a_crashed_writer_may_leave_half_an_entry) {
  const auto disk = make_store();
  const auto store = open(disk);
  testing::write(*store, Note{id_of(2), "before"});
  const std::string log = store->snapshot()->header->log.name;
  write_in_place(*disk, log, store->snapshot()->position.offset, std::vector<std::byte>(30, std::byte{1}));
  testing::write(*store, Note{id_of(3), "after"});
  const auto contents = testing::contents_of(*open(disk));
  CHECK(contents.contains(id_of(2)) && contents.contains(id_of(3)));
  CHECK(store->snapshot()->header->log.name != log);
}

TEST(storage_between_two_reads_a_read_only_handle_refuses_a_damaged_synced_log) {
  const auto disk = make_store();
  {
    OpenOptions options = testing::options_of(Sync::kFull);
    const auto store = Store::open(disk->open(), options);
    for (std::uint32_t number = 2; number < 5; ++number) testing::write(*store, Note{id_of(number), "text"});
    write_in_place(*disk, "log-2", format::kLogStart + format::kEntryHeaderSize + 4, {std::byte{0x55}});
  }
  OpenOptions options = testing::options_of();
  options.read_only = true;
  CHECK_THROWS(ErrorCode::kCorruptStore, Store::open(disk->open(), options));
}

TEST(storage_between_two_writes_a_touch_of_a_damaged_part_is_dropped) {
  const auto disk = make_store();
  write_in_place(*disk, "state-2", 4096 + 8, {std::byte{1}});
  const auto store = open(disk);
  store->touch(std::array{id_of(1)}, 9'000);
  store->touch({}, 9'000);
  testing::write(*store, Note{id_of(2), "more"});
  CHECK_THROWS(ErrorCode::kCorruptStore, store->snapshot()->find(id_of(2)));  // the new one shares those states
}

TEST(storage_between_two_handles_a_read_only_one_backs_up) {
  const auto disk = make_store();
  OpenOptions options = hasty();
  options.read_only = true;
  const auto store = Store::open(disk->open(), options);
  const auto into = std::make_shared<FaultyDisk>();
  const auto target = into->open();
  store->backup(*target);
  store->touch(std::array{id_of(1)}, 9'000);  // changes nothing
  CHECK(testing::contents_of(*open(into)) == testing::contents_of(*store));
}

}  // namespace hippocore::storage
