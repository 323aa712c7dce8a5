// Which versions take part in a read: the conditions of a filter as plain data.
//
// Without `as_of`, live versions: not superseded, not expired at `now`. With it, the versions valid at that moment and
// not expired then; what was archived after it was not yet. Never a forgotten one. Archived or quarantined versions
// only when asked for; then only those. With `ended_by`, instead of all these, old versions: those that another one
// of their id followed, at that moment or before, whatever else is true of them. No value means no condition; an empty
// list means that nothing passes. Times are microseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"

namespace hippocore::memory {

struct Filter {
  std::int64_t now = 0;
  std::optional<std::vector<std::string>> scopes;  // canonical text
  bool subtree = false;                            // with what lies below the scopes
  std::optional<std::vector<std::string>> kinds;
  std::optional<std::string> source;
  std::optional<std::vector<std::string>> any_facets;
  std::vector<std::string> all_facets;
  std::optional<std::vector<std::string>> any_links;  // facets too: a choice of its own
  std::optional<std::vector<Id>> ids;
  std::optional<std::int64_t> since;  // event time, else creation: since <= time …
  std::optional<std::int64_t> until;  // … < until
  std::optional<std::int64_t> as_of;
  std::optional<std::int64_t> ended_by;
  std::uint8_t min_trust = 0;
  bool archived = false;
  bool quarantined = false;
  bool expired = false;     // expired ones take part too
  bool superseded = false;  // memories that another one superseded take part too, by their newest version

  [[nodiscard]] std::int64_t moment() const noexcept { return as_of.value_or(now); }
};

}  // namespace hippocore::memory
