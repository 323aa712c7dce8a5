#include "storage/group_write.h"

#include <algorithm>
#include <utility>

namespace hippocore::storage {

std::shared_ptr<GroupWrite::Write> GroupWrite::join(std::span<const std::byte> operations) {
  auto own = std::make_shared<Write>(operations);
  {
    const std::lock_guard lock(mutex_);
    line_.push_back(own);
    if (!led_) {
      led_ = true;
      return own;
    }
  }
  own->turn_.wait();
  if (own->leads_) return own;
  if (own->failure) std::rethrow_exception(own->failure);
  return nullptr;
}

GroupWrite::Batch GroupWrite::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(line_, {});
}

void GroupWrite::give_back(Batch::const_iterator begin, Batch::const_iterator end) {
  const std::lock_guard lock(mutex_);
  line_.insert(line_.begin(), begin, end);
}

void GroupWrite::hand_over(const std::shared_ptr<Write>& own) {
  const std::lock_guard lock(mutex_);
  std::erase(line_, own);
  led_ = !line_.empty();
  if (!led_) return;
  line_.front()->leads_ = true;
  line_.front()->turn_.set();
}

void GroupWrite::fail(const Batch& batch, const std::exception_ptr& failure) {
  for (const auto& write : batch) {
    if (!write->failure) write->failure = failure;
  }
}

void GroupWrite::finish(const Batch& batch, const std::shared_ptr<Write>& own) {
  for (const auto& write : batch) {
    if (write != own) write->turn_.set();
  }
}

std::size_t GroupWrite::in_line() const {
  const std::lock_guard lock(mutex_);
  return line_.size();
}

}  // namespace hippocore::storage
