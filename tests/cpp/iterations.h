// How often a test that draws its cases at random does so: HIPPOCORE_ITERATIONS=1000 for a long run.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace hippocore::testing {

// Returns: the number that the environment gives, else `usual`.
inline std::uint32_t iterations(std::uint32_t usual) {
  const char* given = std::getenv("HIPPOCORE_ITERATIONS");
  const unsigned long number = given == nullptr ? 0 : std::strtoul(given, nullptr, 10);
  return number == 0 ? usual : static_cast<std::uint32_t>(number);
}

}  // namespace hippocore::testing
