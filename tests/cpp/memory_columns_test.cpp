// Columns: one value a memory of what passes a filter, in the order of slots.
#include <array>

#include "harness.h"
#include "memory_fixture.h"

namespace hippocore::memory {
namespace {

using testing::id_of;
using testing::MemoryFixture;

NewVersion told(std::uint32_t number, const std::string& scope, const std::string& kind) {
  NewVersion version = testing::version_of(number, scope);
  version.kind = kind;
  version.event_time = 7 * number;
  version.tokens = 10 + number;
  version.state.importance = (number % 8) / 8.0;
  version.state.confidence = 0.5F;
  version.state.stability = 3.0F;
  version.state.use_count = number;
  version.state.last_used += 100;
  if (number == 3) version.state.archived_at = 8'000'000;
  if (number == 2) version.state.expires_at = 9'000'000;
  if (number == 2) version.state.valid_until = 7'000'000;
  return version;
}

}  // namespace

TEST(memory_columns_have_every_value_of_what_passes) {
  MemoryFixture store;
  store.write(told(1, "a", "fact"), 1);
  store.write(told(2, "b", "episode"), 2);
  store.write(told(3, "a", "episode"), 3);
  for (int round = 0; round < 3; ++round) {
    const Columns columns = store->columns({});
    CHECK(columns.ids == std::vector({id_of(1), id_of(2), id_of(3)}));
    CHECK(columns.scope_names == std::vector<std::string>({"a", "b"}));
    CHECK(columns.scopes == std::vector<std::uint32_t>({0, 1, 0}));
    CHECK(columns.kind_names == std::vector<std::string>({"fact", "episode"}));
    CHECK(columns.kinds == std::vector<std::uint32_t>({0, 1, 1}));
    CHECK(columns.created_at == std::vector<std::int64_t>({1'000'001, 1'000'002, 1'000'003}));
    CHECK(columns.valid_from == columns.created_at);
    CHECK(columns.event_time == std::vector<std::int64_t>({7, 14, 21}));
    CHECK(columns.last_used == std::vector<std::int64_t>({1'000'101, 1'000'102, 1'000'103}));
    CHECK(columns.expires_at == std::vector<std::int64_t>({format::kNever, 9'000'000, format::kNever}));
    CHECK(columns.valid_until == std::vector<std::int64_t>({format::kNever, 7'000'000, format::kNever}));
    CHECK(columns.archived_at == std::vector<std::int64_t>({format::kUnset, format::kUnset, 8'000'000}));
    CHECK(columns.importance == std::vector<double>({0.125, 0.25, 0.375}));
    CHECK(columns.confidence == std::vector<float>(3, 0.5F));
    CHECK(columns.stability == std::vector<float>(3, 3.0F));
    CHECK(columns.use_count == std::vector<std::uint32_t>({1, 2, 3}));
    CHECK(columns.tokens == std::vector<std::uint32_t>({11, 12, 13}));
    CHECK(columns.flags == std::vector<std::uint8_t>(3, format::kWritten));
    round == 0 ? store->store().checkpoint() : store.open();
  }
}

TEST(memory_columns_name_the_scopes_and_kinds_of_what_passes_only) {
  MemoryFixture store;
  const std::array<std::string, 3> scopes{"s0", "s1", "s2"};
  for (std::uint32_t number = 0; number < 1'500; ++number)
    store.write(told(number, scopes[number % 3], number % 2 == 0 ? "fact" : "episode"), number);
  Filter filter;
  filter.scopes = {{"s1", "nowhere"}};
  filter.kinds = {{"episode"}};
  const Columns columns = store->columns(filter);
  CHECK_EQUAL(columns.ids.size(), 250U);
  CHECK(columns.ids[1] == id_of(7));
  CHECK(columns.scope_names == std::vector<std::string>({"s1"}));
  CHECK(columns.kind_names == std::vector<std::string>({"episode"}));
  filter.scopes = {{"nowhere"}};
  const Columns none = store->columns(filter);
  CHECK(none.ids.empty() && none.scope_names.empty() && none.kind_names.empty());
}

TEST(memory_columns_tell_superseded_ones_and_leave_out_what_was_forgotten) {
  MemoryFixture store;
  for (std::uint32_t number = 0; number < 4; ++number) store.write(testing::version_of(number), number);
  format::State ended = testing::version_of(1).state;
  ended.flags = format::kWritten | format::kSuperseded;
  const format::ChangeState change{id_of(1), ended};
  const Id gone = id_of(2);
  store->write({}, {}, std::span(&change, 1), std::span(&gone, 1));
  CHECK(store->columns({}).ids == std::vector({id_of(0), id_of(3)}));
  Filter filter;
  filter.superseded = true;
  const Columns columns = store->columns(filter);
  CHECK(columns.ids == std::vector({id_of(0), id_of(1), id_of(3)}));
  CHECK_EQUAL(columns.flags[1], ended.flags);
}

namespace {

// The versions of memory 1 begin at 1,000,001, 2,000,000 and 3,000,000; another memory took the place of memory 2.
void write_old_versions(MemoryFixture& store) {
  for (std::uint32_t number = 0; number < 3; ++number) store.write(testing::version_of(number, "a"), number);
  for (std::uint32_t which = 2; which <= 3; ++which) {
    NewVersion again = testing::version_of(1, "a");
    again.version = which;
    again.valid_from = which * 1'000'000;
    store.write(again, which);
  }
  format::State state = testing::version_of(2).state;
  state.flags = format::kWritten | format::kSuperseded;
  state.valid_until = 1'500'000;
  const format::ChangeState superseded{id_of(2), state};
  store->write({}, {}, std::span(&superseded, 1), {});
}

std::vector<std::int64_t> ends_by(MemoryFixture& store, std::int64_t moment, const std::string& scope) {
  Filter filter;
  filter.ended_by = moment;
  filter.scopes = {{scope}};
  const Columns columns = store->columns(filter);
  CHECK(columns.ids == std::vector<Id>(columns.ids.size(), id_of(1)));
  filter.scopes.reset();
  filter.ids = {id_of(0), id_of(1), id_of(2)};
  if (scope == "a") CHECK(store->columns(filter).valid_until == columns.valid_until);
  return columns.valid_until;
}

}  // namespace

TEST(memory_columns_of_old_versions_are_of_those_that_ended_by_the_moment) {
  using Moments = std::vector<std::int64_t>;
  MemoryFixture store;
  write_old_versions(store);
  for (std::uint32_t number = 100; number < 200; ++number) store.write(testing::version_of(number, "b"), number);
  for (int round = 0; round < 3; ++round) {
    CHECK(ends_by(store, 1'999'999, "a").empty());
    CHECK(ends_by(store, 2'000'000, "a") == Moments({2'000'000}));
    CHECK(ends_by(store, format::kNever, "a") == Moments({2'000'000, 3'000'000}));
    CHECK(ends_by(store, format::kNever, "b").empty());
    round == 0 ? store->store().checkpoint() : store.open();
  }
}

TEST(memory_old_versions_that_are_let_go_of_are_seen_at_no_moment_and_compaction_drops_them) {
  MemoryFixture store;
  write_old_versions(store);
  const format::ForgetEnded ended{id_of(1), 2'500'000};
  store->write({}, {}, {}, {}, std::span(&ended, 1));
  // Among all memories, and asked for by its id.
  const auto version_at = [&](std::int64_t moment) {
    std::uint32_t seen = 0;
    for (const bool by_id : {false, true}) {
      Filter filter;
      filter.as_of = moment;
      if (by_id) filter.ids = {id_of(1)};
      std::uint32_t found = 0;
      for (const Row& row : store->select(filter, {})) found += row.id == id_of(1) ? row.version : 0;
      CHECK(!by_id || found == seen);
      seen = found;
    }
    return seen;
  };
  for (int round = 0; round < 3; ++round) {
    CHECK_EQUAL(version_at(1'999'999), 0U);
    CHECK_EQUAL(version_at(2'000'000), 2U);
    CHECK_EQUAL(version_at(3'000'000), 3U);
    CHECK_EQUAL(store->history(id_of(1)).size(), 2U);
    CHECK_EQUAL(store->statistics().slots, round == 0 ? 5U : 4U);
    round == 0 ? store->store().compact() : store.open();
  }
}

}  // namespace hippocore::memory
