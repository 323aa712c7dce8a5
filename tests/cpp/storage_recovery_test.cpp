// A crash in upkeep, then a crash while the next writer makes that good, and so on: what is found is always the state
// that replaying the log gives, and making good again changes nothing.
#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "crash_script.h"
#include "harness.h"
#include "iterations.h"

namespace hippocore::storage {
namespace {

using testing::Contents;
using testing::Dice;
using testing::FaultyDisk;
using testing::id_of;
using testing::Loss;

constexpr std::uint32_t kWider = 16;
constexpr std::size_t kDepth = 3;
constexpr std::uint32_t kCallsOfARecovery = 45;  // about

// Of any dimension: a re-embedding changes it.
std::unique_ptr<Store> open(FaultyDisk& disk, bool create = false) {
  OpenOptions options = create ? testing::options_of(Sync::kFull) : OpenOptions{};
  options.create = create;
  options.sync = Sync::kFull;
  options.background_delay = std::chrono::hours{1};
  options.busy_timeout = std::chrono::milliseconds{0};
  return Store::open(disk.open(), options);
}

Contents found_on(FaultyDisk& disk) {
  return testing::contents_of(*open(disk));
}

using Work = std::function<void(Store&)>;

void reembed(Store& store) {
  std::vector<float> vector;
  const Store::Transaction transaction(store);
  store.reembed(kWider, "wider", [&](std::size_t survivor) {
    vector = testing::vector_of(static_cast<std::uint32_t>(survivor), kWider);
    return std::span<const float>(vector);
  });
}

const std::vector<Work> kWorks = {[](Store& store) { store.checkpoint(); }, [](Store& store) { store.compact(); },
                                  [](Store& store) {  // a purge
                                    testing::forget(store, id_of(3));
                                    store.compact();
                                  },
                                  reembed};

// Memories in files and in the log, old versions and forgotten ones.
std::unique_ptr<Store> make_store(FaultyDisk& disk) {
  auto store = open(disk, true);
  testing::write(*store, testing::notes_from(1, 8));
  store->checkpoint();
  testing::write(*store, {testing::notes_from(2, 1)[0]});
  testing::forget(*store, id_of(5));
  testing::write(*store, testing::notes_from(20, 2));
  return store;
}

// What the next writer does: it settles the header, folds what cannot be appended to, and here writes all files anew.
void recover(Store& store) {
  store.begin();
  store.end();
  store.compact();
}

class Crashes {
 public:
  explicit Crashes(std::vector<Contents> possible) : possible_(std::move(possible)), seen_(kDepth + 1) {}

  // The disk as a crash left it, `depth` crashes after it was whole.
  void look_at(FaultyDisk& left, std::size_t depth) {
    if (!seen_[depth].insert(left.fingerprint()).second) return;
    const Contents found = found_on(left);
    CHECK(std::find(possible_.begin(), possible_.end(), found) != possible_.end());
    CHECK(found_on(left) == found);
    if (depth == kDepth) return;
    left.watch = [&](const FaultyDisk::Call& call) {
      if (dice_.below(kCallsOfARecovery) < testing::iterations(2)) crash(left, &call, depth + 1);
    };
    recover(*open(left));
    left.watch = nullptr;
    CHECK(found_on(left) == found);
    CHECK(found_on(*left.crashed(Loss::kEverything, 1)) == found);
  }
  void crash(const FaultyDisk& disk, const FaultyDisk::Call* call, std::size_t depth) {
    const std::uint32_t subsets = depth == 1 ? testing::iterations(3) : 1;
    look_at(*disk.crashed(Loss::kNothing, ++seed_, call), depth);
    look_at(*disk.crashed(Loss::kEverything, ++seed_, call), depth);
    for (std::uint32_t subset = 0; subset < subsets; ++subset) {
      look_at(*disk.crashed(Loss::kSome, ++seed_, call), depth);
    }
  }
  [[nodiscard]] std::size_t looked_at(std::size_t depth) const { return seen_[depth].size(); }

