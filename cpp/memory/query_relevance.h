// What relevance means for one recall: the similarity, the lexical score, or both on one scale (ranking/fusion.h).
//
// Owns the columns its map points to, so it outlives the ranking. What it was made from outlives it.
#pragma once

#include <optional>
#include <span>

#include "memory/memory.h"
#include "memory/slot_masks.h"
#include "ranking/fusion.h"
#include "ranking/relevance_map.h"

namespace hippocore::memory {

// What one recall reads for all its queries.
struct QuerySource {
  const storage::Root& root;
  const Filter& filter;
  const SlotMasks& eligible;
  std::span<const ranking::ScanChunk> chunks;
};

class QueryRelevance {
 public:
  QueryRelevance(const QuerySource& source, Mode mode, std::span<const float> vector, const LexicalQuery& asked,
                 double lexical_weight = 0.5);
  QueryRelevance(const QueryRelevance&) = delete;
  QueryRelevance& operator=(const QueryRelevance&) = delete;

  [[nodiscard]] const ranking::RelevanceMap& map() const noexcept { return map_; }
  // Returns: 0..1, the share of what the query's terms tell that the memory in this slot holds; 0 in dense mode.
  [[nodiscard]] double lexical(std::uint32_t slot) const;
  // Returns: a map that orders by lexical score alone. Requires: not dense mode.
  [[nodiscard]] ranking::RelevanceMap lexical_map() const {
    return {.slope = 0, .column = &leg_->scores, .soft = true};
  }
  // Returns: what speaks for the eligible memory in this slot, but for what others lend it; in double precision what
  // the map has in a float. Requires: hybrid mode.
  [[nodiscard]] ranking::Parts parts(std::uint32_t slot, double similarity) const;

 private:
  void use_lexical();
  void use_both(std::span<const float> vector);
  void add_labels();
  void add_dates();
  [[nodiscard]] double date_of(std::uint32_t slot) const;

  const QuerySource& source_;
  std::optional<LexicalLeg> leg_;
  std::optional<ranking::SparseColumn> column_;
  ranking::Legs legs_;
  SlotMasks labelled_;
  std::optional<ranking::Period> period_;
  ranking::RelevanceMap map_;
};

}  // namespace hippocore::memory
