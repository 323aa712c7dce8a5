// One flipped byte anywhere in a store's files: each memory is read as it was or named as damaged, before and after the
// store is written to and checkpointed. Of a small store every byte that is not zero is taken, and one zero in 17; of
// a larger one, bytes at a distance: HIPPOCORE_ITERATIONS=1000 takes all.
#include <algorithm>
#include <cstring>
#include <vector>

#include "faulty_directory.h"
#include "format/preamble.h"
#include "harness.h"
#include "iterations.h"
#include "store_fixture.h"

namespace hippocore::storage {
namespace {

using testing::Contents;
using testing::FaultyDisk;
using testing::id_of;
using testing::Note;
using testing::Seen;

std::unique_ptr<Store> open(FaultyDisk& disk) {
  return Store::open(disk.open(), testing::options_of());
}

// A store of `count` memories in its files, one of them updated and one forgotten, and one more in the log.
std::shared_ptr<FaultyDisk> make_store(std::uint32_t count) {
  auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  std::vector<Note> notes;
  for (std::uint32_t number = 0; number < count; ++number) {
    notes.push_back({id_of(number), "note " + std::to_string(number), 1, "scope", "fact", "source", {"tag"}});
  }
  testing::write(*store, notes);
  testing::write(*store, Note{id_of(1), "one again", 2, "scope", "fact", "source", {"tag"}, 2'000});
  testing::forget(*store, id_of(2));
  store->checkpoint();
  testing::write(*store, Note{id_of(count), "in the log"});
  return disk;
}

// Returns: whether damage was named. Throws: Failure when anything was read that was never written.
bool check_readable(const Root& root, const Contents& right) {
  bool named = false;
  for (const auto& [id, versions] : right) {
    try {
      std::vector<Seen> seen;
      for (const std::uint32_t slot : root.versions(id)) seen.push_back(testing::see(root, slot));
      if (seen.empty()) {  // only where its id is damaged, in a row that says so
        CHECK_THROWS(ErrorCode::kCorruptStore, testing::contents_of(root));
        named = true;
      } else {
        CHECK(seen == versions);
      }
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kCorruptStore);
      named = true;
    }
  }
  if (!named) CHECK(testing::contents_of(root) == right);
  return named;
}

void check_damaged(FaultyDisk& disk, Contents right) {
  try {
    const auto store = open(disk);
    bool named = check_readable(*store->snapshot(), right);
    const Note added{id_of(70'000), "added"};
    testing::write(*store, added);
    testing::Model model;
    model.write(added);
    right.insert(*model.contents().begin());
    named = check_readable(*store->snapshot(), right) || named;
    try {
      store->checkpoint();
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kCorruptStore);
    }
    const bool still_named = check_readable(*store->snapshot(), right);
    CHECK(still_named == named);
    CHECK_EQUAL(check_readable(*open(disk)->snapshot(), right), named);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kCorruptStore);
  }
}

// One byte in `zeros` of those that are zero, one in `others` of the rest.
struct Sample {
  std::size_t zeros;
  std::size_t others;

  [[nodiscard]] bool takes(std::byte byte, std::size_t offset) const {
    const std::size_t step = byte == std::byte{0} ? zeros : others;
    return offset % std::max<std::size_t>(1, step / testing::iterations(1)) == 0;
  }
};

void flip_bytes(std::uint32_t count, const Sample& sample) {
  const auto sound = make_store(count);
  const auto root = open(*sound)->snapshot();
  const Contents right = testing::contents_of(*root);
  const auto entry = read_entry(root->log.bytes, log_start(*root->header)).value();
  const std::size_t end_of_entry = entry.body_offset + entry.body.size();  // what pads it is not part of it
  for (const std::string& name : sound->names()) {
    const auto bytes = sound->bytes(name);
    const std::size_t end = name.starts_with("log-") ? std::min<std::size_t>(bytes.size(), 5'000) : bytes.size();
    for (std::size_t offset = 0; offset < end; ++offset) {
      if (!sample.takes(bytes[offset], offset)) continue;
      const auto damaged = sound->crashed(testing::Loss::kNothing, 1);
      auto changed = bytes;
      changed[offset] ^= static_cast<std::byte>(1 + offset % 255);
      damaged->replace(name, changed);
      Contents expected = right;
      const bool in_entry = offset >= format::kLogStart && offset < end_of_entry;
      if (name.starts_with("log-") && in_entry) expected.erase(id_of(count));
      try {
        check_damaged(*damaged, expected);
      } catch (const testing::Failure& failure) {
        testing::fail(__FILE__, __LINE__, name + " at " + std::to_string(offset) + ": " + failure.what());
      }
    }
  }
}

}  // namespace

// Row 43 of the field cases.
TEST(storage_damage_of_any_byte_is_named_or_changes_nothing) {
  flip_bytes(4, {.zeros = 17, .others = 1});
}

TEST(storage_damage_of_any_byte_of_sealed_records_is_named_or_changes_nothing) {
  flip_bytes(1'030, {.zeros = 4'999, .others = 4'999});
}

TEST(storage_damage_of_a_tail_stays_damage_when_a_checkpoint_copies_it) {
  const auto disk = make_store(5);
  auto tail = disk->bytes("tail-2");
  const format::ChunkLayout layout(testing::kDimension, 64);
  tail[format::kPreambleSize + layout.offsets().vectors + 3 * sizeof(float)] ^= std::byte{1};
  disk->replace("tail-2", tail);
  for (int round = 0; round < 3; ++round) {
    const auto store = open(*disk);
    testing::write(*store, Note{id_of(50), "more"});
    store->checkpoint();
    const auto root = store->snapshot();
    CHECK_THROWS(ErrorCode::kCorruptStore, root->read_payload(root->find(id_of(0))));
    CHECK(root->read_payload(root->find(id_of(3))).content == "note 3");
    CHECK_THROWS(ErrorCode::kCorruptStore, store->compact());
  }
}

TEST(storage_damage_of_a_column_that_decides_who_takes_part_stays_damage) {
  const format::ChunkLayout layout(testing::kDimension, 64);
  const auto& offsets = layout.offsets();
  for (const std::size_t column :
       {offsets.scopes, offsets.kinds, offsets.valid_from, offsets.created_at, offsets.event_time}) {
    const auto disk = make_store(5);
    auto tail = disk->bytes("tail-2");
    tail[format::kPreambleSize + column] ^= std::byte{1};
    disk->replace("tail-2", tail);
    const auto is_named = [&] {
      const auto root = open(*disk)->snapshot();
      const Index& index = *root->index;
      CHECK_THROWS(ErrorCode::kCorruptStore,
                   root->chunk(0).check_columns(0, index.kind_count(), index.labels().size()));
    };
    is_named();
    testing::write(*open(*disk), Note{id_of(50), "more"});
    is_named();
    CHECK_THROWS(ErrorCode::kCorruptStore, open(*disk)->checkpoint());
    is_named();
  }
}

TEST(storage_damage_can_be_forgotten_and_compacted_away) {
  const auto disk = make_store(5);
  auto tail = disk->bytes("tail-2");
  const format::ChunkLayout layout(testing::kDimension, 64);
  for (std::size_t row = 0; row < 5; ++row) {
    tail[format::kPreambleSize + layout.offsets().vectors + row * testing::kDimension * sizeof(float)] ^= std::byte{1};
  }
  disk->replace("tail-2", tail);
  const auto store = open(*disk);
  for (std::uint32_t number = 0; number < 5; ++number) testing::forget(*store, id_of(number));
  store->compact();
  const Contents left = testing::contents_of(*store);
  CHECK_EQUAL(left.size(), 1U);
  CHECK_EQUAL(store->snapshot()->count, 1U);
}

// Otherwise an older version would come back in the past, or stay on disk after a purge.
TEST(storage_damage_in_a_history_does_not_keep_a_version_from_being_forgotten) {
  const format::ChunkLayout layout(testing::kDimension, 64);
  const std::size_t newest = 5;  // the second version of id 1
  const std::size_t place = format::kPreambleSize + layout.offsets().previous + newest * sizeof(std::uint32_t);
  // To another memory, and to none, as a first version has it.
  for (const std::uint32_t wrong : {std::uint32_t{3}, format::kNoSlot}) {
    const auto disk = make_store(5);
    auto tail = disk->bytes("tail-2");
    std::memcpy(tail.data() + place, &wrong, sizeof(wrong));
    disk->replace("tail-2", tail);
    const auto store = open(*disk);
    if (wrong != format::kNoSlot) CHECK_THROWS(ErrorCode::kCorruptStore, store->snapshot()->versions(id_of(1)));
    testing::forget(*store, id_of(1));
    CHECK(store->snapshot()->versions(id_of(1)).empty());
    const auto root = store->snapshot();
    for (std::uint32_t slot = 0; slot < root->count; ++slot) {
      const bool forgotten = (root->flags(slot) & format::kForgotten) != 0;
      CHECK_EQUAL(forgotten, root->id(slot) == id_of(1) || root->id(slot) == id_of(2));
    }
  }
}

TEST(storage_damage_of_an_id_is_not_a_memory_that_does_not_exist) {
  const auto disk = make_store(5);
  auto tail = disk->bytes("tail-2");
  const format::ChunkLayout layout(testing::kDimension, 64);
  tail[format::kPreambleSize + layout.offsets().ids + 3 * sizeof(Id)] ^= std::byte{8};
  disk->replace("tail-2", tail);
  const auto root = open(*disk)->snapshot();
  CHECK_THROWS(ErrorCode::kCorruptStore, root->find(id_of(3)));
  CHECK_EQUAL(root->find(id_of(4)), 4U);
}

// A handle that finds the store damaged must not fold the evidence away when it goes.
TEST(storage_damage_found_when_opening_changes_no_file) {
  const auto disk = std::make_shared<FaultyDisk>();
  {
    const auto store = Store::open(disk->open(), testing::options_of(Sync::kFull));
    for (std::uint32_t number = 0; number < 5; ++number) testing::write(*store, Note{id_of(number), "text"});
  }
  auto log = disk->bytes("log-1");
  log[format::kLogStart + 500] ^= std::byte{1};
  disk->replace("log-1", log);
  OpenOptions options = testing::options_of();
  options.checkpoint_bytes = 1;
  for (int round = 0; round < 2; ++round) {
    CHECK_THROWS(ErrorCode::kCorruptStore, Store::open(disk->open(), options));
    CHECK(disk->bytes("log-1") == log);
  }
}

// One that was open before the damage came must not either.
TEST(storage_damage_of_a_synced_log_is_not_folded_away) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto reader = Store::open(disk->open(), testing::options_of());
  const auto writer = Store::open(disk->open(), testing::options_of(Sync::kFull));
  for (std::uint32_t number = 0; number < 5; ++number) testing::write(*writer, Note{id_of(number), "text"});
  const auto file = disk->open()->open("log-1", os::Access::kReadWrite);
  file->write_at(format::kLogStart + 60, std::vector<std::byte>(8, std::byte{7}));
  CHECK_EQUAL(testing::contents_of(*reader).size(), 0U);
  CHECK_THROWS(ErrorCode::kCorruptStore, reader->compact());
  CHECK_THROWS(ErrorCode::kCorruptStore, testing::write(*reader, Note{id_of(9), "text"}));
  CHECK_EQUAL(testing::contents_of(*writer).size(), 5U);
}

TEST(storage_damage_that_takes_the_header_away_is_not_a_place_for_a_new_store) {
  for (const std::uint32_t count : {1U, 5U}) {
    const auto disk = std::make_shared<FaultyDisk>();
    {
      const auto store = open(*disk);
      testing::write(*store, Note{id_of(count), "text"});
      if (count > 1) store->checkpoint();
    }
    disk->replace("header", {});
    const auto names = disk->names();
    CHECK_THROWS(ErrorCode::kCorruptStore, open(*disk));
    CHECK(disk->names() == names);
  }
}

}  // namespace hippocore::storage
