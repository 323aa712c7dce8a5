#include "memory/query_relevance.h"

#include <algorithm>

#include "ranking/fusion.h"

namespace hippocore::memory {

QueryRelevance::QueryRelevance(const QuerySource& source, Mode mode, std::span<const float> vector,
                               const LexicalQuery& terms) {
  if (mode == Mode::kDense) return;
  const double power = mode == Mode::kHybrid ? 2 : 1;
  leg_ = read_lexical(source.root, source.filter, source.eligible, terms, power);
  column_ = leg_->scores;
  mode == Mode::kLexical ? use_lexical() : use_both(source, vector);
  map_.column = &*column_;
}

void QueryRelevance::use_lexical() {
  const double largest = leg_->largest;
  if (largest > 0)
    column_->transform([&](float score) { return static_cast<float>(static_cast<double>(score) / largest); });
  map_.slope = 0;
}

void QueryRelevance::use_both(const QuerySource& source, std::span<const float> vector) {
  ranking::Spread similarity;
  ranking::Spread lexical;
  ranking::Legs legs;
  const bool has_vector = std::ranges::any_of(vector, [](float value) { return value != 0; });
  if (has_vector) {
    similarity = ranking::similarity_spread(source.chunks, source.root.header->dimension, vector);
    legs.similarity = &similarity;
  }
  if (!leg_->scores.values().empty()) {
    lexical = ranking::lexical_spread(leg_->scores, leg_->memories, leg_->largest);
    legs.lexical = &lexical;
  }
  ranking::make_column(legs, *column_);
  for (const std::uint32_t slot : leg_->labelled) column_->at(slot) += ranking::label_gain();
  map_.slope = ranking::similarity_slope(legs);
  map_.soft = true;
}

double QueryRelevance::lexical(std::uint32_t slot) const {
  if (!leg_ || leg_->largest == 0) return 0;
  return static_cast<double>(leg_->scores.of(slot)) / leg_->largest;
}

}  // namespace hippocore::memory
