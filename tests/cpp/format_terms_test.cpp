#include <cstdint>
#include <string>
#include <vector>

#include "format/terms.h"
#include "harness.h"

namespace hippocore::format {
namespace {

std::string packed(const std::vector<std::uint64_t>& entries) {
  return {reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof(std::uint64_t)};
}

std::uint64_t entry(std::uint64_t hash, std::uint64_t count) {
  return hash | count << 56;
}

}  // namespace

TEST(format_terms_are_added_up_and_in_their_order) {
  const std::uint64_t large = kTermHashes;
  const std::string added = add_up_terms(packed({entry(7, 1), entry(large, 1), entry(3, 0), entry(7, 2), entry(5, 1)}));
  CHECK_EQUAL(added, packed({entry(3, 0), entry(5, 1), entry(7, 3), entry(large, 1)}));
  CHECK(terms_are_sound(added));
  CHECK_EQUAL(add_up_terms(added), added);
  CHECK_EQUAL(add_up_terms({}), std::string());
}

TEST(format_terms_count_to_255_and_a_label_that_is_a_term_is_one) {
  CHECK_EQUAL(add_up_terms(packed(std::vector<std::uint64_t>(300, entry(9, 1)))), packed({entry(9, 255)}));
  CHECK_EQUAL(add_up_terms(packed({entry(9, 255), entry(9, 255)})), packed({entry(9, 255)}));
  CHECK_EQUAL(add_up_terms(packed({entry(9, 0), entry(9, 1), entry(9, 0)})), packed({entry(9, 1)}));
}

TEST(format_terms_that_are_no_whole_entries_stay_unsound) {
  CHECK_EQUAL(add_up_terms("seven b"), std::string("seven b"));
  CHECK(!terms_are_sound("seven b"));
}

}  // namespace hippocore::format
