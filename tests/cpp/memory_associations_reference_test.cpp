// Hybrid recall's second stage against a plain reference: every eligible memory is scored, the best are the pool, and
// each looks for its lenders by walking all of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <random>

#include "harness.h"
#include "memory/eligible.h"
#include "memory/query_relevance.h"
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

// A version, by the order in which it was written: its slot.
struct Known {
  NewVersion version;
  std::vector<float> vector;
};

const std::vector<std::string> kWords = {"red", "fox", "dog", "tea", "old", "sea", "map", "ink"};

class World {
 public:
  explicit World(std::uint32_t seed) : dice_(seed) {
    for (std::uint32_t number = 0; number < 600; ++number) {
      write(number, 1);
      if (number == 300) store->store().checkpoint();
    }
    for (std::uint32_t number = 0; number < 600; number += 11) write(number, 2);
    for (std::uint32_t number = 4; number < 600; number += 29) {
      const Id id = testing::id_of(number);
      store->write({}, {}, {}, std::span(&id, 1));
    }
  }

  std::size_t below(std::size_t bound) { return dice_() % bound; }
  std::vector<std::string> words(std::size_t most) {
    std::vector<std::string> said;
    for (auto left = below(most + 1); left > 0; --left) said.push_back(kWords[below(1 + below(kWords.size()))]);
    return said;
  }
  std::vector<float> vector() { return testing::vector_of(static_cast<std::uint32_t>(below(100'000))); }
  [[nodiscard]] const std::vector<Known>& known() const { return known_; }

 private:
  void write(std::uint32_t number, std::uint32_t which) {
    Known known{testing::version_of(number, below(3) == 0 ? "other" : "default"), vector()};
    NewVersion& version = known.version;
    version.version = which;
    version.kind = below(3) == 0 ? "fact" : "episode";
    if (below(3) != 0) version.source = "session " + std::to_string(number / 40 + below(2));
    version.created_at = version.valid_from = version.state.last_used = which * number * 10 * kMinute;
    if (below(2) == 0) version.event_time = version.created_at + static_cast<std::int64_t>(below(20)) * kMinute;
    version.state.importance = static_cast<double>(below(1'000)) / 999;
    if (below(9) == 0) version.state.flags |= format::kQuarantined;
    std::vector<std::string> said = words(30);
    if (below(3) == 0) said.push_back(below(2) == 0 ? "ada:" : "bob:");
    version.terms = terms_of(said);
    store.write(version, known.vector);
    known_.push_back(std::move(known));
  }

  std::mt19937 dice_;
  std::vector<Known> known_;

 public:
  MemoryFixture store;
};

struct Scored {
  std::uint32_t slot = 0;
  ranking::Parts parts;
  double lent = 0;
  double score = 0;
};

std::int64_t time_of(const NewVersion& version) {
  return version.event_time == format::kUnset ? version.created_at : version.event_time;
}

// What one recall must return.
class Reference {
 public:
  Reference(World& world, const RecallRequest& request) : world_(world), request_(request) {
    const auto root = world.store->store().snapshot();
    const SlotMasks eligible = eligible_slots(*root, request.filter);
    const ScanColumns columns(*root, eligible, request.filter, request.recency_of);
    const LexicalLeg leg = read_lexical(*root, request.filter, eligible, request.lexical, {2, 0.01});
    similarity_ = ranking::similarity_spread(columns.chunks(), request.vector);
    if (!leg.scores.values().empty()) lexical_ = ranking::lexical_spread(leg.scores, leg.memories, leg.largest);
    for (const std::uint32_t slot : list_slots(eligible)) all_.push_back(score(leg, slot));
    std::ranges::sort(all_, {}, &Scored::slot);
    length_ = [root](std::uint32_t slot) {
      const std::string_view terms = root->read_payload(slot).terms;
      double length = 0;
      for (std::size_t at = 0; at < format::term_count(terms); ++at) length += format::term_at(terms, at).count;
      return length;
    };
    make_pool();
  }

  std::vector<Scored> answer() {
    std::vector<Scored> found;
    for (Scored one : all_) {
      if (!is_candidate(one)) continue;
      one.lent = lent_to(one);
      const double y = (sum(one) - 4) / 4;
      const double relevance = 0.5 + y / (2 + 2 * std::abs(y));
      best_ = std::max(best_, sum(one));
      one.score = fused(one.slot, relevance);
      if (relevance >= request_.min_relevance) found.push_back(one);
    }
    sort(found);
    found.resize(std::min(found.size(), request_.limit));
    return found;
  }
  [[nodiscard]] double confidence() const {
    if (all_.empty()) return 0;
    const double size = std::log(static_cast<double>(all_.size()));
    return 1 / (1 + std::exp(-(best_ - (2 + 0.69 * size)) / (0.45 + 0.12 * size)));
  }

 private:
  static double half(const std::optional<ranking::Spread>& leg, double value) {
    return leg ? 0.5 * (value - leg->mean) / leg->deviation : 0;
  }
  static double sum(const Scored& one) {
    return one.parts.meaning + one.parts.words + one.parts.label + one.parts.date + one.lent;
  }
  [[nodiscard]] const NewVersion& version(std::uint32_t slot) const { return world_.known()[slot].version; }

  [[nodiscard]] double fused(std::uint32_t slot, double relevance) const {
    const NewVersion& of = version(slot);
    const double age = std::max(0.0, static_cast<double>(request_.filter.moment() - of.state.last_used) / 1e6);
    return 0.5 * relevance + 0.25 * std::exp2(-age / request_.half_lives.other) + 0.15 * of.state.importance;
  }

  Scored score(const LexicalLeg& leg, std::uint32_t slot) {
    Scored one{slot, {}, 0, 0};
    const std::vector<float>& vector = world_.known()[slot].vector;
    double product = 0, own = 0, asked = 0;
    for (std::size_t at = 0; at < vector.size(); ++at) {
      product += static_cast<double>(vector[at]) * static_cast<double>(request_.vector[at]);
      own += static_cast<double>(vector[at]) * static_cast<double>(vector[at]);
      asked += static_cast<double>(request_.vector[at]) * static_cast<double>(request_.vector[at]);
    }
    one.parts.meaning = half(similarity_, product / std::sqrt(own * asked));
    one.parts.words = half(lexical_, static_cast<double>(leg.scores.of(slot)));
    if (std::ranges::find(leg.labelled, slot) != leg.labelled.end()) one.parts.label = 1;
    if (request_.lexical.period) {
      const auto& [from, to] = *request_.lexical.period;
      const auto outside =
          static_cast<double>(std::max({std::int64_t{0}, from - time_of(version(slot)), time_of(version(slot)) - to}));
      one.parts.date = 2 * std::pow(0.5, outside / static_cast<double>(7 * kDay));
    }
    one.score = fused(slot, own_relevance(one));
    return one;
  }
  static double own_relevance(const Scored& one) {
    const double y = (one.parts.meaning + one.parts.words + one.parts.label + one.parts.date - 4) / 4;
    return 0.5 + y / (2 + 2 * std::abs(y));
  }

  void sort(std::vector<Scored>& scored) const {
    std::ranges::sort(scored, [this](const Scored& left, const Scored& right) {
      if (left.score != right.score) return left.score > right.score;
      if (version(left.slot).valid_from != version(right.slot).valid_from)
        return version(left.slot).valid_from > version(right.slot).valid_from;
      return version(left.slot).id < version(right.slot).id;
    });
  }

  void make_pool() {
    pool_ = all_;
    sort(pool_);
    for (const Scored& one : pool_) {
      if (others_.size() < request_.limit && own_relevance(one) >= request_.min_relevance) others_.push_back(one.slot);
    }
    pool_.resize(std::min<std::size_t>(pool_.size(), 50));
  }

  [[nodiscard]] bool is_one_series(std::uint32_t slot, std::uint32_t other) const {
    const NewVersion& left = version(slot);
    const NewVersion& right = version(other);
    if (left.scope != right.scope || left.source != right.source) return false;
    return !left.source.empty() || (left.kind == "episode" && right.kind == "episode");
  }
  // Returns: the terms between the middles, nothing for those that are no neighbours.
  [[nodiscard]] std::optional<double> distance(std::uint32_t slot, std::uint32_t other) const {
    if (slot == other || !is_one_series(slot, other)) return std::nullopt;
    const std::int64_t apart = std::abs(time_of(version(slot)) - time_of(version(other)));
    if (version(slot).source.empty() && apart > 30 * kMinute) return std::nullopt;
    double terms = length_(slot) / 2 + length_(other) / 2;
    int steps = 1;
    for (const Scored& one : all_) {
      if (one.slot <= std::min(slot, other) || one.slot >= std::max(slot, other)) continue;
      if (!is_one_series(slot, one.slot)) continue;
      terms += length_(one.slot);
      ++steps;
    }
    return steps <= 3 ? std::optional(terms) : std::nullopt;
  }
  [[nodiscard]] bool is_candidate(const Scored& one) const {
    return std::ranges::find(others_, one.slot) != others_.end() || is_associated(one);
  }
  [[nodiscard]] bool is_associated(const Scored& one) const {
    return std::ranges::any_of(
        pool_, [&](const Scored& lender) { return lender.slot == one.slot || distance(lender.slot, one.slot); });
  }
  [[nodiscard]] double lent_to(const Scored& one) const {
    if (!is_associated(one)) return 0;
    double lent = 0;
    double most = 0;
    for (const Scored& lender : pool_) {
      const double lend = std::max(0.0, lender.parts.meaning + lender.parts.words);
      if (const auto terms = distance(lender.slot, one.slot)) lent += 0.4 / (1 + *terms / 50) * lend;
      const bool same = version(lender.slot).scope == version(one.slot).scope && !version(one.slot).source.empty() &&
                        version(lender.slot).source == version(one.slot).source;
      if (same) most = std::max(most, lend);
    }
    return lent + 0.3 * most;
  }

  World& world_;
  const RecallRequest& request_;
  std::optional<ranking::Spread> similarity_;
  std::optional<ranking::Spread> lexical_;
  std::function<double(std::uint32_t)> length_;
  std::vector<Scored> all_;  // by slot
  std::vector<Scored> pool_;
  std::vector<std::uint32_t> others_;
  double best_ = -std::numeric_limits<double>::infinity();
};

RecallRequest hybrid(std::span<const float> vector, const LexicalQuery& asked) {
  RecallRequest request;
  request.mode = Mode::kHybrid;
  request.vector = vector;
  request.lexical = asked;
  request.filter.now = kNow;
  request.half_lives.other = 1e7;
  return request;
}

RecallRequest random_request(World& world, std::span<const float> vector) {
  std::vector<std::string> said = world.words(6);
  if (world.below(2) == 0) said.push_back("ada:");
  RecallRequest request = hybrid(vector, asking(said));
  std::ranges::sort(request.lexical.terms);
  const auto twice = std::ranges::unique(request.lexical.terms);
  request.lexical.terms.erase(twice.begin(), twice.end());
  if (world.below(2) == 0) request.filter.scopes = {"default"};
  if (world.below(4) == 0) request.filter.kinds = {"episode"};
  if (world.below(4) == 0) request.filter.as_of = static_cast<std::int64_t>(world.below(6'000)) * kMinute;
  if (world.below(3) == 0) request.lexical.period = ranking::Period{.from = 1'000 * kMinute, .to = 3'000 * kMinute};
  if (world.below(3) == 0) request.min_relevance = 0.2 + static_cast<double>(world.below(3)) / 10;
  request.limit = std::array{0, 1, 10, 60, 150, 1'000}[world.below(6)];
  return request;
}

void check(const RecallAnswer& answer, const std::vector<Scored>& expected) {
  CHECK_EQUAL(answer.hits.size(), expected.size());
  for (std::size_t rank = 0; rank < expected.size(); ++rank) {
    CHECK_EQUAL(answer.rows[rank].slot, expected[rank].slot);
    CHECK(std::abs(answer.hits[rank].score - expected[rank].score) < 1e-9);
  }
}

}  // namespace

TEST(memory_associations_are_those_of_the_plain_reference) {
  World world(11);
  for (int round = 0; round < 40; ++round) {
    const std::vector<float> vector = world.vector();
    const RecallRequest request = random_request(world, vector);
    Reference reference(world, request);
    const std::vector<Scored> expected = reference.answer();
    const RecallAnswer answer = world.store->recall(request);
    check(answer, expected);
    if (request.limit > 0) CHECK(std::abs(*answer.confidence - reference.confidence()) < 1e-9);
  }
}

TEST(memory_associations_are_the_same_whatever_the_limit) {
  World world(13);
  for (int round = 0; round < 20; ++round) {
    const std::vector<float> vector = world.vector();
    RecallRequest request = random_request(world, vector);
    request.limit = 1'000;
    const RecallAnswer all = world.store->recall(request);
    for (const std::size_t limit : {1U, 10U, 99U, 150U}) {
      request.limit = limit;
      const RecallAnswer first = world.store->recall(request);
      CHECK_EQUAL(first.hits.size(), std::min(limit, all.hits.size()));
      CHECK(std::ranges::equal(first.hits, std::span(all.hits).first(first.hits.size())));
    }
  }
}

TEST(memory_associations_of_many_queries_are_those_of_each) {
  World world(12);
  std::vector<std::vector<float>> vectors;
  std::vector<LexicalQuery> asked;
  for (int number = 0; number < 9; ++number) {
    vectors.push_back(world.vector());
    asked.push_back(random_request(world, vectors.back()).lexical);
  }
  const std::vector<std::span<const float>> views(vectors.begin(), vectors.end());
  for (const double least : {0.0, 0.4}) {
    RecallRequest request = hybrid({}, {});
    request.min_relevance = least;
    const std::vector<RecallAnswer> answers = world.store->recall_many(request, views, asked);
    CHECK_EQUAL(answers.size(), vectors.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      request.vector = vectors[i];
      request.lexical = asked[i];
      const RecallAnswer alone = world.store->recall(request);
      CHECK(answers[i].hits == alone.hits);
      CHECK(answers[i].confidence == alone.confidence);
    }
    CHECK(world.store->recall_many(request, {}, {}).empty());
  }
}

}  // namespace hippocore::memory
