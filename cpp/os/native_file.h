// The real disk behind os/file.h: POSIX files, mmap, and OFD locks.
#pragma once

#include <memory>
#include <string>

#include "os/file.h"

namespace hippocore::os {

enum class Create { kNo, kIfMissing };

// Opens the directory at `path`, with Create::kIfMissing making it (mode 0700, parents too).
// Throws: Error{kStoreNotFound} when it is missing and not created, Error{kInputOutput} when it cannot be opened.
// After a fork the child's lock descriptors are closed at once, so that a child never keeps its parent's lock.
[[nodiscard]] std::unique_ptr<Directory> open_directory(const std::string& path, Create create);

}  // namespace hippocore::os
