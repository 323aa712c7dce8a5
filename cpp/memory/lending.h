// Who lends whom in the second stage of a hybrid recall (ranking/association.h).
//
// Neighbours are memories of one scope and source, at most kSteps apart in the order written. Without a source they are
// episodes that happened within half an hour of each other; what else has none stands alone. Nothing that is not
// eligible lends, borrows or stands in between.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory/query_relevance.h"
#include "ranking/recall.h"

namespace hippocore::memory {

// A candidate of the second stage.
struct Borrower {
  std::uint32_t slot = 0;
  const ranking::Hit* hit = nullptr;  // of the first stage; null: not among its best
  double lent = 0;
};

// Returns: the pool, its neighbours, and the others, each once. The others neither lend nor, unless they are
// neighbours, borrow: so what the best have does not depend on how many others there are. Requires: pool and others are
// eligible; the pool is in order of rank. Both outlive what is returned.
[[nodiscard]] std::vector<Borrower> lend(const QuerySource& source, const QueryRelevance& relevance,
                                         std::span<const ranking::Hit> pool, std::span<const ranking::Hit> others);

}  // namespace hippocore::memory
