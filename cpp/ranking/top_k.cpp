#include "ranking/top_k.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace hippocore::ranking {

void KthLargest::add(float value) {
  if (heap_.size() < k_) {
    heap_.push_back(value);
    std::ranges::push_heap(heap_, std::greater{});
  } else if (value > heap_.front()) {
    replace_smallest(value);
  }
}

// In one walk down from the top, where taking one out and putting one in would be two.
void KthLargest::replace_smallest(float value) {
  std::size_t at = 0;
  for (std::size_t child = 1; child < k_; child = 2 * at + 1) {
    if (child + 1 < k_ && heap_[child + 1] < heap_[child]) ++child;
    if (!(heap_[child] < value)) break;
    heap_[at] = heap_[child];
    at = child;
  }
  heap_[at] = value;
}

bool ranks_before(const RankedHit& a, const RankedHit& b) {
  if (a.hit.score != b.hit.score) return a.hit.score > b.hit.score;
  if (a.valid_from != b.valid_from) return a.valid_from > b.valid_from;
  if (*a.id != *b.id) return *a.id < *b.id;
  return a.hit.slot < b.hit.slot;
}

void TopHits::add(const RankedHit& hit) {
  if (heap_.size() == limit_) {
    if (!ranks_before(hit, heap_.front())) return;
    std::ranges::pop_heap(heap_, ranks_before);
    heap_.back() = hit;
  } else {
    heap_.push_back(hit);
  }
  std::ranges::push_heap(heap_, ranks_before);
}

std::vector<RankedHit> TopHits::take() {
  std::ranges::sort_heap(heap_, ranks_before);
  return std::exchange(heap_, {});
}

}  // namespace hippocore::ranking
