// Recall over a store, with every filter, against scores computed one by one in double precision.
#include <algorithm>
#include <cmath>
#include <random>

#include "harness.h"
#include "memory_fixture.h"

namespace hippocore::memory {
namespace {

using format::kNever;
using testing::id_of;
using testing::MemoryFixture;

constexpr std::int64_t kNow = 2'000'000'000;
constexpr std::int64_t kSecond = 1'000'000;
constexpr std::size_t kWide = 24;  // dimensions

struct Known {
  NewVersion version;
  std::vector<float> vector;
  bool superseded = false;
  bool forgotten = false;
};

storage::OpenOptions wide_options() {
  auto options = testing::options_of();
  options.dimension = kWide;
  return options;
}

const std::vector<std::string> kScopes = {"user:1", "user:12", "user:1/agent:a", "user:1/agent:b", "user", "other"};
const std::vector<std::string> kKinds = {"episode", "fact", "rule"};
const std::vector<std::string> kFacets = {"red", "blue", "key=1"};
const KindHalfLives kHalfLives{{{"episode", 300}, {"fact", 3'000}}, 100'000};

class World {
 public:
  explicit World(std::uint32_t seed) : dice_(seed), store(wide_options()) {
    for (std::uint32_t number = 0; number < 700; ++number) {
      write(number, 1);
      if (number == 400) store->store().checkpoint();
    }
    for (std::uint32_t number = 0; number < 700; number += 9) write(number, 2);
    for (std::uint32_t number = 5; number < 700; number += 31) forget(number);
    store->store().checkpoint();
    for (std::uint32_t number = 3; number < 700; number += 37) write(number, 3);
    for (std::uint32_t number = 8; number < 700; number += 41) forget(number);
  }

  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }
  std::size_t below(std::size_t bound) { return dice_() % bound; }
  // Of memories that are there, were forgotten, or never were; some twice.
  std::vector<Id> some_ids() {
    std::vector<Id> ids(below(200));
    for (Id& id : ids) id = id_of(static_cast<std::uint32_t>(below(720)));
    return ids;
  }
  bool heads() { return below(2) == 0; }
  std::vector<float> vector() {
    std::vector<float> made(kWide);
    for (float& value : made) value = std::normal_distribution<float>()(dice_);
    return made;
  }
  [[nodiscard]] const std::vector<Known>& known() const { return known_; }

 private:
  void write(std::uint32_t number, std::uint32_t which) {
    Known known{testing::version_of(number, pick(kScopes)), below(20) == 0 ? std::vector<float>(kWide) : vector()};
    NewVersion& version = known.version;
    version.version = which;
    version.kind = pick(kKinds);
    version.source = heads() ? "web" : "";
    for (const std::string& facet : kFacets) {
      if (heads()) version.facets.push_back(facet);
    }
    const auto time = static_cast<std::int64_t>(below(1'000)) * kSecond + (which - 1) * 1'000 * kSecond / 2;
    version.created_at = version.valid_from = version.state.last_used = time;
    if (heads()) version.event_time = static_cast<std::int64_t>(below(2'000)) * kSecond;
    version.state.importance = static_cast<double>(below(1'000)) / 999;
    version.state.use_count = heads() ? 0 : static_cast<std::uint32_t>(below(200));
    if (version.state.use_count > 0) version.state.last_used += static_cast<std::int64_t>(below(900)) * kSecond;
    version.state.trust = static_cast<format::Trust>(below(3));
    if (below(4) == 0) version.state.expires_at = static_cast<std::int64_t>(below(4'000)) * kSecond;
    if (below(8) == 0) {
      version.state.flags |= format::kArchived;
      version.state.archived_at = time + static_cast<std::int64_t>(below(1'000)) * kSecond;
    }
    if (below(8) == 0) version.state.flags |= format::kQuarantined;
    store.write(version, known.vector);
    for (Known& before : known_) {
      if (before.version.id != version.id || before.superseded) continue;
      before.superseded = true;
      before.version.state.valid_until = version.valid_from;
    }
    known_.push_back(std::move(known));
  }
  void forget(std::uint32_t number) {
    const Id id = id_of(number);
    store->write({}, {}, {}, std::span(&id, 1));
    for (Known& known : known_) known.forgotten = known.forgotten || known.version.id == id;
  }

  std::mt19937 dice_;
  std::vector<Known> known_;

 public:
  MemoryFixture store;
};

bool lies_in(const std::string& scope, const std::string& wanted, bool subtree) {
  return scope == wanted || (subtree && scope.starts_with(wanted + "/"));
}

bool has(const NewVersion& version, const std::string& facet) {
  return std::find(version.facets.begin(), version.facets.end(), facet) != version.facets.end();
}

bool passes_conditions(const Known& known, const Filter& filter) {
  const NewVersion& version = known.version;
  if (static_cast<std::uint8_t>(version.state.trust) < filter.min_trust) return false;
  const auto any = [](const auto& wanted, auto&& fits) { return std::any_of(wanted.begin(), wanted.end(), fits); };
  if (filter.scopes &&
      !any(*filter.scopes, [&](const auto& scope) { return lies_in(version.scope, scope, filter.subtree); }))
    return false;
  if (filter.kinds && !any(*filter.kinds, [&](const auto& kind) { return kind == version.kind; })) return false;
  if (filter.source && *filter.source != version.source) return false;
  if (filter.any_facets && !any(*filter.any_facets, [&](const auto& facet) { return has(version, facet); }))
    return false;
  for (const std::string& facet : filter.all_facets) {
    if (!has(version, facet)) return false;
  }
  if (filter.any_links && !any(*filter.any_links, [&](const auto& facet) { return has(version, facet); })) return false;
  if (filter.ids && !any(*filter.ids, [&](const auto& id) { return id == version.id; })) return false;
  const std::int64_t happened = version.event_time == format::kUnset ? version.created_at : version.event_time;
  return (!filter.since || happened >= *filter.since) && (!filter.until || happened < *filter.until);
}

bool passes(const Known& known, const Filter& filter) {
  const NewVersion& version = known.version;
  const format::State& state = version.state;
  if (known.forgotten) return false;
  if (filter.ended_by) {
    return known.superseded && state.valid_until <= *filter.ended_by && passes_conditions(known, filter);
  }
  if (filter.as_of) {
    if (*filter.as_of < version.valid_from || *filter.as_of >= state.valid_until) return false;
  } else if (known.superseded) {
    return false;
  }
  const bool by_then = !filter.as_of || state.archived_at <= *filter.as_of;
  const bool aside = (state.flags & format::kArchived) != 0 && by_then;
  if (aside != filter.archived) return false;
  if (((state.flags & format::kQuarantined) != 0) != filter.quarantined) return false;
  if (!filter.expired && state.expires_at <= filter.as_of.value_or(filter.now)) return false;
  return passes_conditions(known, filter);
}

double cosine(std::span<const float> left, std::span<const float> right) {
  double product = 0;
  double squares[2] = {0, 0};
  for (std::size_t at = 0; at < left.size(); ++at) {
    product += static_cast<double>(left[at]) * right[at];
    squares[0] += static_cast<double>(left[at]) * left[at];
    squares[1] += static_cast<double>(right[at]) * right[at];
  }
  return squares[0] == 0 || squares[1] == 0 ? 0 : product / std::sqrt(squares[0]) / std::sqrt(squares[1]);
}

double half_life(const std::string& kind) {
  for (const auto& [name, seconds] : kHalfLives.named) {
    if (name == kind) return seconds;
  }
  return kHalfLives.other;
}

double score(const Known& known, const RecallRequest& request) {
  const NewVersion& version = known.version;
  const Filter& filter = request.filter;
  const std::int64_t moment = filter.as_of.value_or(filter.now);
  std::uint32_t uses = version.state.use_count;
  std::int64_t used = version.state.last_used;
  if (filter.as_of && uses > 0 && used > moment) {
    --uses;
    used = version.created_at;
  }
  const std::int64_t event = version.event_time == format::kUnset ? version.created_at : version.event_time;
  const std::int64_t time = request.recency_of == RecencyOf::kLastUsed  ? used
                            : request.recency_of == RecencyOf::kCreated ? version.created_at
                                                                        : event;
  const double age = std::max(0.0, static_cast<double>(moment - time) / 1e6);
  const double relevance = request.vector.empty() ? 0 : std::max(0.0, cosine(request.vector, known.vector));
  const ranking::Weights& weights = request.weights;
  return weights.relevance * relevance + weights.recency * std::exp2(-age / half_life(version.kind)) +
         weights.importance * version.state.importance +
         weights.usage * std::min(1.0, std::log1p(uses) / std::log1p(weights.usage_saturation));
}

Filter random_filter(World& world) {
  Filter filter;
  filter.now = kNow;
  const auto sometimes = [&] { return world.below(3) == 0; };
  if (world.heads()) filter.scopes = {world.pick(kScopes)};
  if (filter.scopes && sometimes()) filter.scopes->push_back(world.pick(kScopes));
  filter.subtree = world.heads();
  if (sometimes()) filter.kinds = {world.pick(kKinds), "unknown"};
  if (sometimes()) filter.source = "web";
  if (sometimes()) filter.any_facets = {world.pick(kFacets), world.pick(kFacets)};
  if (sometimes()) filter.all_facets = {world.pick(kFacets), world.pick(kFacets)};
  if (world.below(4) == 0) filter.any_links = {world.pick(kFacets), "unknown"};
  if (world.below(4) == 0) filter.ids = world.some_ids();
  if (sometimes()) filter.since = static_cast<std::int64_t>(world.below(500)) * kSecond;
  if (sometimes()) filter.until = static_cast<std::int64_t>(500 + world.below(1'500)) * kSecond;
  if (sometimes()) filter.as_of = static_cast<std::int64_t>(world.below(2'500)) * kSecond;
  if (!filter.as_of && world.below(5) == 0) filter.ended_by = static_cast<std::int64_t>(world.below(2'000)) * kSecond;
  if (sometimes()) filter.min_trust = static_cast<std::uint8_t>(world.below(3));
  filter.archived = world.below(6) == 0;
  filter.quarantined = world.below(6) == 0;
  filter.expired = world.below(6) == 0;
  return filter;
}

struct Expected {
  double score;
  std::int64_t valid_from;
  Id id;
  std::uint32_t version;
};

std::vector<Expected> rank_all(const World& world, const RecallRequest& request) {
  std::vector<Expected> ranked;
  for (const Known& known : world.known()) {
    if (!passes(known, request.filter)) continue;
    const double similarity = request.vector.empty() ? 0 : std::max(0.0, cosine(request.vector, known.vector));
    if (similarity < request.min_relevance) continue;
    ranked.push_back({score(known, request), known.version.valid_from, known.version.id, known.version.version});
  }
  std::sort(ranked.begin(), ranked.end(), [](const Expected& left, const Expected& right) {
    if (left.score != right.score) return left.score > right.score;
    if (left.valid_from != right.valid_from) return left.valid_from > right.valid_from;
    return left.id < right.id;
  });
  return ranked;
}

void check_recall(World& world, const RecallRequest& request) {
  const auto expected = rank_all(world, request);
  const RecallAnswer answer = world.store->recall(request);
  CHECK_EQUAL(answer.rows.size(), std::min(request.limit, expected.size()));
  for (std::size_t rank = 0; rank < answer.rows.size(); ++rank) {
    CHECK(std::abs(answer.hits[rank].score - expected[rank].score) < 1e-9);
    const bool tied = (rank > 0 && expected[rank - 1].score - expected[rank].score < 1e-9) ||
                      (rank + 1 < expected.size() && expected[rank].score - expected[rank + 1].score < 1e-9);
    if (tied) continue;
    CHECK(answer.rows[rank].id == expected[rank].id);
    CHECK_EQUAL(answer.rows[rank].version, expected[rank].version);
  }
}

}  // namespace

TEST(memory_recall_with_any_filter_is_the_true_top_of_all_that_pass) {
  World world(1);
  const std::vector<RecencyOf> ways = {RecencyOf::kLastUsed, RecencyOf::kCreated, RecencyOf::kEvent};
  for (int round = 0; round < 400; ++round) {
    const std::vector<float> query = world.vector();
    RecallRequest request;
    if (world.below(8) != 0) request.vector = query;
    request.filter = random_filter(world);
    request.half_lives = kHalfLives;
    request.recency_of = world.pick(ways);
    request.limit = 1 + world.below(60);
    if (world.below(4) == 0) request.min_relevance = static_cast<double>(world.below(50)) / 100;
    check_recall(world, request);
  }
}

TEST(memory_recall_selects_and_counts_what_passes_the_same_filter) {
  World world(2);
  for (int round = 0; round < 200; ++round) {
    const Filter filter = random_filter(world);
    std::vector<Id> expected;
    for (const Known& known : world.known()) {
      if (passes(known, filter)) expected.push_back(known.version.id);
    }
    CHECK_EQUAL(world.store->count(filter), expected.size());
    auto found = world.store->select_ids(filter);
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    CHECK(found == expected);
  }
}

// Row 18 of the field cases, in small: the index and the columns must agree.
TEST(memory_recall_of_a_small_scope_among_many_is_full) {
  MemoryFixture store;
  for (std::uint32_t number = 0; number < 3'000; ++number) {
    store.write(testing::version_of(number, number % 60 == 0 ? "small" : "large"), number);
    if (number == 2'000) store->store().checkpoint();
  }
  RecallRequest request;
  const std::vector<float> query = testing::vector_of(77);
  request.vector = query;
  request.filter.now = kNow;
  request.half_lives.other = 1'000;
  for (const char* scope : {"small", "large"}) {
    request.filter.scopes = {scope};
    request.limit = 40;
    CHECK_EQUAL(store->recall(request).rows.size(), 40U);
    for (const Row& row : store->recall(request).rows) CHECK_EQUAL(row.scope, scope);
  }
  request.filter.scopes = std::vector<std::string>{};
  CHECK(store->recall(request).rows.empty());
  request.filter.scopes = {"nobody"};
  CHECK(store->recall(request).rows.empty());
}

TEST(memory_recall_of_another_dimension_is_refused) {
  MemoryFixture store;
  store.write(testing::version_of(1), 1);
  RecallRequest request;
  const std::vector<float> query(9);
  request.vector = query;
  CHECK_THROWS(ErrorCode::kDimensionMismatch, store->recall(request));
}

TEST(memory_recall_limit_of_none_and_of_more_than_there_are) {
  MemoryFixture store;
  for (std::uint32_t number = 0; number < 5; ++number) store.write(testing::version_of(number), number);
  RecallRequest request;
  request.half_lives.other = 1'000;
  request.limit = 0;
  CHECK(store->recall(request).rows.empty());
  request.limit = 1'000;
  CHECK_EQUAL(store->recall(request).rows.size(), 5U);
}

}  // namespace hippocore::memory
