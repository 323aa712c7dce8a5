// A memory whose every part can be told from all other bytes: what a purge must not leave behind.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"
#include "ranking/quantize.h"
#include "store_fixture.h"

namespace hippocore::testing {

inline const std::string kCanary = "canary-7f3a";

inline Note canary() {
  Note note{id_of(0xCA4A11), "the " + kCanary + "-content", 1};
  note.scope = kCanary + "-scope";
  note.kind = kCanary + "-kind";
  note.source = kCanary + "-source";
  note.facets = {kCanary + "-facet"};
  note.merge_key = 0x1122334455667788;
  note.vector = vector_of(4242);
  note.extra = kCanary + "-metadata";
  note.terms = kCanary + "-terms";
  return note;
}

// Returns: everything of the canary that could be found on a disk.
inline std::vector<std::string> traces() {
  const Note note = canary();
  std::vector<std::byte> code(format::code_bytes(kDimension));
  static_cast<void>(ranking::quantize(note.vector, code));
  const auto id = std::as_bytes(std::span(note.id.bytes));
  const auto vector = std::as_bytes(std::span(note.vector));
  const auto key = std::as_bytes(std::span(&note.merge_key, 1));
  return {kCanary, std::string(as_text(vector)), std::string(as_text(std::span(code).first(4))),
          std::string(as_text(id)), std::string(as_text(key))};
}

}  // namespace hippocore::testing
