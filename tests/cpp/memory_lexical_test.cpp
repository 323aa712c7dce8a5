// The lexical leg: what the lexicon holds, who may see it, and how the legs are brought together.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "crash_script.h"
#include "harness.h"
#include "memory/eligible.h"
#include "memory/lexical.h"
#include "store_fixture.h"
#include "words_as_terms.h"

namespace hippocore::memory {
namespace {

using testing::asking;
using testing::FaultyDisk;
using testing::Note;
using testing::terms_of;

Note note(std::uint32_t number, const std::vector<std::string>& words, const std::string& scope = "default") {
  Note made{testing::id_of(number), std::to_string(number)};
  made.terms = terms_of(words);
  made.scope = scope;
  return made;
}

Filter in(const std::string& scope) {
  Filter filter;
  filter.scopes = {scope};
  return filter;
}

LexicalLeg ask(storage::Store& store, const LexicalQuery& query, const Filter& filter = in("default")) {
  const auto root = store.snapshot();
  return read_lexical(*root, filter, eligible_slots(*root, filter), query);
}

double score(const LexicalLeg& leg, std::uint32_t slot) {
  return static_cast<double>(leg.scores.of(slot));
}

}  // namespace

TEST(memory_lexical_scores_are_those_of_bm25) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = testing::open_quietly(*disk, storage::Sync::kOff, true);
  testing::write(*store, note(1, {"red", "fox", "red"}));
  testing::write(*store, note(2, {"red", "dog"}));
  testing::write(*store, note(3, {"blue", "cat", "and", "its", "long", "tail"}));
  testing::write(*store, note(4, {}));
  const double red = std::log(1 + (4 - 2 + 0.5) / 2.5);
  const double fox = std::log(1 + (4 - 1 + 0.5) / 1.5);
  const double owl = std::log(1 + (4 - 0 + 0.5) / 0.5);
  LexicalQuery query = asking({"red", "fox", "owl"});
  CHECK_EQUAL(query.bm25.k1, 0.9);
  CHECK_EQUAL(query.bm25.b, 0.3);
  for (const auto& [k1, b] : {std::pair{0.9, 0.3}, {1.2, 0.75}, {0.0, 0.3}, {3.0, 0.0}, {0.5, 1.0}}) {
    query.bm25 = {k1, b};
    const LexicalLeg leg = ask(*store, query);
    const auto held = [k1 = k1, b = b](double count, double length) {
      return count / (count + k1 * (1 - b + b * length / 2.75));
    };
    CHECK_EQUAL(leg.memories, 4U);
    CHECK(std::abs(leg.largest - (red + fox + owl)) < 1e-12);
    CHECK(std::abs(score(leg, 0) - (red * held(2, 3) + fox * held(1, 3))) < 1e-6);
    CHECK(std::abs(score(leg, 1) - red * held(1, 2)) < 1e-6);
    CHECK_EQUAL(score(leg, 2), 0.0);
    CHECK_EQUAL(score(leg, 3), 0.0);
  }
}

TEST(memory_lexical_labels_are_found_and_are_no_terms) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = testing::open_quietly(*disk, storage::Sync::kOff, true);
  testing::write(*store, note(1, {"ada:", "fox"}));
  testing::write(*store, note(2, {"bob:", "fox"}));
  const LexicalLeg leg = ask(*store, asking({"ada:", "fox"}));
  CHECK_EQUAL(leg.labelled, std::vector<std::uint32_t>{0});
  CHECK_EQUAL(score(leg, 0), score(leg, 1));
}

TEST(memory_lexical_terms_that_weigh_next_to_nothing_count_for_nothing) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = testing::open_quietly(*disk, storage::Sync::kOff, true);
  for (std::uint32_t number = 1; number <= 100; ++number) {
    std::vector<std::string> words{"the"};
    if (number <= 10) words.push_back("red");
    if (number == 1) words.push_back("fox");
    testing::write(*store, note(number, words));
  }
  const auto weight = [](double holders) { return std::pow(std::log(1 + (100 - holders + 0.5) / (holders + 0.5)), 2); };
  const auto root = store->snapshot();
  const SlotMasks eligible = eligible_slots(*root, in("default"));
  const auto read = [&](const std::vector<std::string>& words) {
    return read_lexical(*root, in("default"), eligible, asking(words), {.power = 2, .least_share = 0.02});
  };
  const LexicalLeg leg = read({"the", "red", "fox"});
  CHECK(std::abs(leg.largest - (weight(10) + weight(1))) < 1e-9);
  CHECK(score(leg, 0) > score(leg, 1));
  CHECK(score(leg, 1) > 0);
  CHECK_EQUAL(score(leg, 50), 0.0);
  const LexicalLeg alone = read({"the"});  // all there is tells what it tells
  CHECK(std::abs(alone.largest - weight(100)) < 1e-9);
  CHECK(score(alone, 50) > 0);
}

