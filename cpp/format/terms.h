// The terms of a memory as its payload holds them: what the lexical leg of recall finds it by.
//
// A u64 for each distinct term, ascending: its hash in the lower 56 bits, and in the upper 8 how often it stands in the
// content, at most 255. A count of 0 marks a label, the name that the content is said under ("Ada: I agree"), which is
// no part of its length. Which words make a term is decided above; here they are numbers. Pure: bytes <-> values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace hippocore::format {

inline constexpr std::uint64_t kTermHashes = (std::uint64_t{1} << 56) - 1;

struct Term {
  std::uint64_t hash = 0;
  std::uint8_t count = 0;
};

[[nodiscard]] inline std::size_t term_count(std::string_view terms) noexcept {
  return terms.size() / sizeof(std::uint64_t);
}

// Requires: index < term_count(terms).
[[nodiscard]] inline Term term_at(std::string_view terms, std::size_t index) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, terms.data() + index * sizeof(word), sizeof(word));
  return {word & kTermHashes, static_cast<std::uint8_t>(word >> 56)};
}

// Returns: whether they are whole and each stands there once.
[[nodiscard]] inline bool terms_are_sound(std::string_view terms) noexcept {
  if (terms.size() % sizeof(std::uint64_t) != 0) return false;
  for (std::size_t index = 1; index < term_count(terms); ++index) {
    if (term_at(terms, index).hash <= term_at(terms, index - 1).hash) return false;
  }
  return true;
}

// Returns: entries as above but in any order and repeated, as terms: the counts of each hash added up. Of bytes that
// are no whole entries it makes nothing else: they stay what they are, not sound.
[[nodiscard]] std::string add_up_terms(std::string_view entries);

}  // namespace hippocore::format
