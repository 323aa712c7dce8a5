#include "base/crc32c.h"

#include <array>

#include "base/bytes.h"
#include "damage.h"
#include "harness.h"

namespace hippocore {
// The check value and the 32-byte vectors that RFC 3720 (appendix B.4) prints.
TEST(crc32c_gives_the_published_values) {
  std::array<std::byte, 32> bytes{};
  CHECK_EQUAL(crc32c(0, as_bytes("123456789")), 0xE3069283U);
  CHECK_EQUAL(crc32c(0, bytes), 0x8A9136AAU);
  bytes.fill(std::byte{0xFF});
  CHECK_EQUAL(crc32c(0, bytes), 0x62A8AB43U);
  for (std::size_t index = 0; index < bytes.size(); ++index) bytes[index] = static_cast<std::byte>(index);
  CHECK_EQUAL(crc32c(0, bytes), 0x46DD794EU);
  CHECK_EQUAL(crc32c(7, {}), 7U);
}

TEST(crc32c_of_the_cpu_and_of_the_tables_agree_on_every_alignment) {
  const auto bytes = testing::patterned_bytes(320);
  for (std::size_t start = 0; start < 64; ++start) {
    for (std::size_t length = 0; length <= 256; ++length) {
      const auto part = std::span(bytes).subspan(start, length);
      CHECK_EQUAL(crc32c(0, part), crc32c_from_tables(0, part));
      CHECK_EQUAL(crc32c(0xDEADBEEF, part), crc32c_from_tables(0xDEADBEEF, part));
    }
  }
}

TEST(crc32c_of_the_cpu_and_of_the_tables_agree_on_long_inputs) {
  const auto bytes = testing::patterned_bytes(5000);
  for (std::size_t length = 700; length <= bytes.size(); length += length < 2400 ? 1 : 67) {
    const auto part = std::span(bytes).first(length);
    CHECK_EQUAL(crc32c(0xDEADBEEF, part), crc32c_from_tables(0xDEADBEEF, part));
  }
}

TEST(crc32c_continues_from_a_seed) {
  const auto bytes = testing::patterned_bytes(100);
  const std::uint32_t whole = crc32c(0, bytes);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    const auto all = std::span(bytes);
    CHECK_EQUAL(crc32c(crc32c(0, all.first(cut)), all.subspan(cut)), whole);
  }
}

}  // namespace hippocore
