// From the files that a header names to a root: mapping, not reading.
#pragma once

#include <memory>
#include <vector>

#include "format/header.h"
#include "os/file.h"
#include "storage/commit.h"
#include "storage/root.h"

namespace hippocore::storage {

// Maps the files of a checkpoint. Returns: its root; no log entry is applied yet. Chunks that `previous` (a root of the
// same handle, or null) shows already are kept. Throws: Error{kCorruptStore} naming the file that is missing, too short
// or of another store or moment. A missing file may also mean that the header is out of date: read it again.
[[nodiscard]] std::shared_ptr<const Root> load_checkpoint(os::Directory& directory, const format::Header& header,
                                                          const Root* previous, os::Access access);

// Maps records that were sealed since, for chunks `first` to `last` - 1.
[[nodiscard]] std::vector<std::shared_ptr<const Chunk>> map_sealed_chunks(
    const os::File& records, const std::shared_ptr<const format::ChunkLayout>& layout, std::size_t first,
    std::size_t last);

// Returns: the size and place of chunk `number` in the record file.
[[nodiscard]] std::uint64_t sealed_chunk_offset(const format::ChunkLayout& layout, std::size_t number);
// Returns: rows rounded up to the capacity of a tail chunk.
[[nodiscard]] std::size_t tail_capacity(std::size_t rows);

}  // namespace hippocore::storage
