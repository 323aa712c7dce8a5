// Filter, Weights, Rows and Hits as Python classes.
#include "bindings/values.h"

#include <pybind11/stl.h>

#include "bindings/register.h"

namespace py = pybind11;

namespace hippocore::bindings {

namespace {

using Texts = std::vector<std::string>;

py::tuple from_state(const format::State& state) {
  return py::make_tuple(state.importance, state.confidence, state.stability, state.use_count, state.flags,
                        static_cast<std::uint8_t>(state.trust), state.last_used, state.expires_at, state.valid_until,
                        state.archived_at);
}

const memory::Row& at(const Rows& rows, std::ptrdiff_t index) {
  const auto size = static_cast<std::ptrdiff_t>(rows.rows.size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) throw py::index_error("no such row");
  return rows.rows[static_cast<std::size_t>(index)];
}

py::tuple get_row(const Rows& rows, std::ptrdiff_t index) {
  const memory::Row& row = at(rows, index);
  const auto text = [&row](const std::string& bytes, const char* what) {
    return from_text(bytes, [&row, what] { return "the " + std::string(what) + " of memory " + to_hex(row.id); });
  };
  return py::make_tuple(from_id(row.id), text(row.content, "content"), py::bytes(row.extra), text(row.scope, "scope"),
                        text(row.kind, "kind"), text(row.source, "source"), row.created_at, row.valid_from,
                        row.event_time, row.tokens, row.version, from_state(row.state));
}

const char* name_of(ranking::Reason reason) {
  switch (reason) {
    case ranking::Reason::kMeaning:
      return "meaning";
    case ranking::Reason::kWords:
      return "words";
    case ranking::Reason::kNeighbours:
      return "neighbours";
    case ranking::Reason::kDate:
      return "date";
    case ranking::Reason::kNone:
      break;
  }
  return "";
}

py::tuple get_signals(const Hits& hits, std::ptrdiff_t index) {
  (void)at(hits, index);
  const auto position =
      static_cast<std::size_t>(index < 0 ? index + static_cast<std::ptrdiff_t>(hits.hits.size()) : index);
  const ranking::Hit& hit = hits.hits[position];
  return py::make_tuple(hit.score, hit.relevance, hit.recency, hit.importance, hit.usage, hit.similarity, hit.lexical,
                        name_of(hit.reason));
}

template <typename T, typename Value>
py::array_t<T> column(std::size_t size, Value&& value) {
  py::array_t<T> array(static_cast<py::ssize_t>(size));
  for (std::size_t index = 0; index < size; ++index) array.mutable_data()[index] = value(index);
  return array;
}

memory::Filter make_filter(std::int64_t now, std::optional<Texts> scopes, bool subtree, std::optional<Texts> kinds,
                           std::optional<std::string> source, std::optional<Texts> any_facets, Texts all_facets,
                           std::optional<Texts> any_links, const std::optional<py::sequence>& ids,
                           std::optional<std::int64_t> since, std::optional<std::int64_t> until,
                           std::optional<std::int64_t> as_of, std::optional<std::int64_t> ended_by,
                           std::uint8_t min_trust, bool archived, bool quarantined, bool expired, bool superseded) {
  return {now,
          std::move(scopes),
          subtree,
          std::move(kinds),
          std::move(source),
          std::move(any_facets),
          std::move(all_facets),
          std::move(any_links),
          ids ? std::optional(to_ids(*ids)) : std::nullopt,
          since,
          until,
          as_of,
          ended_by,
          min_trust,
          archived,
          quarantined,
          expired,
          superseded};
}

RankingValues make_weights(double relevance, double recency, double importance, double usage, double usage_saturation,
                           const std::map<std::string, double>& half_lives, double default_half_life,
                           const std::string& recency_of, double lexical_weight, std::optional<double> rrf_k, double k1,
                           double b) {
  RankingValues values;
  values.fusion = {lexical_weight, rrf_k};
  values.bm25 = {k1, b};
  values.weights.relevance = relevance;
  values.weights.recency = recency;
  values.weights.importance = importance;
  values.weights.usage = usage;
  values.weights.usage_saturation = usage_saturation;
  values.half_lives.named.assign(half_lives.begin(), half_lives.end());
  values.half_lives.other = default_half_life;
  if (recency_of == "created") {
    values.recency_of = memory::RecencyOf::kCreated;
  } else if (recency_of == "event") {
    values.recency_of = memory::RecencyOf::kEvent;
  } else if (recency_of != "last_used") {
    throw py::value_error("recency_of is \"last_used\", \"created\" or \"event\"");
  }
  return values;
}

}  // namespace

void register_values(py::module_& module) {
  using namespace py::literals;
  module.attr("FORMAT_VERSION") = format::kFormatVersion;
  module.attr("NEVER") = format::kNever;
  module.attr("UNSET") = format::kUnset;
  module.attr("WRITTEN") = int{format::kWritten};
  module.attr("SUPERSEDED") = int{format::kSuperseded};
  module.attr("FORGOTTEN") = int{format::kForgotten};
  module.attr("ARCHIVED") = int{format::kArchived};
  module.attr("QUARANTINED") = int{format::kQuarantined};

  py::class_<memory::Filter>(module, "Filter")
      .def(py::init(&make_filter), py::kw_only(), "now"_a, "scopes"_a = py::none(), "subtree"_a = false,
           "kinds"_a = py::none(), "source"_a = py::none(), "any_facets"_a = py::none(), "all_facets"_a = Texts{},
           "any_links"_a = py::none(), "ids"_a = py::none(), "since"_a = py::none(), "until"_a = py::none(),
           "as_of"_a = py::none(), "ended_by"_a = py::none(), "min_trust"_a = 0, "archived"_a = false,
           "quarantined"_a = false, "expired"_a = false, "superseded"_a = false);
  py::class_<RankingValues>(module, "Weights")
      .def(py::init(&make_weights), "relevance"_a, "recency"_a, "importance"_a, "usage"_a, "usage_saturation"_a,
           "half_lives"_a, "default_half_life"_a, "recency_of"_a,
           "lexical_weight"_a = memory::FusionSettings{}.lexical_weight, "rrf_k"_a = py::none(),
           "k1"_a = ranking::Bm25{}.k1, "b"_a = ranking::Bm25{}.b);
  py::class_<Rows>(module, "Rows")
      .def("__len__", [](const Rows& rows) { return rows.rows.size(); })
      .def("__getitem__", &get_row)
      .def("key", [](const Rows& rows, std::ptrdiff_t index) { return from_id(at(rows, index).id); })
      .def("tokens",
           [](const Rows& rows) {
             return column<std::uint32_t>(rows.rows.size(), [&](std::size_t index) { return rows.rows[index].tokens; });
           })
      .def("vectors", [](const Rows& rows) { return from_vectors(rows.vectors, rows.dimension); });
  py::class_<Hits, Rows>(module, "Hits")
      .def("signals", &get_signals)
      .def("scores",
           [](const Hits& hits) {
             return column<double>(hits.hits.size(), [&](std::size_t index) { return hits.hits[index].score; });
           })
      .def_property_readonly("eligible", [](const Hits& hits) { return hits.counts.eligible; })
      .def_property_readonly("confidence", [](const Hits& hits) { return hits.confidence; })
      .def_property_readonly("scored_exactly", [](const Hits& hits) { return hits.counts.scored_exactly; });
}

}  // namespace hippocore::bindings
