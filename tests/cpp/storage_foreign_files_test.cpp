// A file of another store, or of another moment of the same one, under the name that the header gives: refused.
#include <string>
#include <vector>

#include "faulty_directory.h"
#include "harness.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::storage {
namespace {

using testing::FaultyDisk;
using testing::id_of;
using testing::Note;

std::unique_ptr<Store> open(FaultyDisk& disk) {
  return Store::open(disk.open(), testing::options_of());
}

// A full chunk, a tail and a log with an entry.
void fill(Store& store) {
  std::vector<Note> notes;
  for (std::uint32_t number = 0; number < 1'030; ++number) notes.push_back({id_of(number), "text"});
  testing::write(store, notes);
  store.checkpoint();
  testing::write(store, Note{id_of(5'000), "in the log"});
}

const std::vector<std::string> kParts = {"records", "tail", "payload", "state", "index", "log"};

std::string name_of(const format::Header& header, std::size_t part) {
  const std::array entries{&header.records, &header.tail, &header.payload, &header.state, &header.index, &header.log};
  return entries[part]->name;
}

}  // namespace

TEST(storage_foreign_file_of_another_store_is_refused_under_the_right_name) {
  const auto mine = std::make_shared<FaultyDisk>();
  const auto other = std::make_shared<FaultyDisk>();
  for (FaultyDisk* disk : {mine.get(), other.get()}) fill(*open(*disk));
  std::vector<std::string> names = mine->names();
  CHECK_EQUAL(names.size(), 7U);
  for (const std::string& name : names) {
    const auto mixed = mine->crashed(testing::Loss::kNothing, 1);
    CHECK_EQUAL(mixed->bytes(name).size(), other->bytes(name).size());
    mixed->replace(name, other->bytes(name));
    CHECK_THROWS(ErrorCode::kCorruptStore, open(*mixed));
    mixed->replace(name, mine->bytes(name));
    CHECK_EQUAL(testing::contents_of(*open(*mixed)).size(), 1'031U);
  }
}

// A compaction of a store without anything forgotten writes files of the same lengths.
TEST(storage_foreign_file_of_another_moment_is_refused_under_the_right_name) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  fill(*store);
  store->compact();
  const auto before = disk->crashed(testing::Loss::kNothing, 1);
  const format::Header old_header = *store->snapshot()->header;
  store->compact();
  const format::Header new_header = *store->snapshot()->header;
  store->close();
  for (std::size_t part = 0; part < kParts.size(); ++part) {
    const auto mixed = disk->crashed(testing::Loss::kNothing, 1);
    const std::string name = name_of(new_header, part);
    CHECK(name.starts_with(kParts[part]) && name != name_of(old_header, part));
    CHECK_EQUAL(before->bytes(name_of(old_header, part)).size(), mixed->bytes(name).size());
    mixed->replace(name, before->bytes(name_of(old_header, part)));
    CHECK_THROWS(ErrorCode::kCorruptStore, open(*mixed));
  }
}

// What a handle maps may be cut by somebody else at any time; the next one to open the store says so.
TEST(storage_foreign_process_that_cuts_a_file_is_noticed_at_the_next_open) {
  const testing::TemporaryDirectory place;
  {
    const auto store = testing::open_store(place / "a");
    fill(*store);
  }
  const format::Header header = *testing::open_store(place / "a")->snapshot()->header;
  std::vector<std::string> names = {"header"};
  for (std::size_t part = 0; part < kParts.size(); ++part) names.push_back(name_of(header, part));
  for (const std::string& name : names) {
    const std::filesystem::path path = place / ("a/" + name);
    const std::filesystem::path kept = place / "kept";
    const auto size = std::filesystem::file_size(path);
    for (const std::uintmax_t length : {size - 1, size / 2, std::uintmax_t{4'095}, std::uintmax_t{1}}) {
      if (name.starts_with("log") && length > 4'095) continue;  // the end of a log may be missing: storage_log_cut_*
      std::filesystem::copy_file(path, kept, std::filesystem::copy_options::overwrite_existing);
      std::filesystem::resize_file(path, length);
      CHECK_THROWS(ErrorCode::kCorruptStore, testing::open_store(place / "a"));
      std::filesystem::copy_file(kept, path, std::filesystem::copy_options::overwrite_existing);
    }
  }
  CHECK_EQUAL(testing::contents_of(*testing::open_store(place / "a")).size(), 1'031U);
}

}  // namespace hippocore::storage
