// Reads the log behind a root and applies it, entry by entry.
//
// Used once, by one thread, under the store's apply mutex. `finish` gives the root after the last whole entry, also
// when a step threw; it must then be published, since the index it shares with the first root knows more than that one.
#pragma once

#include <memory>

#include "os/file.h"
#include "storage/edit.h"
#include "storage/log.h"
#include "storage/root.h"

namespace hippocore::storage {

class Replay {
 public:
  explicit Replay(std::shared_ptr<const Root> from);

  // Applies the next entry. Returns: false at the end of what can be read.
  // Throws: Error{kCorruptStore} naming the entry when its checksum holds but its operations are impossible; nothing of
  // it is applied then.
  [[nodiscard]] bool step();
  // Whether a step was left in the middle, because memory ran out: no root of the handle can be used any more.
  [[nodiscard]] bool is_broken() const noexcept { return broken_; }
  // Requires: not is_broken().
  [[nodiscard]] std::shared_ptr<const Root> finish();

 private:
  [[nodiscard]] std::optional<LogEntry> next_entry();
  [[nodiscard]] Edit& edit();

  std::shared_ptr<const Root> from_;
  std::unique_ptr<Edit> edit_;  // null until there is something to change
  LogPosition position_;
  os::Mapping log_;
  bool broken_ = false;
};

}  // namespace hippocore::storage
