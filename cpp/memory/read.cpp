// Memory: the verbs that read.
#include <algorithm>
#include <tuple>

#include "base/error.h"
#include "memory/eligible.h"
#include "memory/memory.h"

namespace hippocore::memory {

using storage::kNoSlot;
using storage::Root;

namespace {

std::vector<std::uint32_t> find_all(const Root& root, std::span<const Id> ids) {
  std::vector<std::uint32_t> slots;
  for (const Id& id : ids) {
    slots.push_back(root.find(id));
    if (slots.back() == kNoSlot) {
      throw Error(ErrorCode::kMemoryNotFound, "there is no memory " + to_hex(id) + "; it may have been forgotten");
    }
  }
  return slots;
}

// The key of the order of lists: it does not change when a memory is updated, so that pages do not shift.
std::tuple<std::int64_t, Id> list_key(const Root& root, std::uint32_t slot) {
  return {root.rows(slot).created_at()[Root::row(slot)], root.id(slot)};
}

void keep_after(const Root& root, const Page& page, std::vector<std::uint32_t>& slots) {
  const std::uint32_t after = root.find_even_forgotten(*page.after);
  if (after == kNoSlot) {
    throw Error(ErrorCode::kMemoryNotFound, "there is no memory " + to_hex(*page.after) + " to list after");
  }
  const auto key = list_key(root, after);
  std::erase_if(slots, [&](std::uint32_t slot) {
    return page.newest_first ? list_key(root, slot) >= key : list_key(root, slot) <= key;
  });
}

void order(const Root& root, const Page& page, std::vector<std::uint32_t>& slots) {
  const auto first = [&](std::uint32_t left, std::uint32_t right) {
    return page.newest_first ? list_key(root, left) > list_key(root, right)
                             : list_key(root, left) < list_key(root, right);
  };
  const std::size_t wanted = std::min(page.limit.value_or(slots.size()), slots.size());
  std::partial_sort(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(wanted), slots.end(), first);
  slots.resize(wanted);
}

// Returns: 0 for what is none of the store's: a folder, a link or another user's file that somebody put there.
std::uint64_t size_on_disk(os::Directory& directory, const std::string& name) {
  try {
    const auto file = directory.open(name, os::Access::kRead);
    return file == nullptr ? 0 : file->size();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInputOutput) throw;
    return 0;
  }
}

// Without the row, which holds the vector: of many, that would be most of the reading.
format::Payload payload_of(const Root& root, std::uint32_t slot) {
  try {
    return format::decode_payload(root.payload_bytes(slot));
  } catch (const Error&) {
    return root.read_payload(slot);  // names the memory
  }
}

}  // namespace

bool Memory::contains(const Id& id) {
  return store_->snapshot()->find(id) != kNoSlot;
}

std::vector<Row> Memory::get(std::span<const Id> ids) {
  const auto root = store_->snapshot();
  return copy_rows(*root, find_all(*root, ids));
}

std::vector<float> Memory::get_vectors(std::span<const Id> ids) {
  const auto root = store_->snapshot();
  std::vector<float> vectors;
  for (const std::uint32_t slot : find_all(*root, ids)) {
    root->check_row(slot);
    const auto vector = root->rows(slot).vector(Root::row(slot));
    vectors.insert(vectors.end(), vector.begin(), vector.end());
  }
  return vectors;
}

std::vector<std::optional<std::string>> Memory::extras(std::span<const Id> ids) {
  const auto root = store_->snapshot();
  std::vector<std::optional<std::string>> extras;
  extras.reserve(ids.size());
  for (const Id& id : ids) {
    const std::uint32_t slot = root->find(id);
    slot == kNoSlot ? extras.emplace_back() : extras.emplace_back(payload_of(*root, slot).extra);
  }
  return extras;
}

std::vector<Row> Memory::history(const Id& id) {
  const auto root = store_->snapshot();
  return copy_rows(*root, root->versions(id));
}

