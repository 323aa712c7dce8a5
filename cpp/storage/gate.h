// Mutual exclusion of the threads of one handle, with a time limit and an owner.
//
// The operating system's lock keeps other handles out; it cannot tell the threads of one handle apart, so each of its
// locks has a gate before it. Not re-entrant: ask `held_by_this_thread` first. Needs no destruction, so that a forked
// child can let go of one that a thread of its parent held or waited for.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>

namespace hippocore::storage {

class Gate {
 public:
  // Returns: whether the gate was free within the timeout and is now this thread's.
  // Requires: not held_by_this_thread().
  [[nodiscard]] bool acquire(std::chrono::milliseconds timeout) {
    // The system clock: waiting on it is one plain pthread call, which thread sanitizers know.
    if (!mutex_.try_lock_until(std::chrono::system_clock::now() + timeout)) return false;
    owner_ = std::this_thread::get_id();
    return true;
  }

  // Requires: held_by_this_thread().
  void release() {
    owner_ = std::thread::id{};
    mutex_.unlock();
  }

  // A gate held for a scope. Empty when it could not be had in time.
  struct Release {
    void operator()(Gate* gate) const { gate->release(); }
  };
  using Lease = std::unique_ptr<Gate, Release>;
  [[nodiscard]] Lease lease(std::chrono::milliseconds timeout) { return Lease(acquire(timeout) ? this : nullptr); }

  [[nodiscard]] bool held_by_this_thread() const { return owner_ == std::this_thread::get_id(); }

 private:
  std::timed_mutex mutex_;
  std::atomic<std::thread::id> owner_;
};

}  // namespace hippocore::storage
