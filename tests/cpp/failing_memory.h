// Memory that runs out at one allocation of this thread: the global operator new of the test executable asks first.
#pragma once

#include <cstdint>

namespace hippocore::testing {

// While it lives, allocation number `which` of this thread, counted from 1, throws std::bad_alloc; the others do not.
class FailingMemory {
 public:
  explicit FailingMemory(std::int64_t which) noexcept;
  ~FailingMemory();
  FailingMemory(const FailingMemory&) = delete;
  FailingMemory& operator=(const FailingMemory&) = delete;

  // Whether it came to that.
  [[nodiscard]] bool failed() const noexcept;
};

}  // namespace hippocore::testing
