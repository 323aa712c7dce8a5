// Times the core's recall alone, on synthetic clustered vectors in memory, with each number of threads from one up.
//
// Beside each stands how fast so many threads read the codes and do nothing else, right after the recall: what the
// memory allows at that moment. Where two do not read much faster than one, two cannot recall much faster either.
// Build: cmake -S . -B build/bench -DHIPPOCORE_BENCH=ON -DHIPPOCORE_PYTHON=OFF && cmake --build build/bench
// Run: build/bench/hippocore_scan [slots] [dimension] [queries] [threads]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <random>
#include <vector>

#include "kernels/kernels.h"
#include "os/workers.h"
#include "ranking/quantize.h"
#include "ranking/recall.h"

namespace {

using hippocore::Id;
using hippocore::format::coarse_bytes;
using hippocore::format::code_bytes;
using hippocore::format::kChunkSlots;
namespace ranking = hippocore::ranking;

constexpr std::int64_t kDay = 86'400'000'000;

// Columns of one chunk, at addresses that are multiples of 64 as a store's are.
template <typename T>
class Column {
 public:
  explicit Column(std::size_t size)
      : values_(static_cast<T*>(::operator new[](size * sizeof(T), std::align_val_t{64}))) {}
  T* get() const { return values_.get(); }
  T& operator[](std::size_t i) const { return values_.get()[i]; }

 private:
  struct Free {
    void operator()(T* values) const { ::operator delete[](values, std::align_val_t{64}); }
  };
  std::unique_ptr<T, Free> values_;
};

struct Chunk {
  explicit Chunk(std::size_t dimension)
      : codes(kChunkSlots * code_bytes(dimension)),
        coarse_codes(kChunkSlots * coarse_bytes(dimension)),
        vectors(kChunkSlots * dimension) {}
  Column<std::byte> codes, coarse_codes;
  Column<float> coarse_scales{kChunkSlots}, coarse_errors{kChunkSlots};
  Column<float> scales{kChunkSlots}, errors{kChunkSlots}, log_uses{kChunkSlots}, vectors;
  Column<std::int64_t> times{kChunkSlots};
  Column<double> importance{kChunkSlots}, norms{kChunkSlots};
  Column<std::uint32_t> use_counts{kChunkSlots};
  Column<std::uint16_t> kinds{kChunkSlots};
  Column<Id> ids{kChunkSlots};
};

class Clusters {
 public:
  Clusters(std::size_t dimension, std::size_t count) : dimension_(dimension), centres_(count * dimension) {
    for (float& value : centres_) value = normal_(random_);
  }
  void fill(float* vector) {
    const float* centre = &centres_[random_() % (centres_.size() / dimension_) * dimension_];
    for (std::size_t i = 0; i < dimension_; ++i) vector[i] = centre[i] + 0.7F * normal_(random_);
  }
  std::mt19937_64& random() { return random_; }

