// When the threads of a store help with one recall, and how many.
#pragma once

#include <cstddef>
#include <functional>

#include "os/workers.h"

namespace hippocore::ranking {

// Who helps with one piece of work.
struct Helpers {
  os::Workers* workers = nullptr;  // null: nobody
  std::size_t others = 0;          // threads beside the caller's own

  [[nodiscard]] bool any() const noexcept { return workers != nullptr && others > 0; }
  // As Workers::share; without helpers on this thread alone.
  void share(const std::function<void()>& work) const {
    if (!any()) return work();
    workers->share(others, work);
  }
};

struct Splitting {
  os::Workers* workers = nullptr;
  // Where less than this is to be read it costs less than waking a thread. The answer is the same.
  std::size_t from_bytes = std::size_t{4} << 20;

  [[nodiscard]] Helpers helpers_to_read(std::size_t bytes) const noexcept {
    if (workers == nullptr || bytes < from_bytes) return {};
    return {workers, workers->threads() - 1};
  }
};

}  // namespace hippocore::ranking
