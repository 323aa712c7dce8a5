// What relevance means for one recall: the similarity, the lexical score, or both on one scale (ranking/fusion.h).
//
// Owns the columns its map points to, so it outlives the ranking.
#pragma once

#include <optional>
#include <span>

#include "memory/memory.h"
#include "memory/slot_masks.h"
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
  QueryRelevance(const QuerySource& source, Mode mode, std::span<const float> vector, const LexicalQuery& terms);
  QueryRelevance(const QueryRelevance&) = delete;
  QueryRelevance& operator=(const QueryRelevance&) = delete;

  [[nodiscard]] const ranking::RelevanceMap& map() const noexcept { return map_; }
  // Returns: 0..1, the share of what the query's terms tell that the memory in this slot holds; 0 in dense mode.
  [[nodiscard]] double lexical(std::uint32_t slot) const;

 private:
  void use_lexical();
  void use_both(const QuerySource& source, std::span<const float> vector);

  std::optional<LexicalLeg> leg_;
  std::optional<ranking::SparseColumn> column_;
  ranking::RelevanceMap map_;
};

}  // namespace hippocore::memory
