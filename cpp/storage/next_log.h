// The log of the next epoch: made beside everybody, it follows the log in use from where a checkpoint took its root.
//
// What it holds is no part of the store before a header names it. Used by one thread, which holds the maintenance lock;
// only the last `follow` before the header is flipped needs the writer's.
#pragma once

#include <cstdint>
#include <memory>

#include "format/header.h"
#include "os/file.h"
#include "storage/root.h"

namespace hippocore::storage {

class NextLog {
 public:
  // Creates the file that `next` names. `folded` is where the log in use stood when the checkpoint took its root.
  NextLog(os::Directory& directory, const format::Header& next, const LogPosition& folded);

  // Copies the entries that came since, up to those of `newest`, and syncs them. `synced` is the last sequence that is
  // known to be on disk. Returns: how many bytes they are. Throws: Error{kCorruptStore} when an entry that was applied
  // cannot be read any more; as os::File.
  std::uint64_t follow(const Root& newest, std::uint64_t synced);

 private:
  std::unique_ptr<os::File> file_;
  LogPosition from_;
  LogPosition to_;
};

}  // namespace hippocore::storage
