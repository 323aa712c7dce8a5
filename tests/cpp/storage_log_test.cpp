#include <algorithm>
#include <vector>

#include "damage.h"
#include "faulty_directory.h"
#include "harness.h"
#include "storage/log.h"
#include "store_fixture.h"

namespace hippocore::storage {
namespace {

format::Header header_of_log() {
  format::Header header;
  header.store_id = testing::id_of(99);
  header.epoch = 3;
  header.sequence = 40;
  header.log.name = "log-3";
  return header;
}

// A log of `count` entries of different sizes, each synced before the next was written.
struct WrittenLog {
  explicit WrittenLog(std::size_t count) {
    LogPosition position = log_start(header_of_log());
    for (std::size_t number = 0; number < count; ++number) {
      const auto body = testing::patterned_bytes(3 + 17 * number, static_cast<std::uint32_t>(number));
      make_room(*file, position, body.size());
      position = append_entry(*file, position, body, position.sequence);
      ends.push_back(position.offset);
    }
  }
  [[nodiscard]] std::vector<std::byte> bytes() const { return disk->bytes("log-3"); }

  std::shared_ptr<testing::FaultyDisk> disk = std::make_shared<testing::FaultyDisk>();
  std::unique_ptr<os::Directory> directory = disk->open();
  std::unique_ptr<os::File> file = create_log(*directory, header_of_log());
  std::vector<std::uint64_t> ends;
};

struct ReadLog {
  std::size_t entries = 0;
  LogPosition position = log_start(header_of_log());
  bool right = true;
};

ReadLog read_all(std::span<const std::byte> log) {
  ReadLog read;
  while (const auto entry = read_entry(log, read.position)) {
    const auto body = testing::patterned_bytes(3 + 17 * read.entries, static_cast<std::uint32_t>(read.entries));
    read.right = read.right && std::equal(body.begin(), body.end(), entry->body.begin(), entry->body.end()) &&
                 entry->header.sequence == 41 + read.entries;
    read.position = entry->next;
    ++read.entries;
  }
  return read;
}

}  // namespace

TEST(storage_log_gives_back_every_entry_in_order) {
  const WrittenLog log(20);
  const ReadLog read = read_all(log.bytes());
  CHECK_EQUAL(read.entries, 20U);
  CHECK(read.right);
  CHECK(!something_at(log.bytes(), read.position));
  CHECK_EQUAL(judge_rest(log.bytes(), read.position, "log").discarded_bytes, 0U);
}

// Row 42 of the field cases.
TEST(storage_log_cut_at_any_byte_is_an_exact_prefix) {
  const WrittenLog log(12);
  const auto bytes = log.bytes();
  for (std::size_t length = 0; length <= log.ends.back(); ++length) {
    const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    const ReadLog read = read_all(cut);
    const auto whole = std::upper_bound(log.ends.begin(), log.ends.end(), length) - log.ends.begin();
    CHECK_EQUAL(read.entries, static_cast<std::size_t>(whole));
    CHECK(read.right);
  }
}

// Each entry says that the one before it was synced: so damage anywhere but in the last one cannot be an unfinished
// write.
TEST(storage_log_with_any_flipped_bit_is_an_exact_prefix_or_said_to_be_damaged) {
  const WrittenLog log(8);
  auto bytes = log.bytes();
  for (std::size_t at = format::kLogStart; at < log.ends.back(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[at] ^= static_cast<std::byte>(1 << bit);
      const ReadLog read = read_all(bytes);
      CHECK(read.right);
      CHECK(read.entries == 8 || (read.entries < 8 && at < log.ends[read.entries]));
      if (read.entries < 7) {
        CHECK_THROWS(ErrorCode::kCorruptStore, judge_rest(bytes, read.position, "log"));
      } else if (read.entries == 7) {
        CHECK(judge_rest(bytes, read.position, "log").discarded_bytes > 0);
      }
      bytes[at] ^= static_cast<std::byte>(1 << bit);
    }
  }
}

TEST(storage_log_of_an_unfinished_write_is_not_damage) {
  const WrittenLog log(5);
  const auto bytes = log.bytes();
  std::vector<std::byte> torn(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(log.ends[4] - 9));
  torn.resize(bytes.size());
  const ReadLog read = read_all(torn);
  CHECK_EQUAL(read.entries, 4U);
  CHECK(something_at(torn, read.position));
  CHECK_EQUAL(judge_rest(torn, read.position, "log").discarded_bytes, log.ends[4] - 9 - log.ends[3]);
}

// Otherwise a reader whose mapping ends exactly behind an entry would never look for more.
TEST(storage_log_that_ends_at_the_position_may_hold_more) {
  const WrittenLog log(3);
  const auto bytes = log.bytes();
  const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(log.ends[2]));
  const ReadLog read = read_all(cut);
  CHECK_EQUAL(read.entries, 3U);
  CHECK(something_at(cut, read.position));
  CHECK_EQUAL(judge_rest(cut, read.position, "log").discarded_bytes, 0U);
}

TEST(storage_log_keeps_room_for_the_next_header_while_it_grows) {
  const WrittenLog log(1);
  LogPosition position = read_all(log.bytes()).position;
  for (int number = 0; number < 200; ++number) {
    const auto body = testing::patterned_bytes(4'001);
    make_room(*log.file, position, body.size());
    position = append_entry(*log.file, position, body, 0);
    CHECK(log.file->size() >= position.offset + format::kEntryHeaderSize);
    CHECK_EQUAL(log.file->size() % 4096, 0U);
  }
}

TEST(storage_log_refuses_an_entry_that_is_too_large_before_it_writes) {
  const WrittenLog log(1);
  const auto calls = log.disk->calls();
  CHECK_THROWS(ErrorCode::kInvalidArgument,
               make_room(*log.file, log_start(header_of_log()), format::kMaximumEntrySize));
  CHECK_EQUAL(log.disk->calls(), calls);
}

TEST(storage_log_once_closed_stays_closed) {
  const WrittenLog log(2);
  CHECK(!log_is_closed(log.bytes(), header_of_log()));
  close_log(*log.file);
  CHECK(log_is_closed(log.bytes(), header_of_log()));
  CHECK_EQUAL(read_all(log.bytes()).entries, 2U);
}

TEST(storage_log_of_another_store_or_moment_is_refused) {
  const WrittenLog log(2);
  format::Header other = header_of_log();
  ++other.epoch;
  CHECK_THROWS(ErrorCode::kCorruptStore, log_is_closed(log.bytes(), other));
  CHECK(!read_entry(log.bytes(), log_start(other)));
  other = header_of_log();
  other.store_id = testing::id_of(98);
  CHECK_THROWS(ErrorCode::kCorruptStore, log_is_closed(log.bytes(), other));
  CHECK(!read_entry(log.bytes(), log_start(other)));
}

TEST(storage_log_that_grows_by_written_blocks_reads_as_zeros_there) {
  const WrittenLog log(0);
  const LogPosition start = log_start(header_of_log());
  make_room(*log.file, start, 200'000, 0, Blocks::kWritten);
  const std::uint64_t size = log.file->size();
  CHECK(size > 200'000);
  const auto bytes = log.file->map(0, size).bytes.subspan(format::kLogStart);
  CHECK(std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; }));
  make_room(*log.file, start, 200'000, size, Blocks::kWritten);  // it is long enough
  CHECK_EQUAL(log.file->size(), size);
}

}  // namespace hippocore::storage
