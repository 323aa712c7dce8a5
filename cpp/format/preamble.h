// The first 4096 bytes of every file but the header and the log: which store, which part, which generation or epoch.
//
// So a file of another store, or of another moment of this one, is refused even under the right name. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/id.h"

namespace hippocore::format {

inline constexpr std::size_t kPreambleSize = 4096;

enum class Part : std::uint32_t { kRecords = 1, kTail = 2, kPayload = 3, kState = 4, kIndex = 5, kGraph = 6 };

struct Preamble {
  Id store_id;
  Part part = Part::kRecords;
  std::uint32_t dimension = 0;
  std::uint64_t number = 0;  // the generation of records, payload and graph, the epoch of the others
  bool operator==(const Preamble&) const = default;
};

[[nodiscard]] std::vector<std::byte> encode_preamble(const Preamble& preamble);

// Returns: whether the bytes begin with exactly this preamble, intact.
[[nodiscard]] bool has_preamble(std::span<const std::byte> file, const Preamble& preamble);

}  // namespace hippocore::format
