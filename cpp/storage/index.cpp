#include "storage/index.h"

#include "base/error.h"

namespace hippocore::storage {

Index::Index(const format::IndexSections& base, std::shared_ptr<const void> owner, std::uint32_t base_slots)
    : base_(base), labels_(base, std::move(owner)), base_slots_(base_slots) {
  std::uint64_t begin = 0;
  if (base.kind_ends.size() > kMaximumKinds) throw Error(ErrorCode::kCorruptStore, "the index holds too many kinds");
  for (const std::uint64_t end : base.kind_ends) {
    intern_kind({reinterpret_cast<const char*>(base.kind_bytes.data()) + begin, end - begin});
    begin = end;
  }
  if (kinds_.size() != base.kind_ends.size()) throw Error(ErrorCode::kCorruptStore, "the index holds a kind twice");
}

std::string_view Index::kind(std::size_t position) const {
  if (position >= kinds_.size()) {
    throw Error(ErrorCode::kCorruptStore, "a record names a kind that the index does not have; run verify");
  }
  return kinds_[position];
}

std::size_t Index::find_kind(std::string_view name) const {
  const std::size_t count = kinds_.size();
  for (std::size_t position = 0; position < count; ++position) {
    if (kinds_[position] == name) return position;
  }
  return count;
}

std::uint16_t Index::intern_kind(std::string_view name) {
  const auto [found, is_new] =
      kind_positions_.try_emplace(std::string(name), static_cast<std::uint16_t>(kinds_.size()));
  if (!is_new) return found->second;
  if (kinds_.size() >= kMaximumKinds) {
    kind_positions_.erase(found);
    throw Error(ErrorCode::kInvalidArgument,
                "a store holds at most 65,535 kinds; put what varies into tags or metadata");
  }
  kinds_.append(std::string(name));
  return found->second;
}

void Index::add(std::uint32_t slot, const Added& keys) {
  Added linked = keys;
  linked.same_merge_key = newest_added_with(keys.merge_key);
  added_.append(linked);
  if (linked.same_merge_key != format::kEmptyCell) {
    merges_.replace(keys.merge_key, linked.same_merge_key, slot);
  } else {
    merges_.insert(keys.merge_key, slot, [this](std::uint32_t kept) { return added(kept).merge_key; });
  }
  const std::uint64_t id_hash = hash(keys.id);
  const std::uint32_t old = ids_.find(id_hash, [&](std::uint32_t at) { return added(at).id == keys.id; });
  if (old != format::kEmptyCell) {
    ids_.replace(id_hash, old, slot);
  } else {
    ids_.insert(id_hash, slot, [this](std::uint32_t kept) { return hash(added(kept).id); });
  }
}

}  // namespace hippocore::storage
