// A directory as one short input: the names of its files, their sizes, and what is not zero in them.
//
//   for each file: u8 length and the name, u32 size, then segments: u32 offset, u16 length and the bytes;
//   the offset 2^32 - 1 ends a file
#pragma once

#include <span>
#include <vector>

#include "memory_directory.h"

namespace hippocore::fuzz {

// Returns: what any bytes describe, as far as they do; no file is larger than 1 MiB, and there are at most 12.
[[nodiscard]] Files unpack_files(std::span<const std::byte> packed);
// Requires: names and files are within those limits.
[[nodiscard]] std::vector<std::byte> pack_files(const Files& files);

}  // namespace hippocore::fuzz
