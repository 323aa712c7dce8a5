// A crash at every call that a store makes to the disk, in the middle of it too: what a later open finds is the state
// after some prefix of what was asked for, never less than what was promised.
#include <vector>

#include "faulty_directory.h"
#include "harness.h"
#include "store_fixture.h"

namespace hippocore::storage {
namespace {

using testing::Contents;
using testing::FaultyDisk;
using testing::id_of;
using testing::Loss;
using testing::Note;

std::unique_ptr<Store> open(FaultyDisk& disk, Sync sync) {
  OpenOptions options = testing::options_of(sync);
  options.busy_timeout = std::chrono::milliseconds{0};
  return Store::open(disk.open(), options);
}

// A store and its model, driven together. `states[k]` is what the store holds after k operations.
class Run {
 public:
  explicit Run(Sync sync) : sync_(sync) {}

  std::shared_ptr<FaultyDisk> disk = std::make_shared<FaultyDisk>();
  std::vector<Contents> states = {Contents{}};
  std::size_t acknowledged = 0;
  std::size_t synced = 0;
  bool created = false;  // whether opening was acknowledged

  void open_store() {
    store_ = open(*disk, sync_);
    created = true;
  }
  void close_store() {
    store_->close();
    store_.reset();
    synced = acknowledged;
  }
  void sync() {
    store_->sync();
    synced = acknowledged;
  }
  void checkpoint() {
    store_->checkpoint();
    synced = acknowledged;
  }
  void compact() {
    store_->compact();
    synced = acknowledged;
  }
  void write(const std::vector<Note>& notes) {
    for (const Note& note : notes) model_.write(note);
    issue([&] { testing::write(*store_, notes); });
  }
  void change(std::uint32_t id, double importance) {
    model_.change(id_of(id), importance);
    issue([&] { testing::change(*store_, id_of(id), importance); });
  }
  void forget(std::uint32_t id) {
    model_.forget(id_of(id));
    issue([&] { testing::forget(*store_, id_of(id)); });
  }
  // Returns: whether the contents are those after a number of operations that a crash may leave.
  [[nodiscard]] bool may_be_left(const Contents& contents, Loss loss) const {
    const std::size_t least = loss == Loss::kNothing ? acknowledged : synced;
    for (std::size_t k = least; k < states.size(); ++k) {
      if (states[k] == contents) return true;
    }
    return false;
  }

 private:
  template <typename Call>
  void issue(Call&& call) {
    states.push_back(model_.contents());
    call();
    acknowledged = states.size() - 1;
    if (sync_ == Sync::kFull) synced = acknowledged;
  }

  Sync sync_;
  testing::Model model_;
  std::unique_ptr<Store> store_;
};

std::vector<Note> batch(std::uint32_t first, std::uint32_t count) {
  std::vector<Note> notes;
  for (std::uint32_t number = first; number < first + count; ++number) {
    notes.push_back({id_of(number),
                     "note " + std::to_string(number),
                     1,
                     "scope " + std::to_string(number % 3),
                     number % 2 == 0 ? "fact" : "episode",
                     number % 4 == 0 ? "source" : "",
                     {"tag", "odd"},
                     100});
  }
  return notes;
}

enum class Size { kSmall, kPastAChunk };

// About sixty operations in which every way of changing the files comes more than once.
void play(Run& run, Size size) {
  run.open_store();
  for (std::uint32_t number = 0; number < 8; ++number) run.write(batch(number, 1));
  run.checkpoint();
  run.write({{id_of(3), "three again", 2, "scope 0", "fact", "", {}, 200}});
  run.forget(1);
  run.change(2, 0.9);
  run.sync();
  run.write(batch(100, 70));
  run.close_store();
  run.open_store();
  run.forget(4);
  run.checkpoint();
  for (std::uint32_t number = 10; number < 20; ++number) run.write(batch(number, 1));
  run.compact();
  run.write(batch(1, 1));
  run.change(1, 0.1);
  run.write({{id_of(3), "three at last", 3, "scope 0", "fact", "", {}, 300}});
  run.checkpoint();
  run.compact();
  for (std::uint32_t number = 30; number < 36; ++number) run.write(batch(number, 1));
  run.close_store();
  run.open_store();
  run.change(30, 0.25);
  if (size == Size::kPastAChunk) run.write(batch(200, 900));
  run.checkpoint();
  run.forget(30);
  run.compact();
  run.close_store();
}

void check_left(const Run& run, FaultyDisk& left, Loss loss) {
  std::unique_ptr<Store> store;
  try {
    OpenOptions options = testing::options_of();
    options.create = false;
    store = Store::open(left.open(), options);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kStoreNotFound && !run.created) return;
    throw;
  }
  CHECK(run.may_be_left(testing::contents_of(*store), loss));
}

template <typename Visit>
void for_each_crash(Run& run, Size size, Visit&& visit) {
  std::uint32_t seed = 0;
  run.disk->watch = [&](const FaultyDisk::Call& call) {
    for (const Loss loss : {Loss::kNothing, Loss::kEverything, Loss::kSome}) {
      const auto left = run.disk->crashed(loss, ++seed, &call);
      visit(*left, loss, call);
    }
  };
  play(run, size);
  run.disk->watch = nullptr;
}

// A second life after the crash, which may end in a crash as well: the next one finds all of the first and what was
// acknowledged in the second.
void live_on(FaultyDisk& left) {
  const Contents before = testing::contents_of(*open(left, Sync::kFull));
  Run second(Sync::kFull);
  const Note note{id_of(9'999), "after the crash"};
  Contents after = before;
  testing::Model model;
  model.write(note);
  after[note.id] = model.contents().at(note.id);
  bool acknowledged = false;
  std::uint32_t seed = 0;
  left.watch = [&](const FaultyDisk::Call& call) {
    const Loss loss = std::array{Loss::kEverything, Loss::kSome}[++seed % 2];
    const auto twice = left.crashed(loss, seed, &call);
    const Contents found = testing::contents_of(*open(*twice, Sync::kFull));
    CHECK(found == after || (!acknowledged && found.size() <= before.size()));
  };
  {
    const auto store = open(left, Sync::kFull);
    testing::write(*store, note);
    acknowledged = true;
    store->checkpoint();
  }
  left.watch = nullptr;
  CHECK(testing::contents_of(*open(left, Sync::kFull)) == after);
}

}  // namespace

TEST(storage_crash_at_any_call_leaves_all_that_was_acknowledged_with_full_sync) {
  Run run(Sync::kFull);
  for_each_crash(run, Size::kPastAChunk,
                 [&](FaultyDisk& left, Loss loss, const FaultyDisk::Call&) { check_left(run, left, loss); });
}

TEST(storage_crash_at_any_call_leaves_a_prefix_without_sync) {
  Run run(Sync::kOff);
  for_each_crash(run, Size::kSmall,
                 [&](FaultyDisk& left, Loss loss, const FaultyDisk::Call&) { check_left(run, left, loss); });
}

// A process killed while it commits may leave a checkpoint that others see and that is not on disk yet.
TEST(storage_crash_after_a_crash_loses_nothing_that_was_acknowledged_between) {
  Run run(Sync::kFull);
  std::uint32_t crashes = 0;
  for_each_crash(run, Size::kSmall, [&](FaultyDisk& left, Loss loss, const FaultyDisk::Call& call) {
    const bool commits = call.name == "header" && call.change == testing::Change::kSync && loss == Loss::kNothing;
    if (run.created && (commits || ++crashes % 61 == 0)) live_on(left);
  });
}

}  // namespace hippocore::storage
