#include "storage/background.h"

namespace hippocore::storage {

void Background::ask(bool at_once) {
  const std::lock_guard lock(mutex_);
  if (stopping_ || (asked_ && (at_once_ || !at_once))) return;
  asked_ = true;
  at_once_ = at_once_ || at_once;
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_one();
}

void Background::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return asked_ || stopping_; });
    if (stopping_) return;
    const auto due = std::chrono::system_clock::now() + delay_;
    changed_.wait_until(lock, due, [this] { return at_once_ || stopping_; });
    if (stopping_) return;
    asked_ = at_once_ = false;
    lock.unlock();
    task_();
    lock.lock();
  }
}

void Background::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void Background::abandon() {
  if (thread_.joinable()) thread_.detach();
}

}  // namespace hippocore::storage
