#include "storage/root.h"

#include <algorithm>
#include <string>

#include "base/error.h"

namespace hippocore::storage {

namespace {

[[noreturn]] void damaged(const Id& id, const char* what) {
  throw Error(ErrorCode::kCorruptStore, "the " + std::string(what) + " of memory " + to_hex(id) +
                                            " is damaged; the others are readable, run verify to see all that is not");
}

// Two columns say so, far apart: what damages one of them is seen, and the rest of the row need not be read.
bool is_first_version(const Root& root, std::uint32_t slot) {
  return root.rows(slot).versions()[Root::row(slot)] == 1 && root.rows(slot).previous()[Root::row(slot)] == kNoSlot;
}

}  // namespace

std::uint32_t Root::find_even_forgotten(const Id& wanted) const {
  std::uint32_t slot = index->newest(wanted, [this](std::uint32_t base_slot) { return id(base_slot); });
  while (slot != kNoSlot && slot >= count) slot = index->added(slot).previous;
  return slot;
}

std::uint32_t Root::find(const Id& wanted) const {
  const std::uint32_t slot = find_even_forgotten(wanted);
  if (slot == kNoSlot) {
    require_intact_neighbours(wanted);
    return kNoSlot;
  }
  check_state(slot);
  return is_forgotten(slot) ? kNoSlot : slot;
}

// The records that a search for the id looked at: one whose id is damaged may be the one.
void Root::require_intact_neighbours(const Id& wanted) const {
  static_cast<void>(index->newest(wanted, [this](std::uint32_t slot) {
    if (!chunk(slot).row_is_intact(row(slot))) damaged(id(slot), "record");
    return Id{};
  }));
}

void Root::check_state(std::uint32_t slot) const {
  const std::size_t number = slot / format::kChunkSlots;
  (*chunks)[number].state->check(number);
}

std::uint32_t Root::previous(std::uint32_t slot) const {
  if (!leads_back(slot)) damaged(id(slot), "history");
  return rows(slot).previous()[row(slot)];
}

// A previous slot is an earlier one of the same id: so no walk along them goes round in circles or to another memory.
bool Root::leads_back(std::uint32_t slot) const {
  const std::uint32_t before = rows(slot).previous()[row(slot)];
  return before == kNoSlot || (before < slot && id(before) == id(slot));
}

std::vector<std::uint32_t> Root::versions(const Id& wanted) const {
  std::vector<std::uint32_t> slots;
  for (std::uint32_t slot = find(wanted); slot != kNoSlot; slot = previous(slot)) {
    check_state(slot);
    if (is_forgotten(slot)) break;
    slots.push_back(slot);
  }
  std::reverse(slots.begin(), slots.end());
  return slots;
}

std::vector<std::uint32_t> Root::versions_in_spite_of_damage(const Id& wanted) const {
  std::vector<std::uint32_t> slots;
  std::uint32_t slot = find_even_forgotten(wanted);
  const auto leads_on = [this](std::uint32_t at) {
    return is_first_version(*this, at) || (chunk(at).row_is_intact(row(at)) && leads_back(at));
  };
  while (slot != kNoSlot && !is_forgotten(slot) && leads_on(slot)) {
    slots.push_back(slot);
    slot = rows(slot).previous()[row(slot)];
  }
  if (slot == kNoSlot || is_forgotten(slot)) return slots;
  slots.clear();
  for (slot = 0; slot < count; ++slot) {
    if (id(slot) == wanted && !is_forgotten(slot)) slots.push_back(slot);
  }
  return slots;
}

std::span<const std::byte> Root::payload_bytes(std::uint32_t slot) const {
  const std::uint64_t place = rows(slot).payload_offsets()[row(slot)];
  const std::uint64_t length = rows(slot).payload_lengths()[row(slot)];
  const std::span<const std::byte> file = (place & kInLog) != 0 ? log.bytes : payloads.bytes;
  const std::uint64_t offset = place & ~kInLog;
  if (offset > file.size() || length > file.size() - offset) damaged(id(slot), "place of the content");
  return file.subspan(offset, length);
}

void Root::check_row(std::uint32_t slot) const {
  const Chunk& rows_of_slot = chunk(slot);
  const std::uint32_t source = rows_of_slot.rows().sources()[row(slot)];
  const bool names_exist = index->labels().names(LabelType::kScope, rows_of_slot.rows().scopes()[row(slot)]) &&
                           rows_of_slot.rows().kinds()[row(slot)] < index->kind_count() &&
                           (source == kNoLabel || index->labels().names(LabelType::kSource, source));
  if (!names_exist || !rows_of_slot.row_is_intact(row(slot))) damaged(id(slot), "record");
}

format::Payload Root::read_payload(std::uint32_t slot) const {
  check_row(slot);
  try {
    return format::decode_payload(payload_bytes(slot));
  } catch (const Error&) {
    damaged(id(slot), "content");
  }
}

}  // namespace hippocore::storage
