#include "memory/lending.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

#include "memory/eligible.h"
#include "ranking/association.h"
#include "storage/lexicon.h"

namespace hippocore::memory {

using ranking::Hit;
using storage::kNoLabel;
using storage::Root;
using storage::ScopeTerms;

namespace {

constexpr std::uint64_t kHalfAnHour = std::uint64_t{30} * 60 * 1'000'000;

struct Lender {
  std::uint32_t slot = 0;
  std::uint32_t scope = 0;
  std::uint32_t source = kNoLabel;
  double lend = 0;
};

std::uint32_t source_of(const Root& root, std::uint32_t slot) {
  return root.rows(slot).sources()[Root::row(slot)];
}

std::uint32_t scope_of(const Root& root, std::uint32_t slot) {
  return root.rows(slot).scopes()[Root::row(slot)];
}

std::uint64_t one_source(std::uint32_t scope, std::uint32_t source) {
  return std::uint64_t{scope} << 32 | source;
}

bool at_one_time(const Root& root, std::uint32_t slot, std::uint32_t other) {
  const std::int64_t first = happened_at(root.rows(slot), Root::row(slot));
  const std::int64_t second = happened_at(root.rows(other), Root::row(other));
  const auto [earlier, later] = std::minmax(first, second);
  return static_cast<std::uint64_t>(later) - static_cast<std::uint64_t>(earlier) <= kHalfAnHour;
}

// Where each borrower stands, by slot: a table for at most so many that is searched from a slot's cell on.
class Positions {
 public:
  explicit Positions(std::size_t most) : cells_(std::bit_ceil(2 * most + 1)) {}
  // Returns: the position of the slot; `next` where it had none, which it has from now on.
  std::uint32_t find_or_add(std::uint32_t slot, std::uint32_t next) {
    const std::size_t mask = cells_.size() - 1;
    std::size_t at = slot * kSpread & mask;
    while (cells_[at].position != 0 && cells_[at].slot != slot) at = (at + 1) & mask;
    if (cells_[at].position == 0) cells_[at] = {slot, next + 1};
    return cells_[at].position - 1;
  }

 private:
  static constexpr std::uint32_t kSpread = 0x9E3779B1;  // odd
  struct Cell {
    std::uint32_t slot = 0;
    std::uint32_t position = 0;  // + 1; 0: free
  };
  std::vector<Cell> cells_;
};

class Lending {
 public:
  // `most`: borrowers.
  Lending(const QuerySource& source, std::size_t most)
      : source_(source), root_(source.root), episode_(source.root.index->find_kind("episode")), positions_(most) {}

  void add_pool(const QueryRelevance& relevance, std::span<const Hit> pool) {
    add(pool);
    for (const Hit& hit : pool) {
      const double lend = ranking::lend_of(relevance.parts(hit.slot, hit.similarity));
      lenders_.push_back({hit.slot, scope_of(root_, hit.slot), source_of(root_, hit.slot), lend});
    }
  }
  void add(std::span<const Hit> hits) {
    for (const Hit& hit : hits) borrower(hit.slot).hit = &hit;
  }

  // Scope by scope; what one borrower is lent is added in the order of its lenders' rank.
  void lend_to_neighbours() {
    std::ranges::stable_sort(lenders_, {}, &Lender::scope);
    const std::span lenders(lenders_);
    for (std::size_t first = 0, last = 0; first < lenders.size(); first = last) {
      while (last < lenders.size() && lenders[last].scope == lenders[first].scope) ++last;
      root_.lexicon->for_each(root_, {&lenders[first].scope, 1}, [&](const ScopeTerms& terms) {
        for (const Lender& lender : lenders.subspan(first, last - first)) lend_around(terms, lender);
      });
    }
  }

  void lend_within_sources() {
    std::unordered_map<std::uint64_t, double> best;
    for (const Lender& lender : lenders_) {
      if (lender.source == kNoLabel) continue;
      double& most = best[one_source(lender.scope, lender.source)];
      most = std::max(most, lender.lend);
    }
    for (Borrower& borrower : borrowers_) {
      const auto found = best.find(one_source(scope_of(root_, borrower.slot), source_of(root_, borrower.slot)));
      if (found != best.end()) borrower.lent += ranking::kOfSource * found->second;
    }
  }

  [[nodiscard]] std::vector<Borrower> take_borrowers() { return std::move(borrowers_); }

 private:
  Borrower& borrower(std::uint32_t slot) {
    const auto next = static_cast<std::uint32_t>(borrowers_.size());
    const std::uint32_t position = positions_.find_or_add(slot, next);
    if (position == next) borrowers_.push_back({slot});
    return borrowers_[position];
  }

  void lend_around(const ScopeTerms& terms, const Lender& lender) {
    const bool has_source = lender.source != kNoLabel;
    if (!has_source && root_.rows(lender.slot).kinds()[Root::row(lender.slot)] != episode_) return;
    const auto sees = [&](std::uint32_t slot) {
      return slot < source_.eligible.count() && source_.eligible.contains(slot);
    };
    terms.for_each_near(lender.slot, ranking::kSteps, sees, [&](std::uint32_t slot, double distance) {
      if (has_source || at_one_time(root_, lender.slot, slot)) {
        borrower(slot).lent += ranking::lent(lender.lend, distance);
      }
    });
  }

  const QuerySource& source_;
  const Root& root_;
  std::size_t episode_;
  std::vector<Lender> lenders_;
  std::vector<Borrower> borrowers_;
  Positions positions_;  // in borrowers_
};

}  // namespace

std::vector<Borrower> lend(const QuerySource& source, const QueryRelevance& relevance, std::span<const Hit> pool,
                           std::span<const Hit> others) {
  // Each of the pool has neighbours on both sides.
  Lending lending(source, pool.size() * (1 + 2 * ranking::kSteps) + others.size());
  lending.add_pool(relevance, pool);
  lending.lend_to_neighbours();
  lending.lend_within_sources();
  lending.add(others);
  return lending.take_borrowers();
}

}  // namespace hippocore::memory
