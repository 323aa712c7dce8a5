#include "storage/lexicon.h"

#include <algorithm>
#include <mutex>

#include "base/error.h"
#include "format/terms.h"

namespace hippocore::storage {
namespace {

// The scope's slots from `first` on that the root shows and that are not forgotten, ascending.
std::vector<std::uint32_t> slots_of(const Root& root, std::uint32_t scope, std::uint32_t first) {
  std::vector<std::uint32_t> slots;
  const auto take = [&](std::uint32_t slot) {
    if (slot >= first && slot < root.count && (root.flags(slot) & format::kForgotten) == 0) slots.push_back(slot);
  };
  const Labels& labels = root.index->labels();
  for (const auto& list : {labels.live_slots(scope), labels.superseded_slots(scope)}) {
    for (auto place = std::ranges::lower_bound(list, first); place != list.end(); ++place) take(*place);
  }
  labels.for_each_added(scope, take);
  std::ranges::sort(slots);
  return slots;
}

// Memories of one source, or without a source of one kind, are a series.
std::uint64_t series_of(const Root& root, std::uint32_t slot) {
  const std::uint32_t source = root.rows(slot).sources()[Root::row(slot)];
  if (source != kNoLabel) return source;
  return std::uint64_t{1} << 32 | root.rows(slot).kinds()[Root::row(slot)];
}

ScopeTerms::Saying saying_of(const Root& root, std::uint32_t slot) {
  try {
    const std::string_view terms = root.read_payload(slot).terms;
    return {format::terms_are_sound(terms) ? terms : std::string_view{}, series_of(root, slot)};
  } catch (const Error&) {
    return {};  // damaged: whoever reads the memory is told
  }
}

}  // namespace

void ScopeTerms::add(std::uint32_t slot, const Saying& said) {
  const std::string_view terms = said.terms;
  std::uint32_t length = 0;
  for (std::size_t at = 0; at < format::term_count(terms); ++at) length += format::term_at(terms, at).count;
  documents_.push_back({slot, length});
  neighbours_.resize(documents_.size());
  if (said.series) join(*said.series);
  for (std::size_t at = 0; at < format::term_count(terms); ++at) {
    const format::Term term = format::term_at(terms, at);
    const Posting posting{slot, static_cast<std::uint16_t>(std::min(length, 65535U)), term.count};
    if (lists_.empty()) {
      few_.emplace_back(term.hash, posting);
    } else {
      add_to_list(term.hash, posting);
    }
  }
  if (few_.size() > kFew) make_lists();
}

// The last document follows what was the last of its series.
void ScopeTerms::join(std::uint64_t series) {
  const auto place = static_cast<std::uint32_t>(documents_.size() - 1);
  const auto [last, is_first] = lasts_.try_emplace(series, place);
  if (is_first) return;
  neighbours_[place].before = last->second;
  neighbours_[last->second].after = place;
  last->second = place;
}

void ScopeTerms::add_to_list(std::uint64_t hash, const Posting& posting) {
  List& list = lists_[hash];
  list.postings.push_back(posting);
  if (posting.count == 0) ++list.labels;
}

void ScopeTerms::make_lists() {
  for (const auto& [hash, posting] : few_) add_to_list(hash, posting);
  few_ = {};
}

bool Lexicon::covers(const Root& root, std::span<const std::uint32_t> scopes) const {
  return std::ranges::all_of(scopes, [&](std::uint32_t scope) {
    const auto found = scopes_.find(scope);
    return found != scopes_.end() && found->second.through >= root.count;
  });
}

void Lexicon::cover(const Root& root, std::span<const std::uint32_t> scopes) {
  const std::lock_guard writing(mutex_);
  for (const std::uint32_t scope : scopes) {
    Covered& covered = scopes_[scope];
    if (covered.through >= root.count) continue;
    for (const std::uint32_t slot : slots_of(root, scope, covered.through)) {
      covered.terms.add(slot, saying_of(root, slot));
      covered.through = slot + 1;  // whatever ends this, nothing is added twice
    }
    covered.through = root.count;
  }
}

}  // namespace hippocore::storage
