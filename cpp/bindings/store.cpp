// The Store class of the native module.
#include <pybind11/stl.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "bindings/register.h"
#include "bindings/values.h"
#include "os/native_file.h"
#include "storage/load.h"

namespace py = pybind11;

namespace hippocore::bindings {

namespace {

using memory::Memory;
using Free = py::gil_scoped_release;

constexpr double kLongestWait = 1e9;  // seconds; the store waits for less

storage::Sync to_sync(const std::string& name) {
  if (name == "full") return storage::Sync::kFull;
  if (name == "normal") return storage::Sync::kNormal;
  if (name == "off") return storage::Sync::kOff;
  throw py::value_error("sync is \"full\", \"normal\" or \"off\"");
}

memory::Mode to_mode(const std::string& name) {
  if (name == "dense") return memory::Mode::kDense;
  if (name == "lexical") return memory::Mode::kLexical;
  if (name == "hybrid") return memory::Mode::kHybrid;
  throw py::value_error("mode is \"dense\", \"lexical\" or \"hybrid\"");
}

std::unique_ptr<Memory> open(const std::string& path, bool create, std::uint32_t dim, const std::string& embedder,
                             const std::string& tokenizer, const std::string& sync, bool read_only, double busy_timeout,
                             std::size_t threads, std::uint64_t checkpoint_bytes) {
  storage::OpenOptions options;
  options.create = create;
  options.dimension = dim;
  options.embedder = embedder;
  options.tokenizer = tokenizer;
  options.sync = to_sync(sync);
  options.read_only = read_only;
  if (!(busy_timeout >= 0)) throw py::value_error("busy_timeout is 0 or more seconds");
  options.busy_timeout =
      std::chrono::milliseconds(static_cast<std::int64_t>(std::min(busy_timeout, kLongestWait) * 1000));
  options.checkpoint_bytes = checkpoint_bytes;
  if (threads == 0) throw py::value_error("threads is 1 or more");
  return without_gil([&] {
    auto directory = os::open_directory(path, create && !read_only ? os::Create::kIfMissing : os::Create::kNo);
    return std::make_unique<Memory>(storage::Store::open(std::move(directory), options), threads);
  });
}

py::str name_of_embedder(const format::Header& header) {
  return from_text(header.embedder, [] { return "the embedder's name in the store's header"; });
}

py::str name_of_tokenizer(const format::Header& header) {
  return from_text(header.tokenizer, [] { return "the tokenizer's name in the store's header"; });
}

std::optional<std::tuple<std::uint32_t, py::str, py::str>> peek(const std::string& path) {
  const auto header = without_gil([&]() -> std::optional<format::Header> {
    try {
      return storage::read_header(*os::open_directory(path, os::Create::kNo));
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kStoreNotFound) return std::nullopt;
      throw;
    }
  });
  if (!header) return std::nullopt;
  return std::tuple(header->dimension, name_of_embedder(*header), name_of_tokenizer(*header));
}

void write(Memory& memory, const py::sequence& versions, const std::optional<FloatArray>& vectors,
           const py::sequence& changes, const py::sequence& forgets, const py::sequence& ended) {
  const auto new_versions = to_versions(versions);
  const auto new_states = to_changes(changes);
  const auto ids = to_ids(forgets);
  const auto old = to_ended(ended);
  without_gil([&] { memory.write(new_versions, to_span(vectors), new_states, ids, old); });
}

std::optional<py::bytes> find_duplicate(Memory& memory, const std::string& scope, const std::string& kind,
                                        std::uint64_t text_key, std::uint64_t merge_key, const FloatArray& vector,
                                        double threshold, std::uint8_t trust, std::int64_t now) {
  const memory::DuplicateQuery query{
      scope, kind, text_key, merge_key, to_span(vector), threshold, static_cast<format::Trust>(trust), now};
  const auto id = without_gil([&] { return memory.find_duplicate(query); });
  return id ? std::optional(from_id(*id)) : std::nullopt;
}

Rows plain(std::vector<memory::Row> rows) {
  Rows plain;
  plain.rows = std::move(rows);
  return plain;
}

Rows get(Memory& memory, const py::sequence& ids) {
  const auto wanted = to_ids(ids);
  return plain(without_gil([&] { return memory.get(wanted); }));
}

py::array get_vectors(Memory& memory, const py::sequence& ids) {
  const auto wanted = to_ids(ids);
  std::size_t dimension = 0;
  const auto vectors = without_gil([&] {
    dimension = memory.identity()->dimension;
    return memory.get_vectors(wanted);
  });
  return from_vectors(vectors, dimension);
}

py::list extras(Memory& memory, const py::sequence& ids) {
  const auto wanted = to_ids(ids);
  py::list values;
  for (const auto& extra : without_gil([&] { return memory.extras(wanted); })) {
    extra ? values.append(py::bytes(*extra)) : values.append(py::none());
  }
  return values;
}

Rows select(Memory& memory, const memory::Filter& filter, bool newest_first, const std::optional<py::bytes>& after,
            std::int64_t limit) {
  memory::Page page;
  page.newest_first = newest_first;
  if (after) page.after = to_id(*after);
  if (limit >= 0) page.limit = static_cast<std::size_t>(limit);
  return plain(without_gil([&] { return memory.select(filter, page); }));
}

std::vector<py::bytes> select_ids(Memory& memory, const memory::Filter& filter) {
  const auto ids = without_gil([&] { return memory.select_ids(filter); });
  std::vector<py::bytes> values;
  for (const Id& id : ids) values.push_back(from_id(id));
  return values;
}

std::pair<Rows, std::uint32_t> versions(Memory& memory, std::uint32_t first_slot, std::size_t limit, bool vectors) {
  Rows rows;
  memory::Memory::Versions page;
  without_gil([&] {
    rows.dimension = memory.identity()->dimension;
    page = memory.versions(first_slot, limit, vectors);
  });
  rows.rows = std::move(page.rows);
  rows.vectors = std::move(page.vectors);
  return {std::move(rows), page.next};
}

Hits to_hits(memory::RecallAnswer answer) {
  Hits hits;
  hits.rows = std::move(answer.rows);
  hits.hits = std::move(answer.hits);
  hits.counts = answer.counts;
  hits.confidence = answer.confidence;
  return hits;
}

// Hashes of a query's terms and of the labels it may name.
using Terms = std::pair<std::vector<std::uint64_t>, std::vector<std::uint64_t>>;
// (from, to) in microseconds.
using PeriodValues = std::optional<std::pair<std::int64_t, std::int64_t>>;

memory::LexicalQuery to_lexical(const Terms& terms, const ranking::Bm25& bm25) {
  return {terms.first, terms.second, bm25, {}};
}

std::optional<ranking::Period> to_period(const PeriodValues& period) {
  if (!period) return std::nullopt;
  return ranking::Period{period->first, period->second};
}

memory::RecallRequest to_request(const memory::Filter& filter, const RankingValues& ranking, std::size_t limit,
                                 double min_relevance, const std::string& mode) {
  memory::RecallRequest request;
  request.mode = to_mode(mode);
  request.filter = filter;
  request.weights = ranking.weights;
  request.half_lives = ranking.half_lives;
  request.recency_of = ranking.recency_of;
  request.fusion = ranking.fusion;
  request.limit = limit;
  request.min_relevance = min_relevance;
  return request;
}

// (generation, first slot that is not known yet, slots)
using CandidateValues = std::tuple<std::uint64_t, std::uint32_t, SlotArray>;

Hits recall(Memory& memory, const std::optional<FloatArray>& vector, const memory::Filter& filter,
            const RankingValues& ranking, std::size_t limit, double min_relevance, const std::string& mode,
            const std::optional<Terms>& terms, const std::optional<CandidateValues>& candidates,
            const PeriodValues& period) {
  auto request = to_request(filter, ranking, limit, min_relevance, mode);
  request.vector = to_span(vector);
  if (terms) request.lexical = to_lexical(*terms, ranking.bm25);
  request.lexical.period = to_period(period);
  if (!candidates) return to_hits(without_gil([&] { return memory.recall(request); }));
  const auto& [generation, from, slots] = *candidates;
  const memory::Candidates proposed{generation, from, {slots.data(), static_cast<std::size_t>(slots.size())}};
  return to_hits(without_gil([&] { return memory.recall(request, proposed); }));
}

std::vector<Hits> recall_many(Memory& memory, const FloatArray& vectors, const memory::Filter& filter,
                              const RankingValues& ranking, std::size_t limit, double min_relevance,
                              const std::string& mode, const std::optional<std::vector<Terms>>& terms,
                              const std::optional<std::vector<PeriodValues>>& periods) {
  if (vectors.ndim() != 2) throw py::value_error("recall_many needs vectors of shape (n, dim)");
  if (terms && terms->size() != static_cast<std::size_t>(vectors.shape(0)))
    throw py::value_error("recall_many needs terms for each vector");
  if (periods && (!terms || periods->size() != terms->size()))
    throw py::value_error("recall_many needs a period, or None, for each vector's terms");
  const auto request = to_request(filter, ranking, limit, min_relevance, mode);
  const auto queries = to_rows(vectors);
  std::vector<memory::LexicalQuery> lexical;
  for (std::size_t i = 0; terms && i < terms->size(); ++i) lexical.push_back(to_lexical((*terms)[i], ranking.bm25));
  for (std::size_t i = 0; periods && i < periods->size(); ++i) lexical[i].period = to_period((*periods)[i]);
  auto answers = without_gil([&] { return memory.recall_many(request, queries, lexical); });
  std::vector<Hits> found;
  for (memory::RecallAnswer& answer : answers) found.push_back(to_hits(std::move(answer)));
  return found;
}

py::tuple eligible(Memory& memory, const memory::Filter& filter) {
  const auto found = without_gil([&] { return memory.eligible(filter); });
  return py::make_tuple(found.generation, found.slots, found.eligible, from_values(found.words));
}

py::tuple slot_vectors(Memory& memory, std::uint32_t first_slot, std::size_t limit) {
  const auto found = without_gil([&] { return memory.slot_vectors(first_slot, limit); });
  return py::make_tuple(found.generation, from_vectors(found.vectors, found.dimension), from_values(found.forgotten));
}

void touch(Memory& memory, const py::sequence& ids, std::int64_t now) {
  const auto used = to_ids(ids);
  without_gil([&] { memory.store().touch(used, now); });
}

std::vector<std::pair<py::str, std::size_t>> scopes(Memory& memory, std::int64_t now) {
  const auto found = without_gil([&] { return memory.scopes(now); });
  std::vector<std::pair<py::str, std::size_t>> values;
  for (const auto& [scope, count] : found)
    values.emplace_back(from_text(scope, [] { return "a scope's name"; }), count);
  return values;
}

void define_writing(py::class_<Memory>& store) {
  using namespace py::literals;
  store.def(
           "begin", [](Memory& memory) { memory.store().begin(); }, py::call_guard<Free>())
      .def(
          "end", [](Memory& memory) { memory.store().end(); }, py::call_guard<Free>())
      .def("write", &write, "versions"_a, "vectors"_a.none(true), "changes"_a = py::tuple(), "forgets"_a = py::tuple(),
           "ended"_a = py::tuple())
      .def("find_duplicate", &find_duplicate, "scope"_a, "kind"_a, "text_key"_a, "merge_key"_a, "vector"_a,
           "threshold"_a, "trust"_a, "now"_a)
      .def("touch", &touch, "ids"_a, "now"_a);
}

void define_reading(py::class_<Memory>& store) {
  using namespace py::literals;
  store
      .def(
          "contains",
          [](Memory& memory, const py::bytes& id) {
            const Id wanted = to_id(id);
            return without_gil([&] { return memory.contains(wanted); });
          },
          "id"_a)
      .def("get", &get, "ids"_a)
      .def("extras", &extras, "ids"_a)
      .def("get_vectors", &get_vectors, "ids"_a)
      .def(
          "history",
          [](Memory& memory, const py::bytes& id) {
            const Id wanted = to_id(id);
            return plain(without_gil([&] { return memory.history(wanted); }));
          },
          "id"_a)
      .def("select", &select, "filter"_a, py::kw_only(), "newest_first"_a = true, "after"_a = py::none(),
           "limit"_a = -1)
      .def("select_ids", &select_ids, "filter"_a)
      .def("count", &Memory::count, "filter"_a, py::call_guard<Free>())
      .def("scopes", &scopes, "now"_a)
      .def("versions", &versions, "first_slot"_a, "limit"_a, py::kw_only(), "vectors"_a = false)
      .def("recall", &recall, "vector"_a.none(true), "filter"_a, "weights"_a, "limit"_a,
           "min_relevance"_a = -std::numeric_limits<double>::infinity(), "mode"_a = "dense", "terms"_a = py::none(),
           "candidates"_a = py::none(), "period"_a = py::none())
      .def("newest_event", &Memory::newest_event, "filter"_a, py::call_guard<Free>())
      .def("eligible", &eligible, "filter"_a)
      .def("slot_vectors", &slot_vectors, "first_slot"_a, "limit"_a)
      .def("recall_many", &recall_many, "vectors"_a, "filter"_a, "weights"_a, "limit"_a,
           "min_relevance"_a = -std::numeric_limits<double>::infinity(), "mode"_a = "dense", "terms"_a = py::none(),
           "periods"_a = py::none());
}

void define_identity(py::class_<Memory>& store) {
  const auto of_header = [](auto value) { return [value](Memory& memory) { return value(*memory.identity()); }; };
  store.def_property_readonly("path", [](Memory& memory) { return memory.store().path(); })
      .def_property_readonly("dim", of_header([](const format::Header& header) { return header.dimension; }))
      .def_property_readonly("embedder", of_header(&name_of_embedder))
      .def_property_readonly("tokenizer", of_header(&name_of_tokenizer))
      .def_property_readonly("store_id", [](Memory& memory) { return from_id(memory.identity()->store_id); })
      .def_property_readonly("read_only", [](Memory& memory) { return memory.store().read_only(); })
      .def_property_readonly("discarded_bytes", [](Memory& memory) { return memory.store().discarded_bytes(); });
}

}  // namespace

void register_store(py::module_& module) {
  using namespace py::literals;
  py::class_<Memory> store(module, "Store");
  store
      .def_static("open", &open, "path"_a, py::kw_only(), "create"_a, "dim"_a, "embedder"_a, "tokenizer"_a, "sync"_a,
                  "read_only"_a, "busy_timeout"_a, "threads"_a = 1,
                  "checkpoint_bytes"_a = storage::OpenOptions{}.checkpoint_bytes)
      .def_static("peek", &peek, "path"_a);
  define_identity(store);
  define_writing(store);
  define_reading(store);
  define_upkeep(store);
  define_columns(store);
}

}  // namespace hippocore::bindings
