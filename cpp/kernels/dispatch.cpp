// Which kernels run: an ordered list, best first, asked once.
#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "kernels/kernels.h"
#include "kernels/tables.h"

namespace hippocore::kernels {
namespace {

struct Candidate {
  const Kernels* kernels;
  bool supported;
};

// The compiler's feature test includes that the system saves the wide registers.
std::vector<Candidate> candidates() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512vnni");
  return {{&kAvx512Kernels, avx512}, {&kAvx2Kernels, avx2}, {&kScalarKernels, true}};
#elif defined(__aarch64__)
  return {{&kNeonKernels, true}, {&kScalarKernels, true}};
#else
  return {{&kScalarKernels, true}};
#endif
}

std::vector<const Kernels*> supported_kernels() {
  std::vector<const Kernels*> supported;
  for (const Candidate& candidate : candidates()) {
    if (candidate.supported) supported.push_back(candidate.kernels);
  }
  return supported;
}

std::atomic<const Kernels*> chosen_kernels{nullptr};

}  // namespace

const Kernels& choose_kernels() {
  const auto available = available_kernels();
  const char* const forced = std::getenv("HIPPOCORE_FORCE_KERNEL");
  if (forced == nullptr || *forced == '\0') return *available.front();
  std::string names;
  for (const Kernels* kernels : available) {
    if (std::string_view(kernels->name) == forced) return *kernels;
    names += names.empty() ? "" : ", ";
    names += kernels->name;
  }
  throw Error(ErrorCode::kInvalidArgument,
              "HIPPOCORE_FORCE_KERNEL names \"" + std::string(forced) +
                  "\", which this machine does not have; unset it or use one of: " + names);
}

const Kernels& kernels() {
  const Kernels* chosen = chosen_kernels.load(std::memory_order_acquire);
  if (chosen == nullptr) {
    // Two first calls at once choose the same table.
    chosen = &choose_kernels();
    chosen_kernels.store(chosen, std::memory_order_release);
  }
  return *chosen;
}

std::span<const Kernels* const> available_kernels() {
  static const std::vector<const Kernels*> available = supported_kernels();
  return available;
}

void use_kernels(const Kernels& chosen) {
  chosen_kernels.store(&chosen, std::memory_order_release);
}

}  // namespace hippocore::kernels
