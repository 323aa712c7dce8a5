#include "allocation_bound.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "expect.h"

// gcc's sanitizer brings no header for this.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HIPPOCORE_COUNTS_ALLOCATIONS
#include <sanitizer/allocator_interface.h>
#endif
#endif

namespace hippocore::fuzz {

namespace {

// Of this thread: other tests of the process may use other ones.
thread_local std::int64_t live = 0;
thread_local std::int64_t most = 0;

#ifdef HIPPOCORE_COUNTS_ALLOCATIONS
void count_allocation(const volatile void*, std::size_t size) {
  live += static_cast<std::int64_t>(size);
  most = std::max(most, live);
}
void count_release(const volatile void* memory) {
  if (memory != nullptr) live -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(memory));
}
void count_from_now_on() {
  static const int installed = __sanitizer_install_malloc_and_free_hooks(count_allocation, count_release);
  static_cast<void>(installed);
}
#else
void count_from_now_on() {}
#endif

}  // namespace

AllocationBound::AllocationBound(std::size_t bytes) : bytes_(bytes) {
  count_from_now_on();
  live = most = 0;
}

void AllocationBound::check() const {
  expect(most <= static_cast<std::int64_t>(bytes_), "what is allocated at once is bounded by the size of the input");
}

}  // namespace hippocore::fuzz
