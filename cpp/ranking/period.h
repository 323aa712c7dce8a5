// A time that a query asks about, and what a memory gains by having happened then or near it.
//
// A preference, never a condition: days outside halve the gain once a week. Pure.
#pragma once

#include <cstdint>

namespace hippocore::ranking {

inline constexpr double kDateGain = 2;      // deviations (ranking/fusion.h)
inline constexpr double kDateHalvesIn = 7;  // days

// Microseconds, from <= time < to.
struct Period {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

// Returns: kDateGain inside; kDateGain 2^(-days / kDateHalvesIn) so many days outside. Any three times are fine.
[[nodiscard]] double date_gain(const Period& period, std::int64_t time);

}  // namespace hippocore::ranking
