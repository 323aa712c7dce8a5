// From double to float in a known direction, for bounds that must stay bounds.
#pragma once

#include <cmath>
#include <limits>

namespace hippocore::ranking {

// Returns: the smallest float that is at least `value`.
[[nodiscard]] inline float round_up(double value) {
  const auto nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) >= value) return nearest;
  return std::nextafter(nearest, std::numeric_limits<float>::infinity());
}

// Returns: the largest float that is at most `value`.
[[nodiscard]] inline float round_down(double value) {
  return -round_up(-value);
}

}  // namespace hippocore::ranking
