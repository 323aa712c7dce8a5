#include "storage/commit.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.h"

namespace hippocore::storage {

namespace {

using Slots = std::array<std::byte, format::kHeaderSize>;

[[noreturn]] void refuse(const os::Directory& directory, const char* why) {
  throw Error(ErrorCode::kCorruptStore, directory.path() + "/header " + why + "; restore a backup");
}

bool is_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; });
}

Slots read_slots(const os::File& file) {
  Slots bytes{};
  file.read_at(0, std::span(bytes).first(std::min<std::uint64_t>(file.size(), bytes.size())));
  return bytes;
}

void write_slot(os::File& file, std::size_t slot, const format::HeaderSlot& bytes) {
  file.write_at(slot * format::kHeaderSlotSize, bytes);
  file.sync();
}

// While the other slot is on disk. After a failed sync this one would look like the other without being on disk: it is
// blanked, so that everybody sees that the header is to be settled.
void write_second_slot(os::File& file, std::size_t slot, const format::HeaderSlot& bytes) {
  try {
    write_slot(file, slot, bytes);
  } catch (const Error&) {
    file.write_at(slot * format::kHeaderSlotSize, format::HeaderSlot{});
    throw;
  }
}

bool is_intact(const Slots& bytes, std::size_t slot) {
  const auto place = std::span(bytes).subspan(slot * format::kHeaderSlotSize).first<format::kHeaderSlotSize>();
  return format::decode_header(place).has_value();
}

// Returns: which slot the store stands on; the second one while there is none, so that a new store's first slot is
// written first.
std::size_t standing_slot(const Slots& bytes) {
  const auto first = format::decode_header(std::span(bytes).first<format::kHeaderSlotSize>());
  const auto second = format::decode_header(std::span(bytes).last<format::kHeaderSlotSize>());
  return first && (!second || second->epoch <= first->epoch) ? 0 : 1;
}

}  // namespace

std::optional<format::Header> read_header(os::Directory& directory) {
  const auto file = directory.open("header", os::Access::kRead);
  if (file == nullptr) return std::nullopt;
  const Slots bytes = read_slots(*file);
  if (is_zero(bytes)) return std::nullopt;
  if (file->size() < bytes.size()) refuse(directory, "is too short");
  if (auto header = format::choose_header(bytes)) return header;
  // Creating a store writes the first slot, then the second: a blank second slot means that no store was ever
  // acknowledged.
  if (is_zero(std::span(bytes).subspan(format::kHeaderSlotSize))) return std::nullopt;
  refuse(directory, "has no intact slot");
}

// The slot that stands may have been written by a process that was killed before it synced it: then it looks settled
// and is not on disk, and the other one is about to be overwritten.
void commit_header(os::File& header_file, const format::Header& header) {
  header_file.sync();
  const format::HeaderSlot slot = format::encode_header(header);
  const std::size_t standing = standing_slot(read_slots(header_file));
  write_slot(header_file, 1 - standing, slot);
  write_second_slot(header_file, standing, slot);
}

// The standing slot is written again, not only synced: after a failed sync the system may believe that it is on disk.
// It goes first while the other one, of the epoch before, is intact. Where that is damaged, a commit stopped after the
// standing slot was on disk, and the damaged one goes first: the only good one is never at risk.
void settle_header(os::File& header_file) {
  const Slots bytes = read_slots(header_file);
  const std::size_t standing = standing_slot(bytes);
  format::HeaderSlot slot;
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(standing * slot.size()), slot.size(), slot.begin());
  if (!format::decode_header(slot)) throw Error(ErrorCode::kCorruptStore, "the header has no intact slot");
  const std::size_t first = is_intact(bytes, 1 - standing) ? standing : 1 - standing;
  write_slot(header_file, first, slot);
  write_second_slot(header_file, 1 - first, slot);
}

}  // namespace hippocore::storage
