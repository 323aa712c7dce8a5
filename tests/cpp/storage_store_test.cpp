#include <sys/resource.h>

#include <thread>
#include <vector>

#include "child_process.h"
#include "harness.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::storage {
namespace {

using testing::Contents;
using testing::id_of;
using testing::Note;
using testing::open_store;

std::vector<Note> notes(std::uint32_t first, std::uint32_t count) {
  std::vector<Note> made;
  for (std::uint32_t number = first; number < first + count; ++number) {
    made.push_back({id_of(number), "note " + std::to_string(number), 1, "scope " + std::to_string(number % 5)});
  }
  return made;
}

Contents reopen(const std::string& path) {
  return testing::contents_of(*open_store(path));
}

}  // namespace

// Row 48 of the field cases.
TEST(storage_store_without_memories_is_opened_checkpointed_and_compacted) {
  const testing::TemporaryDirectory place;
  {
    const auto store = open_store(place / "a");
    store->checkpoint();
    store->compact();
    store->checkpoint();
    CHECK(testing::contents_of(*store).empty());
  }
  CHECK(reopen(place / "a").empty());
}

TEST(storage_store_comes_back_as_it_was_from_log_checkpoint_and_compaction) {
  const testing::TemporaryDirectory place;
  auto store = open_store(place / "a");
  testing::write(*store, notes(0, 2'500));
  testing::write(*store, Note{id_of(7), "seven again", 2, "elsewhere", "fact", "web", {"tag"}, 2'000});
  testing::forget(*store, id_of(8));
  testing::change(*store, id_of(9), 1.0);
  const Contents right = testing::contents_of(*store);
  CHECK_EQUAL(right.size(), 2'499U);
  store.reset();
  CHECK(reopen(place / "a") == right);
  open_store(place / "a")->checkpoint();
  CHECK(reopen(place / "a") == right);
  open_store(place / "a")->compact();
  CHECK(reopen(place / "a") == right);
}

// Row 2 of the field cases.
TEST(storage_store_of_a_killed_process_holds_all_that_was_acknowledged) {
  const testing::TemporaryDirectory place;
  const testing::Sign written;
  testing::ChildProcess child([&] {
    const auto store = open_store(place / "a");
    for (const Note& note : notes(0, 150)) testing::write(*store, note);
    written.give();
    for (;;) ::pause();
    return 0;
  });
  written.wait();
  child.kill();
  CHECK_EQUAL(reopen(place / "a").size(), 150U);
  open_store(place / "a")->compact();
  CHECK_EQUAL(reopen(place / "a").size(), 150U);
}

// Row 21 of the field cases.
TEST(storage_store_never_shows_again_what_was_forgotten) {
  const testing::TemporaryDirectory place;
  {
    const auto store = open_store(place / "a");
    testing::write(*store, notes(0, 10));
    testing::write(*store, Note{id_of(3), "three again", 2});
    store->checkpoint();
    testing::forget(*store, id_of(3));
    CHECK_EQUAL(store->snapshot()->find(id_of(3)), kNoSlot);
    testing::change(*store, id_of(4), 0.75);
  }
  CHECK(!reopen(place / "a").contains(id_of(3)));
  open_store(place / "a")->compact();
  const auto store = open_store(place / "a");
  CHECK(!testing::contents_of(*store).contains(id_of(3)));
  testing::write(*store, Note{id_of(3), "a new three"});
  CHECK_EQUAL(testing::contents_of(*store).at(id_of(3)).size(), 1U);
}

// Row 36 of the field cases, between two handles of one process; storage_processes has it between processes.
TEST(storage_store_shows_each_handle_what_the_other_wrote_whatever_was_folded_between) {
  const testing::TemporaryDirectory place;
  const auto first = open_store(place / "a");
  const auto second = open_store(place / "a");
  std::uint32_t number = 0;
  for (const auto act : {&Store::checkpoint, &Store::compact, &Store::sync}) {
    testing::write(*first, notes(number, 700));
    number += 700;
    CHECK_EQUAL(testing::contents_of(*second).size(), number);
    (second.get()->*act)();
    CHECK(testing::contents_of(*first) == testing::contents_of(*second));
    testing::forget(*second, id_of(number - 1));
    testing::write(*second, Note{id_of(number - 1), "another"});
    CHECK(testing::contents_of(*first) == testing::contents_of(*second));
  }
}

TEST(storage_store_shows_one_state_for_as_long_as_its_snapshot_is_held) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  testing::write(*store, notes(0, 1'500));
  const auto held = store->snapshot();
  const Contents right = testing::contents_of(*held);
  testing::write(*store, Note{id_of(5), "five again", 2});
  testing::forget(*store, id_of(6));
  CHECK(testing::contents_of(*held) == right);
  store->checkpoint();
  testing::write(*store, notes(2'000, 100));
  CHECK(testing::contents_of(*held) == right);
  store->compact();
  store->close();
  CHECK(testing::contents_of(*held) == right);
}

// Row 56 of the field cases.
TEST(storage_store_opened_read_only_sees_the_log_and_writes_nothing) {
  const testing::TemporaryDirectory place;
  const auto writer = open_store(place / "a");
  testing::write(*writer, notes(0, 10));
  OpenOptions options = testing::options_of();
  options.read_only = true;
  const auto reader = open_store(place / "a", options);
  CHECK_EQUAL(testing::contents_of(*reader).size(), 10U);
  testing::write(*writer, notes(10, 10));
  CHECK_EQUAL(testing::contents_of(*reader).size(), 20U);
  CHECK_THROWS(ErrorCode::kReadOnlyStore, testing::write(*reader, notes(20, 1)));
  CHECK_THROWS(ErrorCode::kReadOnlyStore, reader->begin());
  CHECK_THROWS(ErrorCode::kReadOnlyStore, reader->checkpoint());
  CHECK_THROWS(ErrorCode::kReadOnlyStore, reader->compact());
  CHECK_THROWS(ErrorCode::kReadOnlyStore, reader->sync());
  reader->touch(std::array{id_of(1)}, 5);
  reader->close();
  CHECK_EQUAL(testing::contents_of(*writer).at(id_of(1)).back().uses, 0U);
}

TEST(storage_store_that_is_not_there_is_not_made_unasked) {
  const testing::TemporaryDirectory place;
  OpenOptions options = testing::options_of();
  options.create = false;
  std::filesystem::create_directory(place / "a");
  CHECK_THROWS(ErrorCode::kStoreNotFound, open_store(place / "a", options));
  options.create = true;
  options.read_only = true;
  CHECK_THROWS(ErrorCode::kStoreNotFound, open_store(place / "a", options));
  CHECK(std::filesystem::is_empty(place / "a"));
}

// Row 51 of the field cases.
TEST(storage_store_of_another_embedder_or_dimension_is_refused_and_unchanged) {
  const testing::TemporaryDirectory place;
  testing::write(*open_store(place / "a"), notes(0, 3));
  OpenOptions options = testing::options_of();
  options.dimension = 16;
  CHECK_THROWS(ErrorCode::kEmbedderMismatch, open_store(place / "a", options));
  options = testing::options_of();
  options.embedder = "another";
  CHECK_THROWS(ErrorCode::kEmbedderMismatch, open_store(place / "a", options));
  CHECK_EQUAL(testing::contents_of(*open_store(place / "a", {})).size(), 3U);
}

TEST(storage_store_that_no_header_can_describe_is_refused_before_a_file_is_made) {
  const testing::TemporaryDirectory place;
  std::filesystem::create_directory(place / "a");
  OpenOptions options = testing::options_of();
  options.dimension = 65'537;
  CHECK_THROWS(ErrorCode::kInvalidArgument, open_store(place / "a", options));
  options.dimension = 0;
  CHECK_THROWS(ErrorCode::kInvalidArgument, open_store(place / "a", options));
  options = testing::options_of();
  options.embedder.assign(513, 'x');
  CHECK_THROWS(ErrorCode::kInvalidArgument, open_store(place / "a", options));
  for (const auto& entry : std::filesystem::directory_iterator(place / "a")) {
    CHECK(entry.path().filename() == "header");
    CHECK_EQUAL(entry.file_size(), 0U);
  }
  testing::write(*open_store(place / "a"), notes(0, 1));
}

// Row 47 of the field cases: a path with spaces, other scripts, and 200 characters.
TEST(storage_store_lives_under_any_path) {
  const testing::TemporaryDirectory place;
  for (const std::string& name : {std::string("with a space"), std::string("记忆库"), std::string(200, 'x')}) {
    testing::write(*open_store(place / name), notes(0, 3));
    CHECK_EQUAL(reopen(place / name).size(), 3U);
  }
}

TEST(storage_store_that_may_open_too_few_files_says_so) {
  const testing::TemporaryDirectory place;
  testing::write(*open_store(place / "a"), notes(0, 3));
  testing::ChildProcess child([&] {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    int refused = 0;
    for (rlim_t files = 3; files < 60; ++files) {
      limit.rlim_cur = files;
      ::setrlimit(RLIMIT_NOFILE, &limit);
      try {
        testing::write(*open_store(place / "a"), Note{id_of(50), "text", static_cast<std::uint32_t>(files)});
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kInputOutput);
        CHECK(std::string(error.what()).find("ulimit -n") != std::string::npos);
        ++refused;
      }
    }
    return refused > 3 && refused < 50 ? 0 : 1;
  });
  CHECK_EQUAL(child.exit_code(), 0);
  CHECK_EQUAL(reopen(place / "a").size(), 4U);
}

// Row 45 of the field cases: the copy is a crash at some moment of its own.
TEST(storage_store_copied_while_open_opens) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  testing::write(*store, notes(0, 20));
  store->checkpoint();
  testing::write(*store, notes(20, 20));
  std::filesystem::copy(place / "a", place / "b");
  CHECK(reopen(place / "b") == testing::contents_of(*store));
}

// What does not fit is refused before it is in the log, where it would be in every later open's way.
TEST(storage_store_refuses_operations_that_it_could_not_apply) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  testing::write(*store, notes(0, 3));
  const Contents before = testing::contents_of(*store);
  CHECK_THROWS(ErrorCode::kInvalidArgument,
               testing::write(*store, Note{id_of(9), "wide", 1, "s", "k", "", {}, 1, 1, testing::vector_of(1, 16)}));
  CHECK_THROWS(ErrorCode::kInvalidArgument, store->write(std::vector<std::byte>(30, std::byte{9})));
  CHECK(testing::contents_of(*store) == before);
  CHECK(reopen(place / "a") == before);
}

TEST(storage_store_refuses_more_kinds_than_it_can_hold) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  std::vector<Note> many;
  for (std::uint32_t number = 0; number < 65'535; ++number) {
    many.push_back({id_of(number), "x", 1, "s", "kind " + std::to_string(number)});
  }
  testing::write(*store, many);
  CHECK_THROWS(ErrorCode::kInvalidArgument, testing::write(*store, Note{id_of(70'000), "x", 1, "s", "one more"}));
  testing::write(*store, Note{id_of(70'001), "x", 1, "s", "kind 5"});
  CHECK_EQUAL(reopen(place / "a").size(), 65'536U);
}

TEST(storage_store_folds_a_long_log_by_itself) {
  const testing::TemporaryDirectory place;
  OpenOptions options = testing::options_of(Sync::kNormal);
  options.checkpoint_bytes = 100'000;
  {
    const auto store = open_store(place / "a", options);
    testing::write(*store, notes(0, 1'000));
    while (store->snapshot()->header->epoch == 1) std::this_thread::yield();
    CHECK_EQUAL(testing::contents_of(*store).size(), 1'000U);
    testing::write(*store, notes(1'000, 1'000));
  }
  const auto store = open_store(place / "a");
  CHECK(store->snapshot()->header->epoch > 1);
  CHECK_EQUAL(testing::contents_of(*store).size(), 2'000U);
  CHECK_EQUAL(store->background_failures(), 0U);
}

TEST(storage_store_is_made_and_backed_up_in_a_directory_of_its_own) {
  const testing::TemporaryDirectory place;
  std::filesystem::create_directories(place / "volume/lost+found");
  std::filesystem::create_directories(place / "volume/.hidden");
  const auto store = open_store(place / "volume");
  std::filesystem::create_directories(place / "notes/holiday");
  CHECK_THROWS(ErrorCode::kInvalidArgument, open_store(place / "notes"));
  const auto notes = os::open_directory(place / "notes", os::Create::kNo);
  CHECK_THROWS(ErrorCode::kInvalidArgument, store->backup(*notes));
  CHECK_EQUAL(notes->names(), std::vector<std::string>{"holiday"});
}

TEST(storage_store_replaced_while_open_is_noticed) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  open_store(place / "b")->checkpoint();
  testing::write(*open_store(place / "b"), notes(0, 1));
  open_store(place / "b")->checkpoint();
  for (const auto& entry : std::filesystem::directory_iterator(place / "b")) {
    const auto name = entry.path().filename().string();
    std::filesystem::copy_file(entry.path(), place / ("a/" + name), std::filesystem::copy_options::overwrite_existing);
  }
  CHECK_THROWS(ErrorCode::kCorruptStore, store->snapshot());
}

}  // namespace hippocore::storage
