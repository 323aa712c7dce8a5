// The label dictionary: scopes, sources and facets as small numbers, with the slots that carry each.
//
// A label is its type and its bytes. Those of the last checkpoint are in the mapped index file, later ones in memory;
// both are only ever added to. One writer, any number of readers without locks. Postings are filtered by the reader: a
// slot at or behind its root's count, superseded or forgotten is still listed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "format/index.h"
#include "storage/append_only.h"
#include "storage/cells.h"

namespace hippocore::storage {

enum class LabelType : char { kScope = 's', kSource = 'o', kFacet = 'f' };

inline constexpr std::uint32_t kNoLabel = format::kEmptyCell;

class Labels {
 public:
  // `base` is the mapped index of the last checkpoint, kept alive by `owner`.
  Labels(const format::IndexSections& base, std::shared_ptr<const void> owner);

  [[nodiscard]] std::uint32_t size() const noexcept { return base_count_ + static_cast<std::uint32_t>(added_.size()); }
  // Type and bytes of a label. Throws: Error{kCorruptStore} when there is no such label: it came from a damaged column.
  [[nodiscard]] std::string_view encoded(std::uint32_t label) const;
  [[nodiscard]] LabelType type(std::uint32_t label) const { return static_cast<LabelType>(encoded(label).front()); }
  [[nodiscard]] std::string_view text(std::uint32_t label) const { return encoded(label).substr(1); }
  // Returns: whether there is such a label, of this type, and more than its type: a scope or a source is never empty.
  [[nodiscard]] bool names(LabelType wanted, std::uint32_t label) const {
    return label < size() && type(label) == wanted && !text(label).empty();
  }
  // Returns: kNoLabel when there is none.
  [[nodiscard]] std::uint32_t find(LabelType type, std::string_view text) const;

  // Slots of the last checkpoint, ascending; live ones and superseded ones as they were then.
  [[nodiscard]] std::span<const std::uint32_t> live_slots(std::uint32_t label) const;
  [[nodiscard]] std::span<const std::uint32_t> superseded_slots(std::uint32_t label) const;
  // Calls visit(slot) for each slot added since, newest first.
  template <typename Visit>
  void for_each_added(std::uint32_t label, Visit&& visit) const {
    std::uint32_t next = heads_[label].load(std::memory_order_acquire);
    while (next != 0) {
      const Posting& posting = postings_[next - 1];
      visit(posting.slot);
      next = posting.next;
    }
  }

  // Only the writer.
  std::uint32_t intern(LabelType type, std::string_view text);
  // Slots come in their order; one that comes again for the same label, as a hostile log can say, is there once.
  void add_slot(std::uint32_t label, std::uint32_t slot);

 private:
  struct Posting {
    std::uint32_t slot = 0;
    std::uint32_t next = 0;  // position + 1 of the next older one; 0 ends
  };
  [[nodiscard]] std::uint32_t find_encoded(std::string_view encoded) const;
  [[nodiscard]] std::span<const std::uint32_t> base_slots(std::uint32_t label, std::size_t which) const;

  format::IndexSections base_;
  std::shared_ptr<const void> owner_;
  std::uint32_t base_count_;
  AppendOnlyVector<std::string> added_;
  GrowingCells cells_;
  AppendOnlyVector<std::atomic<std::uint32_t>> heads_;  // position + 1 of each label's newest posting
  AppendOnlyVector<Posting> postings_;
};

}  // namespace hippocore::storage
