#include "format/index.h"

#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "base/bytes.h"
#include "base/crc32c.h"

namespace hippocore::format {
namespace {

constexpr std::uint64_t kMagic = 0x315844494F434948;  // "HICOIDX1"
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kSections = 9;

struct Contents {
  struct Section {
    std::uint64_t length = 0;
    std::uint32_t crc = 0;
    std::uint32_t reserved = 0;
  };
  std::uint64_t magic = kMagic;
  std::uint32_t crc = 0;  // of the sections' lengths and checksums
  std::uint32_t count = kSections;
  std::array<Section, kSections> sections;
};
static_assert(sizeof(Contents) == 160);

// Sections follow each other in one order without gaps, so their lengths are their places.
using Sections = std::array<std::span<const std::byte>, kSections>;

[[noreturn]] void refuse(const char* reason) {
  throw Error(ErrorCode::kCorruptStore, std::string("the index ") + reason +
                                            ": the file is damaged, and can be built again from the other files");
}

void check(bool holds, const char* reason) {
  if (!holds) refuse(reason);
}

constexpr std::size_t round_up(std::size_t size) noexcept {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

std::uint32_t checksum(const Contents& contents) noexcept {
  return crc32c(0, std::as_bytes(std::span(&contents, 1)).subspan(offsetof(Contents, count)));
}

Sections bytes_of(const IndexSections& index) {
  return {std::as_bytes(index.label_ends),   index.label_bytes,
          std::as_bytes(index.kind_ends),    index.kind_bytes,
          std::as_bytes(index.label_cells),  std::as_bytes(index.id_cells),
          std::as_bytes(index.merge_cells),  std::as_bytes(index.posting_ends),
          std::as_bytes(index.posting_slots)};
}

Contents read_contents(std::span<const std::byte> bytes) {
  Contents contents;
  check(bytes.size() >= sizeof(contents), "ends too early");
  std::memcpy(&contents, bytes.data(), sizeof(contents));
  check(contents.magic == kMagic && contents.count == kSections, "is no index of this format");
  check(contents.crc == checksum(contents), "has a damaged table of contents");
  return contents;
}

Sections find_sections(const Contents& contents, std::span<const std::byte> bytes) {
  Sections sections;
  std::size_t end = sizeof(Contents);
  for (std::size_t number = 0; number < kSections; ++number) {
    const std::size_t start = round_up(end);
    const std::uint64_t length = contents.sections[number].length;
    check(start <= bytes.size() && length <= bytes.size() - start, "ends before one of its sections");
    sections[number] = bytes.subspan(start, static_cast<std::size_t>(length));
    end = start + static_cast<std::size_t>(length);
  }
  return sections;
}

template <typename T>
std::span<const T> numbers(std::span<const std::byte> section) {
  check(section.size() % sizeof(T) == 0, "has a section of a broken length");
  return {reinterpret_cast<const T*>(section.data()), section.size() / sizeof(T)};
}

void check_table(std::span<const std::uint32_t> cells) {
  check(cells.empty() || std::has_single_bit(cells.size()), "has a hash table of an impossible size");
}

IndexSections view(const Sections& sections) {
  IndexSections index{.label_ends = numbers<std::uint64_t>(sections[0]),
                      .label_bytes = sections[1],
                      .kind_ends = numbers<std::uint64_t>(sections[2]),
                      .kind_bytes = sections[3],
                      .label_cells = numbers<std::uint32_t>(sections[4]),
                      .id_cells = numbers<std::uint32_t>(sections[5]),
                      .merge_cells = numbers<std::uint32_t>(sections[6]),
                      .posting_ends = numbers<std::uint64_t>(sections[7]),
                      .posting_slots = numbers<std::uint32_t>(sections[8])};
  for (const auto cells : {index.label_cells, index.id_cells, index.merge_cells}) check_table(cells);
  check(index.posting_ends.size() == 2 * index.label_ends.size(), "has not two lists of slots for each label");
  return index;
}

// Ends grow up to the whole; with `shortest` bytes or more between one and the next.
bool ends_are_sound(std::span<const std::uint64_t> ends, std::uint64_t whole, std::uint64_t shortest) {
  std::uint64_t last = 0;
  for (const std::uint64_t end : ends) {
    if (end < last || end - last < shortest || end > whole) return false;
    last = end;
  }
  return last == whole;
}

// At least one cell is free, so that every probe ends.
bool cells_are_sound(std::span<const std::uint32_t> cells, std::uint64_t bound) {
  bool has_free = cells.empty();
  for (const std::uint32_t cell : cells) {
    if (cell == kEmptyCell) {
      has_free = true;
    } else if (cell >= bound) {
      return false;
    }
  }
  return has_free;
}

// Requires: posting_ends are sound.
bool postings_are_sound(const IndexSections& index, std::uint64_t slot_count) {
  std::uint64_t start = 0;
  for (const std::uint64_t end : index.posting_ends) {
    for (std::uint64_t place = start; place < end; ++place) {
      const std::uint32_t slot = index.posting_slots[place];
      if (slot >= slot_count || (place > start && slot <= index.posting_slots[place - 1])) return false;
    }
    start = end;
  }
  return true;
}

bool checksums_hold(const Contents& contents, const Sections& sections) {
  for (std::size_t number = 0; number < kSections; ++number) {
    if (contents.sections[number].crc != crc32c(0, sections[number])) return false;
  }
  return true;
}

}  // namespace

std::vector<std::byte> encode_index(const IndexSections& index) {
  const Sections sections = bytes_of(index);
  Contents contents;
  std::size_t end = sizeof(Contents);
  for (std::size_t number = 0; number < kSections; ++number) {
    contents.sections[number] = {.length = sections[number].size(), .crc = crc32c(0, sections[number])};
    end = round_up(end) + sections[number].size();
  }
  contents.crc = checksum(contents);
  std::vector<std::byte> bytes;
  bytes.reserve(end);
  ByteWriter writer(bytes);
  writer.write(contents);
  for (const auto section : sections) {
    bytes.resize(round_up(bytes.size()));
    writer.bytes(section);
  }
  return bytes;
}

IndexSections decode_index(std::span<const std::byte> bytes) {
  return view(find_sections(read_contents(bytes), bytes));
}

bool verify_index(std::span<const std::byte> bytes, std::uint64_t slot_count) {
  try {
    const Contents contents = read_contents(bytes);
    const Sections sections = find_sections(contents, bytes);
    const IndexSections index = view(sections);
    return checksums_hold(contents, sections) && ends_are_sound(index.label_ends, index.label_bytes.size(), 1) &&
           ends_are_sound(index.kind_ends, index.kind_bytes.size(), 1) &&
           ends_are_sound(index.posting_ends, index.posting_slots.size(), 0) &&
           cells_are_sound(index.label_cells, index.label_ends.size()) && cells_are_sound(index.id_cells, slot_count) &&
           cells_are_sound(index.merge_cells, slot_count) && postings_are_sound(index, slot_count);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace hippocore::format
