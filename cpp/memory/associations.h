// The second stage of a hybrid recall: the best of its pool and of what that lends to (memory/lending.h).
//
// Threads: any number may use one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/lending.h"
#include "memory/query_relevance.h"
#include "ranking/exact.h"

namespace hippocore::memory {

class Associations {
 public:
  // What is given outlives it.
  Associations(const QuerySource& source, const ranking::Weights& weights);

  struct Found {
    std::vector<ranking::Hit> hits;
    double best_sum = 0;             // of all candidates, whatever the condition and the limit
    std::size_t scored_exactly = 0;  // vectors read
  };

  // Returns: the best `limit` hits of the candidates that meet the query's condition on relevance; the others are
  // candidates that lend nothing. By score, then newest, then id; without candidates nothing.
  // Requires: pool and others are the best of the first stage by this relevance.
  [[nodiscard]] Found find(const ranking::RecallQuery& query, const QueryRelevance& relevance,
                           std::span<const ranking::Hit> pool, std::span<const ranking::Hit> others) const;

 private:
  class SecondStage;

  std::size_t add_unscored(const ranking::RecallQuery& query, std::span<const Borrower> borrowers,
                           SecondStage& stage) const;

  const QuerySource& source_;
  const ranking::Weights& weights_;
  std::vector<std::uint32_t> chunks_;  // by slot / kChunkSlots: position in source_.chunks
};

}  // namespace hippocore::memory
