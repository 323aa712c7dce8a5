#include "reading.h"

#include <cmath>
#include <functional>
#include <sstream>
#include <utility>

#include "expect.h"

namespace hippocore::fuzz {

using memory::Filter;
using memory::Memory;
using memory::Row;

namespace {

constexpr std::int64_t kNow = 2'000'000;
constexpr std::size_t kLargestQuery = 4096;

bool is_measure(double value) {
  return std::isfinite(value) && value >= 0;
}

void write_lasting(const Row& row, std::ostream& out) {
  out << to_hex(row.id) << ' ' << row.version << ' ' << row.scope << ' ' << row.kind << ' ' << row.source << ' '
      << row.content << ' ' << row.extra << ' ' << row.created_at << ' ' << row.valid_from << ' ' << row.event_time
      << ' ' << row.tokens << ' ';
}

void write_row(const Row& row, std::ostream& out) {
  const format::State& state = row.state;
  expect(state.importance >= 0 && state.importance <= 1, "an importance is in 0..1");
  expect(is_measure(state.confidence) && is_measure(state.stability), "confidence and stability are finite");
  expect(state.trust <= format::Trust::kTrusted, "a trust has a name");
  expect(!row.scope.empty() && !row.kind.empty(), "a memory has a scope and a kind");
  write_lasting(row, out);
  out << state.importance << ' ' << state.confidence << ' ' << state.stability << ' ' << state.use_count << ' '
      << int{state.flags} << ' ' << static_cast<int>(state.trust) << ' ' << state.last_used << ' ' << state.expires_at
      << ' ' << state.valid_until << ' ' << state.archived_at << '\n';
}

void write_rows(const std::vector<Row>& rows, std::ostream& out) {
  for (const Row& row : rows) write_row(row, out);
}

void write_recall(const memory::RecallAnswer& answer, std::ostream& out) {
  for (const ranking::Hit& hit : answer.hits) {
    expect(std::isfinite(hit.score), "a score is finite");
    expect(hit.similarity >= -1 && hit.similarity <= 1, "a similarity is in -1..1");
    out << hit.score << ' ';
  }
  write_rows(answer.rows, out);
}

// Filters that go through the index, through the columns, and through both.
std::vector<Filter> filters() {
  std::vector<Filter> all(7);
  for (Filter& filter : all) filter.now = kNow;
  all[1].scopes = {"a", "a/b"};
  all[1].subtree = true;
  all[2].any_facets = {"tag", "other"};
  all[2].any_links = {"tag"};
  all[2].kinds = {"fact", "episode"};
  all[3].as_of = 1'000'005;
  all[3].all_facets = {"tag"};
  all[4].archived = true;
  all[4].expired = true;
  all[5].superseded = true;
  all[5].source = "source";
  all[5].min_trust = 1;
  all[6].quarantined = true;
  all[6].since = 1;
  return all;
}

class Reader {
 public:
  explicit Reader(Memory& memory) : memory_(memory) {}

  Reading run() {
    reading_.readable = true;
    ask([&](std::ostream& out) { read_versions(out); });
    reading_.versions = reading_.readable ? reading_.answers : "";
    ask([&](std::ostream& out) { verify(out); });
    ask([&](std::ostream& out) {
      const memory::Statistics seen = memory_.statistics();
      out << seen.memories << ' ' << seen.versions << ' ' << seen.forgotten << ' ' << seen.scopes << '\n';
    });
    ask([&](std::ostream& out) {
      for (const auto& [scope, count] : memory_.scopes(kNow)) out << scope << ' ' << count << '\n';
    });
    for (const Filter& filter : filters()) read_with(filter);
    for (const std::size_t now_or_then : {0, 3}) {
      Filter of_ids = filters()[now_or_then];
      of_ids.ids = ids_;
      read_with(of_ids);
    }
    for (const Id& id : ids_) read_id(id);
    expect(!reading_.intact || reading_.readable, "what verify finds intact can be read");
    return std::move(reading_);
  }

 private:
  void ask(const std::function<void(std::ostream&)>& verb) {
    std::ostringstream out;
    try {
      verb(out);
    } catch (const Error& error) {
      out.str("");
      out << "error " << static_cast<int>(error.code()) << ' ' << error.what() << '\n';
      // A page after an id that is gone meanwhile, or a vector that is not asked for: these are answers.
      if (error.code() != ErrorCode::kMemoryNotFound) reading_.readable = false;
    }
    reading_.answers += out.str();
  }

  void read_versions(std::ostream& out) {
    std::ostringstream lasting;
    std::uint32_t next = 0;
    do {
      const Memory::Versions page = memory_.versions(next, 100, true);
      write_rows(page.rows, out);
      for (const float value : page.vectors) {
        expect(std::isfinite(value), "a vector is finite");
        out << value << ' ';
      }
      for (const Row& row : page.rows) {
        ids_.push_back(row.id);
        write_lasting(row, lasting);
      }
      next = page.next;
    } while (next != 0);
    if (ids_.size() > kMostIds) ids_.resize(kMostIds);
    reading_.lasting = lasting.str();
  }

  void verify(std::ostream& out) {
    const memory::Verification found = memory_.verify(nullptr);
    for (const memory::Damage& damage : found.damages) out << damage.what << '\n';
    reading_.intact = found.damages.empty();
  }

  void read_with(const Filter& filter) {
    ask([&](std::ostream& out) { out << memory_.count(filter) << '\n'; });
    ask([&](std::ostream& out) { write_rows(memory_.select(filter, {}), out); });
    ask([&](std::ostream& out) {
      for (const Id& id : memory_.select_ids(filter)) out << to_hex(id) << ' ';
    });
    const std::size_t dimension = memory_.identity()->dimension;
    if (dimension > kLargestQuery) return;
    const std::vector<float> query(dimension, 0.5F);
    for (const std::size_t limit : {std::size_t{2}, std::size_t{100}}) {
      memory::RecallRequest request;
      request.vector = query;
      request.filter = filter;
      request.half_lives.other = 1000;
      request.limit = limit;
      ask([&](std::ostream& out) { write_recall(memory_.recall(request), out); });
    }
  }

  void read_id(const Id& id) {
    ask([&](std::ostream& out) { write_rows(memory_.get({&id, 1}), out); });
    ask([&](std::ostream& out) { write_rows(memory_.history(id), out); });
    ask([&](std::ostream& out) { out << memory_.get_vectors({&id, 1}).size() << '\n'; });
    ask([&](std::ostream& out) { out << memory_.contains(id) << '\n'; });
    ask([&](std::ostream& out) { write_rows(memory_.select(filters()[0], {true, id, 3}), out); });
  }

  static constexpr std::size_t kMostIds = 4;
  Memory& memory_;
  Reading reading_;
  std::vector<Id> ids_;
};

}  // namespace

Reading read_everything(Memory& memory) {
  return Reader(memory).run();
}

}  // namespace hippocore::fuzz
