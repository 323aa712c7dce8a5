// What follows what in a scope's terms.
#include <vector>

#include "harness.h"
#include "storage/lexicon.h"
#include "words_as_terms.h"

namespace hippocore::storage {
namespace {

using testing::terms_of;

struct Near {
  std::uint32_t slot;
  double distance;
  bool operator==(const Near&) const = default;
};

std::vector<Near> near(const ScopeTerms& scope, std::uint32_t slot, unsigned steps,
                       const std::vector<std::uint32_t>& unseen = {}) {
  std::vector<Near> found;
  const auto sees = [&](std::uint32_t other) { return std::ranges::find(unseen, other) == unseen.end(); };
  scope.for_each_near(slot, steps, sees,
                      [&](std::uint32_t other, double distance) { found.push_back({other, distance}); });
  return found;
}

// Slots 10, 20 … say as many words as they stand for tens; two series take turns, and 50 stands alone.
ScopeTerms two_series() {
  ScopeTerms scope;
  for (std::uint32_t ten = 1; ten <= 9; ++ten) {
    const std::string terms = terms_of(std::vector<std::string>(ten, "word"));
    if (ten == 5) {
      scope.add(50, {terms, std::nullopt});
    } else {
      scope.add(10 * ten, {terms, ten % 2});
    }
  }
  return scope;
}

}  // namespace

TEST(storage_lexicon_knows_what_was_said_before_and_after_in_a_series) {
  const ScopeTerms scope = two_series();
  CHECK(near(scope, 40, 3) == (std::vector<Near>{{20, 3}, {60, 5}, {80, 12}}));
  CHECK(near(scope, 40, 1) == (std::vector<Near>{{20, 3}, {60, 5}}));
  CHECK(near(scope, 40, 0).empty());
  CHECK(near(scope, 90, 2) == (std::vector<Near>{{70, 8}, {30, 13}}));
  CHECK(near(scope, 50, 3).empty());
  CHECK(near(scope, 45, 3).empty());
  CHECK(near(scope, 95, 3).empty());
}

// What is not seen is no step and no distance.
TEST(storage_lexicon_passes_over_what_is_not_seen) {
  const ScopeTerms scope = two_series();
  CHECK(near(scope, 10, 2, {30}) == (std::vector<Near>{{70, 4}, {90, 12}}));
  CHECK(near(scope, 10, 2, {30, 70, 90}).empty());
}

}  // namespace hippocore::storage
