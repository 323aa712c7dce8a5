// The graph of an approximate search beside the generation whose slots it links: one file, "approximate-G".
//
// It holds what its maker wrote, whose meaning is not this floor's, and no vector: those are in the records. Derived:
// whoever finds it torn, foreign or of another generation does without. remove_unnamed_files keeps that of the header's
// generation and removes all others, so that none outlives a compaction or a purge.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "format/header.h"
#include "os/file.h"

namespace hippocore::storage {

inline constexpr std::string_view kGraphFile = "approximate-";

[[nodiscard]] std::string graph_name(const format::Header& header);

// Requires: the maintenance lock, so that the generation stays what it is.
// Throws: as os::File. After a crash: the whole graph, or one that is read as none.
void write_graph(os::Directory& directory, const format::Header& header, std::span<const std::byte> graph);

// Returns: what was written for this store, dimension and generation; nothing where there is none or it is not whole.
// Throws: Error{kInputOutput} where something else was put in the file's place.
[[nodiscard]] std::optional<std::vector<std::byte>> read_graph(os::Directory& directory, const format::Header& header);

}  // namespace hippocore::storage
