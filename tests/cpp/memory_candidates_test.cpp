// Recall among candidates, and what a search for them needs to know: who takes part, and the vectors of slots.
#include <algorithm>
#include <numeric>

#include "harness.h"
#include "memory_fixture.h"

namespace hippocore::memory {
namespace {

using testing::id_of;
using testing::ids_of;
using testing::MemoryFixture;
using testing::vector_of;

constexpr std::uint32_t kCount = 1'500;  // more than a chunk

// The number is the slot.
void fill(MemoryFixture& store, std::uint32_t count = kCount) {
  for (std::uint32_t number = 0; number < count; ++number) {
    NewVersion version = testing::version_of(number, number % 3 == 0 ? "third" : "other");
    version.state.importance = (number % 101) / 100.0;
    store.write(version, number);
  }
}

RecallRequest request_of(std::span<const float> vector, std::size_t limit) {
  RecallRequest request;
  request.vector = vector;
  request.limit = limit;
  request.half_lives.other = 1'000;
  request.filter.now = 3'000'000;
  return request;
}

std::vector<Id> ranked(Memory& memory, const RecallRequest& request, const Candidates& candidates) {
  return ids_of(memory.recall(request, candidates).rows);
}

std::vector<Id> ranked(Memory& memory, const RecallRequest& request) {
  return ids_of(memory.recall(request).rows);
}

TEST(memory_candidates_are_ranked_as_everything_is_and_nothing_else_is) {
  MemoryFixture store;
  fill(store);
  const auto query = vector_of(77);
  const std::vector<std::uint32_t> slots{3, 77, 500, 900, 1'100, 1'499, 77};
  const auto everything = ranked(*store, request_of(query, kCount));
  std::vector<Id> expected;
  for (const Id& id : everything) {
    if (std::ranges::any_of(slots, [&](std::uint32_t slot) { return id_of(slot) == id; })) expected.push_back(id);
  }
  CHECK_EQUAL(expected.size(), std::size_t{6});
  expected.resize(5);
  CHECK(ranked(*store, request_of(query, 5), {1, kCount, slots}) == expected);
}

TEST(memory_candidates_that_are_not_eligible_take_no_part) {
  MemoryFixture store;
  fill(store);
  const auto query = vector_of(77);
  std::vector<std::uint32_t> slots(100);
  std::iota(slots.begin(), slots.end(), 0);
  auto request = request_of(query, 10);
  request.filter.scopes = std::vector<std::string>{"third"};
  const Id gone = id_of(6);
  store->write({}, {}, {}, std::span(&gone, 1));
  for (const Row& row : store->recall(request, {1, kCount, slots}).rows) {
    CHECK(row.slot < 100 && row.slot % 3 == 0 && row.slot != 6);
  }
}

TEST(memory_candidates_leave_out_nothing_that_came_after_them) {
  MemoryFixture store;
  fill(store);
  const auto query = vector_of(1'450);
  const std::vector<std::uint32_t> slots{1, 2, 3, 4, 5};
  const auto rows = store->recall(request_of(query, 3), {1, 1'400, slots}).rows;
  CHECK(std::ranges::all_of(rows, [](const Row& row) { return row.slot >= 1'400 || row.slot <= 5; }));
  CHECK(std::ranges::any_of(rows, [](const Row& row) { return row.slot >= 1'400; }));
}

TEST(memory_candidates_that_are_too_few_are_answered_with_everything) {
  MemoryFixture store;
  fill(store, 200);
  const auto query = vector_of(50);
  const std::vector<std::uint32_t> slots{1, 2, 4'000'000'000U};
  CHECK(ranked(*store, request_of(query, 10), {1, 200, slots}) == ranked(*store, request_of(query, 10)));
  CHECK(ranked(*store, request_of(query, 10), {1, 4'000'000'000U, {}}) == ranked(*store, request_of(query, 10)));
  CHECK_EQUAL(ranked(*store, request_of(query, 1'000), {1, 200, slots}).size(), std::size_t{200});
  auto narrow = request_of(query, 10);
  narrow.min_relevance = 2;
  CHECK(ranked(*store, narrow, {1, 200, slots}).empty());
  CHECK(ranked(*store, request_of(query, 0), {1, 200, slots}).empty());
}

TEST(memory_candidates_of_another_generation_are_not_looked_at) {
  MemoryFixture store;
  fill(store, 200);
  const Id gone = id_of(0);
  store->write({}, {}, {}, std::span(&gone, 1));
  store->store().compact();
  const auto query = vector_of(50);
  const std::vector<std::uint32_t> slots{1, 2, 3, 4, 5};
  CHECK(ranked(*store, request_of(query, 3), {1, 200, slots}) == ranked(*store, request_of(query, 3)));
  CHECK(ranked(*store, request_of(query, 3), {2, 200, slots}) != ranked(*store, request_of(query, 3)));
}

TEST(memory_candidates_can_be_asked_who_takes_part) {
  MemoryFixture store;
  fill(store);
  Filter filter;
  filter.now = 3'000'000;
  filter.scopes = std::vector<std::string>{"third"};
  const Id gone = id_of(3);
  store->write({}, {}, {}, std::span(&gone, 1));
  const EligibleSlots found = store->eligible(filter);
  CHECK_EQUAL(found.generation, std::uint64_t{1});
  CHECK_EQUAL(found.slots, kCount);
  CHECK_EQUAL(found.eligible, kCount / 3 - 1);
  CHECK_EQUAL(found.words.size(), std::size_t{(kCount + 63) / 64});
  for (std::uint32_t slot = 0; slot < kCount; ++slot) {
    CHECK_EQUAL((found.words[slot / 64] >> (slot % 64)) & 1, std::uint64_t{slot % 3 == 0 && slot != 3});
  }
  filter.scopes = std::vector<std::string>{};
  CHECK_EQUAL(store->eligible(filter).eligible, 0U);
  CHECK_EQUAL(store->eligible(filter).slots, kCount);
}

TEST(memory_candidates_can_be_made_from_the_vectors_of_slots) {
  MemoryFixture store;
  fill(store, 1'100);
  const Id gone = id_of(1'050);
  store->write({}, {}, {}, std::span(&gone, 1));
  const SlotVectors found = store->slot_vectors(1'020, 200);
  CHECK_EQUAL(found.forgotten.size(), std::size_t{80});
  CHECK_EQUAL(found.vectors.size(), found.forgotten.size() * found.dimension);
  for (std::uint32_t at = 0; at < 80; ++at) {
    const auto expected = vector_of(1'020 + at);
    CHECK(std::equal(expected.begin(), expected.end(), found.vectors.begin() + at * found.dimension));
    CHECK_EQUAL(found.forgotten[at], std::uint8_t{at == 30});
  }
  CHECK(store->slot_vectors(1'100, 5).forgotten.empty());
  CHECK(store->slot_vectors(4'000'000'000U, 5).forgotten.empty());
  CHECK_EQUAL(store->slot_vectors(7, 2).forgotten.size(), std::size_t{2});
}

}  // namespace
}  // namespace hippocore::memory
