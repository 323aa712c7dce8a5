// What upkeep decides by, of many memories at once: columns, so that a million of them cost no object each.
//
// One row for each slot, in the order asked for. What decides eligibility and the states were checked when the slots
// were found; ids and tokens are not checked one by one, so whoever changes a memory reads its row first.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/id.h"
#include "storage/root.h"

namespace hippocore::memory {

struct Columns {
  std::vector<Id> ids;
  std::vector<std::uint32_t> scopes;  // positions in scope_names
  std::vector<std::uint32_t> kinds;   // positions in kind_names
  std::vector<std::int64_t> created_at;
  std::vector<std::int64_t> valid_from;
  std::vector<std::int64_t> event_time;
  std::vector<std::int64_t> last_used;
  std::vector<std::int64_t> expires_at;
  std::vector<std::int64_t> valid_until;
  std::vector<std::int64_t> archived_at;
  std::vector<double> importance;
  std::vector<float> confidence;
  std::vector<float> stability;
  std::vector<std::uint32_t> use_count;
  std::vector<std::uint32_t> tokens;
  std::vector<std::uint8_t> flags;
  std::vector<std::string> scope_names;  // of these rows alone, in the order of their first
  std::vector<std::string> kind_names;
};

[[nodiscard]] Columns copy_columns(const storage::Root& root, std::span<const std::uint32_t> slots);

}  // namespace hippocore::memory
