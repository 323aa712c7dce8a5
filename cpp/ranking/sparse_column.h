// A float for each slot, where most blocks of 64 hold nothing but one value: only the others take memory.
//
// Owns its values. Threads: one writes, then any number read.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernels.h"

namespace hippocore::ranking {

class SparseColumn {
 public:
  // Every slot below `slots` has the value `rest`.
  explicit SparseColumn(std::size_t slots, float rest = 0)
      : rest_(rest), places_((slots + kernels::kBlockRows - 1) / kernels::kBlockRows) {}

  // Requires: the slot is below those of the constructor.
  [[nodiscard]] float& at(std::uint32_t slot) {
    std::uint32_t& place = places_[slot / kernels::kBlockRows];
    if (place == 0) {
      values_.resize(values_.size() + kernels::kBlockRows, rest_);
      place = static_cast<std::uint32_t>(values_.size() / kernels::kBlockRows);
    }
    return values_[(place - 1) * kernels::kBlockRows + slot % kernels::kBlockRows];
  }
  // Makes room at once for values in so many slots.
  void reserve(std::size_t slots) { values_.reserve(std::min(slots, places_.size()) * kernels::kBlockRows); }
  [[nodiscard]] float of(std::uint32_t slot) const {
    const float* values = block(slot);
    return values == nullptr ? rest_ : values[slot % kernels::kBlockRows];
  }
  // Returns: the values of the 64 slots of one block; null where all are rest().
  [[nodiscard]] const float* block(std::uint32_t slot) const {
    const std::uint32_t place = places_[slot / kernels::kBlockRows];
    return place == 0 ? nullptr : values_.data() + (place - 1) * kernels::kBlockRows;
  }
  [[nodiscard]] float rest() const noexcept { return rest_; }
  // The values of the blocks that are there.
  [[nodiscard]] std::span<const float> values() const noexcept { return values_; }
  [[nodiscard]] float largest() const {  // by magnitude
    std::array<float, 8> largest{};      // as many at a time: there are whole blocks
    for (std::size_t at = 0; at < values_.size(); at += largest.size()) {
      for (std::size_t part = 0; part < largest.size(); ++part) {
        largest[part] = std::max(largest[part], std::abs(values_[at + part]));
      }
    }
    return std::max(std::abs(rest_), *std::ranges::max_element(largest));
  }

  // Changes every value.
  template <typename Change>
  void transform(Change&& change) {
    rest_ = change(rest_);
    for (float& value : values_) value = change(value);
  }

 private:
  float rest_;
  std::vector<std::uint32_t> places_;  // by block: position in values_ + 1, 0 where there is none
  std::vector<float> values_;
};

}  // namespace hippocore::ranking
