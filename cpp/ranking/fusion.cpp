#include "ranking/fusion.h"

#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "kernels/kernels.h"
#include "ranking/code_similarity.h"
#include "ranking/eligible_rows.h"
#include "ranking/quantize.h"
#include "ranking/scan.h"

namespace hippocore::ranking {
namespace {

// The prior: what similarities of sentences commonly are.
constexpr double kSimilarityMean = 0.2;
constexpr double kSimilarityDeviation = 0.12;
// Of all that the query's terms tell, those that no memory holds included: the less the store knows of the question,
// the less the lexical leg says.
constexpr double kLexicalShare = 0.02;
// The mean of so many is off by a twentieth of a deviation.
constexpr std::size_t kSample = 512;

struct Sums {
  double count = 0;
  double sum = 0;
  double squares = 0;
  void add(double value) {
    ++count;
    sum += value;
    squares += value * value;
  }
};

Spread with_prior(const Sums& seen, double mean, double deviation) {
  const double weight = seen.count + kPrior;
  const double mixed = (seen.sum + kPrior * mean) / weight;
  const double squares = (seen.squares + kPrior * (deviation * deviation + mean * mean)) / weight;
  return {mixed, std::sqrt(std::max(squares - mixed * mixed, 1e-12))};
}

std::uint32_t nth_bit(std::uint64_t bits, std::size_t n) {
  if (bits == ~std::uint64_t{0}) return static_cast<std::uint32_t>(n);
  for (; n > 0; --n) bits &= bits - 1;
  return static_cast<std::uint32_t>(std::countr_zero(bits));
}

// Calls visit(chunk, row) for every eligible row, or for each of so many that lie evenly among them.
template <typename Visit>
void for_each_sampled(std::span<const ScanChunk> chunks, Visit&& visit) {
  const std::size_t step = std::max<std::size_t>(1, count_eligible(chunks) / kSample);
  std::size_t next = 0;  // how many eligible rows are still to be passed over
  for (const ScanChunk& chunk : chunks) {
    for (std::size_t block = 0; block < block_count(chunk); ++block) {
      const std::uint64_t bits = eligible_bits(chunk, block);
      const auto rows = static_cast<std::size_t>(std::popcount(bits));
      for (; next < rows; next += step) {
        visit(chunk, static_cast<std::uint32_t>(block * kernels::kBlockRows) + nth_bit(bits, next));
      }
      next -= rows;
    }
  }
}

struct Sampled {
  const ScanChunk* chunk;
  std::uint32_t row;
};
constexpr std::size_t kAhead = 8;  // samples lie far from each other in memory

}  // namespace

Spread similarity_spread(std::span<const ScanChunk> chunks, std::span<const float> vector) {
  const CodeSimilarity similarity(vector, norm(vector));
  std::vector<Sampled> rows;
  rows.reserve(2 * kSample);
  for_each_sampled(chunks, [&](const ScanChunk& chunk, std::uint32_t row) { rows.push_back({&chunk, row}); });
  Sums seen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + kAhead < rows.size()) similarity.prefetch(*rows[i + kAhead].chunk, rows[i + kAhead].row);
    seen.add(similarity.of(*rows[i].chunk, rows[i].row));
  }
  return with_prior(seen, kSimilarityMean, kSimilarityDeviation);
}

Spread lexical_spread(const SparseColumn& scores, std::size_t memories, double largest) {
  // Four sums at a time: one after the other each addition would wait for the one before. There are whole blocks of 64.
  std::array<Sums, 4> parts;
  const std::span<const float> values = scores.values();
  for (std::size_t at = 0; at < values.size(); at += parts.size()) {
    for (std::size_t part = 0; part < parts.size(); ++part) parts[part].add(static_cast<double>(values[at + part]));
  }
  Sums seen{static_cast<double>(memories), 0, 0};
  for (const Sums& part : parts) {
    seen.sum += part.sum;
    seen.squares += part.squares;
  }
  Spread spread = with_prior(seen, 0, 0);
  spread.deviation = std::hypot(spread.deviation, kLexicalShare * largest);
  return spread;
}

Reason Parts::reason() const noexcept {
  struct Part {
    Reason reason;
    double value;
  };
  Part most{Reason::kNone, 0};
  for (const Part& part : {Part{Reason::kMeaning, meaning}, Part{Reason::kWords, words + label},
                           Part{Reason::kNeighbours, lent}, Part{Reason::kDate, date}}) {
    if (part.value > most.value) most = part;
  }
  return most.reason;
}

double relevance_of_sum(double sum) {
  return softened((sum - kCentre) / kWidth);
}

double similarity_slope(const Legs& legs) {
  return legs.similarity ? (1 - legs.lexical_weight) / legs.similarity->deviation / kWidth : 0;
}

void make_column(const Legs& legs, SparseColumn& scores) {
  const double beside = legs.meaning(0) - kCentre;
  scores.transform(
      [&](float score) { return static_cast<float>((beside + legs.words(static_cast<double>(score))) / kWidth); });
}

}  // namespace hippocore::ranking
