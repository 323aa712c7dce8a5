// The header file: which checkpoint is the store, and how that changes.
//
// Two slots; the intact one with the higher epoch is the store. A slot is overwritten only while the other one is known
// to be on disk, so that a crash at any moment leaves an intact one. Both slots say the same unless a commit was cut
// short: then the next writer settles it before anything else, since what it writes belongs to the epoch it sees.
#pragma once

#include <optional>

#include "format/header.h"
#include "os/file.h"

namespace hippocore::storage {

// Reads the header file. Returns: nothing when the store was never finished being created.
// Throws: Error{kCorruptStore} when neither slot is intact, Error{kStoreVersion}.
[[nodiscard]] std::optional<format::Header> read_header(os::Directory& directory);

// Commits. Requires: the writer's lock, or that nobody knows the store yet; both slots settled; a new file has its
// whole length on disk. Throws: as os::File; which of the two checkpoints is the store is then decided by
// `settle_header`.
void commit_header(os::File& header_file, const format::Header& header);

// Makes what the file says now certain, in both slots. Requires: the writer's lock.
void settle_header(os::File& header_file);

}  // namespace hippocore::storage
