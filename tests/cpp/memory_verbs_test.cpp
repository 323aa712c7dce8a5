#include <limits>

#include "harness.h"
#include "memory_fixture.h"

namespace hippocore::memory {
namespace {

using testing::id_of;
using testing::MemoryFixture;

DuplicateQuery query_like(const NewVersion& version, std::span<const float> vector) {
  DuplicateQuery query;
  query.scope = version.scope;
  query.kind = version.kind;
  query.text_key = version.text_key;
  query.merge_key = version.merge_key;
  query.vector = vector;
  query.now = 5'000'000;
  return query;
}

}  // namespace

// Row 5 of the field cases.
TEST(memory_write_of_a_vector_that_is_not_finite_changes_nothing) {
  MemoryFixture store;
  const std::vector<NewVersion> versions = {testing::version_of(1), testing::version_of(2)};
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()}) {
    std::vector<float> vectors(2 * testing::kDimension, 1);
    vectors.back() = bad;
    CHECK_THROWS(ErrorCode::kInvalidVector, store->write(versions, vectors, {}, {}));
  }
  CHECK_THROWS(ErrorCode::kDimensionMismatch, store->write(versions, std::vector<float>(9, 1), {}, {}));
  CHECK_EQUAL(store->statistics().versions, 0U);
  CHECK_EQUAL(store->statistics().sequence, 0U);
}

TEST(memory_read_gives_back_every_field) {
  MemoryFixture store;
  NewVersion version = testing::version_of(1, "a/b");
  version.source = "web";
  version.event_time = -7;
  version.content = std::string("with a NUL \0 and 記憶", 24);
  version.state.importance = 0.25;
  version.state.expires_at = 77;
  store.write(version, 3);
  for (int round = 0; round < 3; ++round) {
    const Row row = store->get(std::array{id_of(1)}).front();
    CHECK(row.content == version.content);
    CHECK_EQUAL(row.extra, version.extra);
    CHECK_EQUAL(row.scope, "a/b");
    CHECK_EQUAL(row.source, "web");
    CHECK_EQUAL(row.event_time, -7);
    CHECK_EQUAL(row.tokens, 5U);
    CHECK(row.state == version.state);
    CHECK(store->get_vectors(std::array{id_of(1)}) == testing::vector_of(3));
    round == 0 ? store->store().checkpoint() : store.open();
  }
  CHECK_THROWS(ErrorCode::kMemoryNotFound, store->get(std::array{id_of(2)}));
  CHECK(store->contains(id_of(1)));
  CHECK(!store->contains(id_of(2)));
}

// Row 10 of the field cases.
TEST(memory_history_has_both_and_reading_only_the_new) {
  MemoryFixture store;
  store.write(testing::version_of(1), 1);
  NewVersion again = testing::version_of(1);
  again.version = 2;
  again.content = "again";
  again.valid_from += 10;
  store.write(again, 2);
  CHECK_EQUAL(store->get(std::array{id_of(1)}).front().content, "again");
  const auto history = store->history(id_of(1));
  CHECK_EQUAL(history.size(), 2U);
  CHECK_EQUAL(history[0].state.valid_until, again.valid_from);
  CHECK_EQUAL(history[1].content, "again");
  CHECK(store->history(id_of(9)).empty());
}

TEST(memory_select_pages_do_not_shift_while_memories_are_added_and_updated) {
  MemoryFixture store;
  for (std::uint32_t number = 0; number < 20; ++number) store.write(testing::version_of(number), number);
  Page page;
  page.limit = 7;
  std::vector<Id> seen;
  for (std::uint32_t round = 0;; ++round) {
    const auto rows = store->select({}, page);
    if (rows.empty()) break;
    const auto ids = testing::ids_of(rows);
    seen.insert(seen.end(), ids.begin(), ids.end());
    page.after = seen.back();
    store.write(testing::version_of(100 + round), 1);  // newer: before the first page
    NewVersion again = testing::version_of(18);
    again.version = 2 + round;
    store.write(again, 5);
  }
  CHECK_EQUAL(seen.size(), 20U);
  for (std::uint32_t number = 0; number < 20; ++number) CHECK(seen[number] == id_of(19 - number));
  page.after = id_of(999);
  CHECK_THROWS(ErrorCode::kMemoryNotFound, store->select({}, page));
}

