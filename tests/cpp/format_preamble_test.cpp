#include "damage.h"
#include "format/preamble.h"
#include "harness.h"

namespace hippocore::format {
namespace {

Preamble sample_preamble() {
  Preamble preamble;
  preamble.part = Part::kState;
  preamble.dimension = 384;
  preamble.number = 7;
  preamble.store_id.bytes.fill(0x3C);
  return preamble;
}

}  // namespace

TEST(format_preamble_names_store_part_dimension_and_moment) {
  const auto bytes = encode_preamble(sample_preamble());
  CHECK_EQUAL(bytes.size(), kPreambleSize);
  CHECK(has_preamble(bytes, sample_preamble()));
  const auto refuse = [&bytes](auto change) {
    Preamble other = sample_preamble();
    change(other);
    CHECK(!has_preamble(bytes, other));
  };
  refuse([](Preamble& other) { other.store_id.bytes[15] = 0; });
  refuse([](Preamble& other) { other.part = Part::kTail; });
  refuse([](Preamble& other) { other.dimension = 383; });
  refuse([](Preamble& other) { other.number = 6; });
}

TEST(format_preamble_with_any_damage_is_refused) {
  const auto bytes = encode_preamble(sample_preamble());
  const auto refuse = [](std::span<const std::byte> damaged) { CHECK(!has_preamble(damaged, sample_preamble())); };
  testing::for_each_truncation(bytes, refuse);
  testing::for_each_flipped_bit(std::span(bytes).first(64), [&](std::span<const std::byte> damaged) {
    std::vector<std::byte> whole(damaged.begin(), damaged.end());
    whole.resize(kPreambleSize);
    refuse(whole);
  });
}

}  // namespace hippocore::format
