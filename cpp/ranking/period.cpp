#include "ranking/period.h"

#include <cmath>

namespace hippocore::ranking {
namespace {

constexpr double kDay = 86'400e6;

// Returns: 0 when the second comes first.
double days_from(std::int64_t first, std::int64_t second) {
  if (second <= first) return 0;
  // A difference of two 64-bit times fits in 64 bits without a sign.
  return static_cast<double>(static_cast<std::uint64_t>(second) - static_cast<std::uint64_t>(first)) / kDay;
}

}  // namespace

double date_gain(const Period& period, std::int64_t time) {
  const double outside = days_from(time, period.from) + days_from(period.to, time);
  return kDateGain * std::exp2(-outside / kDateHalvesIn);
}

}  // namespace hippocore::ranking