TEST(memory_versions_are_walked_in_pages_in_the_order_written) {
  MemoryFixture store;
  for (std::uint32_t number = 0; number < 25; ++number) store.write(testing::version_of(number), number);
  const Id gone = id_of(4);
  store->write({}, {}, {}, std::span(&gone, 1));
  std::vector<Id> seen;
  std::uint32_t slot = 0;
  do {
    const auto page = store->versions(slot, 10, true);
    CHECK_EQUAL(page.vectors.size(), page.rows.size() * testing::kDimension);
    for (const Row& row : page.rows) seen.push_back(row.id);
    slot = page.next;
  } while (slot != 0);
  CHECK_EQUAL(seen.size(), 24U);
  CHECK(std::is_sorted(seen.begin(), seen.end()));
}

TEST(memory_duplicates_are_equal_texts_or_near_vectors_of_one_scope_kind_and_trust) {
  MemoryFixture store;
  const NewVersion first = testing::version_of(1);
  store.write(first, 1);
  store->store().checkpoint();
  const auto near = testing::vector_of(1);
  const auto far = testing::vector_of(2);
  const auto found = [&](const DuplicateQuery& query) { return store->find_duplicate(query) == id_of(1); };
  DuplicateQuery query = query_like(first, far);
  CHECK(found(query));
  query.text_key = 99;
  CHECK(!found(query));
  query.vector = near;
  query.threshold = 0.99;
  CHECK(found(query));
  query.merge_key = 99;
  CHECK(!found(query));
  query = query_like(first, near);
  query.scope = "other";
  CHECK(!found(query));
  query = query_like(first, near);
  query.kind = "other";
  CHECK(!found(query));
  query = query_like(first, near);
  query.trust = format::Trust::kUntrusted;
  CHECK(!found(query));
}

// Row 52 of the field cases.
TEST(memory_duplicates_are_never_forgotten_superseded_or_expired_ones) {
  MemoryFixture store;
  const auto vector = testing::vector_of(1);
  const NewVersion first = testing::version_of(1);
  store.write(first, 1);
  const Id id = first.id;
  store->write({}, {}, {}, std::span(&id, 1));
  CHECK(!store->find_duplicate(query_like(first, vector)));
  NewVersion expired = testing::version_of(2);
  expired.state.expires_at = 4'000'000;
  store.write(expired, 1);
  CHECK(!store->find_duplicate(query_like(expired, vector)));
  NewVersion old = testing::version_of(3);
  store.write(old, 1);
  NewVersion renewed = old;
  renewed.version = 2;
  renewed.text_key = renewed.merge_key = 77;
  store.write(renewed, 2);
  CHECK(!store->find_duplicate(query_like(old, vector)));
  CHECK(store->find_duplicate(query_like(renewed, vector)) == id_of(3));
}

TEST(memory_extras_are_those_of_the_newest_versions_and_nothing_for_what_is_not_there) {
  MemoryFixture store;
  NewVersion version = testing::version_of(1);
  store.write(version, 1);
  version.version = 2;
  version.extra = "newer";
  store.write(version, 2);
  store.write(testing::version_of(2), 3);
  const std::vector<Id> ids = {id_of(2), id_of(7), id_of(1)};
  using Extras = std::vector<std::optional<std::string>>;
  CHECK(store->extras(ids) == Extras({"extra", std::nullopt, "newer"}));
}

TEST(memory_statistics_count_what_there_is) {
  MemoryFixture store;
  for (std::uint32_t number = 0; number < 6; ++number) {
    store.write(testing::version_of(number, number < 3 ? "a" : "b"), number);
  }
  NewVersion again = testing::version_of(1, "a");
  again.version = 2;
  store.write(again, 9);
  const Id gone = id_of(5);
  store->write({}, {}, {}, std::span(&gone, 1));
  const Statistics statistics = store->statistics();
  CHECK_EQUAL(statistics.memories, 5U);
  CHECK_EQUAL(statistics.versions, 6U);
  CHECK_EQUAL(statistics.forgotten, 1U);
  CHECK_EQUAL(statistics.scopes, 2U);
  CHECK_EQUAL(statistics.slots, 7U);
  CHECK_EQUAL(statistics.sequence, 8U);
  CHECK(statistics.disk_bytes > statistics.log_bytes);
  using Scopes = std::vector<std::pair<std::string, std::uint64_t>>;
  CHECK(store->scopes(5'000'000) == Scopes({{"a", 3}, {"b", 2}}));
}

}  // namespace hippocore::memory
