// A chunk of the record file: up to kChunkSlots slots as a set of columns, written once and never again.
//
// Pure: the layout (where each column lies for a dimension and a capacity) and typed views on it. The same layout
// serves the sealed chunks of records-G, the part-full chunk in tail-E and the chunk in memory that is being filled.
// Columns start at multiples of 64 bytes; a chunk's size is a multiple of 4096. Rows behind the count of used slots are
// zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "base/id.h"

namespace hippocore::format {

inline constexpr std::size_t kChunkSlots = 1024;
inline constexpr std::uint32_t kNoSlot = 0xFFFFFFFF;

// Bytes of one slot's 4-bit code: two dimensions a byte, in whole 64-byte groups of 128 dimensions (see
// ranking/quantize.h).
[[nodiscard]] constexpr std::size_t code_bytes(std::size_t dimension) noexcept {
  return (dimension + 127) / 128 * 64;
}

// Bytes of one slot's coarse code: four dimensions a byte, in whole 32-byte groups of 128.
[[nodiscard]] constexpr std::size_t coarse_bytes(std::size_t dimension) noexcept {
  return code_bytes(dimension) / 2;
}

class ChunkLayout {
 public:
  // Requires: dimension > 0; capacity is a multiple of 64 and at most kChunkSlots.
  ChunkLayout(std::size_t dimension, std::size_t capacity);

  struct Offsets {
    // Decide eligibility and order; their checksum is `columns_crc`.
    std::size_t scopes, kinds, valid_from, created_at, event_time;
    // Fixed-size facts of a slot.
    std::size_t ids, text_keys, merge_keys, sources, tokens, versions, previous, payload_offsets, payload_lengths,
        norms;
    // The quantised vector.
    std::size_t code_scales, code_errors, codes, coarse_scales, coarse_errors, coarse_codes;
    std::size_t vectors;
    std::size_t row_crcs;
    std::size_t columns_crc;
  };
  [[nodiscard]] const Offsets& offsets() const noexcept { return offsets_; }
  [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  std::size_t dimension_;
  std::size_t capacity_;
  std::size_t size_ = 0;
  Offsets offsets_{};
};

// Typed columns over a chunk's bytes. Byte is `const std::byte` for reading and `std::byte` for the chunk being filled.
// The view owns nothing. Indexes are positions in the chunk, below the layout's capacity.
template <typename Byte>
class BasicChunkView {
 public:
  BasicChunkView() = default;
  // Requires: `bytes` holds layout->size() bytes, 64-byte aligned; both outlive the view.
  BasicChunkView(const ChunkLayout* layout, Byte* bytes) : layout_(layout), bytes_(bytes) {}
  // Whoever may write a chunk may read it.
  operator BasicChunkView<const std::byte>() const noexcept
    requires(!std::is_const_v<Byte>)
  {
    return {layout_, bytes_};
  }

  template <typename T>
  using Column = std::span<std::conditional_t<std::is_const_v<Byte>, const T, T>>;

