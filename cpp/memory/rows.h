// Memories copied out of a store: plain data that outlives it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "format/state.h"
#include "storage/root.h"

namespace hippocore::memory {

struct Row {
  std::uint32_t slot = 0;
  Id id;
  std::string content;
  std::string extra;
  std::string scope;
  std::string kind;
  std::string source;
  std::int64_t created_at = 0;
  std::int64_t valid_from = 0;
  std::int64_t event_time = 0;
  std::uint32_t tokens = 0;
  std::uint32_t version = 0;
  format::State state;
};

// Checks every column, the vector and the payload. Throws: Error{kCorruptStore} naming the id.
[[nodiscard]] Row copy_row(const storage::Root& root, std::uint32_t slot);
[[nodiscard]] std::vector<Row> copy_rows(const storage::Root& root, std::span<const std::uint32_t> slots);

}  // namespace hippocore::memory
