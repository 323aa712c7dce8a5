// The lexical leg of a recall: how well each eligible memory's terms answer those of the query.
//
// Statistics (how many memories hold a term, how long they are) are of the eligible memories alone: what may not be
// read changes no score.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "memory/filter.h"
#include "memory/slot_masks.h"
#include "ranking/bm25.h"
#include "ranking/period.h"
#include "ranking/sparse_column.h"
#include "storage/root.h"

namespace hippocore::memory {

// What a text asks for beside its meaning. Hashes of format/terms.h, each once.
struct LexicalQuery {
  std::vector<std::uint64_t> terms;
  std::vector<std::uint64_t> labels;  // names that a memory may be said under
  ranking::Bm25 bm25;
  std::optional<ranking::Period> period = std::nullopt;  // when it happened; for hybrid recalls
};

struct LexicalLeg {
  ranking::SparseColumn scores;         // sum of weight times saturation over the query's terms
  std::vector<std::uint32_t> labelled;  // slots whose label the query names
  double largest = 0;                   // sum of weights: what no score reaches
  std::size_t memories = 0;             // eligible ones
};

// How much a term weighs: its inverse document frequency to a power. 1 is BM25; with 2 what many memories hold counts
// for next to nothing, which is a list of stop words made by statistics. Terms that weigh less than a share of the
// query's heaviest count for nothing at all: their postings, by far the longest, need not be read.
struct TermWeighting {
  double power = 1;
  double least_share = 0;
};

[[nodiscard]] LexicalLeg read_lexical(const storage::Root& root, const Filter& filter, const SlotMasks& eligible,
                                      const LexicalQuery& query, const TermWeighting& weighting = {});

}  // namespace hippocore::memory