 private:
  std::size_t dimension_;
  std::mt19937_64 random_{7};
  std::normal_distribution<float> normal_;
  std::vector<float> centres_;
};

void fill_row(Chunk& chunk, std::size_t row, std::size_t dimension, Clusters& clusters, double& quantize_seconds) {
  std::uniform_real_distribution<double> uniform;
  auto& random = clusters.random();
  float* vector = chunk.vectors.get() + row * dimension;
  clusters.fill(vector);
  const auto start = std::chrono::steady_clock::now();
  const auto bounds =
      ranking::quantize({vector, dimension}, {chunk.codes.get() + row * code_bytes(dimension), code_bytes(dimension)});
  quantize_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ranking::coarsen({chunk.codes.get() + row * code_bytes(dimension), code_bytes(dimension)},
                   {chunk.coarse_codes.get() + row * coarse_bytes(dimension), coarse_bytes(dimension)});
  chunk.coarse_scales[row] = bounds.coarse_scale;
  chunk.coarse_errors[row] = bounds.coarse_error;
  chunk.norms[row] = bounds.norm;
  chunk.scales[row] = bounds.scale;
  chunk.errors[row] = bounds.error;
  chunk.times[row] = static_cast<std::int64_t>(-90.0 * kDay * uniform(random));
  chunk.importance[row] = uniform(random);
  chunk.use_counts[row] = static_cast<std::uint32_t>(100 * std::pow(uniform(random), 4));
  chunk.log_uses[row] = std::log1p(static_cast<float>(chunk.use_counts[row]));
  chunk.kinds[row] = static_cast<std::uint16_t>(random() % 6);
  for (auto& byte : chunk.ids[row].bytes) byte = static_cast<std::uint8_t>(random());
}

ranking::ScanChunk view(const Chunk& chunk, std::uint32_t first_slot, std::uint32_t count) {
  ranking::ScanChunk scan;
  scan.first_slot = first_slot;
  scan.count = count;
  scan.eligible.fill(~std::uint64_t{0});
  scan.coarse_codes = chunk.coarse_codes.get();
  scan.coarse_scales = chunk.coarse_scales.get();
  scan.coarse_errors = chunk.coarse_errors.get();
  scan.codes = chunk.codes.get();
  scan.code_scales = chunk.scales.get();
  scan.code_errors = chunk.errors.get();
  scan.times = chunk.times.get();
  scan.importance = chunk.importance.get();
  scan.log_uses = chunk.log_uses.get();
  scan.use_counts = chunk.use_counts.get();
  scan.kinds = chunk.kinds.get();
  scan.vectors = chunk.vectors.get();
  scan.norms = chunk.norms.get();
  scan.valid_from = chunk.times.get();
  scan.ids = chunk.ids.get();
  return scan;
}

// One word of every cache line of all codes: what the memory allows at this moment.
std::uint64_t touch_codes(const std::vector<ranking::ScanChunk>& chunks, std::size_t dimension,
                          hippocore::os::Workers& workers) {
  std::atomic<std::uint64_t> sum = 0;
  hippocore::os::for_each_piece(&workers, workers.threads() - 1, chunks.size(), [&](std::size_t piece) {
    const ranking::ScanChunk& chunk = chunks[piece];
    std::uint64_t own = 0;
    for (std::size_t i = 0; i < chunk.count * code_bytes(dimension); i += 64) {
      own += *reinterpret_cast<const std::uint64_t*>(chunk.codes + i);
    }
    sum += own;
  });
  return sum;
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double percentile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

constexpr std::size_t kBatch = 64;

// So many threads, and what they took.
struct Contestant {
  explicit Contestant(std::size_t threads) : workers(std::make_unique<hippocore::os::Workers>(threads)) {}

  void take_turn(const std::vector<ranking::ScanChunk>& chunks, std::size_t dimension, const ranking::Weights& weights,
                 const std::vector<float>& query) {
    ranking::RecallCounts counts;
    const auto start = std::chrono::steady_clock::now();
    hits = ranking::recall(chunks, dimension, weights, {.vector = query, .now = 0, .limit = 40}, &counts,
                           {.workers = workers.get()});
    times.push_back(milliseconds_since(start));
    shares.push_back(static_cast<double>(counts.scored_exactly));
    const auto touch_start = std::chrono::steady_clock::now();
    sink = touch_codes(chunks, dimension, *workers);
    touches.push_back(milliseconds_since(touch_start));
  }

  // Several queries at once.
  void take_batch(const std::vector<ranking::ScanChunk>& chunks, std::size_t dimension, const ranking::Weights& weights,
                  const std::vector<std::vector<float>>& vectors) {
    std::vector<ranking::RecallQuery> batch;
    for (const std::vector<float>& vector : vectors) batch.push_back({.vector = vector, .now = 0, .limit = 40});
    const auto start = std::chrono::steady_clock::now();
    sink = ranking::recall_many(chunks, dimension, weights, batch, {.workers = workers.get()}).size();
    batches.push_back(milliseconds_since(start) / static_cast<double>(batch.size()));
  }

  void report(const Contestant& first, double bytes) const {
    const double recall = percentile(times, 0.5);
    const double touch = percentile(touches, 0.5);
    std::printf("%zu threads: recall ms p50 %.3f  p99 %.3f  min %.3f  (%.2f x one thread's)\n", workers->threads(),
                recall, percentile(times, 0.99), percentile(times, 0), percentile(first.times, 0.5) / recall);
    std::printf("  reading the codes alone ms p50 %.3f  min %.3f: %.1f GB/s  (%.2f x one thread's)\n", touch,
                percentile(touches, 0), bytes / touch / 1e6, percentile(first.touches, 0.5) / touch);
    std::printf("  ms a query of %zu at once: p50 %.3f  min %.3f  (%.2f x recall's)\n", kBatch,
                percentile(batches, 0.5), percentile(batches, 0), recall / percentile(batches, 0.5));
    std::printf("  slots scored exactly: p50 %.0f  p99 %.0f  max %.0f\n", percentile(shares, 0.5),
                percentile(shares, 0.99), percentile(shares, 1));
  }

  std::unique_ptr<hippocore::os::Workers> workers;
  std::vector<ranking::Hit> hits;  // of the last turn
  std::vector<double> times, touches, shares, batches;
  volatile std::uint64_t sink = 0;
};

// Returns: whether all gave the same hits for the last query.
bool agree(const std::vector<Contestant>& contestants) {
  const auto same = [](const ranking::Hit& a, const ranking::Hit& b) { return a.slot == b.slot && a.score == b.score; };
  return std::ranges::all_of(contestants, [&](const Contestant& each) {
    return !each.hits.empty() && std::ranges::equal(each.hits, contestants.front().hits, same);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t slots = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  const std::size_t dimension = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 384;
  const std::size_t queries = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 200;
  const std::size_t threads = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1;

  Clusters clusters(dimension, 1000);
  std::vector<std::unique_ptr<Chunk>> chunks;
  std::vector<ranking::ScanChunk> views;
  double quantize_seconds = 0;
  double error = 0;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (slot % kChunkSlots == 0) {
      chunks.push_back(std::make_unique<Chunk>(dimension));
      views.push_back(view(*chunks.back(), static_cast<std::uint32_t>(slot),
                           static_cast<std::uint32_t>(std::min(kChunkSlots, slots - slot))));
    }
    fill_row(*chunks.back(), slot % kChunkSlots, dimension, clusters, quantize_seconds);
    error += static_cast<double>(chunks.back()->errors[slot % kChunkSlots]);
  }

  ranking::Weights weights;
  const double days[] = {3, 30, 90, 180, 30, 30};
  for (const double half_life : days) weights.half_lives.push_back(half_life * 86'400);
  std::vector<Contestant> contestants;
  for (std::size_t count = 1; count <= threads; ++count) contestants.emplace_back(count);
  std::vector<float> query(dimension);
  for (std::size_t i = 0; i < queries; ++i) {
    clusters.fill(query.data());
    for (Contestant& each : contestants) each.take_turn(views, dimension, weights, query);
    if (!agree(contestants)) return 1;
  }
  std::vector<std::vector<float>> batch(kBatch, query);
  for (int round = 0; round < 5; ++round) {
    for (std::vector<float>& vector : batch) clusters.fill(vector.data());
    for (Contestant& each : contestants) each.take_batch(views, dimension, weights, batch);
  }
  std::printf("%s, %zu slots, %zu dimensions, top 40, %zu queries\n", hippocore::kernels::kernels().name, slots,
              dimension, queries);
  const double bytes = static_cast<double>(slots * code_bytes(dimension));
  for (const Contestant& each : contestants) each.report(contestants.front(), bytes);
  std::printf("quantize: %.2f us each, mean error %.4f\n", quantize_seconds / static_cast<double>(slots) * 1e6,
              error / static_cast<double>(slots));
  return 0;
}
