#include "storage/group_sync.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/error.h"

namespace hippocore::storage {

void GroupSync::through(std::uint64_t sequence, const Work& work) {
  if (synced_ >= sequence) return;
  std::unique_lock lock(mutex_);
  while (synced_ < sequence) {
    if (failed_) throw Error(ErrorCode::kInputOutput, "an earlier sync failed; what was written since may be lost");
    under_way_ == nullptr ? sync_for_all(lock, work) : wait_for_the_one_under_way(lock);
  }
}

void GroupSync::wait_for_the_one_under_way(std::unique_lock<std::mutex>& lock) {
  const auto under_way = under_way_;
  ++waiting_;
  lock.unlock();
  under_way->wait();
  lock.lock();
  --waiting_;
}

void GroupSync::sync_for_all(std::unique_lock<std::mutex>& lock, const Work& work) {
  under_way_ = std::make_shared<Signal>();
  lock.unlock();
  std::exception_ptr failure;
  try {
    note(work());
  } catch (...) {
    failure = std::current_exception();
    failed_ = true;
  }
  lock.lock();
  std::exchange(under_way_, nullptr)->set();
  if (failure) std::rethrow_exception(failure);
}

void GroupSync::note(std::uint64_t sequence) {
  const std::lock_guard lock(mutex_);
  synced_ = std::max(synced_.load(), sequence);
}

}  // namespace hippocore::storage
