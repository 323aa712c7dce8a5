// Verification: reads every byte of a store and names what is damaged.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "storage/root.h"

namespace hippocore::memory {

struct Damage {
  std::optional<Id> id;  // the memory, where it can be told
  std::string what;
};

struct Verification {
  std::uint64_t memories = 0;  // versions checked
  std::uint64_t bytes = 0;     // read
  std::vector<Damage> damages;
};

// Checks chunk columns, states, every row, every payload, and that codes and bounds follow from their vectors.
// `progress(done, total)` is called once a chunk, in slots.
[[nodiscard]] Verification verify(const storage::Root& root,
                                  const std::function<void(std::uint64_t, std::uint64_t)>& progress);

}  // namespace hippocore::memory
