// Which memories of a scope hold a term, and how often, and which were said one after the other: what the lexical leg
// of recall reads, and its second stage.
//
// In memory only. A scope is read in from the terms that payloads hold when it is first asked for, and what was written
// since is added at the next question, so that a write costs nothing and a small scope of a large store costs what it
// holds. One lexicon serves all roots of one generation of a handle; a reader ignores slots at or behind its root's
// count. Threads: any. Who asks for a scope that is behind brings it up to date while others who ask wait; nothing that
// writes ever does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "storage/root.h"

namespace hippocore::storage {

struct Posting {
  std::uint32_t slot = 0;
  std::uint16_t length = 0;  // terms in the memory, each as often as it stands there, at most 65535
  std::uint8_t count = 0;    // 0: the term is the memory's label
};

// The terms of one scope.
class ScopeTerms {
 public:
  struct Document {
    std::uint32_t slot = 0;
    std::uint32_t length = 0;
  };

  // What a memory says, and what it is part of: memories of one series follow each other. Without one it stands alone.
  struct Saying {
    std::string_view terms = {};
    std::optional<std::uint64_t> series = std::nullopt;
  };

  // Adds a memory. Requires: slots come in ascending order; the terms are sound.
  void add(std::uint32_t slot, const Saying& said);

  // Calls visit(position in `hashes`, posting) for each posting of the terms, ascending by slot for each term.
  template <typename Visit>
  void for_each(std::span<const std::uint64_t> hashes, Visit&& visit) const {
    if (few_.empty()) return for_each_listed(hashes, visit);
    std::uint64_t last_bits = 0;  // of the hashes: most postings are of no term that is asked for
    std::vector<std::pair<std::uint64_t, std::size_t>> asked;
    for (const std::uint64_t hash : hashes) {
      last_bits |= std::uint64_t{1} << (hash % 64);
      asked.emplace_back(hash, asked.size());
    }
    std::ranges::sort(asked);
    for (const auto& [hash, posting] : few_) {
      if ((last_bits >> (hash % 64) & 1) == 0) continue;
      auto found = std::ranges::lower_bound(asked, std::pair(hash, std::size_t{0}));
      for (; found != asked.end() && found->first == hash; ++found) visit(found->second, posting);
    }
  }

  // Calls visit(position in `hashes`, how many memories more hold it as a term, and as a label).
  template <typename Visit>
  void for_each_count(std::span<const std::uint64_t> hashes, Visit&& visit) const {
    if (!few_.empty()) {
      return for_each(hashes, [&](std::size_t at, const Posting& posting) {
        visit(at, std::size_t{posting.count > 0}, std::size_t{posting.count == 0});
      });
    }
    for (std::size_t at = 0; at < hashes.size(); ++at) {
      const auto list = lists_.find(hashes[at]);
      if (list == lists_.end()) continue;
      visit(at, list->second.postings.size() - list->second.labels, list->second.labels);
    }
  }

  // Every memory of the scope, ascending.
  [[nodiscard]] std::span<const Document> documents() const noexcept { return documents_; }

  // Calls visit(slot, distance) for up to `steps` memories on each side of the one in `slot`, nearest first, of those
  // of its series that sees(slot) lets through: the others are not there. Distance counts terms from the middle of one
  // to the middle of the other.
  template <typename Sees, typename Visit>
  void for_each_near(std::uint32_t slot, unsigned steps, Sees&& sees, Visit&& visit) const {
    const auto found = std::ranges::lower_bound(documents_, slot, {}, &Document::slot);
    if (found == documents_.end() || found->slot != slot) return;  // forgotten when the lexicon was made
    const auto place = static_cast<std::uint32_t>(found - documents_.begin());
    walk(place, &Neighbours::before, steps, sees, visit);
    walk(place, &Neighbours::after, steps, sees, visit);
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  // Positions in documents_ of those beside one in its series.
  struct Neighbours {
    std::uint32_t before = kNone;
    std::uint32_t after = kNone;
  };

  template <typename Sees, typename Visit>
  void walk(std::uint32_t place, std::uint32_t Neighbours::* beside, unsigned steps, Sees& sees, Visit& visit) const {
    double distance = documents_[place].length / 2.0;
    for (place = neighbours_[place].*beside; place != kNone && steps > 0; place = neighbours_[place].*beside) {
      const Document& document = documents_[place];
      if (!sees(document.slot)) continue;
      visit(document.slot, distance + document.length / 2.0);
      distance += document.length;
      --steps;
    }
  }
  void join(std::uint64_t series);

  static constexpr std::size_t kFew = 2048;  // postings that are read as fast as found

  template <typename Visit>
  void for_each_listed(std::span<const std::uint64_t> hashes, Visit& visit) const {
    for (std::size_t at = 0; at < hashes.size(); ++at) {
      const auto list = lists_.find(hashes[at]);
      if (list == lists_.end()) continue;
      for (const Posting& posting : list->second.postings) visit(at, posting);
    }
  }
  struct List {
    std::vector<Posting> postings;
    std::size_t labels = 0;  // of them
  };
  void add_to_list(std::uint64_t hash, const Posting& posting);
  void make_lists();

  std::vector<Document> documents_;
  std::vector<Neighbours> neighbours_;                      // of each
  std::unordered_map<std::uint64_t, std::uint32_t> lasts_;  // by series: its last document
  std::vector<std::pair<std::uint64_t, Posting>> few_;
  std::unordered_map<std::uint64_t, List> lists_;
};

class Lexicon {
 public:
  // Calls visit(terms) for each of the scopes' labels, brought up to the root. A memory whose payload is damaged has
  // no terms: reading it says so.
  template <typename Visit>
  void for_each(const Root& root, std::span<const std::uint32_t> scopes, Visit&& visit) {
    std::shared_lock reading(mutex_);
    if (!covers(root, scopes)) {
      reading.unlock();
      cover(root, scopes);
      reading.lock();
    }
    for (const std::uint32_t scope : scopes) visit(scopes_.find(scope)->second.terms);
  }

 private:
  struct Covered {
    ScopeTerms terms;
    std::uint32_t through = 0;  // slots below are in
  };

  [[nodiscard]] bool covers(const Root& root, std::span<const std::uint32_t> scopes) const;
  void cover(const Root& root, std::span<const std::uint32_t> scopes);

  std::shared_mutex mutex_;
  std::unordered_map<std::uint32_t, Covered> scopes_;
};

}  // namespace hippocore::storage
