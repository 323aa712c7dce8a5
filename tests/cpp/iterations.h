// How often a test that draws its cases at random does so: HIPPOCORE_ITERATIONS=1000 for a long run.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace hippocore::testing {

// Under the thread sanitizer, which has nothing to find in one thread and makes it slow, once.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kOnce = true;
#else
inline constexpr bool kOnce = false;
#endif

// Returns: the number that the environment gives, else `usual`.
inline std::uint32_t iterations(std::uint32_t usual) {
  const char* given = std::getenv("HIPPOCORE_ITERATIONS");
  const unsigned long number = given == nullptr ? 0 : std::strtoul(given, nullptr, 10);
  if (number == 0) return kOnce ? 1 : usual;
  return static_cast<std::uint32_t>(number);
}

}  // namespace hippocore::testing
