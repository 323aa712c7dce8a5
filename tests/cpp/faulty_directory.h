// A disk in memory that can fail, and lose what was not synced: the test double at the seam os/file.h.
//
// A `FaultyDisk` keeps, for each file, what the running system sees and what would survive a power loss: bytes become
// durable by a sync of their file, names by a sync of the directory. Every call that would change the disk is counted
// and shown to `watch` first, and can be made to fail. Several handles may have one disk open, as processes do; used
// from one thread at a time, but for the background thread of a store.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "faulty_file.h"
#include "os/file.h"

namespace hippocore::testing {

enum class Change { kWrite, kAllocate, kSync, kCreate, kRemove, kSyncDirectory };

// What a crash leaves of the bytes and names that were not synced.
enum class Loss {
  kNothing,     // a killed process: the system writes everything in the end, but it is not durable yet
  kEverything,  // a power loss before any of it was written
  kSome,        // a power loss after some sectors and names were, in any order
};

class FaultyDisk : public std::enable_shared_from_this<FaultyDisk> {
 public:
  struct Call {
    Change change;
    std::string name;
    std::uint64_t offset = 0;
    std::span<const std::byte> bytes = {};
  };
  // How much of a write that fails is in the file.
  enum class Reach { kNothing, kHalf };
  // Of the calls that are such a `change`, or of all, number `first` to `last`, counted from 1 since the plan was set,
  // fail with `code`. A sync that fails loses what it should have kept, as faulty_file.h says.
  struct Plan {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    ErrorCode code = ErrorCode::kStoreFull;
    std::optional<Change> change = std::nullopt;
    Reach reach = Reach::kHalf;
  };

  // Called before each change, which a crash at this moment would have left half done.
  std::function<void(const Call&)> watch;

  [[nodiscard]] std::unique_ptr<os::Directory> open();
  void set_plan(const Plan& plan);
  // Returns: how many calls the plan has counted.
  [[nodiscard]] std::uint64_t calls() const noexcept { return calls_; }

  // Returns: a disk as a crash would leave this one, during `call` if one is given.
  [[nodiscard]] std::shared_ptr<FaultyDisk> crashed(Loss loss, std::uint32_t seed, const Call* call = nullptr) const;

  // Returns: for each creation or removal of a name that no sync of the directory made durable, the disk as a crash
  // would leave it that kept every byte and every name but this one.
  [[nodiscard]] std::vector<std::shared_ptr<FaultyDisk>> crashed_without_one_name() const;
  // Returns: a number that differs where what is seen or what is durable does.
  [[nodiscard]] std::uint64_t fingerprint() const;

  [[nodiscard]] std::vector<std::string> names() const;
  // Returns: a file's bytes as the running system sees them.
  [[nodiscard]] std::vector<std::byte> bytes(const std::string& name) const;
  // Puts durable bytes in place of a file's.
  void replace(const std::string& name, std::span<const std::byte> bytes);

 private:
  friend class FaultyHandle;
  friend class FaultyDirectory;
  using Names = std::map<std::string, std::shared_ptr<FaultyFile>, std::less<>>;

  enum class Outcome { kDone, kHalf, kFailed };
  void change(const Call& call, const std::function<void(Outcome)>& make);

  mutable std::mutex mutex_;
  Names seen_;
  Names durable_;
  std::set<os::LockName> held_;
  std::uint64_t calls_ = 0;
  Plan plan_;
};

}  // namespace hippocore::testing
