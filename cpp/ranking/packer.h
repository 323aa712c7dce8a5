// Packing: which of a ranked list go into a budget of tokens.
//
// Pure. Greedy knapsack: a memory too large for what is left is skipped, not the end of the list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hippocore::ranking {

enum class PackStrategy {
  kScore,    // in the order of score
  kDensity,  // in the order of score / tokens
  kBest,     // whichever of the two has the higher sum of scores
};

// Returns: the positions packed, in the order of score (ties: the earlier position first). Their tokens sum to at most
// `budget`. Requires: scores.size() == tokens.size(); scores are finite.
[[nodiscard]] std::vector<std::size_t> pack(std::span<const double> scores, std::span<const std::uint32_t> tokens,
                                            std::uint64_t budget, PackStrategy strategy);

}  // namespace hippocore::ranking
