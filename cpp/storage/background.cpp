#include "storage/background.h"

#include <system_error>
#include <utility>

namespace hippocore::storage {

Background::Background(std::chrono::milliseconds delay, std::function<void()> task)
    : shared_(std::make_unique<Shared>()) {
  shared_->delay = delay;
  shared_->task = std::move(task);
}

bool Background::ask(bool at_once) {
  const std::lock_guard lock(shared_->mutex);
  if (shared_->stopping || !shared_->start()) return false;
  if (shared_->asked && (shared_->at_once || !at_once)) return true;
  shared_->asked = true;
  shared_->at_once = at_once;
  shared_->changed.notify_one();
  return true;
}

bool Background::Shared::start() {
  if (thread.joinable()) return true;
  try {
    thread = std::thread([this] { run(); });
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

void Background::Shared::run() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return asked || stopping; });
    if (stopping) return;
    const auto due = std::chrono::system_clock::now() + delay;
    changed.wait_until(lock, due, [this] { return at_once || stopping; });
    if (stopping) return;
    asked = at_once = false;
    lock.unlock();
    task();
    lock.lock();
  }
}

void Background::stop() {
  if (shared_ == nullptr) return;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stopping = true;
    shared_->changed.notify_one();
  }
  if (shared_->thread.joinable()) shared_->thread.join();
}

// Destroying a condition variable that a thread waits on would wait for that thread, which a child does not have.
void Background::abandon() noexcept {
  static_cast<void>(shared_.release());
}

}  // namespace hippocore::storage
