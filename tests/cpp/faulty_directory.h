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

#include "os/file.h"

namespace hippocore::testing {

enum class Change { kWrite, kAllocate, kSync, kCreate, kRemove, kSyncDirectory };

// What a crash leaves of the bytes and names that were not synced.
enum class Loss {
  kNothing,     // a killed process: the system writes everything in the end, but it is not durable yet
  kEverything,  // a power loss before any of it was written
  kSome,        // a power loss after some sectors and names were, in any order
};

class FaultyFile;  // the bytes of one file; lives as long as a name, a handle or a mapping

class FaultyDisk : public std::enable_shared_from_this<FaultyDisk> {
 public:
  struct Call {
    Change change;
    std::string name;
    std::uint64_t offset = 0;
    std::span<const std::byte> bytes = {};
  };
  // Of the calls that are such a `change`, or of all, number `first` to `last`, counted from 1 since the plan was set,
  // fail with `code`. A write that fails has written its first half.
  struct Plan {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    ErrorCode code = ErrorCode::kStoreFull;
    std::optional<Change> change;
  };

  // Called before each change, which a crash at this moment would have left half done.
  std::function<void(const Call&)> watch;

  [[nodiscard]] std::unique_ptr<os::Directory> open();
  void set_plan(const Plan& plan);
  // Returns: how many calls the plan has counted.
  [[nodiscard]] std::uint64_t calls() const noexcept { return calls_; }

  // Returns: a disk as a crash would leave this one, during `call` if one is given.
  [[nodiscard]] std::shared_ptr<FaultyDisk> crashed(Loss loss, std::uint32_t seed, const Call* call = nullptr) const;

  [[nodiscard]] std::vector<std::string> names() const;
  // Returns: a file's bytes as the running system sees them.
  [[nodiscard]] std::vector<std::byte> bytes(const std::string& name) const;
  // Puts durable bytes in place of a file's.
  void replace(const std::string& name, std::span<const std::byte> bytes);

 private:
  friend class FaultyHandle;
  friend class FaultyDirectory;
  using Names = std::map<std::string, std::shared_ptr<FaultyFile>, std::less<>>;

  void change(const Call& call, const std::function<void(bool half)>& make);

  mutable std::mutex mutex_;
  Names seen_;
  Names durable_;
  std::set<os::LockName> held_;
  std::uint64_t calls_ = 0;
  Plan plan_;
};

}  // namespace hippocore::testing
