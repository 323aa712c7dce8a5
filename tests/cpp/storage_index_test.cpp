#include <vector>

#include "base/bytes.h"
#include "harness.h"
#include "storage/index.h"
#include "store_fixture.h"

namespace hippocore::storage {
namespace {

std::uint32_t newest(const Index& index, const Id& id) {
  return index.newest(id, [](std::uint32_t) { return Id{}; });
}

std::vector<std::uint32_t> merge_candidates(const Index& index, std::uint64_t key) {
  std::vector<std::uint32_t> slots;
  index.for_each_merge_candidate(key, [&](std::uint32_t slot) { slots.push_back(slot); });
  return slots;
}

}  // namespace

TEST(storage_index_finds_the_newest_slot_of_an_id) {
  Index index({}, nullptr, 0);
  for (std::uint32_t slot = 0; slot < 3'000; ++slot) index.add(slot, {testing::id_of(slot % 1'000), slot});
  for (std::uint32_t id = 0; id < 1'000; ++id) CHECK_EQUAL(newest(index, testing::id_of(id)), 2'000 + id);
  CHECK_EQUAL(newest(index, testing::id_of(1'000)), format::kEmptyCell);
}

TEST(storage_index_finds_every_slot_of_a_merge_key) {
  Index index({}, nullptr, 0);
  for (std::uint32_t slot = 0; slot < 300; ++slot) index.add(slot, {testing::id_of(slot), slot % 100});
  for (std::uint64_t key = 0; key < 100; ++key) {
    const auto low = static_cast<std::uint32_t>(key);
    CHECK(merge_candidates(index, key) == std::vector<std::uint32_t>({200 + low, 100 + low, low}));
  }
  CHECK(merge_candidates(index, 100).empty());
}

// With a cell for each, adding n slots of one key would take n * n steps: hours for a million.
TEST(storage_index_takes_many_slots_of_one_merge_key_in_linear_time) {
  Index index({}, nullptr, 0);
  for (std::uint32_t slot = 0; slot < 300'000; ++slot) index.add(slot, {testing::id_of(slot), 7});
  CHECK_EQUAL(merge_candidates(index, 7).size(), 300'000U);
}

TEST(storage_index_holds_65535_kinds_and_refuses_the_next) {
  Index index({}, nullptr, 0);
  for (std::size_t kind = 0; kind < kMaximumKinds; ++kind) index.intern_kind(std::to_string(kind));
  CHECK_EQUAL(index.intern_kind("65534"), 65'534U);
  CHECK_THROWS(ErrorCode::kInvalidArgument, index.intern_kind("one more"));
  CHECK_EQUAL(index.kind_count(), kMaximumKinds);
  CHECK_EQUAL(index.find_kind("one more"), index.kind_count());
}

TEST(storage_index_says_damage_for_a_kind_that_does_not_exist) {
  Index index({}, nullptr, 0);
  index.intern_kind("fact");
  CHECK(index.kind(0) == "fact");
  CHECK_THROWS(ErrorCode::kCorruptStore, index.kind(1));
}

TEST(storage_index_refuses_a_file_that_holds_a_kind_twice) {
  const std::vector<std::uint64_t> ends = {4, 8};
  const auto names = hippocore::as_bytes("factfact");
  format::IndexSections base;
  base.kind_ends = ends;
  base.kind_bytes = names;
  CHECK_THROWS(ErrorCode::kCorruptStore, Index(base, nullptr, 0));
}

}  // namespace hippocore::storage
