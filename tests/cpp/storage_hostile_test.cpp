// Files whose checksums are right and whose content is made to do harm: refused by name, without a crash or a huge
// allocation.
#include <functional>
#include <vector>

#include "base/crc32c.h"
#include "faulty_directory.h"
#include "format/payload.h"
#include "format/preamble.h"
#include "harness.h"
#include "storage/commit.h"
#include "store_fixture.h"

namespace hippocore::storage {
namespace {

using testing::FaultyDisk;
using testing::id_of;
using testing::Note;

std::unique_ptr<Store> open(FaultyDisk& disk) {
  return Store::open(disk.open(), testing::options_of());
}

std::shared_ptr<FaultyDisk> make_store() {
  auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  for (std::uint32_t number = 0; number < 4; ++number) {
    testing::write(*store, Note{id_of(number), "note", 1, "scope", "fact", "source", {"tag"}});
  }
  testing::write(*store, Note{id_of(1), "again", 2, "scope", "fact", "source", {"tag"}, 2'000});
  store->checkpoint();
  return disk;
}

void set_header(FaultyDisk& disk, const std::function<void(format::Header&)>& change) {
  format::Header header = read_header(*disk.open()).value();
  change(header);
  const format::HeaderSlot slot = format::encode_header(header);
  std::vector<std::byte> bytes(slot.begin(), slot.end());
  bytes.insert(bytes.end(), slot.begin(), slot.end());
  disk.replace("header", bytes);
}

// Changes the tail, of 5 rows, and makes its checksums right.
void set_tail(FaultyDisk& disk, const std::function<void(const format::MutableChunkView&)>& change) {
  auto bytes = disk.bytes("tail-2");
  const format::ChunkLayout layout(testing::kDimension, 64);
  const format::MutableChunkView rows(&layout, bytes.data() + format::kPreambleSize);
  change(rows);
  for (std::size_t row = 0; row < 5; ++row) rows.row_crcs()[row] = format::row_crc(rows, row);
  rows.columns_crc() = format::columns_crc(rows, 5);
  disk.replace("tail-2", bytes);
}

void read_everything(Store& store) {
  const auto root = store.snapshot();
  for (std::uint32_t number = 0; number < 4; ++number) {
    for (const std::uint32_t slot : root->versions(id_of(number))) static_cast<void>(testing::see(*root, slot));
  }
  static_cast<void>(testing::contents_of(*root));
}

// Appends an entry with any body, as another process would.
void append_raw(FaultyDisk& disk, std::span<const std::byte> body) {
  const auto root = open(disk)->snapshot();
  const auto log = disk.open()->open(root->header->log.name, os::Access::kReadWrite);
  make_room(*log, root->position, body.size());
  static_cast<void>(append_entry(*log, root->position, body, 0));
}

}  // namespace

TEST(storage_hostile_headers_are_refused) {
  const std::vector<std::function<void(format::Header&)>> changes = {
      [](format::Header& header) { header.slot_count = 4'000'000'000; },
      [](format::Header& header) { header.slot_count = 70; },
      [](format::Header& header) { header.dimension = 65'536; },
      [](format::Header& header) { header.generation = 7; },
      [](format::Header& header) { header.epoch = 7; },
      [](format::Header& header) { header.store_id = id_of(1'234); },
      [](format::Header& header) { header.records.length = std::uint64_t{1} << 62; },
      [](format::Header& header) { header.tail.length = ~std::uint64_t{0}; },
      [](format::Header& header) { header.state.length = std::uint64_t{16} << 30; },
      [](format::Header& header) { header.payload.length = std::uint64_t{16} << 30; },
      [](format::Header& header) { header.payload.length = 0; },
      [](format::Header& header) { header.index.length = std::uint64_t{16} << 30; },
      [](format::Header& header) { header.index.length = format::kPreambleSize + 1; },
      [](format::Header& header) { header.records = {}; },
      [](format::Header& header) { header.tail = {}; },
      [](format::Header& header) { header.state = {}; },
      [](format::Header& header) { header.index = {}; },
      [](format::Header& header) { header.payload = {}; },
      [](format::Header& header) { header.log = {}; },
      [](format::Header& header) { header.log.name = header.tail.name; },
      [](format::Header& header) { header.index.name = header.payload.name; },
      [](format::Header& header) { header.payload.name = "elsewhere"; },
  };
  OpenOptions options;  // of any dimension and embedder
  for (const auto& change : changes) {
    const auto disk = make_store();
    set_header(*disk, change);
    CHECK_THROWS(ErrorCode::kCorruptStore, Store::open(disk->open(), options));
  }
}

TEST(storage_hostile_count_of_slots_that_were_never_written_is_named_when_they_are_read) {
  const auto disk = make_store();
  set_header(*disk, [](format::Header& header) { header.slot_count = 6; });
  CHECK_THROWS(ErrorCode::kCorruptStore, read_everything(*open(*disk)));
}

TEST(storage_hostile_header_of_ninety_bytes_is_refused) {
  const auto disk = make_store();
  const auto header = disk->bytes("header");
  disk->replace("header", std::span(header).first(90));
  CHECK_THROWS(ErrorCode::kCorruptStore, open(*disk));
}

TEST(storage_hostile_version_that_names_a_facet_twice_does_not_spoil_the_index) {
  const auto disk = std::make_shared<FaultyDisk>();
  {
    const auto store = open(*disk);
    testing::write(*store, Note{id_of(1), "note", 1, "scope", "fact", "source", {"tag", "other", "tag", "tag"}});
    store->checkpoint();
  }
  const auto store = open(*disk);
  read_everything(*store);
  const auto& labels = store->snapshot()->index->labels();
  CHECK_EQUAL(labels.live_slots(labels.find(LabelType::kFacet, "tag")).size(), 1U);
  CHECK_EQUAL(labels.live_slots(labels.find(LabelType::kFacet, "other")).size(), 1U);
}

// Row 46 of the field cases.
TEST(storage_hostile_or_not_a_newer_format_is_refused_as_such) {
  const auto disk = make_store();
  auto bytes = disk->bytes("header");
  for (std::size_t slot = 0; slot < 2; ++slot) {
    const auto place = std::span(bytes).subspan(slot * format::kHeaderSlotSize, format::kHeaderSlotSize);
    place[12] = std::byte{format::kFormatVersion + 1};
    const std::uint32_t sum = crc32c(0, place.subspan(12));
    std::memcpy(place.data() + 8, &sum, sizeof(sum));
  }
  disk->replace("header", bytes);
  CHECK_THROWS(ErrorCode::kStoreVersion, open(*disk));
}

TEST(storage_hostile_columns_are_refused_when_they_are_read) {
  const std::vector<std::function<void(const format::MutableChunkView&)>> changes = {
      [](const auto& rows) { rows.scopes()[2] = 4'000'000'000; },
      [](const auto& rows) { rows.kinds()[2] = 60'000; },
      [](const auto& rows) { rows.sources()[2] = 77; },
      [](const auto& rows) { rows.payload_offsets()[2] = ~std::uint64_t{0}; },
      [](const auto& rows) { rows.payload_offsets()[2] = kInLog | 4'096; },
      [](const auto& rows) { rows.payload_offsets()[2] = kInLog | (std::uint64_t{1} << 62); },
      [](const auto& rows) { rows.payload_lengths()[2] = ~std::uint32_t{0}; },
      [](const auto& rows) { rows.previous()[4] = 4; },              // a version before itself
      [](const auto& rows) { rows.previous()[4] = 4'000'000'000; },  // behind the end
      [](const auto& rows) { rows.previous()[4] = 3; },              // another memory's
  };
  for (const auto& change : changes) {
    const auto disk = make_store();
    set_tail(*disk, change);
    const auto store = open(*disk);
    CHECK_THROWS(ErrorCode::kCorruptStore, read_everything(*store));
    testing::write(*store, Note{id_of(3), "new", 2});
    testing::forget(*store, id_of(1));
    try {
      store->compact();
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kCorruptStore);
    }
  }
}

// What other processes wrote before it stays readable, and the entry is named each time.
TEST(storage_hostile_log_entries_are_refused_whole) {
  std::vector<std::byte> good;
  testing::encode({id_of(50), "good"}, good);
  std::vector<std::byte> other_dimension;
  testing::encode({id_of(51), "wide", 1, "s", "k", "", {}, 1, 1, testing::vector_of(1, 16)}, other_dimension);
  std::vector<std::byte> broken_payload = good;
  broken_payload.back() ^= std::byte{1};
  std::vector<std::byte> second_is_bad = good;
  second_is_bad.push_back(std::byte{9});
  for (const auto& body : {other_dimension, broken_payload, second_is_bad, std::vector<std::byte>(1)}) {
    const auto disk = make_store();
    const auto store = open(*disk);
    append_raw(*disk, good);
    append_raw(*disk, body);
    for (int round = 0; round < 3; ++round) CHECK_THROWS(ErrorCode::kCorruptStore, store->snapshot());
    CHECK_THROWS(ErrorCode::kCorruptStore, testing::write(*store, Note{id_of(52), "more"}));
    CHECK_THROWS(ErrorCode::kCorruptStore, open(*disk));
  }
}

TEST(storage_hostile_or_stray_files_are_left_alone) {
  const auto disk = make_store();
  for (const char* name : {"log-notes.txt", "records-", "tail-2x", "notes", "state-99999999999999999999999", ".tmp"}) {
    disk->replace(name, std::vector<std::byte>(10, std::byte{1}));
  }
  disk->replace("tail-77", std::vector<std::byte>(10, std::byte{1}));  // of a crash
  const auto store = open(*disk);
  testing::write(*store, Note{id_of(9), "more"});
  store->compact();
  for (const char* name : {"log-notes.txt", "records-", "tail-2x", "notes", "state-99999999999999999999999", ".tmp"}) {
    CHECK_EQUAL(disk->bytes(name).size(), 10U);
  }
  const auto names = disk->names();
  CHECK(std::find(names.begin(), names.end(), "tail-77") == names.end());
}

}  // namespace hippocore::storage
