// Mutual exclusion of the threads of one handle, with a time limit and an owner.
//
// The operating system's lock keeps other handles out; it cannot tell the threads of one handle apart, so each of its
// locks has a gate before it. Not re-entrant: ask `held_by_this_thread` first.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace hippocore::storage {

class Gate {
 public:
  // Returns: whether the gate was free within the timeout and is now this thread's.
  [[nodiscard]] bool acquire(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    // The system clock: waiting on it is one plain pthread call, which thread sanitizers know.
    const auto deadline = std::chrono::system_clock::now() + timeout;
    if (!free_.wait_until(lock, deadline, [this] { return owner_ == std::thread::id{}; })) return false;
    owner_ = std::this_thread::get_id();
    return true;
  }

  // Requires: held_by_this_thread().
  void release() {
    {
      const std::lock_guard lock(mutex_);
      owner_ = {};
    }
    free_.notify_one();
  }

  // A gate held for a scope. Empty when it could not be had in time.
  struct Release {
    void operator()(Gate* gate) const { gate->release(); }
  };
  using Lease = std::unique_ptr<Gate, Release>;
  [[nodiscard]] Lease lease(std::chrono::milliseconds timeout) { return Lease(acquire(timeout) ? this : nullptr); }

  [[nodiscard]] bool held_by_this_thread() const {
    const std::lock_guard lock(mutex_);
    return owner_ == std::this_thread::get_id();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable free_;
  std::thread::id owner_;
};

}  // namespace hippocore::storage
