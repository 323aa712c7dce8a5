// A directory in memory at the seam os/file.h, for stores that an attacker made.
//
// A file is one allocation of exactly its size, so that the address sanitizer sees a read behind its end; growing moves
// it, and older mappings keep what they showed. Locks are always free: one handle at a time uses a directory.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "os/file.h"

namespace hippocore::fuzz {

using Files = std::map<std::string, std::vector<std::byte>, std::less<>>;

class MemoryDisk;

// The files of a directory between two openings.
[[nodiscard]] std::shared_ptr<MemoryDisk> make_disk(const Files& files);
[[nodiscard]] Files files_of(const MemoryDisk& disk);
[[nodiscard]] std::unique_ptr<os::Directory> open_directory(std::shared_ptr<MemoryDisk> disk);

}  // namespace hippocore::fuzz