// What may not be read is in no statistic.
TEST(memory_lexical_scores_do_not_depend_on_what_is_not_eligible) {
  const auto alone = std::make_shared<FaultyDisk>();
  const auto beside = std::make_shared<FaultyDisk>();
  const auto small = testing::open_quietly(*alone, storage::Sync::kOff, true);
  const auto large = testing::open_quietly(*beside, storage::Sync::kOff, true);
  for (const auto& store : {small.get(), large.get()}) {
    testing::write(*store, note(1, {"red", "fox"}));
    testing::write(*store, note(2, {"red", "dog", "and", "cat"}));
  }
  testing::write(*large, note(3, {"fox", "fox", "fox"}, "another"));
  testing::write(*large, note(4, {"fox"}));
  CHECK_EQUAL(ask(*large, asking({"fox"})).memories, 3U);  // the lexicon has it from now on
  testing::forget(*large, testing::id_of(4));
  const LexicalLeg expected = ask(*small, asking({"red", "fox"}));
  const LexicalLeg found = ask(*large, asking({"red", "fox"}));
  CHECK_EQUAL(found.memories, expected.memories);
  CHECK_EQUAL(found.largest, expected.largest);
  for (const std::uint32_t slot : {0U, 1U}) CHECK_EQUAL(score(found, slot), score(expected, slot));
  CHECK_EQUAL(score(found, 2), 0.0);
  CHECK_EQUAL(ask(*large, asking({"fox"}), Filter{}).memories, 3U);
}

// Few and many postings, before and after a checkpoint, in a handle that has followed and in a new one.
TEST(memory_lexicon_follows_what_is_written_checkpointed_and_compacted) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = testing::open_quietly(*disk, storage::Sync::kOff, true);
  const auto check = [&](std::size_t holders) {
    const auto fresh = testing::open_quietly(*disk, storage::Sync::kOff, false);
    for (storage::Store* each : {store.get(), fresh.get()}) {
      const LexicalLeg leg = ask(*each, asking({"fox", "never"}));
      CHECK_EQUAL(static_cast<std::size_t>(std::ranges::count_if(leg.scores.values(), [](float v) { return v > 0; })),
                  holders);
    }
  };
  std::uint32_t number = 0;
  std::size_t holders = 0;
  for (int round = 0; round < 4; ++round) {
    for (int added = 0; added < 200; ++added) {
      const bool holds = added % 3 == 0;
      testing::write(*store, note(++number, {holds ? "fox" : "dog", std::to_string(number), "b", "c", "d"}));
      if (holds) ++holders;
    }
    check(holders);
    if (round == 1) store->checkpoint();
    if (round == 2) {
      testing::forget(*store, testing::id_of(1));
      --holders;
      check(holders);
      store->compact();
    }
    check(holders);
  }
}

TEST(memory_lexicon_takes_terms_that_are_none_for_none) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = testing::open_quietly(*disk, storage::Sync::kOff, true);
  Note odd = note(1, {"fox"});
  odd.terms = "seven b";
  testing::write(*store, odd);
  testing::write(*store, note(2, {"fox"}));
  Note twice = note(3, {"fox"});
  twice.terms += twice.terms;
  testing::write(*store, twice);
  const LexicalLeg leg = ask(*store, asking({"fox"}));
  CHECK_EQUAL(leg.memories, 3U);
  CHECK_EQUAL(score(leg, 0), 0.0);
  CHECK(score(leg, 1) > 0);
  CHECK_EQUAL(score(leg, 2), 0.0);
}

// Whoever reads an older state sees none of what came later, and takes none of it from those who read the newer one.
TEST(memory_lexicon_of_an_older_root_shows_that_root) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto store = testing::open_quietly(*disk, storage::Sync::kOff, true);
  testing::write(*store, note(1, {"fox"}));
  const auto older = store->snapshot();
  testing::write(*store, note(2, {"fox"}));
  const auto ask_at = [](const storage::Root& root) {
    return read_lexical(root, in("default"), eligible_slots(root, in("default")), asking({"fox"})).memories;
  };
  CHECK_EQUAL(ask_at(*older), 1U);
  CHECK_EQUAL(ask_at(*store->snapshot()), 2U);
  CHECK_EQUAL(ask_at(*older), 1U);
}

}  // namespace hippocore::memory
