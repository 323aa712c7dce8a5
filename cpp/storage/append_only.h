// A vector that one writer appends to while any number of readers look, without locks.
//
// Elements never move. A reader may use element i once it has learned of it through something the writer published
// after appending (a root's slot count, a cell, a head); `size` may be read at any time.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <utility>

namespace hippocore::storage {

template <typename T>
class AppendOnlyVector {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_.load(std::memory_order_acquire); }

  // Requires: index < size().
  [[nodiscard]] T& operator[](std::size_t index) const noexcept {
    const Place place = locate(index);
    return segments_[place.segment].load(std::memory_order_acquire)[place.position];
  }

  // Only the writer. The element has its value before `size` counts it.
  template <typename... Value>
  void append(Value&&... value) {
    const std::size_t index = size_.load(std::memory_order_relaxed);
    const Place place = locate(index);
    if (owned_[place.segment] == nullptr) {
      owned_[place.segment] = std::make_unique<T[]>(kFirstSegment << place.segment);
      segments_[place.segment].store(owned_[place.segment].get(), std::memory_order_release);
    }
    if constexpr (sizeof...(Value) > 0) owned_[place.segment][place.position] = T{std::forward<Value>(value)...};
    size_.store(index + 1, std::memory_order_release);
  }

 private:
  static constexpr std::size_t kFirstSegment = 64;
  static constexpr std::size_t kSegments = 40;

  struct Place {
    std::size_t segment;
    std::size_t position;
  };
  // Segment s holds kFirstSegment << s elements, so that index + kFirstSegment has its top bit at log2(kFirstSegment) +
  // s.
  static Place locate(std::size_t index) noexcept {
    const std::size_t shifted = index + kFirstSegment;
    const auto top = static_cast<std::size_t>(std::bit_width(shifted)) - 1;
    return {top - 6, shifted - (std::size_t{1} << top)};
  }

  std::array<std::unique_ptr<T[]>, kSegments> owned_;
  std::array<std::atomic<T*>, kSegments> segments_{};
  std::atomic<std::size_t> size_{0};
};

}  // namespace hippocore::storage
