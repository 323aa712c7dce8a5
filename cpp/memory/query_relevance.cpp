#include "memory/query_relevance.h"

#include <algorithm>

#include "memory/eligible.h"

namespace hippocore::memory {
namespace {

constexpr TermWeighting kHybridWeighting{.power = 2, .least_share = 0.01};

}  // namespace

QueryRelevance::QueryRelevance(const QuerySource& source, Mode mode, std::span<const float> vector,
                               const LexicalQuery& asked, double lexical_weight)
    : source_(source), labelled_(source.root.count), period_(asked.period) {
  legs_.lexical_weight = lexical_weight;
  if (mode == Mode::kDense) return;
  const TermWeighting weighting = mode == Mode::kHybrid ? kHybridWeighting : TermWeighting{};
  leg_ = read_lexical(source.root, source.filter, source.eligible, asked, weighting);
  column_ = leg_->scores;
  mode == Mode::kLexical ? use_lexical() : use_both(vector);
  map_.column = &*column_;
}

void QueryRelevance::use_lexical() {
  const double largest = leg_->largest;
  if (largest > 0)
    column_->transform([&](float score) { return static_cast<float>(static_cast<double>(score) / largest); });
  map_.slope = 0;
}

void QueryRelevance::use_both(std::span<const float> vector) {
  const bool has_vector = std::ranges::any_of(vector, [](float value) { return value != 0; });
  if (has_vector) legs_.similarity = ranking::similarity_spread(source_.chunks, vector);
  if (!leg_->scores.values().empty())
    legs_.lexical = ranking::lexical_spread(leg_->scores, leg_->memories, leg_->largest);
  ranking::make_column(legs_, *column_);
  add_labels();
  if (period_) add_dates();
  map_.slope = ranking::similarity_slope(legs_);
  map_.soft = true;
}

// A memory has one label, whatever a stranger's store says.
void QueryRelevance::add_labels() {
  for (const std::uint32_t slot : leg_->labelled) {
    if (labelled_.contains(slot)) continue;
    labelled_.add(slot);
    column_->at(slot) += ranking::column_gain(ranking::kLabel);
  }
}

void QueryRelevance::add_dates() {
  for (const std::uint32_t slot : list_slots(source_.eligible)) {
    column_->at(slot) += ranking::column_gain(date_of(slot));
  }
}

double QueryRelevance::date_of(std::uint32_t slot) const {
  return ranking::date_gain(*period_, happened_at(source_.root.rows(slot), storage::Root::row(slot)));
}

double QueryRelevance::lexical(std::uint32_t slot) const {
  if (!leg_ || leg_->largest == 0) return 0;
  return static_cast<double>(leg_->scores.of(slot)) / leg_->largest;
}

ranking::Parts QueryRelevance::parts(std::uint32_t slot, double similarity) const {
  ranking::Parts parts;
  parts.meaning = legs_.meaning(similarity);
  parts.words = legs_.words(static_cast<double>(leg_->scores.of(slot)));
  if (labelled_.contains(slot)) parts.label = ranking::kLabel;
  if (period_) parts.date = date_of(slot);
  return parts;
}

}  // namespace hippocore::memory
