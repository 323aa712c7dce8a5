// The operations of a log entry, decoded and checked before they are applied or written.
//
// An entry is applied whole or not at all, and one that was written can always be applied: so everything that can be
// wrong with it, beyond running out of memory, is found here. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "format/log_entry.h"
#include "storage/root.h"

namespace hippocore::storage {

// Returns: views into `body`. Throws: Error{kCorruptStore} when it is not a sequence of sound operations of the root's
// dimension with sound payloads, Error{kInvalidArgument} when the store cannot hold so many memories or kinds.
[[nodiscard]] std::vector<format::Operation> decode_for(const Root& root, std::span<const std::byte> body);

}  // namespace hippocore::storage
