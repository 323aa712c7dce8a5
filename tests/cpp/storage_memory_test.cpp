// Memory that runs out at any allocation of a call: an exception, and the store as before or after it.
#include <functional>
#include <optional>

#include "failing_memory.h"
#include "format/log_entry.h"
#include "harness.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::storage {
namespace {

using testing::Contents;
using testing::FailingMemory;
using testing::id_of;
using testing::Note;
using testing::open_store;

struct Case {
  std::function<void(Store&)> act;
  std::function<void(testing::Model&)> expect;
};

// Returns: what the handle shows; nothing when it says that it must be opened again.
std::optional<Contents> contents_if_usable(Store& store) {
  try {
    return testing::contents_of(store);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInputOutput);
    return std::nullopt;
  }
}

// Returns: whether the allocation came.
bool survives(const Case& tried, std::int64_t allocation) {
  const testing::TemporaryDirectory place(testing::place_in_memory());
  testing::Model model;
  auto store = open_store(place / "a");
  for (std::uint32_t number = 0; number < 3; ++number) {
    const Note note{id_of(number), "text", 1, "scope", "fact", "web", {"tag"}};
    testing::write(*store, note);
    model.write(note);
    if (number == 1) store->checkpoint();
  }
  const Contents before = model.contents();
  tried.expect(model);
  bool failed = false;
  {
    const FailingMemory memory(allocation);
    try {
      tried.act(*store);
    } catch (const std::bad_alloc&) {
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kInputOutput);
    }
    failed = memory.failed();
  }
  const auto shown = contents_if_usable(*store);
  CHECK(!shown || *shown == before || *shown == model.contents());
  store.reset();
  store = open_store(place / "a");
  const Contents found = testing::contents_of(*store);
  CHECK(found == before || found == model.contents());
  CHECK(!shown || found == *shown);
  testing::write(*store, Note{id_of(77), "after"});
  CHECK_EQUAL(testing::contents_of(*store).size(), found.size() + 1);
  return failed;
}

void check(const Case& tried) {
  std::int64_t allocation = 1;
  while (survives(tried, allocation)) ++allocation;
  CHECK(allocation > 5);
}

}  // namespace

TEST(storage_memory_that_runs_out_in_a_write_leaves_the_store_before_or_after_it) {
  const Note added{id_of(9), "added", 1, "new scope", "new kind", "new source", {"new tag", "another"}};
  check({[&](Store& store) { testing::write(store, added); }, [&](testing::Model& model) { model.write(added); }});
  const Note again{id_of(1), "again", 2};
  check({[&](Store& store) { testing::write(store, again); }, [&](testing::Model& model) { model.write(again); }});
}

TEST(storage_memory_that_runs_out_in_a_forget_leaves_the_store_before_or_after_it) {
  check(
      {[](Store& store) { testing::forget(store, id_of(1)); }, [](testing::Model& model) { model.forget(id_of(1)); }});
}

TEST(storage_memory_that_runs_out_while_old_versions_go_leaves_the_store_before_or_after_it) {
  const Note again{id_of(1), "again", 2, "scope", "fact", "web", {"tag"}, 2'000};
  check({[&](Store& store) {
           std::vector<std::byte> body;
           testing::encode(again, body);
           format::encode_operation(format::ForgetEnded{id_of(1), 2'000}, body);
           store.write(body);
         },
         [&](testing::Model& model) {
           model.write(again);
           model.forget_ended(id_of(1), 2'000);
         }});
}

TEST(storage_memory_that_runs_out_in_upkeep_changes_nothing) {
  const auto nothing = [](testing::Model&) {};
  check({[](Store& store) { store.checkpoint(); }, nothing});
  check({[](Store& store) { store.compact(); }, nothing});
}

TEST(storage_memory_that_runs_out_while_opening_leaves_a_store_that_opens) {
  const testing::TemporaryDirectory place(testing::place_in_memory());
  testing::write(*open_store(place / "a"), Note{id_of(1), "text"});
  for (std::int64_t allocation = 1;; ++allocation) {
    const FailingMemory memory(allocation);
    try {
      static_cast<void>(open_store(place / "a"));
    } catch (const std::bad_alloc&) {
    }
    if (!memory.failed()) break;
  }
  CHECK_EQUAL(testing::contents_of(*open_store(place / "a")).size(), 1U);
}

}  // namespace hippocore::storage
