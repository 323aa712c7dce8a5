#include "format/terms.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace hippocore::format {

std::string add_up_terms(std::string_view entries) {
  constexpr int kCount = 8;  // bits
  constexpr std::uint64_t kMost = (std::uint64_t{1} << kCount) - 1;
  if (entries.size() % sizeof(std::uint64_t) != 0) return std::string(entries);
  std::vector<std::uint64_t> words(term_count(entries));  // the hash first, so that they sort by it
  if (!words.empty()) std::memcpy(words.data(), entries.data(), entries.size());
  for (std::uint64_t& word : words) word = std::rotl(word, kCount);
  std::ranges::sort(words);
  std::size_t distinct = 0;
  for (const std::uint64_t word : words) {
    if (distinct > 0 && words[distinct - 1] >> kCount == word >> kCount) {
      std::uint64_t& last = words[distinct - 1];
      last = (last & ~kMost) | std::min((last & kMost) + (word & kMost), kMost);
    } else {
      words[distinct++] = word;
    }
  }
  for (std::uint64_t& word : words) word = std::rotr(word, kCount);
  return {reinterpret_cast<const char*>(words.data()), distinct * sizeof(std::uint64_t)};
}

}  // namespace hippocore::format