  Column<std::uint32_t> scopes() const { return column<std::uint32_t>(layout_->offsets().scopes); }
  Column<std::uint16_t> kinds() const { return column<std::uint16_t>(layout_->offsets().kinds); }
  Column<std::int64_t> valid_from() const { return column<std::int64_t>(layout_->offsets().valid_from); }
  Column<std::int64_t> created_at() const { return column<std::int64_t>(layout_->offsets().created_at); }
  Column<std::int64_t> event_time() const { return column<std::int64_t>(layout_->offsets().event_time); }
  Column<Id> ids() const { return column<Id>(layout_->offsets().ids); }
  Column<std::uint64_t> text_keys() const { return column<std::uint64_t>(layout_->offsets().text_keys); }
  Column<std::uint64_t> merge_keys() const { return column<std::uint64_t>(layout_->offsets().merge_keys); }
  Column<std::uint32_t> sources() const { return column<std::uint32_t>(layout_->offsets().sources); }
  Column<std::uint32_t> tokens() const { return column<std::uint32_t>(layout_->offsets().tokens); }
  Column<std::uint32_t> versions() const { return column<std::uint32_t>(layout_->offsets().versions); }
  Column<std::uint32_t> previous() const { return column<std::uint32_t>(layout_->offsets().previous); }
  Column<std::uint64_t> payload_offsets() const { return column<std::uint64_t>(layout_->offsets().payload_offsets); }
  Column<std::uint32_t> payload_lengths() const { return column<std::uint32_t>(layout_->offsets().payload_lengths); }
  Column<double> norms() const { return column<double>(layout_->offsets().norms); }
  Column<float> code_scales() const { return column<float>(layout_->offsets().code_scales); }
  Column<float> code_errors() const { return column<float>(layout_->offsets().code_errors); }
  Column<std::byte> codes() const { return wide_column<std::byte>(layout_->offsets().codes, code_bytes(dimension())); }
  Column<std::byte> code(std::size_t index) const {
    return codes().subspan(index * code_bytes(dimension()), code_bytes(dimension()));
  }
  Column<float> coarse_scales() const { return column<float>(layout_->offsets().coarse_scales); }
  Column<float> coarse_errors() const { return column<float>(layout_->offsets().coarse_errors); }
  Column<std::byte> coarse_codes() const {
    return wide_column<std::byte>(layout_->offsets().coarse_codes, coarse_bytes(dimension()));
  }
  Column<std::byte> coarse_code(std::size_t index) const {
    return coarse_codes().subspan(index * coarse_bytes(dimension()), coarse_bytes(dimension()));
  }
  Column<float> vector(std::size_t index) const {
    return wide_column<float>(layout_->offsets().vectors, dimension()).subspan(index * dimension(), dimension());
  }
  Column<std::uint32_t> row_crcs() const { return column<std::uint32_t>(layout_->offsets().row_crcs); }
  auto& columns_crc() const {
    using T = std::conditional_t<std::is_const_v<Byte>, const std::uint32_t, std::uint32_t>;
    return *reinterpret_cast<T*>(bytes_ + layout_->offsets().columns_crc);
  }

  [[nodiscard]] const ChunkLayout& layout() const noexcept { return *layout_; }
  [[nodiscard]] std::size_t dimension() const noexcept { return layout_->dimension(); }
  [[nodiscard]] Byte* data() const noexcept { return bytes_; }

 private:
  template <typename T>
  Column<T> column(std::size_t offset) const {
    return wide_column<T>(offset, 1);
  }
  template <typename T>
  Column<T> wide_column(std::size_t offset, std::size_t width) const {
    using Element = std::conditional_t<std::is_const_v<Byte>, const T, T>;
    return {reinterpret_cast<Element*>(bytes_ + offset), layout_->capacity() * width};
  }

  const ChunkLayout* layout_ = nullptr;
  Byte* bytes_ = nullptr;
};

using ChunkView = BasicChunkView<const std::byte>;
using MutableChunkView = BasicChunkView<std::byte>;

// Returns: the checksum of every column of one row, codes and vector included.
[[nodiscard]] std::uint32_t row_crc(const ChunkView& chunk, std::size_t index);
// Returns: the checksum of the columns that decide eligibility, over the first `count` rows.
[[nodiscard]] std::uint32_t columns_crc(const ChunkView& chunk, std::size_t count);
// Returns: whether the vector of a row is finite and its norm, scales and errors can be those of one.
[[nodiscard]] bool row_is_sound(const ChunkView& chunk, std::size_t index);
// Asks the memory for every column of a row but its vector, which whoever ranked the row has just read.
void prefetch_row(const ChunkView& chunk, std::size_t index) noexcept;
// Copies the first `count` rows between chunks of one dimension and any two capacities, row checksums included; the
// columns_crc of `into` is left as it is. Requires: count is at most both capacities; the chunks do not overlap.
void copy_rows(const ChunkView& from, std::size_t count, const MutableChunkView& into);

}  // namespace hippocore::format
