// Hybrid recall's second stage, case by case: who lends whom, and what comes of it.
#include <array>
#include <vector>

#include "harness.h"
#include "memory/eligible.h"
#include "memory/lending.h"
#include "memory_fixture.h"
#include "words_as_terms.h"

namespace hippocore::memory {
namespace {

using testing::asking;
using testing::MemoryFixture;
using testing::terms_of;

constexpr std::int64_t kMinute = 60'000'000;
constexpr std::int64_t kDay = 1'440 * kMinute;
constexpr std::int64_t kNow = 400 * kDay;

// A memory of a conversation, far from the question by its vector.
NewVersion said(std::uint32_t number, const std::vector<std::string>& words, const std::string& source = "talk") {
  NewVersion version = testing::version_of(number);
  version.terms = terms_of(words);
  version.source = source;
  return version;
}

// Thirty of other sources that say something else, so that there is an average to stand out from.
void add_others(MemoryFixture& store) {
  for (std::uint32_t number = 100; number < 130; ++number) {
    store.write(said(number, {"other", "words"}, "source " + std::to_string(number)), number);
  }
}

const std::vector<float> kAsked = testing::vector_of(7);

RecallRequest question() {
  RecallRequest request;
  request.mode = Mode::kHybrid;
  request.vector = kAsked;
  request.lexical = asking({"fox", "river"});
  request.filter.now = kNow;
  request.half_lives.other = 1e7;
  return request;
}

ranking::Hit hit_of(const RecallAnswer& answer, std::uint32_t number) {
  for (std::size_t rank = 0; rank < answer.rows.size(); ++rank) {
    if (answer.rows[rank].id == testing::id_of(number)) return answer.hits[rank];
  }
  return {};
}

double relevance(MemoryFixture& store, std::uint32_t number) {
  RecallRequest request = question();
  request.limit = 1'000;
  return hit_of(store->recall(request), number).relevance;
}

}  // namespace

TEST(memory_associations_name_what_spoke_most) {
  MemoryFixture store;
  add_others(store);
  store.write(said(1, {"fox", "river"}), 1'000);
  store.write(said(2, {"yes", "there"}), 1'001);
  NewVersion near = said(3, {"nothing"}, "");
  near.kind = "fact";
  store.write(near, kAsked);
  NewVersion then = said(4, {"something"}, "");
  then.kind = "fact";
  then.event_time = 30 * kDay;
  store.write(then, 1'003);
  RecallRequest request = question();
  request.lexical.period = ranking::Period{.from = 30 * kDay, .to = 31 * kDay};
  request.limit = 1'000;
  const RecallAnswer answer = store->recall(request);
  using ranking::Reason;
  CHECK(hit_of(answer, 1).reason == Reason::kWords);
  CHECK(hit_of(answer, 3).reason == Reason::kMeaning);
  CHECK(hit_of(answer, 4).reason == Reason::kDate);
  request.lexical.period.reset();
  CHECK(hit_of(store->recall(request), 2).reason == Reason::kNeighbours);
  request.mode = Mode::kDense;
  const RecallAnswer dense = store->recall(request);
  CHECK(dense.hits.front().reason == Reason::kNone);
  CHECK(!dense.confidence);
}

// To the bit what it was without them, wherever they stand.
TEST(memory_associations_do_not_see_what_is_not_eligible) {
  MemoryFixture alone;
  MemoryFixture beside;
  for (MemoryFixture* store : {&alone, &beside}) {
    add_others(*store);
    store->write(said(1, {"fox", "river"}), 1'000);
  }
  NewVersion hidden = said(2, {"fox", "river", "fox"});
  hidden.state.flags |= format::kQuarantined;
  beside.write(hidden, kAsked);
  NewVersion elsewhere = said(3, {"fox", "river"});
  elsewhere.scope = "another";
  beside.write(elsewhere, kAsked);
  beside.write(said(4, {"fox", "river"}), kAsked);
  for (MemoryFixture* store : {&alone, &beside}) store->write(said(5, {"yes"}), 1'001);
  RecallRequest request = question();
  request.filter.scopes = {"default"};
  request.limit = 1'000;
  CHECK(hit_of((*beside).recall(request), 4).slot > 0);  // the lexicon has it from now on
  const Id forgotten = testing::id_of(4);
  beside->write({}, {}, {}, std::span(&forgotten, 1));
  const RecallAnswer expected = alone->recall(request);
  const RecallAnswer found = beside->recall(request);
  CHECK(testing::ids_of(found.rows) == testing::ids_of(expected.rows));
  for (std::size_t rank = 0; rank < expected.hits.size(); ++rank) {
    CHECK_EQUAL(found.hits[rank].relevance, expected.hits[rank].relevance);
  }
  CHECK(found.confidence == expected.confidence);
  CHECK(hit_of(found, 5).reason == ranking::Reason::kNeighbours);
}

TEST(memory_associations_of_facts_without_a_source_are_none) {
  const auto with = [](const std::string& kind, std::int64_t minutes) {
    MemoryFixture store;
    add_others(store);
    for (std::uint32_t number : {1U, 2U}) {
      NewVersion version =
          said(number, number == 1 ? std::vector<std::string>{"fox", "river"} : std::vector<std::string>{"yes"}, "");
      version.kind = kind;
      version.created_at = number * minutes * kMinute;
      store.write(version, 1'000 + number);
    }
    return relevance(store, 2);
  };
  const double alone = with("fact", 1);
  CHECK(with("episode", 1) > alone);
  CHECK_EQUAL(with("episode", 30), with("episode", 1));
  CHECK_EQUAL(with("episode", 31), alone);
}

// Whoever asks of a state before a memory was forgotten finds it, though the lexicon no longer has it.
TEST(memory_associations_of_an_older_root_bear_what_the_lexicon_lacks) {
  MemoryFixture store;
  add_others(store);
  store.write(said(1, {"fox", "river"}), 1'000);
  store.write(said(2, {"yes"}), 1'001);
  const auto older = store->store().snapshot();
  const Id id = testing::id_of(1);
  store->write({}, {}, {}, std::span(&id, 1));
  CHECK_EQUAL(store->recall(question()).hits.size(), 20U);
  RecallRequest request = question();
  const SlotMasks eligible = eligible_slots(*older, request.filter);
  const ScanColumns columns(*older, eligible, request.filter, request.recency_of);
  const QuerySource source{*older, request.filter, eligible, columns.chunks()};
  const QueryRelevance relevance(source, Mode::kHybrid, request.vector, request.lexical);
  ranking::Hit lender;
  lender.slot = 30;
  lender.similarity = 1;
  const std::vector<Borrower> found = lend(source, relevance, {&lender, 1}, {});
  CHECK_EQUAL(found.size(), 1U);
}

// The newest fill the pool; what is asked for is old.
TEST(memory_associations_find_all_that_are_relevant_enough) {
  MemoryFixture store;
  for (std::uint32_t number = 0; number < 400; ++number) {
    NewVersion version = said(
        number, number < 5 ? std::vector<std::string>{"fox", "river"} : std::vector<std::string>{"other", "words"}, "");
    version.kind = "fact";
    version.state.last_used = number < 5 ? 0 : kNow;
    store.write(version, number < 5 ? 7 : 1'000 + number);
  }
  RecallRequest request = question();
  request.weights = {.relevance = 0.01, .recency = 0.99, .importance = 0, .usage = 0, .half_lives = {}};
  request.min_relevance = 0.5;
  CHECK_EQUAL(store->recall(request).hits.size(), 5U);
  request.limit = 3;
  CHECK_EQUAL(store->recall(request).hits.size(), 3U);
}

TEST(memory_associations_are_sure_of_nothing_where_nothing_is_eligible) {
  MemoryFixture store;
  CHECK(store->recall(question()).confidence == 0.0);
  add_others(store);
  const double unsure = *store->recall(question()).confidence;
  CHECK(unsure > 0 && unsure < 0.2);
  store.write(said(1, {"fox", "river"}), kAsked);
  store.write(said(2, {"fox", "river"}), kAsked);
  CHECK(*store->recall(question()).confidence > 0.5);
  RecallRequest request = question();
  request.filter.scopes = {"nobody"};
  CHECK(store->recall(request).confidence == 0.0);
}

TEST(memory_newest_event_is_of_the_eligible) {
  MemoryFixture store;
  CHECK(!store->newest_event({}));
  store.write(testing::version_of(1), 1);
  CHECK(!store->newest_event({}));
  for (std::uint32_t number = 2; number < 6; ++number) {
    NewVersion version = testing::version_of(number, number == 4 ? "other" : "default");
    version.event_time = std::array{5, 9, 99, 7}[number - 2];
    store.write(version, number);
  }
  Filter filter;
  CHECK(store->newest_event(filter) == 99);
  filter.scopes = {"default"};
  CHECK(store->newest_event(filter) == 9);
}

}  // namespace hippocore::memory
