// Memory that the core holds at once, measured where clang's address sanitizer counts allocations; elsewhere
// there is no bound.
#pragma once

#include <cstddef>

namespace hippocore::fuzz {

class AllocationBound {
 public:
  // From here on at most `bytes` more may be allocated at once.
  explicit AllocationBound(std::size_t bytes);
  // Throws: Finding when more was.
  void check() const;

 private:
  std::size_t bytes_;
};

}  // namespace hippocore::fuzz
