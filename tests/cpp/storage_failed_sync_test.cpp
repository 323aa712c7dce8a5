// A sync that fails, and the next one that succeeds although the bytes are gone: nobody trusts that log again, and
// nothing is acknowledged that is not on disk.
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "crash_script.h"
#include "harness.h"
#include "iterations.h"

namespace hippocore::storage {
namespace {

using testing::Change;
using testing::Contents;
using testing::FaultyDisk;
using testing::id_of;
using testing::Loss;
using testing::Model;
using testing::Note;

constexpr FaultyDisk::Plan kNextSyncFails{1, 1, ErrorCode::kInputOutput, Change::kSync};

Note note(std::uint32_t number) {
  return {id_of(number), "note " + std::to_string(number)};
}

std::unique_ptr<Store> open(FaultyDisk& disk) {
  return testing::open_quietly(disk, Sync::kFull);
}

// What may be found: the operations that returned, with or without the one that failed.
class Expectation {
 public:
  void done(const std::function<void(Model&)>& effect) {
    for (Model& model : models_) effect(model);
  }
  void failed(const std::function<void(Model&)>& effect) {
    models_.push_back(models_.back());
    effect(models_.back());
  }
  [[nodiscard]] bool allows(const Contents& contents) const {
    return std::any_of(models_.begin(), models_.end(),
                       [&](const Model& model) { return model.contents() == contents; });
  }

 private:
  std::vector<Model> models_ = {Model{}};
};

struct Step {
  std::function<void(Store&)> act;
  std::function<void(Model&)> expect;
};

std::vector<Step> steps() {
  const auto nothing = [](Model&) {};
  const auto write = [](std::uint32_t number) {
    return Step{[number](Store& store) { testing::write(store, note(number)); },
                [number](Model& model) { model.write(note(number)); }};
  };
  return {write(1),
          {[](Store& store) { store.checkpoint(); }, nothing},
          write(2),
          {[](Store& store) { testing::forget(store, id_of(1)); }, [](Model& model) { model.forget(id_of(1)); }},
          {[](Store& store) { store.compact(); }, nothing},
          write(3),
          {[](Store& store) { store.close(); }, nothing}};
}

void check_power_loss(const FaultyDisk& disk, const Expectation& expectation, const FaultyDisk::Call* call) {
  const bool header = call != nullptr && call->name == "header";  // one crash in twelve garbles a slot
  for (std::uint32_t seed = 0; seed < testing::iterations(header ? 60 : 6); ++seed) {
    const auto left = disk.crashed(seed == 0 ? Loss::kEverything : Loss::kSome, seed, call);
    CHECK(expectation.allows(testing::contents_of(*testing::open_quietly(*left, Sync::kOff, false))));
  }
}

// Whoever writes next, and every crash from there on.
void go_on(FaultyDisk& disk, Store& next, Expectation expectation) {
  Expectation during = expectation;
  const auto write = [&](std::uint32_t number) {
    during.failed([number](Model& model) { model.write(note(number)); });
    testing::write(next, note(number));
    expectation.done([number](Model& model) { model.write(note(number)); });
    during = expectation;
    check_power_loss(disk, expectation, nullptr);
  };
  disk.watch = [&](const FaultyDisk::Call& call) { check_power_loss(disk, during, &call); };
  write(11);
  next.checkpoint();
  write(12);
  disk.watch = nullptr;
}

enum class Next { kOpenedBefore, kOpenedAfter };

// Returns: whether there was such a sync.
bool survives(std::uint64_t sync, Next who) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  const auto before = open(*disk);
  Expectation expectation;
  disk->set_plan({sync, sync, ErrorCode::kInputOutput, Change::kSync});
  for (const Step& step : steps()) {
    try {
      step.act(*store);
      expectation.done(step.expect);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kInputOutput);
      disk->set_plan({});
      expectation.failed(step.expect);
      check_power_loss(*disk, expectation, nullptr);
      go_on(*disk, who == Next::kOpenedBefore ? *before : *open(*disk), expectation);
      return true;
    }
  }
  return false;
}

}  // namespace

TEST(storage_failed_sync_of_any_file_never_loses_what_the_next_process_acknowledges) {
  for (const Next who : {Next::kOpenedBefore, Next::kOpenedAfter}) {
    std::uint64_t sync = 1;
    while (survives(sync, who)) ++sync;
    CHECK(sync > 20);
  }
}

// The second one's sync begins after the first one's has failed, on a log that holds both entries.
TEST(storage_failed_sync_of_another_process_is_not_made_good_by_a_later_one) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto first = testing::open_quietly(*disk, Sync::kOff);
  const auto second = open(*disk);
  testing::write(*first, note(1));
  disk->set_plan(kNextSyncFails);
  bool failed = false;
  disk->watch = [&](const FaultyDisk::Call& call) {
    if (call.change != Change::kSync || failed) return;
    failed = true;
    CHECK_THROWS(ErrorCode::kInputOutput, first->sync());
  };
  CHECK_THROWS(ErrorCode::kInputOutput, testing::write(*second, note(2)));
  disk->watch = nullptr;
  CHECK(failed);
  CHECK_THROWS(ErrorCode::kInputOutput, testing::write(*second, note(3)));
  const auto third = open(*disk);
  testing::write(*third, note(4));
  CHECK_EQUAL(testing::contents_of(*open(*disk->crashed(Loss::kEverything, 1))).size(), 3U);
}

// Both threads have written, the second in a transaction, since plain writes share their syncs; it waits for the first
// one's sync, which fails. So does the mark that is then to be set, so that only the handle knows.
TEST(storage_failed_sync_of_one_thread_is_not_made_good_by_the_next_one) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  const auto reader = open(*disk);
  std::atomic<bool> asked = false;
  std::atomic<int> refused = 0;
  const auto write = [&](std::uint32_t number) {
    try {
      store->begin();
      testing::write(*store, note(number));
      store->end();
    } catch (const Error&) {
      ++refused;
    }
  };
  std::thread other;
  disk->watch = [&](const FaultyDisk::Call& call) {
    if (call.change != Change::kSync || asked.exchange(true)) return;
    other = std::thread([&] { write(2); });
    while (testing::contents_of(*reader).size() < 2) std::this_thread::yield();
    disk->set_plan({1, 2, ErrorCode::kInputOutput, std::nullopt, FaultyDisk::Reach::kNothing});
  };
  write(1);
  other.join();
  disk->watch = nullptr;
  CHECK_EQUAL(refused.load(), 2);
}

// Otherwise the bytes that name store and epoch could be garbled together with the mark.
TEST(storage_failed_sync_marks_the_log_without_putting_it_at_risk) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  testing::write(*store, note(1));
  disk->set_plan(kNextSyncFails);
  disk->watch = [&](const FaultyDisk::Call& call) {
    if (call.change != Change::kWrite) return;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
      const auto left = disk->crashed(Loss::kSome, seed, &call);
      CHECK(testing::contents_of(*open(*left)).contains(id_of(1)));
    }
  };
  CHECK_THROWS(ErrorCode::kInputOutput, testing::write(*store, note(2)));
  disk->watch = nullptr;
}

}  // namespace hippocore::storage
