// One sync for all that wait: the first who asks syncs what was written by then, the others wait for it, and of those
// whose entries came later one syncs for all again.
//
// Threads: any, at once. Nobody waits longer than for the sync under way and one more. After a sync that failed the
// outcome of everything since the one before is unknown: whoever waited is told so, and so is whoever comes later, even
// where the system would say "done" to another try.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "storage/signal.h"

namespace hippocore::storage {

class GroupSync {
 public:
  // Syncs, and says through which sequence. Called by one thread at a time, without a lock.
  using Work = std::function<std::uint64_t()>;

  // Returns: once everything through `sequence` is synced. Throws: what `work` throws; Error{kInputOutput} where it
  // threw before.
  void through(std::uint64_t sequence, const Work& work);

  // Something else made everything through `sequence` survive a power loss: a checkpoint.
  void note(std::uint64_t sequence);

  [[nodiscard]] std::uint64_t synced() const { return synced_; }
  [[nodiscard]] bool failed() const { return failed_; }
  // How many threads wait for another one's sync.
  [[nodiscard]] std::uint32_t waiting() const { return waiting_; }

 private:
  void wait_for_the_one_under_way(std::unique_lock<std::mutex>& lock);
  void sync_for_all(std::unique_lock<std::mutex>& lock, const Work& work);

  std::mutex mutex_;
  std::shared_ptr<Signal> under_way_;  // null while nobody syncs
  std::atomic<std::uint32_t> waiting_{0};
  std::atomic<std::uint64_t> synced_{0};
  std::atomic<bool> failed_{false};
};

}  // namespace hippocore::storage
