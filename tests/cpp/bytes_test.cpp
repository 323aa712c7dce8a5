#include "base/bytes.h"

#include "base/id.h"
#include "harness.h"

namespace hippocore {

TEST(bytes_written_are_read_back) {
  std::vector<std::byte> bytes;
  ByteWriter writer(bytes);
  writer.write(std::uint32_t{0x01020304});
  writer.text("caf\xC3\xA9");
  writer.text("");
  writer.write(-0.5);
  CHECK_EQUAL(bytes.size(), 4U + 4 + 5 + 4 + 8);
  CHECK(bytes[0] == std::byte{4});
  ByteReader reader(bytes);
  CHECK_EQUAL(reader.read<std::uint32_t>(), 0x01020304U);
  CHECK_EQUAL(reader.text(), "caf\xC3\xA9");
  CHECK_EQUAL(reader.text(), "");
  CHECK_EQUAL(reader.remaining(), 8U);
  CHECK_EQUAL(reader.read<double>(), -0.5);
  CHECK(reader.empty());
}

TEST(bytes_reader_never_passes_the_end) {
  const std::vector<std::byte> bytes(7, std::byte{0xFF});
  CHECK_THROWS(ErrorCode::kCorruptStore, ByteReader(bytes).read<std::uint64_t>());
  CHECK_THROWS(ErrorCode::kCorruptStore, ByteReader(bytes).bytes(8));
  CHECK_THROWS(ErrorCode::kCorruptStore, ByteReader(bytes).bytes(SIZE_MAX));
  CHECK_THROWS(ErrorCode::kCorruptStore, ByteReader(bytes).text());  // a length of 4 GiB
  CHECK_THROWS(ErrorCode::kCorruptStore, ByteReader({}).read<std::uint8_t>());
}

TEST(bytes_reader_stays_where_it_was_after_a_refusal) {
  const std::vector<std::byte> bytes(3);
  ByteReader reader(bytes);
  CHECK_THROWS(ErrorCode::kCorruptStore, reader.read<std::uint32_t>());
  CHECK_EQUAL(reader.remaining(), 3U);
}

TEST(bytes_id_is_shown_in_hexadecimal) {
  Id id;
  for (std::uint8_t index = 0; index < 16; ++index) id.bytes[index] = static_cast<std::uint8_t>(index * 17);
  CHECK_EQUAL(to_hex(id), "00112233445566778899aabbccddeeff");
}

}  // namespace hippocore
