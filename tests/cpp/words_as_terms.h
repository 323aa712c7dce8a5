// Words as the terms of a memory and of a query: a hash for each, by its letters; "ada:" is a label.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "format/terms.h"
#include "memory/lexical.h"

namespace hippocore::testing {

inline std::uint64_t term(const std::string& word) {
  std::uint64_t hash = 0;
  for (const char letter : word) hash = hash * 131 + static_cast<std::uint8_t>(letter);
  return hash & format::kTermHashes;
}

inline std::string terms_of(const std::vector<std::string>& words) {
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const std::string& word : words) word.back() == ':' ? counts[term(word)] = 0 : ++counts[term(word)];
  std::string bytes;
  for (const auto& [hash, count] : counts) {
    const std::uint64_t entry = hash | count << 56;
    bytes.append(reinterpret_cast<const char*>(&entry), sizeof(entry));
  }
  return bytes;
}

inline memory::LexicalQuery asking(const std::vector<std::string>& words) {
  memory::LexicalQuery query;
  for (const std::string& word : words) (word.back() == ':' ? query.labels : query.terms).push_back(term(word));
  return query;
}

}  // namespace hippocore::testing
