// The best k of what streams by: of plain values for the threshold of a scan, of hits for its answer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "base/id.h"
#include "ranking/recall.h"

namespace hippocore::ranking {

// The k-th largest of the values seen.
class KthLargest {
 public:
  // Requires: k > 0.
  explicit KthLargest(std::size_t k) : k_(k) {}
  void add(float value);
  // Returns: minus infinity before k values were seen.
  [[nodiscard]] float threshold() const noexcept {
    return heap_.size() < k_ ? -std::numeric_limits<float>::infinity() : heap_.front();
  }

 private:
  void replace_smallest(float value);

  std::size_t k_;
  std::vector<float> heap_;  // the largest k, smallest first
};

// What several threads find of one ranking, each looking at its share, together as sharp as one thread alone: they add
// under a mutex and read the threshold without waiting. Best is KthLargest or TopHits.
template <typename Best>
class Together {
 public:
  using Threshold = decltype(std::declval<const Best&>().threshold());

  // With one thread alone nothing is locked.
  Together(std::size_t k, bool alone) : best_(k), alone_(alone) {}

  // Calls `add(best)`, which may add to it.
  template <typename Add>
  void add(Add&& add_some) {
    const auto lock = alone_ ? std::unique_lock<std::mutex>() : std::unique_lock(mutex_);
    add_some(best_);
    threshold_.store(best_.threshold(), std::memory_order_relaxed);
  }
  // Returns: a value that the k-th best surely reaches: at most as old as a thread's last look.
  [[nodiscard]] Threshold threshold() const noexcept { return threshold_.load(std::memory_order_relaxed); }
  // Requires: no thread adds any more.
  [[nodiscard]] Best& best() noexcept { return best_; }

 private:
  std::mutex mutex_;
  Best best_;
  bool alone_;
  std::atomic<Threshold> threshold_{-std::numeric_limits<Threshold>::infinity()};
};

// A hit and what decides among equal scores.
struct RankedHit {
  Hit hit;
  std::int64_t valid_from = 0;
  const Id* id = nullptr;
  std::uint32_t chunk = 0;
  std::uint32_t row = 0;
};

// Returns: whether `a` comes before `b`: higher score, then newer, then smaller id.
[[nodiscard]] bool ranks_before(const RankedHit& a, const RankedHit& b);

class TopHits {
 public:
  // Requires: limit > 0.
  explicit TopHits(std::size_t limit) : limit_(limit) {}
  void add(const RankedHit& hit);
  // Returns: the score that a further hit must reach, minus infinity while there is room.
  [[nodiscard]] double threshold() const noexcept {
    return heap_.size() < limit_ ? -std::numeric_limits<double>::infinity() : heap_.front().hit.score;
  }
  // Returns: the hits in order. Leaves this object empty.
  [[nodiscard]] std::vector<RankedHit> take();

 private:
  std::size_t limit_;
  std::vector<RankedHit> heap_;  // the one that ranks last first
};

}  // namespace hippocore::ranking
