// index-E: what finds slots without reading them all. Derived: it can be built again from records, state and payload.
//
// Sections, each 64-byte aligned with a checksum in the file's table of contents:
//   labels       the dictionary of scopes, sources and facets: one byte of type, then the label's bytes; id = position
//   kinds        the names of kinds; a slot's kind column is a position here
//   label_cells, id_cells, merge_cells
//                open-addressed hash tables of positions: a power of two of u32 cells, kEmptyCell where free, linear
//                probing from `hash & (cells - 1)`. id_cells holds the newest slot of each id; merge_cells every live
//                slot
//   postings     for each label its live slots, then its superseded ones, ascending; forgotten slots are in neither
// Pure: bytes <-> views.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hippocore::format {

inline constexpr std::uint32_t kEmptyCell = 0xFFFFFFFF;

struct IndexSections {
  std::span<const std::uint64_t> label_ends;  // end of each label in label_bytes
  std::span<const std::byte> label_bytes;
  std::span<const std::uint64_t> kind_ends;
  std::span<const std::byte> kind_bytes;
  std::span<const std::uint32_t> label_cells;
  std::span<const std::uint32_t> id_cells;
  std::span<const std::uint32_t> merge_cells;
  std::span<const std::uint64_t> posting_ends;  // two for each label: end of its live, end of its superseded slots
  std::span<const std::uint32_t> posting_slots;
};

// Returns: the file's bytes. Requires: hash tables are powers of two (or empty).
[[nodiscard]] std::vector<std::byte> encode_index(const IndexSections& sections);

// Checks the table of contents (its own checksum, and that every section lies in the file); sections are checked by
// `verify_index`, so that opening does not read them. Requires: `bytes` is 64-byte aligned and outlives the views.
// Throws: Error{kCorruptStore}.
[[nodiscard]] IndexSections decode_index(std::span<const std::byte> bytes);

// Returns: whether every section's checksum holds and every end, label and cell is within its bounds.
[[nodiscard]] bool verify_index(std::span<const std::byte> bytes, std::uint64_t slot_count);

}  // namespace hippocore::format
