// Eligible first: from a filter to the slots that take part, before anything is ranked.
//
// Ids, links, a few small scopes, or tags and metadata, are looked up in the index and cost what they hold; otherwise
// the columns are read in order. Checks the columns it reads on first touch. Throws: Error{kCorruptStore} naming a
// damaged chunk.
#pragma once

#include "memory/filter.h"
#include "memory/slot_masks.h"
#include "ranking/splitting.h"
#include "storage/root.h"

namespace hippocore::memory {

[[nodiscard]] SlotMasks eligible_slots(const storage::Root& root, const Filter& filter,
                                       const ranking::Splitting& splitting = {});

// Returns: the labels of the scopes that the filter names and the store knows, of all its scopes when it names none.
[[nodiscard]] std::vector<std::uint32_t> scopes_of(const storage::Root& root, const Filter& filter);

// Returns: the eligible slots one by one, ascending within a chunk.
[[nodiscard]] std::vector<std::uint32_t> list_slots(const SlotMasks& masks);
[[nodiscard]] std::size_t count_slots(const SlotMasks& masks);

// Returns: when the memory in a slot happened: its event time, else its creation.
[[nodiscard]] std::int64_t happened_at(const format::ChunkView& rows, std::size_t row);

}  // namespace hippocore::memory
