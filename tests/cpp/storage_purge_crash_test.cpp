// A purge that a crash cuts short, in every place where bytes can be: once it was repeated, or had returned before the
// crash, no file of the disk holds a byte of what is gone.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "crash_script.h"
#include "harness.h"
#include "iterations.h"
#include "purge_canary.h"

namespace hippocore::storage {
namespace {

using testing::canary;
using testing::FaultyDisk;
using testing::Loss;
using testing::Note;

bool holds(const FaultyDisk& disk, std::string_view trace) {
  for (const std::string& name : disk.names()) {
    const auto bytes = disk.bytes(name);
    if (as_text(bytes).find(trace) != std::string_view::npos) return true;
  }
  return false;
}

void check_no_trace(const FaultyDisk& disk) {
  const auto after_power_loss = disk.crashed(Loss::kEverything, 1);
  for (const std::string& trace : testing::traces()) CHECK(!holds(disk, trace) && !holds(*after_power_loss, trace));
}

void purge(Store& store) {
  const auto root = store.snapshot();
  if (root->find(canary().id) != kNoSlot) testing::forget(store, canary().id);
  store.compact();
}

void write_others(Store& store, std::uint32_t count) {
  testing::write(store, testing::notes_from(1, count));
}

struct Place {
  std::function<void(Store&)> fill;
};

std::vector<Place> places() {
  const auto again = [](Store& store) {
    Note next = canary();
    next.version = 2;
    next.content += " again";
    testing::write(store, next);
    store.touch(std::array{next.id}, 5'000);
    store.write({});
  };
  return {{[](Store& store) { testing::write(store, canary()); }},  // the log
          {[](Store& store) {                                       // tail, payload, index names
            testing::write(store, canary());
            store.checkpoint();
          }},
          {[again](Store& store) {  // old versions, in files and in the log
            testing::write(store, canary());
            store.checkpoint();
            again(store);
          }},
          {[again](Store& store) {  // sealed records, and a payload that a second checkpoint went on with
            testing::write(store, canary());
            write_others(store, 1'030);
            store.checkpoint();
            again(store);
            store.checkpoint();
          }}};
}

// Returns: how many crashes still held a trace, so that there was something to purge again.
std::size_t crash_and_purge_again(const FaultyDisk& disk, const FaultyDisk::Call& call, std::uint32_t seed) {
  std::size_t held = 0;
  for (const Loss loss : {Loss::kNothing, Loss::kEverything, Loss::kSome}) {
    const auto left = disk.crashed(loss, seed, &call);
    if (holds(*left, testing::kCanary)) ++held;
    purge(*testing::open_quietly(*left, Sync::kOff, false));
    check_no_trace(*left);
  }
  return held;
}

}  // namespace

TEST(storage_purge_that_a_crash_cut_short_leaves_no_byte_once_it_is_repeated) {
  std::uint32_t seed = 0;
  for (const Place& place : places()) {
    const auto disk = std::make_shared<FaultyDisk>();
    const auto store = testing::open_quietly(*disk, Sync::kNormal);
    write_others(*store, 3);
    place.fill(*store);
    std::size_t held = 0;
    disk->watch = [&](const FaultyDisk::Call& call) { held += crash_and_purge_again(*disk, call, ++seed); };
    purge(*store);
    disk->watch = nullptr;
    CHECK(held > 10);
  }
}

TEST(storage_purge_that_returned_leaves_no_byte_after_any_crash) {
  for (const Place& place : places()) {
    const auto disk = std::make_shared<FaultyDisk>();
    const auto store = testing::open_quietly(*disk, Sync::kOff);
    write_others(*store, 3);
    place.fill(*store);
    purge(*store);
    std::uint32_t seed = 0;
    const auto crash = [&](const FaultyDisk::Call* call) {
      for (std::uint32_t subset = 0; subset < testing::iterations(5); ++subset) {
        check_no_trace(*disk->crashed(Loss::kSome, ++seed, call));
      }
      check_no_trace(*disk->crashed(Loss::kNothing, ++seed, call));
    };
    crash(nullptr);
    disk->watch = [&](const FaultyDisk::Call& call) { crash(&call); };
    testing::write(*store, Note{testing::id_of(77), "later"});
    store->checkpoint();
    disk->watch = nullptr;
  }
}

// What a checkpoint that failed, or was cut short, left behind its committed bytes and under names of its own.
TEST(storage_purge_leaves_no_byte_in_what_an_unfinished_checkpoint_left) {
  const auto disk = std::make_shared<FaultyDisk>();
  std::vector<std::shared_ptr<FaultyDisk>> all;
  const auto store = testing::open_quietly(*disk, Sync::kFull);
  write_others(*store, 3);
  testing::write(*store, canary());
  disk->watch = [&](const FaultyDisk::Call& call) { all.push_back(disk->crashed(Loss::kNothing, 1, &call)); };
  store->checkpoint();
  disk->watch = nullptr;
  for (const auto& left : all) {
    purge(*testing::open_quietly(*left, Sync::kOff, false));
    check_no_trace(*left);
  }
}

}  // namespace hippocore::storage
