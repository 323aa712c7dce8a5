#include "memory/eligible.h"

#include <algorithm>
#include <cstring>

#include "format/state.h"

namespace hippocore::memory {

using format::kChunkSlots;
using storage::kNoLabel;
using storage::LabelType;
using storage::Root;

namespace {

// Scopes are read through the index when they hold less than this share of all slots, else through the column.
constexpr std::size_t kIndexShare = 4;

// What the conditions read of a row, at least: its flags and scope.
constexpr std::size_t kRowBytes = 5;

using Labels = std::vector<std::uint32_t>;

bool lies_below(std::string_view scope, std::string_view above) {
  return scope.size() > above.size() && scope[above.size()] == '/' && scope.starts_with(above);
}

Labels all_scopes(const storage::Labels& labels) {
  Labels found;
  for (std::uint32_t label = 0; label < labels.size(); ++label) {
    if (labels.type(label) == LabelType::kScope) found.push_back(label);
  }
  return found;
}

void add_postings(const Root& root, const Filter& filter, std::uint32_t label, SlotMasks& into) {
  const storage::Labels& labels = root.index->labels();
  const auto add = [&](std::uint32_t slot) { into.add(slot); };
  for (const std::uint32_t slot : labels.live_slots(label)) add(slot);
  if (filter.as_of || filter.superseded || filter.ended_by) {
    for (const std::uint32_t slot : labels.superseded_slots(label)) add(slot);
  }
  labels.for_each_added(label, add);
}

SlotMasks slots_of(const Root& root, const Filter& filter, const Labels& labels) {
  SlotMasks set(root.count);
  for (const std::uint32_t label : labels) add_postings(root, filter, label, set);
  return set;
}

SlotMasks slots_of_facets(const Root& root, const Filter& filter, const std::vector<std::string>& facets) {
  Labels labels;
  for (const std::string& facet : facets) {
    const std::uint32_t label = root.index->labels().find(LabelType::kFacet, facet);
    if (label != kNoLabel) labels.push_back(label);
  }
  return slots_of(root, filter, labels);
}

// The newest version of each id; or all of them, where any may be the one that is asked for.
SlotMasks slots_of_ids(const Root& root, const Filter& filter) {
  SlotMasks set(root.count);
  for (const Id& id : *filter.ids) {
    if (filter.as_of || filter.ended_by) {
      for (const std::uint32_t slot : root.versions(id)) set.add(slot);
    } else if (const std::uint32_t slot = root.find(id); slot != storage::kNoSlot) {
      set.add(slot);
    }
  }
  return set;
}

bool are_few(const Root& root, const Labels& labels) {
  std::size_t slots = 0;
  for (const std::uint32_t label : labels) slots += root.index->labels().live_slots(label).size();
  return slots + (root.count - root.index->base_slots()) / kIndexShare < root.count / kIndexShare;
}

// The conditions on one chunk's columns.
class ChunkConditions {
 public:
  ChunkConditions(const Root& root, const Filter& filter, const Labels* scopes)
      : root_(root), filter_(filter), scopes_(scopes) {
    if (filter.source) source_ = root.index->labels().find(LabelType::kSource, *filter.source);
    if (filter.kinds) {
      kinds_.resize(root.index->kind_count());
      for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
        kinds_[kind] =
            std::find(filter.kinds->begin(), filter.kinds->end(), root.index->kind(kind)) != filter.kinds->end();
      }
    }
  }

  void apply(ChunkMask& mask) const {
    const storage::ChunkPair& pair = (*root_.chunks)[mask.chunk];
    pair.chunk->check_columns(mask.chunk, root_.index->kind_count(), root_.index->labels().size());
    pair.state->check(mask.chunk);
    const format::ChunkView& rows = pair.chunk->rows();
    const format::StateBlock& states = pair.state->block();
    const std::size_t visible = std::min<std::size_t>(kChunkSlots, root_.count - std::size_t{mask.chunk} * kChunkSlots);
    if (filter_.ended_by) {
      keep_ended(states, mask);
    } else {
      filter_.as_of ? keep_valid_at_moment(rows, states, mask) : keep_live(states, visible, mask);
    }
    if (scopes_ != nullptr) keep_scopes(rows, visible, mask);
    if (filter_.kinds)
      keep_rows(mask, [&](std::size_t row) { return rows.kinds()[row] < kinds_.size() && kinds_[rows.kinds()[row]]; });
    if (filter_.source)
      keep_rows(mask, [&](std::size_t row) { return rows.sources()[row] == source_ && source_ != kNoLabel; });
    if (filter_.min_trust > 0) keep_rows(mask, [&](std::size_t row) { return states.trust[row] >= filter_.min_trust; });
    if (filter_.since) keep_rows(mask, [&](std::size_t row) { return happened_at(rows, row) >= *filter_.since; });
    if (filter_.until) keep_rows(mask, [&](std::size_t row) { return happened_at(rows, row) < *filter_.until; });
  }

