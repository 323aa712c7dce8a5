// A disk that refuses one call, for every call of a run: the error is named, what was visible stays, and the store
// works once the disk does again.
#include <functional>
#include <vector>

#include "faulty_directory.h"
#include "harness.h"
#include "store_fixture.h"

namespace hippocore::storage {
namespace {

using testing::Change;
using testing::Contents;
using testing::FaultyDisk;
using testing::id_of;
using testing::Note;
using Reach = FaultyDisk::Reach;

struct Step {
  std::function<void(Store&)> act;
  std::function<void(testing::Model&)> expect;
};

Note note(std::uint32_t number, std::size_t length) {
  return {id_of(number), std::string(length, static_cast<char>('a' + number % 26))};
}

Step write_step(const Note& written) {
  return {[written](Store& store) { testing::write(store, written); },
          [written](testing::Model& model) { model.write(written); }};
}

// Small writes, one that makes the log grow, and every kind of upkeep.
std::vector<Step> steps() {
  const auto nothing = [](testing::Model&) {};
  return {
      write_step(note(1, 10)),
      {[](Store& store) { store.checkpoint(); }, nothing},
      write_step(note(2, 70'000)),
      {[](Store& store) { testing::forget(store, id_of(1)); }, [](testing::Model& model) { model.forget(id_of(1)); }},
      {[](Store& store) { store.compact(); }, nothing},
      write_step(note(3, 10)),
      {[](Store& store) { store.checkpoint(); }, nothing}};
}

std::unique_ptr<Store> open(FaultyDisk& disk) {
  return Store::open(disk.open(), testing::options_of(Sync::kOff));
}

// By a handle that makes no call of its own.
Contents read(FaultyDisk& disk) {
  OpenOptions options = testing::options_of();
  options.read_only = true;
  return testing::contents_of(*Store::open(disk.open(), options));
}

// Returns: whether the plan's call came, and so an error.
bool survives(const FaultyDisk::Plan& plan) {
  const auto disk = std::make_shared<FaultyDisk>();
  auto store = open(*disk);
  testing::Model model;
  bool came = false;
  disk->set_plan(plan);
  for (const Step& step : steps()) {
    const Contents before = model.contents();
    try {
      step.act(*store);
    } catch (const Error& error) {
      came = true;
      CHECK(error.code() == plan.code);
      CHECK(testing::contents_of(*store) == before);
      disk->set_plan({});  // space again
      step.act(*store);
    }
    step.expect(model);
    CHECK(testing::contents_of(*store) == model.contents());
    CHECK(read(*disk) == model.contents());
  }
  store->close();
  CHECK(read(*disk) == model.contents());
  return came;
}

}  // namespace

// Row 44 of the field cases.
TEST(storage_faults_of_a_full_disk_change_nothing_and_pass) {
  for (const Change change : {Change::kWrite, Change::kAllocate, Change::kCreate}) {
    for (const Reach reach : {Reach::kNothing, Reach::kHalf}) {
      std::uint64_t call = 1;
      while (survives({call, call, ErrorCode::kStoreFull, change, reach})) ++call;
      CHECK(call > 10);
    }
  }
}

TEST(storage_faults_of_any_single_call_change_nothing_and_pass) {
  for (const Reach reach : {Reach::kNothing, Reach::kHalf}) {
    std::uint64_t call = 1;
    while (survives({call, call, ErrorCode::kInputOutput, std::nullopt, reach})) ++call;
    CHECK(call > 100);
  }
}

// While the disk stays full, nothing gets worse.
TEST(storage_faults_that_last_leave_every_read_working) {
  for (std::uint64_t first = 1; first < 150; ++first) {
    const auto disk = std::make_shared<FaultyDisk>();
    auto store = open(*disk);
    testing::Model model;
    disk->set_plan({first, ~std::uint64_t{0}, ErrorCode::kStoreFull, std::nullopt});
    for (const Step& step : steps()) {
      try {
        step.act(*store);
        step.expect(model);
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kStoreFull);
      }
      CHECK(testing::contents_of(*store) == model.contents());
    }
    store.reset();
    disk->set_plan({});
    CHECK(read(*disk) == model.contents());
    testing::write(*open(*disk), note(9, 9));
  }
}

TEST(storage_faults_of_a_checkpoint_give_the_space_back) {
  for (std::uint64_t call = 1; call < 60; ++call) {
    const auto disk = std::make_shared<FaultyDisk>();
    const auto store = open(*disk);
    testing::write(*store, note(1, 10));
    const auto before = disk->names();
    disk->set_plan({call, call, ErrorCode::kStoreFull, Change::kAllocate});
    try {
      store->compact();
      return;  // no such call any more
    } catch (const Error&) {
      CHECK(disk->names() == before);
    }
  }
  CHECK(false);
}

// The outcome of the write is unknown then, so nobody may write behind it.
TEST(storage_faults_of_a_sync_end_the_handles_writes_and_the_next_one_moves_everything) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = Store::open(disk->open(), testing::options_of(Sync::kFull));
  testing::write(*store, note(1, 10));
  disk->set_plan({1, 1, ErrorCode::kInputOutput, Change::kSync});
  CHECK_THROWS(ErrorCode::kInputOutput, testing::write(*store, note(2, 10)));
  CHECK_THROWS(ErrorCode::kInputOutput, testing::write(*store, note(3, 10)));
  CHECK_THROWS(ErrorCode::kInputOutput, store->checkpoint());
  const Contents visible = testing::contents_of(*store);
  CHECK_EQUAL(visible.size(), 2U);
  store->close();
  const auto next = open(*disk);
  const auto epoch = next->snapshot()->header->epoch;
  CHECK(testing::contents_of(*next) == visible);
  testing::write(*next, note(4, 10));
  CHECK_EQUAL(next->snapshot()->header->epoch, epoch + 1);
  CHECK_EQUAL(read(*disk).size(), 3U);
}

TEST(storage_faults_within_a_transaction_do_not_write_behind_half_an_entry) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  testing::write(*store, note(1, 10));
  store->begin();
  disk->set_plan({1, 1, ErrorCode::kStoreFull, Change::kWrite});
  CHECK_THROWS(ErrorCode::kStoreFull, testing::write(*store, note(2, 500)));
  CHECK_THROWS(ErrorCode::kInputOutput, testing::write(*store, note(3, 10)));
  store->end();
  testing::write(*store, note(4, 10));
  CHECK_EQUAL(read(*disk).size(), 2U);
}

TEST(storage_faults_while_a_store_is_made_leave_a_place_where_one_can_be_made) {
  for (std::uint64_t call = 1; call < 100; ++call) {
    const auto disk = std::make_shared<FaultyDisk>();
    disk->set_plan({call, call, ErrorCode::kStoreFull, std::nullopt});
    try {
      static_cast<void>(open(*disk));
      return;  // no such call any more
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kStoreFull);
    }
    testing::write(*open(*disk), note(1, 10));
    CHECK_EQUAL(read(*disk).size(), 1U);
  }
  CHECK(false);
}

TEST(storage_faults_keep_queued_touches_for_the_next_write) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  testing::write(*store, note(1, 10));
  disk->set_plan({1, 1'000, ErrorCode::kStoreFull, Change::kWrite});
  store->touch(std::array{id_of(1)}, 5'000);
  CHECK_THROWS(ErrorCode::kStoreFull, store->write({}));
  disk->set_plan({});
  store->write({});
  CHECK_EQUAL(testing::contents_of(*store).at(id_of(1)).back().uses, 1U);
}

}  // namespace hippocore::storage
