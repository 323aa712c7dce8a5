#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>

#include "faulty_directory.h"
#include "format/preamble.h"
#include "harness.h"
#include "memory_fixture.h"

namespace hippocore::memory {
namespace {

using testing::FaultyDisk;
using testing::id_of;

Memory open(FaultyDisk& disk) {
  return Memory(storage::Store::open(disk.open(), testing::options_of()));
}

// Forty memories in the files and one in the log.
std::shared_ptr<FaultyDisk> make_store() {
  auto disk = std::make_shared<FaultyDisk>();
  Memory memory = open(*disk);
  for (std::uint32_t number = 0; number < 40; ++number) {
    NewVersion version = testing::version_of(number, number % 2 == 0 ? "even" : "odd");
    version.facets = {"tag"};
    memory.write(std::span(&version, 1), testing::vector_of(number), {}, {});
  }
  memory.store().checkpoint();
  const NewVersion last = testing::version_of(40, "even");
  memory.write(std::span(&last, 1), testing::vector_of(40), {}, {});
  return disk;
}

struct Answers {
  std::vector<Id> recalled;
  std::vector<Id> selected;
  std::size_t counted = 0;
  bool operator==(const Answers&) const = default;
};

void check_row(const Row& row) {
  std::uint32_t number = 0;
  while (number < 41 && id_of(number) != row.id) ++number;
  CHECK(number < 41);
  const NewVersion right = testing::version_of(number);
  CHECK_EQUAL(row.content, right.content);
  CHECK_EQUAL(row.created_at, right.created_at);
  CHECK_EQUAL(row.scope, number % 2 == 0 ? "even" : "odd");
}

Answers ask(Memory& memory) {
  Answers answers;
  RecallRequest request;
  const std::vector<float> query = testing::vector_of(1'000);
  request.vector = query;
  request.half_lives.other = 1'000;
  request.limit = 8;
  request.filter.scopes = {"even"};
  for (const Row& row : memory.recall(request).rows) {
    check_row(row);
    answers.recalled.push_back(row.id);
  }
  Filter filter;
  filter.any_facets = {"tag"};
  for (const Row& row : memory.select(filter, {})) {
    check_row(row);
    answers.selected.push_back(row.id);
  }
  answers.counted = memory.count(filter);
  return answers;
}

void check_named(const Verification& verification) {
  CHECK(!verification.damages.empty());
}

}  // namespace

TEST(memory_verify_of_a_sound_store_reads_it_all_and_finds_nothing) {
  const auto disk = make_store();
  Memory memory = open(*disk);
  std::vector<std::uint64_t> steps;
  const Verification verification = memory.verify([&](std::uint64_t done, std::uint64_t total) {
    CHECK_EQUAL(total, 41U);
    steps.push_back(done);
  });
  CHECK(verification.damages.empty());
  CHECK_EQUAL(verification.memories, 41U);
  CHECK(verification.bytes > 0);
  CHECK(steps == std::vector<std::uint64_t>({41}));
}

// Row 43 of the field cases, seen from recall: a wrong answer is never silent, a wrong memory is never returned.
TEST(memory_verify_names_whatever_changes_an_answer) {
  const auto sound = make_store();
  Memory right_store = open(*sound);
  const Answers right = ask(right_store);
  CHECK_EQUAL(right.recalled.size(), 8U);
  CHECK_EQUAL(right.selected.size(), 40U);
  for (const char* name : {"tail-2", "payload-1", "state-2", "index-2"}) {
    const auto bytes = sound->bytes(name);
    for (std::size_t offset = 0; offset < bytes.size(); offset += 97) {
      auto changed = bytes;
      changed[offset] ^= std::byte{0x41};
      const auto disk = sound->crashed(testing::Loss::kNothing, 1);
      disk->replace(name, changed);
      try {
        Memory memory = open(*disk);
        const Verification verification = memory.verify(nullptr);
        if (verification.damages.empty()) CHECK(ask(memory) == right);
        if (ask(memory) != right) check_named(verification);
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kCorruptStore);
      }
    }
  }
}

TEST(memory_verify_names_the_memory_whose_code_does_not_follow_from_its_vector) {
  const std::function<void(const format::MutableChunkView&)> changes[] = {
      [](const auto& rows) { rows.code_errors()[3] = 0; },
      [](const auto& rows) { rows.coarse_scales()[3] *= 2; },
      [](const auto& rows) { rows.coarse_errors()[3] = 0; },
      [](const auto& rows) { rows.coarse_code(3)[0] ^= std::byte{1}; },
  };
  for (const auto& change : changes) {
    const auto disk = make_store();
    auto tail = disk->bytes("tail-2");
    const format::ChunkLayout layout(testing::kDimension, 64);
    const format::MutableChunkView rows(&layout, tail.data() + format::kPreambleSize);
    change(rows);
    rows.row_crcs()[3] = format::row_crc(rows, 3);
    disk->replace("tail-2", tail);
    Memory memory = open(*disk);
    const Verification verification = memory.verify(nullptr);
    CHECK_EQUAL(verification.damages.size(), 1U);
    CHECK(verification.damages.front().id == id_of(3));
  }
}

}  // namespace hippocore::memory
