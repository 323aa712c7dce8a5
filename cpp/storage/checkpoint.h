// Writing a checkpoint: from a root to the files a header names. Also compaction, which first rewrites the root.
//
// Runs unlocked beside readers and writers: it only reads a root, writes new files, and writes behind the committed
// length of records and payload. Nothing it writes is part of the store before the header names it. The caller holds
// the maintenance lock, so that one process at a time does this. After a crash: the store is as before; what was
// written is overwritten or removed by the next checkpoint.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "format/header.h"
#include "os/file.h"
#include "storage/root.h"

namespace hippocore::storage {

// Writes and syncs records, tail, payload, state and index for the root. Returns: the header to commit, once its log
// exists. Damaged records are copied with their broken checksums. Throws: Error{kCorruptStore} when states or columns
// that it must write anew are damaged: a checkpoint never makes damage look sound.
[[nodiscard]] format::Header write_checkpoint(os::Directory& directory, const Root& root);

// How compaction changes what it rewrites.
struct Rewrite {
  // The new vector of the n-th surviving version; null keeps vectors, dimension and embedder as they are.
  std::function<std::span<const float>(std::size_t)> vectors;
  std::uint32_t dimension = 0;
  std::string embedder;
};
// The same for what is not forgotten, in files of the next generation. Returns: as write_checkpoint. Throws:
// Error{kCorruptStore} naming a damaged memory, which must be forgotten first.
[[nodiscard]] format::Header write_compacted(os::Directory& directory, const Root& root, const Rewrite& rewrite);

// Writes the first checkpoint of a new store: no memories. Returns: as write_checkpoint.
[[nodiscard]] format::Header write_empty(os::Directory& directory, const format::Header& identity);

// Removes every numbered file of a store's kind that the header does not name: old epochs, and what a crash left. The
// graph of the header's generation stays (storage/graph_file.h).
void remove_unnamed_files(os::Directory& directory, const format::Header& header);

// Throws: Error{kInvalidArgument} when a directory for a new store holds what is no store's and not hidden.
void require_own_directory(const os::Directory& directory);

// Returns: whether the directory holds a store's files that a creation cut short cannot have left: its header was lost.
[[nodiscard]] bool holds_headless_store(os::Directory& directory);

}  // namespace hippocore::storage
