#include <fstream>
#include <iterator>

#include "child_process.h"
#include "harness.h"
#include "purge_canary.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::storage {
namespace {

using testing::canary;
using testing::id_of;
using testing::kCanary;
using testing::Note;
using testing::open_store;
using testing::traces;

bool is_in_a_file(const std::string& directory, const std::string& trace) {
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.find(trace) != std::string::npos) return true;
  }
  return false;
}

void check_no_trace(const std::string& directory) {
  for (const std::string& trace : traces()) CHECK(!is_in_a_file(directory, trace));
}

}  // namespace

// Row 22 of the field cases.
TEST(storage_purge_leaves_no_byte_of_what_was_only_in_the_log) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  testing::write(*store, Note{id_of(1), "text"});
  testing::write(*store, canary());
  for (const std::string& trace : traces()) CHECK(is_in_a_file(place / "a", trace));
  testing::forget(*store, canary().id);
  store->compact();
  check_no_trace(place / "a");
  CHECK_EQUAL(testing::contents_of(*store).size(), 1U);
}

TEST(storage_purge_leaves_no_byte_of_what_was_checkpointed_updated_and_touched) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  testing::write(*store, Note{id_of(1), "text"});
  testing::write(*store, canary());
  store->checkpoint();
  Note again = canary();
  again.version = 2;
  again.content = kCanary + " again";
  testing::write(*store, again);
  store->touch(std::array{again.id}, 5'000);
  store->checkpoint();
  store->touch(std::array{again.id}, 6'000);
  testing::forget(*store, again.id);
  store->compact();
  check_no_trace(place / "a");
  store->close();
  check_no_trace(place / "a");
}

TEST(storage_purge_leaves_no_byte_while_another_handle_reads_the_old_files) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  testing::write(*store, Note{id_of(1), "text"});
  testing::write(*store, canary());
  store->checkpoint();
  const auto reader = open_store(place / "a");
  const auto held = reader->snapshot();
  testing::forget(*store, canary().id);
  store->compact();
  check_no_trace(place / "a");
  CHECK_EQUAL(testing::contents_of(*held).size(), 2U);
  CHECK_EQUAL(testing::contents_of(*reader).size(), 1U);
}

// It goes on reading the old files, which have no name any more; its next read lets them go.
TEST(storage_purge_leaves_no_byte_while_another_process_reads_the_old_files) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  testing::write(*store, Note{id_of(1), "text"});
  testing::write(*store, canary());
  store->checkpoint();
  const testing::Sign reading;
  const testing::Sign purged;
  testing::ChildProcess child([&] {
    const auto reader = open_store(place / "a");
    const auto held = reader->snapshot();
    reading.give();
    purged.wait();
    return testing::contents_of(*held).size() == 2 && testing::contents_of(*reader).size() == 1 ? 0 : 1;
  });
  reading.wait();
  testing::forget(*store, canary().id);
  store->compact();
  check_no_trace(place / "a");
  purged.give();
  CHECK_EQUAL(child.exit_code(), 0);
  check_no_trace(place / "a");
}

TEST(storage_purge_of_everything_leaves_an_empty_store) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  testing::write(*store, canary());
  testing::forget(*store, canary().id);
  store->compact();
  check_no_trace(place / "a");
  CHECK_EQUAL(store->snapshot()->count, 0U);
  testing::write(*store, Note{id_of(1), "text"});
  CHECK_EQUAL(testing::contents_of(*open_store(place / "a")).size(), 1U);
}

}  // namespace hippocore::storage
