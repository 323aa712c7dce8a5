// The largest and the last of what a store holds.
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "base/crc32c.h"
#include "faulty_directory.h"
#include "harness.h"
#include "storage/operations.h"
#include "store_fixture.h"

namespace hippocore::storage {
namespace {

using testing::FaultyDisk;
using testing::id_of;
using testing::Note;

// Kinds of four letters, as the sections of an index hold them.
struct ManyKinds {
  std::vector<std::uint64_t> ends;
  std::vector<std::byte> bytes;

  explicit ManyKinds(std::size_t count) {
    for (std::size_t kind = 0; kind < count; ++kind) {
      for (int shift = 0; shift < 16; shift += 4) bytes.push_back(static_cast<std::byte>('a' + (kind >> shift & 15)));
      ends.push_back(bytes.size());
    }
  }
  [[nodiscard]] format::IndexSections sections() const {
    format::IndexSections sections;
    sections.kind_ends = ends;
    sections.kind_bytes = bytes;
    return sections;
  }
};

Root root_with(std::size_t kinds, std::uint32_t count) {
  Root root;
  format::Header header;
  header.dimension = testing::kDimension;
  root.header = std::make_shared<const format::Header>(header);
  root.index = std::make_shared<Index>(ManyKinds(kinds).sections(), nullptr, 0);
  root.count = count;
  return root;
}

std::vector<std::byte> body_of(const std::vector<std::string>& kinds) {
  std::vector<std::byte> body;
  for (const std::string& kind : kinds) testing::encode({id_of(1), "text", 1, "scope", kind}, body);
  format::encode_operation(format::Forget{id_of(1)}, body);
  return body;
}

}  // namespace

TEST(storage_limits_of_kinds_count_only_new_ones) {
  const Root nearly_full = root_with(kMaximumKinds - 1, 0);
  check_operations(nearly_full, body_of({"new", "new", "aaaa"}));
  CHECK_THROWS(ErrorCode::kInvalidArgument, check_operations(nearly_full, body_of({"new", "other"})));
  CHECK_THROWS(ErrorCode::kCorruptStore, Index(ManyKinds(kMaximumKinds + 1).sections(), nullptr, 0));
}

TEST(storage_limits_of_versions_are_those_of_their_numbers) {
  const Root full = root_with(0, kNoSlot - 2);
  std::vector<std::byte> body;
  format::encode_operation(format::Forget{id_of(1)}, body);
  check_operations(full, body);
  format::encode_operation(format::Forget{id_of(2)}, body);
  CHECK_THROWS(ErrorCode::kInvalidArgument, check_operations(full, body));
}

TEST(storage_limits_of_an_entry_are_kept_before_a_byte_is_written) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto file = disk->open()->create("log-1");
  for (const std::size_t size : {format::kMaximumEntrySize - format::kEntryHeaderSize + 1, format::kMaximumEntrySize,
                                 format::kMaximumEntrySize + 1, std::numeric_limits<std::size_t>::max()}) {
    CHECK_THROWS(ErrorCode::kInvalidArgument, make_room(*file, {}, size));
  }
  CHECK_EQUAL(file->size(), 0U);
}

TEST(storage_limits_of_an_entry_are_kept_by_who_reads_it) {
  auto bytes = format::encode_entry_header({1, 0, 16, 0}, 5);
  const std::uint32_t size = std::numeric_limits<std::uint32_t>::max();
  std::memcpy(bytes.data() + 24, &size, sizeof(size));
  const std::uint32_t sum = crc32c(5, std::span(bytes).subspan(8));
  std::memcpy(bytes.data() + 4, &sum, sizeof(sum));
  CHECK(!format::decode_entry_header(bytes, 5));
}

TEST(storage_limits_of_a_log_are_looked_at_before_its_bytes) {
  const std::vector<std::byte> log(format::kLogStart + 4);
  CHECK(something_at(log, {format::kLogStart, 0, 0, 0}));       // less than a word is left: look again
  CHECK(something_at(log, {format::kLogStart + 64, 0, 0, 0}));  // it was longer
  CHECK_THROWS(ErrorCode::kCorruptStore, log_is_closed(std::span(log).first(100), {}));
}

TEST(storage_limits_of_an_entry_include_its_place_in_the_sequence) {
  const std::vector<std::byte> body(8);
  const auto header = format::encode_entry_header({5, 0, 8, crc32c(0, body)}, 0);
  std::vector<std::byte> log(format::kLogStart);
  log.insert(log.end(), header.begin(), header.end());
  log.insert(log.end(), body.begin(), body.end());
  CHECK(read_entry(log, {format::kLogStart, 4, 0, 0}).has_value());
  CHECK(!read_entry(log, {format::kLogStart, 3, 0, 0}));
  CHECK(!read_entry(log, {format::kLogStart, 5, 0, 0}));
}

// Sixteen full chunks and more are moved out of memory while a compaction goes on.
TEST(storage_limits_of_memory_do_not_bound_a_compaction) {
  constexpr std::uint32_t kMemories = 17 * 1024 + 5;
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = Store::open(disk->open(), testing::options_of());
  std::vector<std::byte> body;
  for (std::uint32_t number = 0; number < kMemories; ++number) testing::encode({id_of(number), "text"}, body);
  store->write(body);
  testing::forget(*store, id_of(3));
  store->compact();
  const auto root = Store::open(disk->open(), testing::options_of())->snapshot();
  CHECK_EQUAL(root->count, kMemories - 1);
  CHECK_EQUAL(root->find(id_of(3)), kNoSlot);
  for (const std::uint32_t number : {0U, 4U, 1024U, 16'384U, kMemories - 1}) {
    CHECK_EQUAL(testing::see(*root, root->find(id_of(number))).content, "text");
  }
}

TEST(storage_limits_of_sync_off_leave_a_touch_to_the_background_all_the_same) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = Store::open(disk->open(), testing::options_of(Sync::kOff));
  testing::write(*store, Note{id_of(1), "text"});
  store->touch(std::array{id_of(1)}, 9'000);
  const auto uses = [&] {
    const auto root = store->snapshot();
    return root->state(root->find(id_of(1))).use_count;
  };
  while (uses() == 0) std::this_thread::yield();
  CHECK_EQUAL(uses(), 1U);
}

}  // namespace hippocore::storage
