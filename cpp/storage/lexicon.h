// Which memories of a scope hold a term, and how often: what the lexical leg of recall reads.
//
// In memory only. A scope is read in from the terms that payloads hold when it is first asked for, and what was written
// since is added at the next question, so that a write costs nothing and a small scope of a large store costs what it
// holds. One lexicon serves all roots of one generation of a handle; a reader ignores slots at or behind its root's
// count. Threads: any. Who asks for a scope that is behind brings it up to date while others who ask wait; nothing that
// writes ever does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <span>
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

  // Adds a memory. Requires: slots come in ascending order; the terms are sound.
  void add(std::uint32_t slot, std::string_view terms);

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

  // Every memory of the scope, ascending.
  [[nodiscard]] std::span<const Document> documents() const noexcept { return documents_; }

 private:
  static constexpr std::size_t kFew = 2048;  // postings that are read as fast as found

  template <typename Visit>
  void for_each_listed(std::span<const std::uint64_t> hashes, Visit& visit) const {
    for (std::size_t at = 0; at < hashes.size(); ++at) {
      const auto list = lists_.find(hashes[at]);
      if (list == lists_.end()) continue;
      for (const Posting& posting : list->second) visit(at, posting);
    }
  }
  void make_lists();

  std::vector<Document> documents_;
  std::vector<std::pair<std::uint64_t, Posting>> few_;
  std::unordered_map<std::uint64_t, std::vector<Posting>> lists_;
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
