#include <algorithm>

#include "damage.h"
#include "format/log_entry.h"
#include "harness.h"

namespace hippocore::format {
namespace {

constexpr EntryHeader kHeader{
    .sequence = 12345678901, .synced_through = 12345678900, .body_size = 1000, .body_crc = 77};
constexpr std::uint32_t kSalt = 5;

Id sample_id() {
  Id id;
  id.bytes.fill(0x5A);
  return id;
}

}  // namespace

TEST(format_entry_header_comes_back_as_it_was) {
  const auto header = decode_entry_header(encode_entry_header(kHeader, kSalt), kSalt);
  CHECK(header.has_value());
  CHECK_EQUAL(header->sequence, kHeader.sequence);
  CHECK_EQUAL(header->synced_through, kHeader.synced_through);
  CHECK_EQUAL(header->body_size, kHeader.body_size);
  CHECK_EQUAL(header->body_crc, kHeader.body_crc);
}

TEST(format_entry_header_with_any_flipped_bit_is_nothing) {
  testing::for_each_flipped_bit(encode_entry_header(kHeader, kSalt), [](std::span<const std::byte> damaged) {
    CHECK(!decode_entry_header(damaged.first<kEntryHeaderSize>(), kSalt).has_value());
  });
}

TEST(format_entry_header_of_zeros_or_cut_short_is_nothing) {
  const auto whole = encode_entry_header(kHeader, kSalt);
  for (std::size_t length = 0; length < kEntryHeaderSize; ++length) {
    std::array<std::byte, kEntryHeaderSize> torn{};
    std::copy_n(whole.begin(), length, torn.begin());
    CHECK_EQUAL(decode_entry_header(torn, kSalt).has_value(), torn == whole);
  }
}

TEST(format_entry_header_of_another_log_is_nothing) {
  const auto bytes = encode_entry_header(kHeader, log_salt(sample_id(), 3));
  CHECK(decode_entry_header(bytes, log_salt(sample_id(), 3)).has_value());
  CHECK(!decode_entry_header(bytes, log_salt(sample_id(), 4)).has_value());
  CHECK(!decode_entry_header(bytes, log_salt(Id{}, 3)).has_value());
}

TEST(format_entry_larger_than_allowed_is_neither_written_nor_read) {
  EntryHeader header = kHeader;
  header.body_size = static_cast<std::uint32_t>(kMaximumEntrySize - kEntryHeaderSize);
  CHECK(decode_entry_header(encode_entry_header(header, kSalt), kSalt).has_value());
  header.body_size += 1;
  CHECK_THROWS(ErrorCode::kInvalidArgument, encode_entry_header(header, kSalt));
}

TEST(format_entry_sizes_are_whole_words) {
  CHECK_EQUAL(entry_size(0), 40U);
  CHECK_EQUAL(entry_size(1), 48U);
  CHECK_EQUAL(entry_size(8), 48U);
  CHECK_EQUAL(entry_size(9), 56U);
}

TEST(format_log_preamble_comes_back_as_it_was) {
  for (const bool closed : {false, true}) {
    const auto preamble = decode_log_preamble(encode_log_preamble({sample_id(), 9, closed}));
    CHECK(preamble.has_value());
    CHECK(preamble->store_id == sample_id());
    CHECK_EQUAL(preamble->epoch, 9U);
    CHECK_EQUAL(preamble->closed, closed);
  }
}

TEST(format_log_preamble_with_any_flipped_bit_is_nothing) {
  testing::for_each_flipped_bit(encode_log_preamble({sample_id(), 9, false}), [](std::span<const std::byte> damaged) {
    CHECK(!decode_log_preamble(damaged.first<64>()).has_value());
  });
  CHECK(!decode_log_preamble(std::array<std::byte, 64>{}).has_value());
}

}  // namespace hippocore::format
