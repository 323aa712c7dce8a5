// Why the bounds hold. Write q and x for the query and a row's vector, divided by their norms, q' and c for what their
// codes stand for, e = x - c; a coarse code is a c like a fine one. The kernel knows s = <q',c>, exact but for
// rounding, and |e| and |q - q'| from above.
//
//   <q,x> = <q',c> + <q - q',c> + <q,e>
//
// 1. |c| <= 1 and |<e,c>| <= 2^-22, because c is a projection of x (ranking/quantize.h). So |<q - q',c>| <= |q - q'|.
// 2. Split q into its part along c, of length a = |<q,c>| / |c|, and the rest, of length sqrt(1 - a a). The first part
// meets
//    e in at most 2^-22, the second in at most sqrt(1 - a a) |e|. With t = max(0, |s| - |q - q'|) <= a,
//    sqrt(1 - a a) <= 1 - t t / 2 - t t t t / 8, the series of the root, whose further terms are all negative.
//
// So |<q,x> - s| <= |e| (1 - t t / 2 - t t t t / 8) + |q - q'| + rounding. This is 25% narrower than |e| + |q - q'|
// where s = 0.7: where it counts.
//
// Rounding, in units of 2^-24 (half a float's last digit at 1):
//   similarity: |s| <= 2 after four roundings (the integer, the two scales, two products), 8 units; the steps to a
//   bound 6
//     more; the 2^-22 above 4 more. Less than 2^-19, and kSimilarityRounding is twice that.
//   metadata, per unit of weight: recency 44 for its polynomial (2^-18.5), 6 for its steps, 3 for the age, the decay
//   and their
//     product (x 2^-x has slope below 0.54); importance and usage at most 4; the sum 10. Less than 70, 2^-17.8;
//     kScoreRounding is 2^-16. Exact scores in double precision round at 2^-50.
#include "ranking/bounds.h"

#include <algorithm>
#include <cmath>

#include "ranking/rounding.h"

namespace hippocore::ranking {
namespace {

constexpr double kScoreRounding = 0x1p-16;
// Smaller weights than a float can hold vanish from both bounds; this covers what they can add.
constexpr double kSmallestWeight = 0x1p-120;
// A factor so large stands for infinity: it takes anything but 0 past the end of its signal, and 0 stays 0.
constexpr double kLargestFactor = 1e30;

std::vector<float> decays(const std::vector<double>& half_lives) {
  std::vector<float> rates;
  rates.reserve(half_lives.size());
  for (const double seconds : half_lives) rates.push_back(static_cast<float>(std::min(1e-6 / seconds, kLargestFactor)));
  return rates;
}

// How far the float arithmetic of a mapped relevance may be off. y is off by the slope's rounding, a product and a sum,
// three units of 2^-24 at its largest term, and its map by four more; no map grows faster than y.
double map_rounding(const RelevanceMap& map) {
  if (map.is_plain()) return 0;
  const double largest = 2 * map.slope + (map.column == nullptr ? 0.0 : static_cast<double>(map.column->largest()));
  return 0x1p-24 * (4 * largest + 8);
}

}  // namespace

QueryBounds::QueryBounds(const Weights& weights, const RecallQuery& query, std::optional<QueryCode> code)
    : code_(std::move(code)), decay_(decays(weights.half_lives)), column_(query.relevance.column) {
  if (code_) {
    // A code value is scale * (n - 7.5), so <q',c> is both scales times (2 sum n q - 15 sum q) / 2.
    block_.code_offset = 15 * code_->sum;
    block_.code_factor = static_cast<float>(code_->scale / 2);
    block_.query_error = round_up(code_->error + kSimilarityRounding);
  }
  block_.now = query.now;
  block_.decay_count = decay_.size();
  block_.usage_factor = static_cast<float>(std::min(1 / std::log1p(weights.usage_saturation), kLargestFactor));
  block_.relevance = static_cast<float>(weights.relevance);
  block_.recency = static_cast<float>(weights.recency);
  block_.importance = static_cast<float>(weights.importance);
  block_.usage = static_cast<float>(weights.usage);
  const double total = weights.relevance + weights.recency + weights.importance + weights.usage;
  const double mapping = map_rounding(query.relevance);
  block_.mapped = !query.relevance.is_plain();
  block_.soft = query.relevance.soft;
  block_.slope = static_cast<float>(query.relevance.slope);
  if (query.relevance.column != nullptr) block_.rest = query.relevance.column->rest();
  block_.slack = round_up(total * kScoreRounding + weights.relevance * mapping + kSmallestWeight);
  block_.possible_relevance = round_down(query.min_relevance - mapping);
  block_.certain_relevance = round_up(query.min_relevance + mapping);
}

kernels::BlockQuery QueryBounds::block() const {
  kernels::BlockQuery block = block_;
  block.decay = decay_.data();
  return block;
}

kernels::BlockQuery QueryBounds::coarse_block() const {
  kernels::BlockQuery coarse = block();
  // A coarse value is scale * (a - 1.5).
  coarse.code_offset = code_ ? 3 * code_->sum : 0;
  return coarse;
}

}  // namespace hippocore::ranking
