#include "storage/labels.h"

#include "base/error.h"
#include "base/hash.h"

namespace hippocore::storage {

namespace {

std::string encode(LabelType type, std::string_view text) {
  std::string encoded(1, static_cast<char>(type));
  encoded += text;
  return encoded;
}

}  // namespace

Labels::Labels(const format::IndexSections& base, std::shared_ptr<const void> owner)
    : base_(base), owner_(std::move(owner)), base_count_(static_cast<std::uint32_t>(base.label_ends.size())) {
  for (std::uint32_t label = 0; label < base_count_; ++label) heads_.append();
}

std::string_view Labels::encoded(std::uint32_t label) const {
  if (label >= size()) {
    throw Error(ErrorCode::kCorruptStore, "a record names a label that the index does not have; run verify");
  }
  if (label >= base_count_) return added_[label - base_count_];
  const std::uint64_t begin = label == 0 ? 0 : base_.label_ends[label - 1];
  return {reinterpret_cast<const char*>(base_.label_bytes.data()) + begin, base_.label_ends[label] - begin};
}

std::uint32_t Labels::find(LabelType type, std::string_view text) const {
  return find_encoded(encode(type, text));
}

std::uint32_t Labels::find_encoded(std::string_view wanted) const {
  const std::uint64_t hash = hash_bytes(wanted);
  const auto matches = [&](std::uint32_t label) { return encoded(label) == wanted; };
  const std::uint32_t label = find_in_cells(base_.label_cells, hash, matches);
  return label != kNoLabel ? label : cells_.find(hash, matches);
}

std::span<const std::uint32_t> Labels::base_slots(std::uint32_t label, std::size_t which) const {
  if (label >= base_count_) return {};
  const std::size_t at = 2 * std::size_t{label} + which;
  const std::uint64_t begin = at == 0 ? 0 : base_.posting_ends[at - 1];
  return base_.posting_slots.subspan(begin, base_.posting_ends[at] - begin);
}

std::span<const std::uint32_t> Labels::live_slots(std::uint32_t label) const {
  return base_slots(label, 0);
}
std::span<const std::uint32_t> Labels::superseded_slots(std::uint32_t label) const {
  return base_slots(label, 1);
}

std::uint32_t Labels::intern(LabelType type, std::string_view text) {
  const std::string wanted = encode(type, text);
  std::uint32_t label = find_encoded(wanted);
  if (label != kNoLabel) return label;
  label = size();
  heads_.append();
  added_.append(wanted);
  cells_.insert(hash_bytes(wanted), label, [this](std::uint32_t kept) { return hash_bytes(encoded(kept)); });
  return label;
}

void Labels::add_slot(std::uint32_t label, std::uint32_t slot) {
  std::atomic<std::uint32_t>& head = heads_[label];
  const std::uint32_t newest = head.load(std::memory_order_relaxed);
  if (newest != 0 && postings_[newest - 1].slot == slot) return;
  postings_.append(slot, newest);
  head.store(static_cast<std::uint32_t>(postings_.size()), std::memory_order_release);
}

}  // namespace hippocore::storage
