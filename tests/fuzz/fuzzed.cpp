// libFuzzer's entry to the target that this file is compiled for.
#include <cstdint>

#include "targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hippocore::fuzz::HIPPOCORE_FUZZ_TARGET(std::as_bytes(std::span(data, size)));
  return 0;
}
