// Every verb that reads, on a store that may be hostile: what each answered, as text that two openings can compare.
#pragma once

#include <string>

#include "memory/memory.h"

namespace hippocore::fuzz {

struct Reading {
  std::string answers;    // of all verbs, or the errors in their place
  std::string versions;   // every version that is not forgotten; empty when that ended in an error
  std::string lasting;    // the same without states, which follow from later versions when a store is rewritten
  bool readable = false;  // whether every verb answered
  bool intact = false;    // whether verify found no damage
};

// Throws: Finding where an answer holds what no store can hold, or where damage is met that verify does not name.
[[nodiscard]] Reading read_everything(memory::Memory& memory);

}  // namespace hippocore::fuzz
