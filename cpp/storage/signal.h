// Something that happens once, and threads that wait for it.
//
// Hold it by a shared pointer, each thread that waits its own: so what a forked child destroys is never one that its
// parent's threads wait for, which would not end.
#pragma once

#include <condition_variable>
#include <mutex>

namespace hippocore::storage {

class Signal {
 public:
  void set() {
    const std::lock_guard lock(mutex_);
    happened_ = true;
    changed_.notify_all();
  }

  // Returns: once it is set.
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return happened_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool happened_ = false;
};

}  // namespace hippocore::storage
