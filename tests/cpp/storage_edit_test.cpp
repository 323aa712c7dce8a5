#include "faulty_directory.h"
#include "format/log_entry.h"
#include "format/payload.h"
#include "harness.h"
#include "storage/edit.h"
#include "storage/operations.h"
#include "store_fixture.h"

namespace hippocore::storage {
namespace {

using testing::id_of;
using testing::Note;

std::shared_ptr<const Root> empty_root() {
  const auto disk = std::make_shared<testing::FaultyDisk>();
  return Store::open(disk->open(), testing::options_of())->snapshot();
}

struct Editing {
  std::shared_ptr<const Root> root = empty_root();

  void apply(const std::vector<Note>& notes) {
    std::vector<std::byte> body;
    for (const Note& note : notes) testing::encode(note, body);
    Edit edit(*root);
    format::OperationReader operations(body, testing::kDimension);
    while (const auto operation = operations.next()) edit.apply(std::get<format::WriteVersion>(*operation), 0);
    root = edit.finish(root->position);
  }
  template <typename Operation>
  void apply_one(const Operation& operation) {
    Edit edit(*root);
    edit.apply(operation);
    root = edit.finish(root->position);
  }
};

}  // namespace

TEST(storage_edit_gives_each_version_the_next_slot_and_ends_the_one_before) {
  Editing editing;
  editing.apply({{id_of(1), "a", 1, "s", "k", "", {}, 10}, {id_of(2), "b", 1, "s", "k", "", {}, 20}});
  editing.apply({{id_of(1), "c", 2, "s", "k", "", {}, 30}});
  const Root& root = *editing.root;
  CHECK_EQUAL(root.count, 3U);
  CHECK_EQUAL(root.find(id_of(1)), 2U);
  CHECK(root.versions(id_of(1)) == std::vector<std::uint32_t>({0, 2}));
  CHECK_EQUAL(root.state(0).valid_until, 30);
  CHECK((root.flags(0) & format::kSuperseded) != 0);
  CHECK_EQUAL(root.state(2).valid_until, format::kNever);
  CHECK_EQUAL(root.previous(2), 0U);
  CHECK_EQUAL(root.previous(1), kNoSlot);
}

TEST(storage_edit_leaves_the_root_it_began_with_as_it_was) {
  Editing editing;
  editing.apply({{id_of(1), "a"}});
  const auto before = editing.root;
  editing.apply({{id_of(1), "b", 2}, {id_of(2), "c"}});
  format::State state = before->state(0);
  state.importance = 0.75;
  editing.apply_one(format::ChangeState{id_of(1), state});
  editing.apply_one(format::Forget{id_of(1)});
  CHECK_EQUAL(before->count, 1U);
  CHECK_EQUAL(before->find(id_of(1)), 0U);
  CHECK_EQUAL(before->flags(0), format::kWritten);
  CHECK_EQUAL(before->find(id_of(2)), kNoSlot);
  CHECK_EQUAL(editing.root->find(id_of(1)), kNoSlot);
}

TEST(storage_edit_of_many_versions_fills_chunk_after_chunk) {
  Editing editing;
  std::vector<Note> notes;
  for (std::uint32_t number = 0; number < 2'050; ++number) notes.push_back({id_of(number), "text"});
  editing.apply(notes);
  CHECK_EQUAL(editing.root->chunks->size(), 3U);
  for (std::uint32_t number = 0; number < 2'050; ++number) CHECK_EQUAL(editing.root->find(id_of(number)), number);
}

TEST(storage_edit_ignores_a_change_of_what_is_not_there) {
  Editing editing;
  editing.apply({{id_of(1), "a"}});
  editing.apply_one(format::ChangeState{id_of(9), {}});
  editing.apply_one(format::Forget{id_of(9)});
  editing.apply_one(format::Forget{id_of(1)});
  editing.apply_one(format::ChangeState{id_of(1), {}});
  CHECK_EQUAL(editing.root->find(id_of(1)), kNoSlot);
  CHECK_EQUAL(editing.root->find_even_forgotten(id_of(1)), 0U);
}

TEST(storage_edit_forgets_every_version_and_begins_anew_behind_them) {
  Editing editing;
  editing.apply({{id_of(1), "a", 1}});
  editing.apply({{id_of(1), "b", 2}});
  editing.apply_one(format::Forget{id_of(1)});
  CHECK((editing.root->flags(0) & format::kForgotten) != 0);
  CHECK((editing.root->flags(1) & format::kForgotten) != 0);
  editing.apply({{id_of(1), "c", 1}});
  CHECK(editing.root->versions(id_of(1)) == std::vector<std::uint32_t>({2}));
}

TEST(storage_edit_lets_only_versions_go_that_ended_by_the_moment_and_never_the_newest) {
  for (const auto& [moment, left] : std::vector<std::pair<std::int64_t, std::vector<std::uint32_t>>>{
           {19, {0, 1, 2}}, {20, {1, 2}}, {29, {1, 2}}, {30, {2}}, {format::kNever, {2}}}) {
    Editing editing;
    editing.apply({{id_of(1), "a", 1, "s", "k", "", {}, 10}});
    editing.apply({{id_of(1), "b", 2, "s", "k", "", {}, 20}});
    editing.apply({{id_of(1), "c", 3, "s", "k", "", {}, 30}, {id_of(2), "d", 1, "s", "k", "", {}, 10}});
    editing.apply_one(format::ForgetEnded{id_of(1), moment});
    editing.apply_one(format::ForgetEnded{id_of(2), moment});
    editing.apply_one(format::ForgetEnded{id_of(9), moment});
    CHECK(editing.root->versions(id_of(1)) == left);
    CHECK_EQUAL(editing.root->find(id_of(1)), 2U);
    CHECK_EQUAL(editing.root->find(id_of(2)), 3U);
  }
}

// So that nothing stands behind what was let go of, where neither history nor forgetting would find it.
TEST(storage_edit_keeps_what_is_newer_than_a_version_that_has_not_ended) {
  Editing editing;
  editing.apply({{id_of(1), "a", 1, "s", "k", "", {}, 10}});
  editing.apply({{id_of(1), "b", 2, "s", "k", "", {}, 50}});
  editing.apply({{id_of(1), "c", 3, "s", "k", "", {}, 20}});  // a clock that went back
  editing.apply_one(format::ForgetEnded{id_of(1), 30});
  CHECK(editing.root->versions(id_of(1)) == std::vector<std::uint32_t>({0, 1, 2}));
  editing.apply_one(format::ForgetEnded{id_of(1), 50});
  CHECK(editing.root->versions(id_of(1)) == std::vector<std::uint32_t>({2}));
}

TEST(storage_edit_derives_whether_a_version_expires) {
  Editing editing;
  editing.apply({{id_of(1), "a"}});
  format::State state = editing.root->state(0);
  state.expires_at = 5'000;
  editing.apply_one(format::ChangeState{id_of(1), state});
  CHECK((editing.root->flags(0) & format::kExpires) != 0);
  state.expires_at = format::kNever;
  editing.apply_one(format::ChangeState{id_of(1), state});
  CHECK((editing.root->flags(0) & format::kExpires) == 0);
}

}  // namespace hippocore::storage
