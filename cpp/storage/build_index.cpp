#include "storage/build_index.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "storage/cells.h"

namespace hippocore::storage {

namespace {

struct Names {
  std::vector<std::uint64_t> ends;
  std::vector<std::byte> bytes;

  void add(std::string_view name) {
    const auto* data = reinterpret_cast<const std::byte*>(name.data());
    bytes.insert(bytes.end(), data, data + name.size());
    ends.push_back(bytes.size());
  }
};

struct Postings {
  std::vector<std::uint64_t> ends;
  std::vector<std::uint32_t> slots;

  void add(std::vector<std::uint32_t>& of_label) {
    if (!std::is_sorted(of_label.begin(), of_label.end())) std::sort(of_label.begin(), of_label.end());
    slots.insert(slots.end(), of_label.begin(), of_label.end());
    ends.push_back(slots.size());
  }
};

void add_postings(const Root& root, std::uint32_t label, Postings& postings) {
  std::vector<std::uint32_t> live;
  std::vector<std::uint32_t> superseded;
  const auto sort_in = [&](std::uint32_t slot) {
    if (slot >= root.count) return;
    const std::uint8_t flags = root.flags(slot);
    if ((flags & format::kForgotten) != 0) return;
    ((flags & format::kSuperseded) != 0 ? superseded : live).push_back(slot);
  };
  for (const std::uint32_t slot : root.index->labels().live_slots(label)) sort_in(slot);
  for (const std::uint32_t slot : root.index->labels().superseded_slots(label)) sort_in(slot);
  const std::size_t before = live.size();
  root.index->labels().for_each_added(label, sort_in);
  std::reverse(live.begin() + static_cast<std::ptrdiff_t>(before), live.end());
  postings.add(live);
  postings.add(superseded);
}

std::vector<std::uint32_t> empty_cells(std::size_t entries) {
  return std::vector<std::uint32_t>(entries == 0 ? 0 : cell_count(entries), format::kEmptyCell);
}

// The newest slot of each id: a later slot takes the place of an earlier one of the same id.
std::vector<std::uint32_t> id_cells(const Root& root) {
  std::vector<std::uint32_t> cells = empty_cells(root.count);
  for (std::uint32_t slot = 0; slot < root.count; ++slot) {
    if ((root.flags(slot) & format::kForgotten) != 0) continue;
    const Id& id = root.id(slot);
    if (root.find_even_forgotten(id) == kNoSlot) {
      throw Error(ErrorCode::kCorruptStore, "the id of record " + std::to_string(slot) + " (" + to_hex(id) +
                                                ") is damaged; run verify to see all that is, and restore a backup");
    }
    std::size_t at = hash(id) & (cells.size() - 1);
    while (cells[at] != format::kEmptyCell && root.id(cells[at]) != id) at = (at + 1) & (cells.size() - 1);
    cells[at] = slot;
  }
  return cells;
}

// Many slots may share a key, and each has a cell. Where a key's run has become long, its end is kept, so that the next
// one does not walk it again.
class MergeCells {
 public:
  explicit MergeCells(std::size_t entries) : cells_(empty_cells(entries)) {}

  void add(std::uint64_t key, std::uint32_t slot) {
    std::size_t at = key & (cells_.size() - 1);
    const auto known = long_runs_.find(key);
    if (known != long_runs_.end()) at = known->second;
    std::size_t steps = 0;
    for (; cells_[at] != format::kEmptyCell; ++steps) at = (at + 1) & (cells_.size() - 1);
    cells_[at] = slot;
    if (steps > kLongRun || known != long_runs_.end()) long_runs_[key] = at;
  }
  [[nodiscard]] std::vector<std::uint32_t> take() { return std::move(cells_); }

 private:
  static constexpr std::size_t kLongRun = 64;
  std::vector<std::uint32_t> cells_;
  std::unordered_map<std::uint64_t, std::size_t> long_runs_;
};

std::vector<std::uint32_t> merge_cells(const Root& root) {
  MergeCells cells(root.count);
  for (std::uint32_t slot = 0; slot < root.count; ++slot) {
    if ((root.flags(slot) & (format::kForgotten | format::kSuperseded)) != 0) continue;
    cells.add(root.rows(slot).merge_keys()[Root::row(slot)], slot);
  }
  return cells.take();
}

std::vector<std::uint32_t> label_cells(const Labels& labels, std::uint32_t count) {
  std::vector<std::uint32_t> cells = empty_cells(count);
  for (std::uint32_t label = 0; label < count; ++label)
    insert_into_cells(cells, hash_bytes(labels.encoded(label)), label);
  return cells;
}

}  // namespace

std::vector<std::byte> build_index(const Root& root) {
  Names labels;
  Names kinds;
  Postings postings;
  // Labels may be added while this runs; the columns below the root's count hold none of those.
  const std::uint32_t label_count = root.index->labels().size();
  for (std::uint32_t label = 0; label < label_count; ++label) {
    labels.add(root.index->labels().encoded(label));
    add_postings(root, label, postings);
  }
  const std::size_t kind_count = root.index->kind_count();
  for (std::size_t kind = 0; kind < kind_count; ++kind) kinds.add(root.index->kind(kind));
  const auto of_labels = label_cells(root.index->labels(), label_count);
  const auto of_ids = id_cells(root);
  const auto of_merges = merge_cells(root);
  return format::encode_index({labels.ends, labels.bytes, kinds.ends, kinds.bytes, of_labels, of_ids, of_merges,
                               postings.ends, postings.slots});
}

}  // namespace hippocore::storage