std::vector<Row> Memory::select(const Filter& filter, const Page& page) {
  const auto root = store_->snapshot();
  std::vector<std::uint32_t> slots = list_slots(eligible_slots(*root, filter));
  if (page.after) keep_after(*root, page, slots);
  order(*root, page, slots);
  return copy_rows(*root, slots);
}

std::vector<Id> Memory::select_ids(const Filter& filter) {
  const auto root = store_->snapshot();
  std::vector<Id> ids;
  for (const std::uint32_t slot : list_slots(eligible_slots(*root, filter))) {
    root->check_row(slot);  // the id itself may be what is damaged
    ids.push_back(root->id(slot));
  }
  return ids;
}

Columns Memory::columns(const Filter& filter) {
  const auto root = store_->snapshot();
  return copy_columns(*root, list_slots(eligible_slots(*root, filter, splitting_)));
}

std::size_t Memory::count(const Filter& filter) {
  const auto root = store_->snapshot();
  return count_slots(eligible_slots(*root, filter));
}

std::vector<std::pair<std::string, std::uint64_t>> Memory::scopes(std::int64_t now) {
  const auto root = store_->snapshot();
  std::vector<std::uint64_t> counts(root->index->labels().size());
  Filter live;
  live.now = now;
  for (const std::uint32_t slot : list_slots(eligible_slots(*root, live))) {
    ++counts[root->rows(slot).scopes()[Root::row(slot)]];
  }
  std::vector<std::pair<std::string, std::uint64_t>> scopes;
  for (std::uint32_t label = 0; label < counts.size(); ++label) {
    if (counts[label] > 0) scopes.emplace_back(root->index->labels().text(label), counts[label]);
  }
  std::sort(scopes.begin(), scopes.end());
  return scopes;
}

Memory::Versions Memory::versions(std::uint32_t first_slot, std::size_t limit, bool with_vectors) {
  const auto root = store_->snapshot();
  Versions page;
  std::uint32_t slot = first_slot;
  for (; slot < root->count && page.rows.size() < limit; ++slot) {
    root->check_state(slot);
    if ((root->flags(slot) & format::kForgotten) != 0) continue;
    page.rows.push_back(copy_row(*root, slot));
    if (!with_vectors) continue;
    const auto vector = root->rows(slot).vector(Root::row(slot));
    page.vectors.insert(page.vectors.end(), vector.begin(), vector.end());
  }
  page.next = slot < root->count ? slot : 0;
  return page;
}

void Memory::close() {
  // In a forked child the store's `close` throws, and the threads are not there to be ended.
  struct End {
    os::Workers& workers;
    ~End() { workers.stop(); }
  } const end{workers_};
  store_->close();
}

Verification Memory::verify(const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  return memory::verify(*store_->snapshot(), progress);
}

Statistics Memory::statistics() {
  const auto root = store_->snapshot();
  Statistics statistics;
  std::vector<bool> used(root->index->labels().size());
  for (std::uint32_t slot = 0; slot < root->count; ++slot) {
    root->check_state(slot);
    root->chunk(slot).check_columns(slot / format::kChunkSlots, root->index->kind_count(),
                                    root->index->labels().size());
    const std::uint8_t flags = root->flags(slot);
    const bool forgotten = (flags & format::kForgotten) != 0;
    forgotten ? ++statistics.forgotten : ++statistics.versions;
    if (forgotten || (flags & format::kSuperseded) != 0) continue;
    ++statistics.memories;
    used[root->rows(slot).scopes()[Root::row(slot)]] = true;
  }
  statistics.scopes = static_cast<std::uint64_t>(std::count(used.begin(), used.end(), true));
  statistics.slots = root->count;
  statistics.generation = root->header->generation;
  statistics.epoch = root->header->epoch;
  statistics.sequence = root->position.sequence;
  statistics.log_bytes = root->position.offset;
  statistics.background_failures = store_->background_failures();
  for (const std::string& name : store_->directory().names()) {
    statistics.disk_bytes += size_on_disk(store_->directory(), name);
  }
  return statistics;
}

}  // namespace hippocore::memory
