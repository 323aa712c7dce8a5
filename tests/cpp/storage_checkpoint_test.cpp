#include <algorithm>

#include "faulty_directory.h"
#include "harness.h"
#include "storage/commit.h"
#include "storage/load.h"
#include "store_fixture.h"

namespace hippocore::storage {
namespace {

using testing::FaultyDisk;
using testing::id_of;
using testing::Note;

std::unique_ptr<Store> open(FaultyDisk& disk) {
  return Store::open(disk.open(), testing::options_of());
}

void write_many(Store& store, std::uint32_t first, std::uint32_t count) {
  std::vector<Note> notes;
  for (std::uint32_t number = first; number < first + count; ++number) {
    notes.push_back({id_of(number), "text of " + std::to_string(number)});
  }
  testing::write(store, notes);
}

}  // namespace

TEST(storage_checkpoint_at_every_fill_of_a_chunk_comes_back) {
  for (const std::uint32_t count : {1U, 63U, 64U, 65U, 1'023U, 1'024U, 1'025U, 2'048U}) {
    const auto disk = std::make_shared<FaultyDisk>();
    const auto store = open(*disk);
    write_many(*store, 0, count);
    const auto right = testing::contents_of(*store);
    store->checkpoint();
    CHECK(testing::contents_of(*open(*disk)) == right);
    write_many(*store, 10'000, 70);
    store->checkpoint();
    store->compact();
    CHECK_EQUAL(testing::contents_of(*open(*disk)).size(), count + 70);
  }
}

TEST(storage_checkpoint_leaves_the_six_files_that_its_header_names) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  write_many(*store, 0, 5);
  store->checkpoint();
  write_many(*store, 5, 5);
  store->compact();
  CHECK(disk->names() ==
        std::vector<std::string>({"header", "index-3", "log-3", "payload-2", "records-2", "state-3", "tail-3"}));
}

TEST(storage_checkpoint_of_nothing_new_writes_nothing) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  write_many(*store, 0, 5);
  store->checkpoint();
  disk->set_plan({});
  store->checkpoint();
  CHECK_EQUAL(disk->calls(), 0U);
}

// A sector that holds committed bytes is never written again, whatever a crash leaves behind it.
TEST(storage_checkpoint_never_writes_where_committed_bytes_are) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  write_many(*store, 0, 1'030);
  store->checkpoint();
  write_many(*store, 1'030, 1'030);
  const format::Header header = read_header(*disk->open()).value();
  bool right = true;
  disk->watch = [&](const FaultyDisk::Call& call) {
    if (call.change != testing::Change::kWrite) return;
    for (const auto* part : {&header.records, &header.payload, &header.tail, &header.state, &header.index}) {
      right = right && (call.name != part->name || call.offset >= part->length);
    }
  };
  store->checkpoint();
  disk->watch = nullptr;
  CHECK(right);
}

TEST(storage_checkpoint_that_was_cut_short_is_written_over_by_the_next) {
  const auto disk = std::make_shared<FaultyDisk>();
  std::shared_ptr<FaultyDisk> left;
  {
    const auto store = open(*disk);
    write_many(*store, 0, 1'100);
    disk->watch = [&](const FaultyDisk::Call& call) {
      if (call.change == testing::Change::kCreate && call.name == "log-2") {
        left = disk->crashed(testing::Loss::kNothing, 1);
      }
    };
    store->checkpoint();
    disk->watch = nullptr;
  }
  const auto store = open(*left);
  testing::forget(*store, id_of(3));
  write_many(*store, 5'000, 1'100);
  store->checkpoint();
  CHECK_EQUAL(testing::contents_of(*open(*left)).size(), 2'199U);
}

TEST(storage_checkpoint_carries_what_was_written_while_it_ran) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  const auto other = open(*disk);
  write_many(*store, 0, 100);
  bool written = false;
  disk->watch = [&](const FaultyDisk::Call& call) {
    if (written || call.change != testing::Change::kCreate || !call.name.starts_with("index-")) return;
    written = true;
    testing::write(*other, Note{id_of(500), "meanwhile"});
    testing::write(*other, Note{id_of(5), "meanwhile too", 2});
    testing::forget(*other, id_of(6));
  };
  store->compact();
  disk->watch = nullptr;
  const auto contents = testing::contents_of(*store);
  CHECK_EQUAL(contents.size(), 100U);
  CHECK_EQUAL(contents.at(id_of(5)).size(), 2U);
  CHECK(contents.contains(id_of(500)));
  CHECK(testing::contents_of(*open(*disk)) == contents);
}

TEST(storage_checkpoint_keeps_the_mapping_of_chunks_that_did_not_change) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  write_many(*store, 0, 1'100);
  store->checkpoint();
  const auto before = store->snapshot();
  write_many(*store, 2'000, 10);
  store->checkpoint();
  CHECK((*store->snapshot()->chunks)[0].chunk == (*before->chunks)[0].chunk);
}

// Row 1 of the field cases.
TEST(storage_checkpoint_and_compaction_keep_ids_contents_and_vectors_together) {
  const auto disk = std::make_shared<FaultyDisk>();
  {
    const auto store = open(*disk);
    write_many(*store, 0, 1'000);
    for (std::uint32_t version = 2; version < 5; ++version) {
      for (const std::uint32_t number : {3U, 500U, 999U}) {
        testing::write(*store, Note{id_of(number), std::string(number % 97, 'x'), version});
      }
    }
    store->compact();
  }
  const auto contents = testing::contents_of(*open(*disk));
  CHECK_EQUAL(contents.size(), 1'000U);
  for (const auto& [id, versions] : contents) {
    testing::Model model;
    model.write({id, versions.back().content});
    CHECK(versions.back().vector == model.contents().at(id).back().vector);
    CHECK_EQUAL(versions.size(), versions.back().version);
  }
}

TEST(storage_checkpoint_of_many_equal_merge_keys_takes_linear_time) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  write_many(*store, 0, 30'000);  // all of one key
  store->checkpoint();
  std::size_t candidates = 0;
  store->snapshot()->index->for_each_merge_candidate(7, [&](std::uint32_t) { ++candidates; });
  CHECK_EQUAL(candidates, 30'000U);
}

}  // namespace hippocore::storage
