// A damaged column must not move a memory into or out of an answer: who takes part is known, or damage is named.
#include <string>
#include <vector>

#include "faulty_directory.h"
#include "harness.h"
#include "memory/memory.h"
#include "store_fixture.h"

namespace hippocore::memory {
namespace {

using testing::FaultyDisk;
using testing::id_of;
using testing::Note;

Memory open(FaultyDisk& disk) {
  return Memory(storage::Store::open(disk.open(), testing::options_of()));
}

std::shared_ptr<FaultyDisk> make_store() {
  auto disk = std::make_shared<FaultyDisk>();
  const auto store = storage::Store::open(disk->open(), testing::options_of());
  const std::vector<Note> notes{
      {.id = id_of(1), .content = "one", .scope = "a", .kind = "fact", .time = 1'000},
      {.id = id_of(2), .content = "two", .scope = "b", .kind = "fact", .time = 2'000},
      {.id = id_of(3), .content = "three", .scope = "a", .kind = "episode", .time = 3'000},
  };
  testing::write(*store, notes);
  store->checkpoint();
  return disk;
}

std::string file_of(const FaultyDisk& disk, const std::string& kind) {
  for (const std::string& name : disk.names()) {
    if (name.starts_with(kind)) return name;
  }
  testing::fail(__FILE__, __LINE__, "the store has no file " + kind);
}

std::vector<Filter> filters() {
  Filter everything;
  everything.now = 5'000;
  Filter by_scope = everything;
  by_scope.scopes = {"a"};
  Filter by_kind = everything;
  by_kind.kinds = {"fact"};
  Filter by_time = everything;
  by_time.since = 1'500;
  Filter by_moment = everything;
  by_moment.as_of = 2'500;
  return {everything, by_scope, by_kind, by_time, by_moment};
}

using Answers = std::vector<std::string>;
using Ask = Answers (*)(Memory&);

Answers who_takes_part(Memory& memory) {
  Answers found;
  for (const Filter& filter : filters()) found.push_back(std::to_string(memory.count(filter)));
  return found;
}

Answers statistics(Memory& memory) {
  const Statistics counted = memory.statistics();
  Answers found;
  for (const auto number : {counted.memories, counted.versions, counted.forgotten, counted.scopes, counted.slots}) {
    found.push_back(std::to_string(number));
  }
  return found;
}

Answers selected_ids(Memory& memory) {
  Answers found;
  for (const Id& id : memory.select_ids(filters().front())) found.push_back(to_hex(id));
  return found;
}

Answers all_versions(Memory& memory) {
  Answers found;
  for (const Row& row : memory.versions(0, 10, true).rows) found.push_back(to_hex(row.id) + row.content + row.scope);
  return found;
}

// Returns: how many flipped bytes were named as damage. Every other one must have changed nothing.
std::size_t flip_bytes(const std::string& kind, std::size_t step, Ask ask) {
  const auto answer = [ask](FaultyDisk& disk) {
    Memory memory = open(disk);
    return ask(memory);
  };
  const auto sound = make_store();
  const Answers right = answer(*sound);
  const std::string name = file_of(*sound, kind);
  const std::vector<std::byte> bytes = sound->bytes(name);
  std::size_t named = 0;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    const auto damaged = sound->crashed(testing::Loss::kNothing, 1);
    auto changed = bytes;
    changed[at] ^= std::byte{1};
    damaged->replace(name, changed);
    try {
      CHECK(answer(*damaged) == right);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kCorruptStore);
      ++named;
    }
  }
  return named;
}

}  // namespace

TEST(memory_damage_of_a_column_never_changes_who_takes_part) {
  CHECK(flip_bytes("tail-", 5, who_takes_part) > 100);
}

TEST(memory_damage_of_a_state_never_changes_who_takes_part) {
  CHECK(flip_bytes("state-", 47, who_takes_part) > 100);
}

TEST(memory_damage_never_changes_the_statistics) {
  CHECK(flip_bytes("tail-", 5, statistics) > 100);
  CHECK(flip_bytes("state-", 47, statistics) > 100);
}

TEST(memory_damage_never_changes_the_ids_selected) {
  CHECK(flip_bytes("tail-", 5, selected_ids) > 100);
  CHECK(flip_bytes("state-", 47, selected_ids) > 100);
}

TEST(memory_damage_never_changes_the_versions_walked) {
  CHECK(flip_bytes("tail-", 5, all_versions) > 100);
  CHECK(flip_bytes("state-", 47, all_versions) > 100);
}

}  // namespace hippocore::memory
