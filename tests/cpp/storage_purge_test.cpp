#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/bytes.h"
#include "harness.h"
#include "ranking/quantize.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::storage {
namespace {

using testing::id_of;
using testing::Note;
using testing::open_store;

const std::string kCanary = "canary-7f3a";

Note canary() {
  return {id_of(0xCA4A11),     "the " + kCanary + "-content", 1,     kCanary + "-scope", kCanary + "-kind",
          kCanary + "-source", {kCanary + "-facet"},          1'000, 0x1122334455667788, testing::vector_of(4242)};
}

// Everything of the canary that could be found on a disk.
std::vector<std::string> traces() {
  const Note note = canary();
  std::vector<std::byte> code(format::code_bytes(testing::kDimension));
  static_cast<void>(ranking::quantize(note.vector, code));
  const auto id = std::as_bytes(std::span(note.id.bytes));
  const auto vector = std::as_bytes(std::span(note.vector));
  const auto key = std::as_bytes(std::span(&note.merge_key, 1));
  return {kCanary, std::string(as_text(vector)), std::string(as_text(std::span(code).first(4))),
          std::string(as_text(id)), std::string(as_text(key))};
}

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