 private:
  [[nodiscard]] bool state_fits(std::uint8_t flags) const {
    const bool archived = (flags & format::kArchived) != 0;
    const bool quarantined = (flags & format::kQuarantined) != 0;
    return (flags & format::kForgotten) == 0 && archived == filter_.archived && quarantined == filter_.quarantined;
  }
  [[nodiscard]] bool lasts(const format::StateBlock& states, std::size_t row) const {
    return filter_.expired || states.expires_at[row] > filter_.moment();
  }

  // Most blocks of 64 hold nothing but plain live rows: eight comparisons say so.
  void keep_live(const format::StateBlock& states, std::size_t visible, ChunkMask& mask) const {
    const bool plain = !filter_.archived && !filter_.quarantined;
    std::array<std::uint8_t, 64> all_live;
    all_live.fill(format::kWritten);
    ChunkMask mixed{mask.chunk, {}};
    for (std::size_t word = 0; word < kMaskWords; ++word) {
      if (mask.words[word] == 0) continue;  // of a small scope, nearly all: their flags are not read
      const bool full = 64 * (word + 1) <= visible;
      if (plain && full && std::memcmp(states.flags + 64 * word, all_live.data(), 64) == 0) continue;
      std::swap(mixed.words[word], mask.words[word]);
    }
    keep_rows(mixed, [&](std::size_t row) {
      const std::uint8_t flags = states.flags[row];
      if (!state_fits(flags) || !lasts(states, row)) return false;
      return (flags & format::kSuperseded) == 0 || (filter_.superseded && is_newest_version(mask.chunk, row));
    });
    for (std::size_t word = 0; word < kMaskWords; ++word) mask.words[word] |= mixed.words[word];
  }

  // An old version is superseded, and most are not old: their flags say so.
  void keep_ended(const format::StateBlock& states, ChunkMask& mask) const {
    keep_rows(mask, [&](std::size_t row) {
      const std::uint8_t flags = states.flags[row];
      return (flags & (format::kSuperseded | format::kForgotten)) == format::kSuperseded &&
             states.valid_until[row] <= *filter_.ended_by && !is_newest_version(mask.chunk, row);
    });
  }

  [[nodiscard]] bool is_newest_version(std::uint32_t chunk, std::size_t row) const {
    const auto slot = static_cast<std::uint32_t>(chunk * kChunkSlots + row);
    return root_.find(root_.id(slot)) == slot;
  }

  void keep_valid_at_moment(const format::ChunkView& rows, const format::StateBlock& states, ChunkMask& mask) const {
    const std::int64_t moment = *filter_.as_of;
    keep_rows(mask, [&](std::size_t row) {
      // What was put aside since took part then.
      const bool aside_since = states.archived_at[row] > moment;
      const auto flags = static_cast<std::uint8_t>(states.flags[row] & (aside_since ? ~format::kArchived : 0xff));
      return rows.valid_from()[row] <= moment && moment < states.valid_until[row] && state_fits(flags) &&
             lasts(states, row);
    });
  }

  void keep_scopes(const format::ChunkView& rows, std::size_t visible, ChunkMask& mask) const {
    const auto column = rows.scopes();
    for (std::size_t word = 0; word < kMaskWords; ++word) {
      if (mask.words[word] == 0) continue;
      if (scopes_->size() == 1 && 64 * (word + 1) <= visible && all_equal(column.subspan(64 * word, 64))) continue;
      for (std::uint64_t rest = mask.words[word]; rest != 0; rest &= rest - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
        const bool in = std::binary_search(scopes_->begin(), scopes_->end(), column[64 * word + bit]);
        if (!in) mask.words[word] &= ~(std::uint64_t{1} << bit);
      }
    }
  }
  [[nodiscard]] bool all_equal(std::span<const std::uint32_t> column) const {
    std::uint32_t different = 0;
    for (const std::uint32_t label : column) different |= label ^ scopes_->front();
    return different == 0;
  }

