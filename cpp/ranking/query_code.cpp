#include "ranking/query_code.h"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.h"

namespace hippocore::ranking {

QueryCode encode_query(std::span<const float> query, double norm) {
  double largest = 0;
  for (const float value : query) largest = std::max(largest, std::abs(static_cast<double>(value) / norm));

  QueryCode code;
  code.scale = largest / 127;
  constexpr std::size_t kGroup = kernels::kGroupDimensions;
  code.values.resize((query.size() + kGroup - 1) / kGroup * kGroup);
  double squared_error = 0;
  for (std::size_t i = 0; i < query.size(); ++i) {
    const double value = static_cast<double>(query[i]) / norm;
    // In -127..127: the quotient of the largest is off by less than half.
    const auto step = static_cast<std::int8_t>(std::lround(value / code.scale));
    const double rest = value - code.scale * step;
    squared_error += rest * rest;
    code.values[i] = step;
    code.sum += step;
  }
  // A thousandth covers the rounding of the sum, and the smallest normal number that of squares near 0.
  code.error = std::sqrt(squared_error) * 1.001 + 1e-15;
  return code;
}

}  // namespace hippocore::ranking
