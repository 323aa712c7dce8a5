// The bounds of a block really enclose the exact score and relevance, on every kernel, and are not idly wide.
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "harness.h"
#include "ranking/bounds.h"
#include "ranking/code_similarity.h"
#include "ranking/score.h"
#include "scan_rows.h"

namespace hippocore::ranking {
namespace {

using testing::ScanColumns;
using testing::ScanRow;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

enum class Shape { kRandom, kSkewed, kNearDuplicates };

std::vector<ScanRow> rows_of(Shape shape, std::size_t dimension, const std::vector<float>& query,
                             std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<double> uniform;
  const std::int64_t times[] = {kLowest, kHighest, 0, -86'400'000'000, 253'402'300'799'000'000, -1};
  std::vector<ScanRow> rows(kernels::kBlockRows);
  for (ScanRow& row : rows) {
    for (std::size_t i = 0; i < dimension; ++i) {
      const float noise = normal(random);
      row.vector.push_back(shape == Shape::kNearDuplicates ? query[i] + 0.05F * noise : noise);
    }
    if (shape == Shape::kSkewed) row.vector[dimension / 2] = 200;
    row.time = random() % 2 == 0 ? times[random() % 6] : -static_cast<std::int64_t>(1e12 * uniform(random));
    row.importance = random() % 8 == 0 ? 1 : uniform(random);
    row.use_count = random() % 4 == 0 ? 0xFFFFFFFF : static_cast<std::uint32_t>(random() % 120);
    row.kind = static_cast<std::uint16_t>(random() % 20);
  }
  return rows;
}

Weights some_weights(std::size_t kinds) {
  Weights weights;
  for (std::size_t kind = 0; kind < kinds; ++kind)
    weights.half_lives.push_back(std::pow(10.0, static_cast<double>(kind) - 6));
  weights.half_lives.front() = 1e-300;
  weights.half_lives.back() = std::numeric_limits<double>::infinity();
  return weights;
}

struct Exact {
  double score = 0;
  double relevance = 0;
  double similarity = 0;
};

Exact exactly(const ScanChunk& chunk, std::size_t i, std::size_t dimension, const Weights& weights,
              const RecallQuery& query) {
  double cosine = 0;
  if (!query.vector.empty()) {
    long double dot = 0;
    long double a = 0;
    long double b = 0;
    for (std::size_t j = 0; j < dimension; ++j) {
      const long double x = chunk.vectors[i * dimension + j];
      dot += x * query.vector[j];
      a += x * x;
      b += static_cast<long double>(query.vector[j]) * query.vector[j];
    }
    cosine = static_cast<double>(dot / std::sqrt(a) / std::sqrt(b));
  }
  const Signals signals{query.relevance.of(cosine, static_cast<std::uint32_t>(i)),
                        recency(query.now, chunk.times[i], weights.half_lives[chunk.kinds[i]]), chunk.importance[i],
                        usage(chunk.use_counts[i], weights.usage_saturation)};
  return {fuse(signals, weights), signals.relevance, cosine};
}

struct Width {
  double total = 0;
  std::size_t count = 0;
};

enum class Mapped { kNo, kClamped, kSoftly };
enum class Codes { kFine, kCoarse, kNone };

// Dots with each row's code; also fills in the block's columns of codes.
std::vector<std::int32_t> dots_of(const ScanChunk& chunk, Codes codes, std::size_t dimension, const QueryBounds& bounds,
                                  kernels::BlockRows& block) {
  std::vector<std::int32_t> dots(kernels::kBlockRows);
  const auto& kernels = kernels::kernels();
  const bool coarse = codes == Codes::kCoarse;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(coarse ? chunk.coarse_codes : chunk.codes);
  const auto dot = coarse ? kernels.dot_plane : kernels.dot_codes;
  dot(bytes, dots.size(), (dimension + 127) / 128, bounds.code().values.data(), dots.data());
  block.code_scales = coarse ? chunk.coarse_scales : chunk.code_scales;
  block.code_errors = coarse ? chunk.coarse_errors : chunk.code_errors;
  return dots;
}

// Checks all 64 rows; adds the bounds' width.
void check_block(Shape shape, std::size_t dimension, const Weights& weights, Codes codes, std::mt19937& random,
                 Width& width, Mapped mapped = Mapped::kNo) {
  const bool with_query = codes != Codes::kNone;
  std::normal_distribution<float> normal;
  std::vector<float> vector(dimension);
  for (float& value : vector) value = normal(random);
  const auto rows = rows_of(shape, dimension, vector, random);
  const ScanColumns columns(rows, dimension, 0);
  const ScanChunk chunk = columns.scan();
  RecallQuery query{.vector = vector, .now = random() % 3 == 0 ? kHighest : 0, .min_relevance = 0.02};
  if (!with_query) query.vector = {};
  SparseColumn column(kernels::kBlockRows, random() % 2 == 0 ? -1.0F : 0.25F);
  if (mapped != Mapped::kNo) {
    if (random() % 2 == 0) column.at(random() % kernels::kBlockRows) = normal(random);
    query.relevance = {
        .slope = 0.5 + static_cast<double>(random() % 4), .column = &column, .soft = mapped == Mapped::kSoftly};
  }
  std::optional<QueryCode> code;
  if (with_query) code = encode_query(vector, norm(vector));
  const QueryBounds bounds(weights, query, std::move(code));

  const auto& kernels = kernels::kernels();
  kernels::BlockRows block{nullptr, nullptr, nullptr, chunk.times, chunk.importance, chunk.log_uses, chunk.kinds};
  block.column = bounds.column() == nullptr ? nullptr : bounds.column()->block(0);
  std::vector<std::int32_t> dots;
  if (with_query) {
    dots = dots_of(chunk, codes, dimension, bounds, block);
    block.dots = dots.data();
  }
  const kernels::BlockQuery asked = codes == Codes::kCoarse ? bounds.coarse_block() : bounds.block();
  kernels::BlockBounds out;
  const float threshold = 0.4F;
  kernels.bound_block(block, asked, threshold, out);
  kernels::BlockBounds open;
  kernels.bound_block(block, asked, -std::numeric_limits<float>::infinity(), open);
  for (std::size_t i = 0; i < kernels::kBlockRows; ++i) {
    const Exact exact = exactly(chunk, i, dimension, weights, query);
    CHECK(static_cast<double>(out.lower[i]) <= exact.score);
    CHECK(exact.score <= static_cast<double>(out.upper[i]));
    const bool passes = exact.relevance >= query.min_relevance;
    const bool reaching = out.reaching >> i & 1;
    const bool raising = out.raising >> i & 1;
    CHECK(reaching || !passes || out.upper[i] < threshold);
    CHECK(!reaching || out.upper[i] >= threshold);
    CHECK(!raising || (passes && out.lower[i] > threshold));
    // A bound that equals the threshold still reaches it and does not raise it.
    kernels::BlockBounds again;
    kernels.bound_block(block, asked, out.upper[i], again);
    CHECK((again.reaching >> i & 1) == (open.reaching >> i & 1));
    kernels.bound_block(block, asked, out.lower[i], again);
    CHECK(!(again.raising >> i & 1));
    width.total += static_cast<double>(out.upper[i]) - static_cast<double>(out.lower[i]);
    ++width.count;
  }
}

}  // namespace

TEST(bounds_enclose_the_exact_score_on_every_kernel) {
  testing::on_every_kernel([] {
    std::mt19937 random(21);
    Width width;
    for (const std::size_t dimension : {1U, 3U, 17U, 129U, 384U, 1536U}) {
      for (const Shape shape : {Shape::kRandom, Shape::kSkewed, Shape::kNearDuplicates}) {
        for (int round = 0; round < 6; ++round)
          check_block(shape, dimension, some_weights(20), Codes::kFine, random, width);
      }
    }
    CHECK(width.total / static_cast<double>(width.count) < 0.25);
  });
}

TEST(bounds_of_coarse_codes_enclose_the_exact_score_on_every_kernel) {
  testing::on_every_kernel([] {
    std::mt19937 random(25);
    Width width;
    for (const std::size_t dimension : {1U, 3U, 17U, 129U, 384U, 1536U}) {
      for (const Shape shape : {Shape::kRandom, Shape::kSkewed, Shape::kNearDuplicates}) {
        for (int round = 0; round < 6; ++round) {
          check_block(shape, dimension, some_weights(20), Codes::kCoarse, random, width);
        }
      }
    }
    CHECK(width.total / static_cast<double>(width.count) < 0.4);
  });
}

TEST(bounds_hold_for_relevance_alone_and_are_narrow_on_duplicates) {
  testing::on_every_kernel([] {
    std::mt19937 random(22);
    Weights weights = some_weights(20);
    weights.relevance = 1;
    weights.recency = weights.importance = weights.usage = 0;
    Width width;
    for (int round = 0; round < 20; ++round)
      check_block(Shape::kNearDuplicates, 384, weights, Codes::kFine, random, width);
    // Twice the error of a 4-bit code is 0.21; bounds that use the angle halve it near 1.
    CHECK(width.total / static_cast<double>(width.count) < 0.1);
  });
}

TEST(bounds_without_a_query_are_as_narrow_as_their_slack) {
  testing::on_every_kernel([] {
    std::mt19937 random(23);
    Width width;
    for (int round = 0; round < 20; ++round)
      check_block(Shape::kRandom, 17, some_weights(20), Codes::kNone, random, width);
    CHECK(width.total / static_cast<double>(width.count) < 1e-4);
  });
}

TEST(bounds_enclose_a_mapped_relevance_on_every_kernel) {
  testing::on_every_kernel([] {
    std::mt19937 random(26);
    Width width;
    for (const Mapped mapped : {Mapped::kClamped, Mapped::kSoftly}) {
      for (const Codes codes : {Codes::kFine, Codes::kCoarse, Codes::kNone}) {
        for (int round = 0; round < 12; ++round)
          check_block(Shape::kRandom, 129, some_weights(20), codes, random, width, mapped);
      }
    }
    CHECK(width.total / static_cast<double>(width.count) < 0.4);
  });
}

TEST(bounds_of_single_rows_enclose_their_similarity_on_every_kernel) {
  testing::on_every_kernel([] {
    std::mt19937 random(27);
    const Weights weights = some_weights(20);
    Width width;
    for (const std::size_t dimension : {1U, 17U, 129U, 384U}) {
      for (const Shape shape : {Shape::kRandom, Shape::kSkewed, Shape::kNearDuplicates}) {
        std::normal_distribution<float> normal;
        std::vector<float> vector(dimension);
        for (float& value : vector) value = normal(random);
        const ScanColumns columns(rows_of(shape, dimension, vector, random), dimension, 0);
        const ScanChunk chunk = columns.scan();
        const CodeSimilarity codes(vector, norm(vector));
        for (std::uint32_t row = 0; row < chunk.count; ++row) {
          const double exact = exactly(chunk, row, dimension, weights, {.vector = vector}).similarity;
          CHECK(exact <= codes.at_most(chunk, row));
          CHECK(codes.of(chunk, row) < codes.at_most(chunk, row));
          width.total += codes.at_most(chunk, row) - exact;
          ++width.count;
        }
      }
    }
    CHECK(width.total / static_cast<double>(width.count) < 0.2);
  });
}

TEST(bounds_hold_when_each_weight_stands_alone) {
  testing::on_every_kernel([] {
    std::mt19937 random(24);
    for (int signal = 0; signal < 4; ++signal) {
      Weights weights = some_weights(20);
      weights.relevance = signal == 0;
      weights.recency = signal == 1;
      weights.importance = signal == 2;
      weights.usage = signal == 3;
      Width width;
      for (int round = 0; round < 6; ++round) check_block(Shape::kRandom, 64, weights, Codes::kFine, random, width);
    }
  });
}

}  // namespace hippocore::ranking
