// A crash at every call that a store makes to the disk, in the middle of it too: what a later open finds is the state
// after some prefix of what was asked for, never less than what was promised.
#include <set>
#include <tuple>

#include "crash_script.h"
#include "harness.h"
#include "iterations.h"

namespace hippocore::storage {
namespace {

using testing::Contents;
using testing::CrashScript;
using testing::FaultyDisk;
using testing::Loss;

constexpr std::uint32_t kOperations = 200;
constexpr std::uint32_t kSubsets = 20;

void check_left(const CrashScript& script, FaultyDisk& left, Loss loss) {
  std::unique_ptr<Store> store;
  try {
    store = testing::open_quietly(left, Sync::kOff, false);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kStoreNotFound && !script.created) return;
    throw;
  }
  CHECK(script.may_be_left(testing::contents_of(*store), loss));
}

// Crashes at one moment: a killed process, a power loss that took all, and many that took some. Most of them leave the
// same when little was pending, and are looked at once.
class Crashes {
 public:
  Crashes(const CrashScript& script, std::uint32_t subsets) : script_(script), subsets_(subsets) {}

  void at(const FaultyDisk::Call* call) {
    crash(Loss::kNothing, call);
    crash(Loss::kEverything, call);
    for (std::uint32_t subset = 0; subset < subsets_; ++subset) crash(Loss::kSome, call);
  }
  [[nodiscard]] std::size_t looked_at() const { return looked_at_; }

 private:
  void crash(Loss loss, const FaultyDisk::Call* call) {
    const auto left = script_.disk->crashed(loss, ++seed_, call);
    const auto expected = std::pair(script_.least(loss), script_.states.size());
    if (expected != expected_) seen_.clear();
    expected_ = expected;
    if (!seen_.insert(left->fingerprint()).second) return;
    ++looked_at_;
    check_left(script_, *left, loss);
  }

  const CrashScript& script_;
  std::uint32_t subsets_;
  std::uint32_t seed_ = 0;
  std::pair<std::size_t, std::size_t> expected_;
  std::set<std::uint64_t> seen_;
  std::size_t looked_at_ = 0;
};

void crash_everywhere(Sync sync) {
  CrashScript script(sync);
  Crashes crashes(script, testing::iterations(kSubsets));
  script.disk->watch = [&](const FaultyDisk::Call& call) { crashes.at(&call); };
  script.play(kOperations, 1);
  script.disk->watch = nullptr;
  crashes.at(nullptr);
  CHECK(script.states.size() > kOperations / 2 && crashes.looked_at() > kOperations);
}

}  // namespace

TEST(storage_crash_at_any_call_leaves_all_that_was_acknowledged_with_full_sync) {
  crash_everywhere(Sync::kFull);
}

TEST(storage_crash_at_any_call_leaves_all_until_the_last_round_of_the_background_with_normal_sync) {
  crash_everywhere(Sync::kNormal);
}

TEST(storage_crash_at_any_call_leaves_a_prefix_without_sync) {
  crash_everywhere(Sync::kOff);
}

TEST(storage_crash_while_chunks_are_sealed_leaves_all_that_was_acknowledged) {
  CrashScript script(Sync::kFull);
  Crashes crashes(script, 2);
  script.open();
  script.write(testing::notes_from(1, 200));
  script.checkpoint();
  script.write(testing::notes_from(1'000, 900));
  script.disk->watch = [&](const FaultyDisk::Call& call) { crashes.at(&call); };
  script.checkpoint();
  script.forget(30);
  script.compact();
  script.close();
  script.disk->watch = nullptr;
}

}  // namespace hippocore::storage
