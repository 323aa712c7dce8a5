#include <algorithm>
#include <cstring>

#include "base/crc32c.h"
#include "damage.h"
#include "format/header.h"
#include "harness.h"

namespace hippocore::format {
namespace {

Header sample_header() {
  Header header;
  for (std::uint8_t index = 0; index < 16; ++index) header.store_id.bytes[index] = index;
  header.dimension = 384;
  header.epoch = 7;
  header.generation = 2;
  header.sequence = 12345678901;
  header.slot_count = 4000;
  header.embedder = "local";
  header.tokenizer = "\xE5\xAD\x97";
  header.records = {"records-2", 7544832};
  header.tail = {"tail-7", 1884160};
  header.payload = {"payload-2", 99};
  header.state = {"state-7", 237824};
  header.index = {"index-7", 1};
  header.log = {"log-7", 0};
  return header;
}

void seal(HeaderSlot& slot) {
  const std::uint32_t sum = crc32c(0, std::span(slot).subspan(12));
  std::memcpy(slot.data() + 8, &sum, 4);
}

std::array<std::byte, kHeaderSize> file_of(const HeaderSlot& first, const HeaderSlot& second) {
  std::array<std::byte, kHeaderSize> file{};
  std::copy(first.begin(), first.end(), file.begin());
  std::copy(second.begin(), second.end(), file.begin() + kHeaderSlotSize);
  return file;
}

Header with_epoch(std::uint64_t epoch) {
  Header header = sample_header();
  header.epoch = epoch;
  return header;
}

}  // namespace

TEST(format_header_comes_back_as_it_was) {
  const auto slot = encode_header(sample_header());
  CHECK(decode_header(slot) == sample_header());
  Header young = sample_header();
  young.records = young.tail = young.payload = young.state = young.index = young.log = {};
  young.slot_count = 0;
  CHECK(decode_header(encode_header(young)) == young);
}

TEST(format_header_keeps_its_epoch_where_readers_look) {
  const auto slot = encode_header(sample_header());
  std::uint64_t epoch = 0;
  std::memcpy(&epoch, slot.data() + kEpochOffset, sizeof(epoch));
  CHECK_EQUAL(epoch, 7U);
}

TEST(format_header_with_any_flipped_bit_is_nothing) {
  testing::for_each_flipped_bit(encode_header(sample_header()), [](std::span<const std::byte> damaged) {
    CHECK(!decode_header(damaged.first<kHeaderSlotSize>()).has_value());
  });
}

TEST(format_header_cut_anywhere_is_nothing_or_whole) {
  const auto slot = encode_header(sample_header());
  for (std::size_t length = 0; length < kHeaderSlotSize; ++length) {
    HeaderSlot torn{};
    std::copy_n(slot.begin(), length, torn.begin());
    CHECK_EQUAL(decode_header(torn).has_value(), torn == slot);
  }
}

TEST(format_header_of_zeros_is_nothing) {
  CHECK(!decode_header(HeaderSlot{}).has_value());
}

TEST(format_header_chosen_is_the_intact_one_with_the_higher_epoch) {
  const auto older = encode_header(with_epoch(6));
  const auto newer = encode_header(with_epoch(7));
  auto torn = encode_header(with_epoch(8));
  torn[4095] ^= std::byte{1};
  CHECK_EQUAL(choose_header(file_of(older, newer))->epoch, 7U);
  CHECK_EQUAL(choose_header(file_of(newer, older))->epoch, 7U);
  CHECK_EQUAL(choose_header(file_of(newer, torn))->epoch, 7U);
  CHECK_EQUAL(choose_header(file_of(torn, older))->epoch, 6U);
  CHECK_EQUAL(choose_header(file_of(newer, newer))->epoch, 7U);
  CHECK(!choose_header(file_of(torn, torn)).has_value());
  CHECK(!choose_header(file_of({}, {})).has_value());
}

TEST(format_header_of_a_newer_format_is_told_apart_from_damage) {
  auto slot = encode_header(sample_header());
  slot[12] = std::byte{kFormatVersion + 1};
  seal(slot);
  CHECK_THROWS(ErrorCode::kStoreVersion, decode_header(slot));
  CHECK_THROWS(ErrorCode::kStoreVersion, choose_header(file_of(encode_header(sample_header()), slot)));
  slot[12] = std::byte{0};
  seal(slot);
  CHECK_THROWS(ErrorCode::kCorruptStore, decode_header(slot));
}

TEST(format_header_with_impossible_values_is_neither_written_nor_read) {
  const auto refuse = [](auto change) {
    Header header = sample_header();
    change(header);
    CHECK_THROWS(ErrorCode::kInvalidArgument, encode_header(header));
  };
  refuse([](Header& header) { header.dimension = 0; });
  refuse([](Header& header) { header.dimension = kMaximumDimension + 1; });
  refuse([](Header& header) { header.slot_count = 0xFFFFFFFF; });
  refuse([](Header& header) { header.embedder.assign(kMaximumNameLength + 1, 'e'); });
  refuse([](Header& header) { header.tokenizer.assign(kMaximumNameLength + 1, 't'); });
  refuse([](Header& header) { header.log.name.assign(kMaximumFileNameLength + 1, 'l'); });
  refuse([](Header& header) { header.index = {"", 5}; });
  for (const char* name : {"../records", "a/b", ".", "..", ".hidden", "header", "log 7", "log\n"}) {
    refuse([name](Header& header) { header.log.name = name; });
  }
}

TEST(format_header_of_a_hostile_writer_is_refused) {
  const auto refuse = [](std::string_view text, std::string_view replacement) {
    auto slot = encode_header(sample_header());
    const auto place = std::search(slot.begin(), slot.end(), std::as_bytes(std::span(text)).begin(),
                                   std::as_bytes(std::span(text)).end());
    CHECK(place != slot.end());
    std::memcpy(&*place, replacement.data(), replacement.size());
    seal(slot);
    CHECK_THROWS(ErrorCode::kCorruptStore, decode_header(slot));
  };
  refuse("records-2", "../.../..");
  refuse("records-2", "records/2");
  refuse("log-7", "log\n7");
  using namespace std::string_view_literals;
  refuse("\5\0\0\0local"sv, "\xFF\xFF\xFF\xFF"sv);
  auto slot = encode_header(sample_header());
  std::memset(slot.data() + 40, 0xFF, 4);
  seal(slot);
  CHECK_THROWS(ErrorCode::kCorruptStore, decode_header(slot));
}

TEST(format_header_takes_the_longest_names) {
  Header header = sample_header();
  header.embedder.assign(kMaximumNameLength, 'e');
  header.tokenizer.assign(kMaximumNameLength, 't');
  for (FileEntry* file : {&header.records, &header.tail, &header.payload, &header.state, &header.index, &header.log}) {
    file->name.assign(kMaximumFileNameLength, 'f');
  }
  CHECK(decode_header(encode_header(header)) == header);
}

}  // namespace hippocore::format
