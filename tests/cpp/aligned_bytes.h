// Zeroed bytes on the heap at a multiple of 64, as mapped files and chunks in memory are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace hippocore::testing {

class AlignedBytes {
 public:
  explicit AlignedBytes(std::size_t length) : blocks_(length / sizeof(Block) + 1), length_(length) {}
  explicit AlignedBytes(std::span<const std::byte> content) : AlignedBytes(content.size()) {
    std::copy(content.begin(), content.end(), data());
  }

  [[nodiscard]] std::byte* data() noexcept { return blocks_.front().bytes; }
  [[nodiscard]] std::span<std::byte> bytes() noexcept { return {data(), length_}; }

 private:
  struct alignas(64) Block {
    std::byte bytes[64] = {};
  };
  std::vector<Block> blocks_;
  std::size_t length_;
};

}  // namespace hippocore::testing
