#include "memory/lexical.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "memory/eligible.h"
#include "storage/lexicon.h"

namespace hippocore::memory {
namespace {

using storage::Posting;
using storage::ScopeTerms;

// What a term's count in a memory is worth; computed once for what most postings have: one, in a short memory.
class Saturation {
 public:
  Saturation(const ranking::Bm25& bm25, double mean_length) : bm25_(bm25), mean_length_(mean_length) {
    for (std::size_t length = 0; length < once_.size(); ++length) {
      once_[length] = ranking::saturation(bm25, 1, static_cast<double>(length), mean_length);
    }
  }
  [[nodiscard]] double of(const Posting& posting) const {
    if (posting.count == 1 && posting.length < once_.size()) return once_[posting.length];
    return ranking::saturation(bm25_, posting.count, posting.length, mean_length_);
  }

 private:
  const ranking::Bm25& bm25_;
  double mean_length_;
  std::array<double, 128> once_{};
};

// First the statistics of the query's terms among the eligible memories, scope by scope, and then the scores: two looks
// at the lexicon cost less than copies of the postings in between.
class Reading {
 public:
  Reading(const SlotMasks& eligible, const LexicalQuery& query)
      : eligible_(eligible), bm25_(query.bm25), terms_(query.terms.size()), hashes_(query.terms) {
    hashes_.insert(hashes_.end(), query.labels.begin(), query.labels.end());
    holders_.resize(hashes_.size());
  }

  void count(const ScopeTerms& scope) {
    const std::size_t before = memories_;
    const ChunkMask* mask = nullptr;
    std::size_t chunk = SIZE_MAX;  // the mask's; documents come in order
    for (const ScopeTerms::Document& document : scope.documents()) {
      if (document.slot / format::kChunkSlots != chunk) {
        chunk = document.slot / format::kChunkSlots;
        mask = eligible_.find(chunk);
      }
      if (mask == nullptr || !mask->contains(document.slot)) continue;
      ++memories_;
      length_ += document.length;
    }
    whole_.push_back(memories_ - before == scope.documents().size());
    if (whole_.back()) {
      scope.for_each_count(hashes_, [&](std::size_t at, std::size_t as_term, std::size_t as_label) {
        holders_[at] += at < terms_ ? as_term : as_label;
      });
    } else {
      scope.for_each(hashes_, [&](std::size_t at, const Posting& posting) {
        if (is_asked(at, posting) && sees(posting.slot)) ++holders_[at];
      });
    }
  }

  [[nodiscard]] LexicalLeg leg(const TermWeighting& weighting, std::size_t slots) {
    LexicalLeg leg{ranking::SparseColumn(slots), {}, 0, memories_};
    const std::size_t postings = keep_heavy_terms(weighting);
    leg.scores.reserve(postings);
    leg.largest = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    saturation_.emplace(bm25_, length_ == 0 ? 1 : static_cast<double>(length_) / static_cast<double>(memories_));
    return leg;
  }

  // Requires: the scopes come as `count` had them.
  void score(const ScopeTerms& scope, LexicalLeg& leg) {
    const bool whole = whole_[scored_++];
    scope.for_each(hashes_, [&](std::size_t at, const Posting& posting) {
      // What is written meanwhile lies behind.
      if (!is_asked(at, posting) || !(whole ? posting.slot < eligible_.count() : sees(posting.slot))) return;
      if (at >= terms_) {
        leg.labelled.push_back(posting.slot);
      } else {
        leg.scores.at(posting.slot) += static_cast<float>(weights_[at] * saturation_->of(posting));
      }
    });
  }

 private:
  // Returns: how many postings the terms that count have.
  std::size_t keep_heavy_terms(const TermWeighting& weighting) {
    for (std::size_t at = 0; at < terms_; ++at) {
      weights_.push_back(std::pow(ranking::inverse_document_frequency(memories_, holders_[at]), weighting.power));
    }
    const double least = terms_ == 0 ? 0 : weighting.least_share * std::ranges::max(weights_);
    std::size_t kept = 0;
    std::size_t postings = 0;
    for (std::size_t at = 0; at < terms_; ++at) {
      if (weights_[at] < least) continue;
      postings += holders_[at];
      weights_[kept] = weights_[at];
      hashes_[kept++] = hashes_[at];
    }
    weights_.resize(kept);
    hashes_.erase(hashes_.begin() + static_cast<std::ptrdiff_t>(kept),
                  hashes_.begin() + static_cast<std::ptrdiff_t>(terms_));
    terms_ = kept;
    return postings;
  }
  [[nodiscard]] bool sees(std::uint32_t slot) const { return slot < eligible_.count() && eligible_.contains(slot); }
  // Terms come first, and labels behind them.
  [[nodiscard]] bool is_asked(std::size_t at, const Posting& posting) const {
    return (posting.count == 0) == (at >= terms_);
  }

  const SlotMasks& eligible_;
  const ranking::Bm25& bm25_;
  std::size_t terms_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::size_t> holders_;  // of each, before light terms go
  std::size_t memories_ = 0;
  std::uint64_t length_ = 0;
  std::vector<bool> whole_;      // of each scope: whether every memory in it is eligible
  std::size_t scored_ = 0;       // scopes
  std::vector<double> weights_;  // of each term
  std::optional<Saturation> saturation_;
};

}  // namespace

LexicalLeg read_lexical(const storage::Root& root, const Filter& filter, const SlotMasks& eligible,
                        const LexicalQuery& query, const TermWeighting& weighting) {
  const std::vector<std::uint32_t> scopes = scopes_of(root, filter);
  Reading reading(eligible, query);
  root.lexicon->for_each(root, scopes, [&](const ScopeTerms& scope) { reading.count(scope); });
  LexicalLeg leg = reading.leg(weighting, root.count);
  root.lexicon->for_each(root, scopes, [&](const ScopeTerms& scope) { reading.score(scope, leg); });
  return leg;
}

}  // namespace hippocore::memory
