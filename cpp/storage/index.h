// What finds slots without reading them all: labels, kinds, ids and merge keys; the mapped index plus what came after
// it.
//
// Insert-only between two checkpoints. One writer, any number of readers without locks; a reader ignores slots at or
// behind its root's count. Key columns of slots written since the checkpoint are kept here too, so that a reader of an
// older root can step over newer ones.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "base/id.h"
#include "format/index.h"
#include "storage/append_only.h"
#include "storage/cells.h"
#include "storage/labels.h"

namespace hippocore::storage {

inline constexpr std::size_t kMaximumKinds = 65535;

class Index {
 public:
  // `base` covers the slots below `base_slots`; `owner` keeps its bytes alive. Requires: base passed
  // format::verify_index. Throws: Error{kCorruptStore} when a kind is there twice or there are too many.
  Index(const format::IndexSections& base, std::shared_ptr<const void> owner, std::uint32_t base_slots);

  [[nodiscard]] Labels& labels() noexcept { return labels_; }
  [[nodiscard]] const Labels& labels() const noexcept { return labels_; }
  [[nodiscard]] std::uint32_t base_slots() const noexcept { return base_slots_; }

  [[nodiscard]] std::size_t kind_count() const noexcept { return kinds_.size(); }
  // Throws: Error{kCorruptStore} when there is no such kind: the position came from a damaged column.
  [[nodiscard]] std::string_view kind(std::size_t position) const;
  // Returns: kind_count() when there is none.
  [[nodiscard]] std::size_t find_kind(std::string_view name) const;

  struct Added {
    Id id;
    std::uint64_t merge_key = 0;
    std::uint32_t previous = format::kEmptyCell;
    std::uint32_t same_merge_key = format::kEmptyCell;  // the newest slot added before with this key; set by `add`
  };
  // Requires: base_slots() <= slot, and the slot was added.
  [[nodiscard]] const Added& added(std::uint32_t slot) const { return added_[slot - base_slots_]; }

  // The newest slot of an id, which may lie behind the caller's root; kEmptyCell when there is none.
  // `base_id(slot)` reads the id column of a slot below base_slots().
  template <typename BaseId>
  [[nodiscard]] std::uint32_t newest(const Id& id, BaseId&& base_id) const {
    const std::uint32_t slot = ids_.find(hash(id), [&](std::uint32_t at) { return added(at).id == id; });
    if (slot != format::kEmptyCell) return slot;
    return find_in_cells(base_.id_cells, hash(id), [&](std::uint32_t at) { return base_id(at) == id; });
  }

  // Calls visit(slot) for every slot that may have this merge key (compare it); of the checkpoint's only live ones.
  template <typename Visit>
  void for_each_merge_candidate(std::uint64_t merge_key, Visit&& visit) const {
    std::uint32_t slot = newest_added_with(merge_key);
    for (; slot != format::kEmptyCell; slot = added(slot).same_merge_key) visit(slot);
    static_cast<void>(find_in_cells(base_.merge_cells, merge_key, [&](std::uint32_t base_slot) {
      visit(base_slot);
      return false;
    }));
  }

  // Only the writer. Returns: the kind's position. Throws: Error{kInvalidArgument} past kMaximumKinds.
  std::uint16_t intern_kind(std::string_view name);
  // Only the writer; slots come in order. `previous` is the id's slot before, or kEmptyCell.
  void add(std::uint32_t slot, const Added& keys);

 private:
  [[nodiscard]] std::uint32_t newest_added_with(std::uint64_t merge_key) const {
    return merges_.find(merge_key, [&](std::uint32_t at) { return added(at).merge_key == merge_key; });
  }

  format::IndexSections base_;
  Labels labels_;
  std::uint32_t base_slots_;
  AppendOnlyVector<std::string> kinds_;
  std::unordered_map<std::string, std::uint16_t> kind_positions_;  // the writer's
  AppendOnlyVector<Added> added_;
  GrowingCells ids_;
  GrowingCells merges_;  // one cell a key, however many slots share it
};

}  // namespace hippocore::storage