 private:
  std::vector<Contents> possible_;
  std::vector<std::set<std::uint64_t>> seen_;
  std::uint32_t seed_ = 0;
  Dice dice_{1};
};

// Calls visit(disk, call) at each call of the work, with the states that the store has before and after it.
template <typename Visit>
void watch_work(const Work& work, Visit&& visit) {
  const auto trial = std::make_shared<FaultyDisk>();
  const auto tried = make_store(*trial);
  std::vector<Contents> possible = {testing::contents_of(*tried)};
  work(*tried);
  possible.push_back(testing::contents_of(*tried));
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = make_store(*disk);
  disk->watch = [&](const FaultyDisk::Call& call) { visit(*disk, call, possible); };
  work(*store);
  disk->watch = nullptr;
  CHECK(testing::contents_of(*store) == possible.back());
}

bool is_possible(FaultyDisk& disk, const std::vector<Contents>& possible) {
  return std::find(possible.begin(), possible.end(), found_on(disk)) != possible.end();
}

}  // namespace

TEST(storage_recovery_cut_short_again_and_again_ends_where_the_log_does) {
  for (const Work& work : kWorks) {
    std::unique_ptr<Crashes> crashes;
    watch_work(work, [&](FaultyDisk& disk, const FaultyDisk::Call& call, const std::vector<Contents>& possible) {
      if (crashes == nullptr) crashes = std::make_unique<Crashes>(possible);
      crashes->crash(disk, &call, 1);
    });
    for (std::size_t depth = 1; depth <= kDepth; ++depth) CHECK(crashes->looked_at(depth) > 20);
  }
}

// A process is killed in the middle of a commit, another one writes, the power goes: what it wrote stands in the log of
// the epoch that it saw, and that epoch stands too.
TEST(storage_recovery_writes_nothing_behind_a_commit_that_power_loss_takes_back) {
  for (const Work& work : kWorks) {
    watch_work(work, [](FaultyDisk& disk, const FaultyDisk::Call& call, const std::vector<Contents>&) {
      const auto left = disk.crashed(Loss::kNothing, 0, &call);
      testing::forget(*open(*left), id_of(1));
      CHECK(!found_on(*left->crashed(Loss::kEverything, 0)).contains(id_of(1)));
    });
  }
}

TEST(storage_recovery_from_a_lost_directory_entry_finds_the_old_store_or_the_new_one) {
  std::size_t lost = 0;
  for (const Work& work : kWorks) {
    watch_work(work, [&](FaultyDisk& disk, const FaultyDisk::Call&, const std::vector<Contents>& possible) {
      for (const auto& left : disk.crashed_without_one_name()) {
        ++lost;
        CHECK(is_possible(*left, possible));
        recover(*open(*left));
        CHECK(is_possible(*left, possible));
      }
    });
  }
  CHECK(lost > 100);
}

TEST(storage_recovery_from_a_lost_directory_entry_of_a_new_store_finds_none_or_the_whole_one) {
  const auto disk = std::make_shared<FaultyDisk>();
  std::size_t lost = 0;
  bool created = false;
  disk->watch = [&](const FaultyDisk::Call&) {
    for (const auto& left : disk->crashed_without_one_name()) {
      ++lost;
      try {
        CHECK_EQUAL(found_on(*left).size(), created ? 1U : 0U);
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kStoreNotFound && !created);
      }
      testing::write(*open(*left, true), testing::notes_from(30, 1));
    }
  };
  const auto store = open(*disk, true);
  created = true;
  disk->watch = nullptr;
  CHECK(lost > 20);
  testing::write(*store, testing::notes_from(1, 1));
  CHECK(disk->crashed_without_one_name().empty());
}

// A settled header is written over only where the other slot is on disk, whichever of the two is damaged.
TEST(storage_recovery_of_a_torn_header_never_puts_the_only_good_slot_at_risk) {
  const auto whole = std::make_shared<FaultyDisk>();
  make_store(*whole)->close();
  const Contents right = found_on(*whole);
  for (const std::size_t damaged : {std::size_t{0}, std::size_t{1}}) {
    const auto disk = whole->crashed(Loss::kNothing, 1);
    auto bytes = disk->bytes("header");
    bytes[damaged * format::kHeaderSlotSize + format::kEpochOffset] ^= std::byte{64};
    disk->replace("header", bytes);
    disk->watch = [&](const FaultyDisk::Call& call) {
      for (std::uint32_t seed = 0; seed < 50; ++seed) {
        CHECK(found_on(*disk->crashed(Loss::kSome, seed, &call)) == right);
      }
    };
    const auto store = open(*disk);
    store->begin();
    store->end();
    disk->watch = nullptr;
    bytes = disk->bytes("header");
    CHECK(std::equal(bytes.begin(), bytes.begin() + format::kHeaderSlotSize, bytes.begin() + format::kHeaderSlotSize));
    CHECK(found_on(*disk) == right);
  }
}

}  // namespace hippocore::storage
