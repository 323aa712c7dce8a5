#include "format/chunk.h"

#include <array>
#include <cstring>

#include "base/crc32c.h"
#include "format/finite.h"

namespace hippocore::format {
namespace {

constexpr std::size_t kColumnAlignment = 64;
constexpr std::size_t kChunkAlignment = 4096;

constexpr std::size_t round_up(std::size_t size, std::size_t alignment) noexcept {
  return (size + alignment - 1) / alignment * alignment;
}

// One column: which offset is its own, and how many bytes a row takes in it.
struct Column {
  std::size_t ChunkLayout::Offsets::* offset;
  std::size_t row_size;
};
using Offsets = ChunkLayout::Offsets;

constexpr std::size_t kEligibilityColumns = 5;
constexpr std::size_t kSummedColumns = 22;  // all but the row checksums themselves

// Every column in the order of the file. The layout, both checksums and copying follow this one list.
constexpr std::array<Column, kSummedColumns + 1> columns_of(std::size_t dimension) noexcept {
  return {{{&Offsets::scopes, sizeof(std::uint32_t)},
           {&Offsets::kinds, sizeof(std::uint16_t)},
           {&Offsets::valid_from, sizeof(std::int64_t)},
           {&Offsets::created_at, sizeof(std::int64_t)},
           {&Offsets::event_time, sizeof(std::int64_t)},
           {&Offsets::ids, sizeof(Id)},
           {&Offsets::text_keys, sizeof(std::uint64_t)},
           {&Offsets::merge_keys, sizeof(std::uint64_t)},
           {&Offsets::sources, sizeof(std::uint32_t)},
           {&Offsets::tokens, sizeof(std::uint32_t)},
           {&Offsets::versions, sizeof(std::uint32_t)},
           {&Offsets::previous, sizeof(std::uint32_t)},
           {&Offsets::payload_offsets, sizeof(std::uint64_t)},
           {&Offsets::payload_lengths, sizeof(std::uint32_t)},
           {&Offsets::norms, sizeof(double)},
           {&Offsets::code_scales, sizeof(float)},
           {&Offsets::code_errors, sizeof(float)},
           {&Offsets::codes, code_bytes(dimension)},
           {&Offsets::coarse_scales, sizeof(float)},
           {&Offsets::coarse_errors, sizeof(float)},
           {&Offsets::coarse_codes, coarse_bytes(dimension)},
           {&Offsets::vectors, dimension * sizeof(float)},
           {&Offsets::row_crcs, sizeof(std::uint32_t)}}};
}
static_assert(sizeof(Id) == 16);

}  // namespace

ChunkLayout::ChunkLayout(std::size_t dimension, std::size_t capacity) : dimension_(dimension), capacity_(capacity) {
  std::size_t end = 0;
  for (const Column& column : columns_of(dimension)) {
    offsets_.*column.offset = end;
    end = round_up(end + capacity * column.row_size, kColumnAlignment);
  }
  offsets_.columns_crc = end;
  size_ = round_up(end + sizeof(std::uint32_t), kChunkAlignment);
}

std::uint32_t row_crc(const ChunkView& chunk, std::size_t index) {
  std::uint32_t sum = 0;
  const auto columns = columns_of(chunk.dimension());
  for (const Column& column : std::span(columns).first(kSummedColumns)) {
    const std::byte* rows = chunk.data() + chunk.layout().offsets().*column.offset;
    sum = crc32c(sum, {rows + index * column.row_size, column.row_size});
  }
  return sum;
}

std::uint32_t columns_crc(const ChunkView& chunk, std::size_t count) {
  std::uint32_t sum = 0;
  const auto columns = columns_of(chunk.dimension());
  for (const Column& column : std::span(columns).first(kEligibilityColumns)) {
    sum = crc32c(sum, {chunk.data() + chunk.layout().offsets().*column.offset, count * column.row_size});
  }
  return sum;
}

bool row_is_sound(const ChunkView& chunk, std::size_t index) {
  return is_measure(chunk.norms()[index]) && is_measure(chunk.code_scales()[index]) &&
         is_measure(chunk.code_errors()[index]) && is_measure(chunk.coarse_scales()[index]) &&
         is_measure(chunk.coarse_errors()[index]) && all_finite(std::as_bytes(chunk.vector(index)));
}

void prefetch_row(const ChunkView& chunk, std::size_t index) noexcept {
  for (const Column& column : columns_of(chunk.dimension())) {
    if (column.offset == &Offsets::vectors) continue;
    const std::byte* row = chunk.data() + chunk.layout().offsets().*column.offset + index * column.row_size;
    for (std::size_t line = 0; line < column.row_size; line += 64) __builtin_prefetch(row + line);
  }
}

void copy_rows(const ChunkView& from, std::size_t count, const MutableChunkView& into) {
  for (const Column& column : columns_of(from.dimension())) {
    std::memcpy(into.data() + into.layout().offsets().*column.offset,
                from.data() + from.layout().offsets().*column.offset, count * column.row_size);
  }
}

}  // namespace hippocore::format
