// The index file of a root: what its in-memory and mapped indexes know together, without what was forgotten.
#pragma once

#include <cstddef>
#include <vector>

#include "storage/root.h"

namespace hippocore::storage {

// Returns: the bytes of the index section (format/index.h). Labels and kinds keep their positions, since columns hold
// them. Throws: Error{kCorruptStore} naming a record whose id the index that the root has does not know: it is damaged,
// and a new index would hide that.
[[nodiscard]] std::vector<std::byte> build_index(const Root& root);

}  // namespace hippocore::storage
