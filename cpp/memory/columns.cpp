#include "memory/columns.h"

#include <limits>

#include "format/state.h"

namespace hippocore::memory {

namespace {

// Gives the labels and kinds that rows hold numbers of their own, from 0 on, in the order in which they come.
class Numbering {
 public:
  explicit Numbering(std::size_t size) : numbers_(size, kNone) {}

  // `name()` is asked for a value that comes for the first time.
  template <typename Name>
  std::uint32_t number(std::uint32_t value, std::vector<std::string>& names, Name&& name) {
    if (value >= numbers_.size()) numbers_.resize(std::size_t{value} + 1, kNone);  // added meanwhile
    if (numbers_[value] == kNone) {
      numbers_[value] = static_cast<std::uint32_t>(names.size());
      names.emplace_back(name());
    }
    return numbers_[value];
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> numbers_;
};

void reserve(Columns& columns, std::size_t count) {
  columns.ids.reserve(count);
  columns.scopes.reserve(count);
  columns.kinds.reserve(count);
  columns.created_at.reserve(count);
  columns.valid_from.reserve(count);
  columns.event_time.reserve(count);
  columns.last_used.reserve(count);
  columns.expires_at.reserve(count);
  columns.valid_until.reserve(count);
  columns.archived_at.reserve(count);
  columns.importance.reserve(count);
  columns.confidence.reserve(count);
  columns.stability.reserve(count);
  columns.use_count.reserve(count);
  columns.tokens.reserve(count);
  columns.flags.reserve(count);
}

void add_state(const format::StateBlock& states, std::size_t row, Columns& columns) {
  columns.last_used.push_back(states.last_used[row]);
  columns.expires_at.push_back(states.expires_at[row]);
  columns.valid_until.push_back(states.valid_until[row]);
  columns.archived_at.push_back(states.archived_at[row]);
  columns.importance.push_back(states.importance[row]);
  columns.confidence.push_back(states.confidence[row]);
  columns.stability.push_back(states.stability[row]);
  columns.use_count.push_back(states.use_count[row]);
  columns.flags.push_back(static_cast<std::uint8_t>(states.flags[row] & ~format::kExpires));
}

}  // namespace

Columns copy_columns(const storage::Root& root, std::span<const std::uint32_t> slots) {
  Columns columns;
  reserve(columns, slots.size());
  const storage::Labels& labels = root.index->labels();
  Numbering scopes(labels.size());
  Numbering kinds(root.index->kind_count());
  for (const std::uint32_t slot : slots) {
    const format::ChunkView& rows = root.rows(slot);
    const std::size_t row = storage::Root::row(slot);
    const std::uint32_t scope = rows.scopes()[row];
    const std::uint32_t kind = rows.kinds()[row];
    columns.ids.push_back(rows.ids()[row]);
    columns.scopes.push_back(scopes.number(scope, columns.scope_names, [&] { return labels.text(scope); }));
    columns.kinds.push_back(kinds.number(kind, columns.kind_names, [&] { return root.index->kind(kind); }));
    columns.created_at.push_back(rows.created_at()[row]);
    columns.valid_from.push_back(rows.valid_from()[row]);
    columns.event_time.push_back(rows.event_time()[row]);
    columns.tokens.push_back(rows.tokens()[row]);
    add_state(root.states(slot), row, columns);
  }
  return columns;
}

}  // namespace hippocore::memory
