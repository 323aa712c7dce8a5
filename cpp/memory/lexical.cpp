#include "memory/lexical.h"

#include <cmath>

#include "memory/eligible.h"
#include "storage/lexicon.h"

namespace hippocore::memory {
namespace {

using storage::Posting;
using storage::ScopeTerms;

// What the lexicon holds of the query among the eligible memories.
class Found {
 public:
  Found(const SlotMasks& eligible, std::size_t terms, std::size_t labels)
      : eligible_(eligible), terms_(terms), holders_(terms + labels) {}

  void read(const ScopeTerms& scope, std::span<const std::uint64_t> hashes) {
    for (const ScopeTerms::Document& document : scope.documents()) {
      if (!sees(document.slot)) continue;
      ++memories_;
      length_ += document.length;
    }
    scope.for_each(hashes, [&](std::size_t at, const Posting& posting) {
      if ((posting.count == 0) != (at >= terms_) || !sees(posting.slot)) return;
      ++holders_[at];
      postings_.push_back({at, posting});
    });
  }

  [[nodiscard]] LexicalLeg leg(const ranking::Bm25& bm25, double power, std::size_t slots) const {
    LexicalLeg leg{ranking::SparseColumn(slots), {}, 0, memories_};
    std::vector<double> weights(terms_);
    for (std::size_t at = 0; at < terms_; ++at) {
      weights[at] = std::pow(ranking::inverse_document_frequency(memories_, holders_[at]), power);
      leg.largest += weights[at];
    }
    const double mean_length = length_ == 0 ? 1 : static_cast<double>(length_) / static_cast<double>(memories_);
    for (const auto& [at, posting] : postings_) {
      if (at >= terms_) {
        leg.labelled.push_back(posting.slot);
      } else {
        leg.scores.at(posting.slot) +=
            static_cast<float>(weights[at] * ranking::saturation(bm25, posting.count, posting.length, mean_length));
      }
    }
    return leg;
  }

 private:
  struct Hit {
    std::size_t at;
    Posting posting;
  };

  [[nodiscard]] bool sees(std::uint32_t slot) const { return slot < eligible_.count() && eligible_.contains(slot); }

  const SlotMasks& eligible_;
  std::size_t terms_;
  std::vector<std::size_t> holders_;
  std::vector<Hit> postings_;
  std::size_t memories_ = 0;
  std::uint64_t length_ = 0;
};

}  // namespace

LexicalLeg read_lexical(const storage::Root& root, const Filter& filter, const SlotMasks& eligible,
                        const LexicalQuery& query, double power) {
  std::vector<std::uint64_t> hashes = query.terms;
  hashes.insert(hashes.end(), query.labels.begin(), query.labels.end());
  Found found(eligible, query.terms.size(), query.labels.size());
  root.lexicon->for_each(root, scopes_of(root, filter), [&](const ScopeTerms& scope) { found.read(scope, hashes); });
  return found.leg(query.bm25, power, root.count);
}

}  // namespace hippocore::memory
