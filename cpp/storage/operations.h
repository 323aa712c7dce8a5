// The operations of a log entry, checked before they are applied or written.
//
// An entry is applied whole or not at all, and one that was written can always be applied: so everything that can be
// wrong with it, beyond running out of memory, is found here. Pure.
#pragma once

#include <cstddef>
#include <span>

#include "storage/root.h"

namespace hippocore::storage {

// Throws: Error{kCorruptStore} when the body is not a sequence of sound operations of the root's
// dimension with sound payloads, Error{kInvalidArgument} when the store cannot hold so many memories or kinds.
void check_operations(const Root& root, std::span<const std::byte> body);

}  // namespace hippocore::storage