  const Root& root_;
  const Filter& filter_;
  const Labels* scopes_;  // to compare the column with; null: no need to
  std::uint32_t source_ = kNoLabel;
  std::vector<bool> kinds_;
};

SlotMasks first_candidates(const Root& root, const Filter& filter, const Labels& scopes, bool by_index) {
  if (filter.ids) return slots_of_ids(root, filter);
  if (filter.any_links) return slots_of_facets(root, filter, *filter.any_links);
  if (by_index) return slots_of(root, filter, scopes);
  if (filter.any_facets) return slots_of_facets(root, filter, *filter.any_facets);
  if (!filter.all_facets.empty()) return slots_of_facets(root, filter, {filter.all_facets.front()});
  return SlotMasks::all(root.count);
}

}  // namespace

// Labels of the filter's scopes that the store knows. Canonical text escapes a slash inside a label, so that a prefix
// that ends at a slash is a prefix label by label.
std::vector<std::uint32_t> scopes_of(const Root& root, const Filter& filter) {
  const storage::Labels& labels = root.index->labels();
  if (!filter.scopes) return all_scopes(labels);
  Labels found;
  for (const std::string& scope : *filter.scopes) {
    const std::uint32_t label = labels.find(LabelType::kScope, scope);
    if (label != kNoLabel) found.push_back(label);
  }
  if (filter.subtree) {
    const std::uint32_t count = labels.size();
    for (std::uint32_t label = 0; label < count; ++label) {
      if (labels.type(label) != LabelType::kScope) continue;
      const bool below = std::any_of(filter.scopes->begin(), filter.scopes->end(),
                                     [&](const std::string& scope) { return lies_below(labels.text(label), scope); });
      if (below) found.push_back(label);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::int64_t happened_at(const format::ChunkView& rows, std::size_t row) {
  const std::int64_t event = rows.event_time()[row];
  return event == format::kUnset ? rows.created_at()[row] : event;
}

SlotMasks eligible_slots(const Root& root, const Filter& filter, const ranking::Splitting& splitting) {
  Labels scopes;
  if (filter.scopes) scopes = scopes_of(root, filter);
  if (filter.scopes && scopes.empty()) return SlotMasks(root.count);
  const bool by_index = filter.scopes && !filter.ids && !filter.any_links && are_few(root, scopes);
  SlotMasks masks = first_candidates(root, filter, scopes, by_index);
  if (filter.any_facets) masks.keep_only(slots_of_facets(root, filter, *filter.any_facets));
  if (filter.any_links) masks.keep_only(slots_of_facets(root, filter, *filter.any_links));
  for (const std::string& facet : filter.all_facets) masks.keep_only(slots_of_facets(root, filter, {facet}));
  const ChunkConditions conditions(root, filter, filter.scopes && !by_index ? &scopes : nullptr);
  const ranking::Helpers helpers = splitting.helpers_to_read(masks.chunks().size() * kChunkSlots * kRowBytes);
  os::for_each_piece(helpers.workers, helpers.others, masks.chunks().size(),
                     [&](std::size_t chunk) { conditions.apply(masks.chunks()[chunk]); });
  return masks;
}

std::vector<std::uint32_t> list_slots(const SlotMasks& masks) {
  std::vector<std::uint32_t> slots;
  for (const ChunkMask& mask : masks.chunks()) {
    for (std::size_t word = 0; word < kMaskWords; ++word) {
      for (std::uint64_t rest = mask.words[word]; rest != 0; rest &= rest - 1) {
        const auto row = 64 * word + static_cast<std::size_t>(std::countr_zero(rest));
        slots.push_back(static_cast<std::uint32_t>(mask.chunk * kChunkSlots + row));
      }
    }
  }
  return slots;
}

std::size_t count_slots(const SlotMasks& masks) {
  std::size_t count = 0;
  for (const ChunkMask& mask : masks.chunks()) {
    for (const std::uint64_t word : mask.words) count += static_cast<std::size_t>(std::popcount(word));
  }
  return count;
}

}  // namespace hippocore::memory
