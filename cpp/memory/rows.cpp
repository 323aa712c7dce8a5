#include "memory/rows.h"

namespace hippocore::memory {

Row copy_row(const storage::Root& root, std::uint32_t slot) {
  const format::Payload payload = root.read_payload(slot);
  const format::ChunkView& rows = root.rows(slot);
  const std::size_t row = storage::Root::row(slot);
  const storage::Labels& labels = root.index->labels();
  const std::uint32_t source = rows.sources()[row];
  Row copy;
  copy.slot = slot;
  copy.id = rows.ids()[row];
  copy.content = payload.content;
  copy.extra = payload.extra;
  copy.scope = labels.text(rows.scopes()[row]);
  copy.kind = root.index->kind(rows.kinds()[row]);
  if (source != storage::kNoLabel) copy.source = labels.text(source);
  copy.created_at = rows.created_at()[row];
  copy.valid_from = rows.valid_from()[row];
  copy.event_time = rows.event_time()[row];
  copy.tokens = rows.tokens()[row];
  copy.version = rows.versions()[row];
  copy.state = root.state(slot);
  copy.state.flags = static_cast<std::uint8_t>(copy.state.flags & ~format::kExpires);  // derived, not the caller's
  return copy;
}

std::vector<Row> copy_rows(const storage::Root& root, std::span<const std::uint32_t> slots) {
  std::vector<Row> rows;
  rows.reserve(slots.size());
  // A row lies in many columns: all rows' are asked for at once, rather than waited for one after the other.
  for (const std::uint32_t slot : slots) format::prefetch_row(root.rows(slot), storage::Root::row(slot));
  for (const std::uint32_t slot : slots) rows.push_back(copy_row(root, slot));
  return rows;
}

}  // namespace hippocore::memory
