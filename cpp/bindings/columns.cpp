// Store.columns: what upkeep decides by, as numpy arrays.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/register.h"
#include "bindings/values.h"

namespace py = pybind11;

namespace hippocore::bindings {

namespace {

using memory::Memory;

// (n, 16), as bytes.
py::array from_ids(std::vector<Id> ids) {
  auto owner = std::make_unique<std::vector<Id>>(std::move(ids));
  const std::vector<Id>& kept = *owner;
  const py::capsule release(owner.release(), [](void* vector) { delete static_cast<std::vector<Id>*>(vector); });
  const auto rows = static_cast<py::ssize_t>(kept.size());
  return py::array_t<std::uint8_t>({rows, py::ssize_t{sizeof(Id)}}, reinterpret_cast<const std::uint8_t*>(kept.data()),
                                   release);
}

std::vector<py::str> from_names(const std::vector<std::string>& names, const char* what) {
  std::vector<py::str> texts;
  for (const std::string& name : names) texts.push_back(from_text(name, [what] { return what; }));
  return texts;
}

py::dict columns(Memory& memory, const memory::Filter& filter) {
  auto found = without_gil([&] { return memory.columns(filter); });
  py::dict columns;
  columns["keys"] = from_ids(std::move(found.ids));
  columns["scopes"] = to_array(std::move(found.scopes));
  columns["kinds"] = to_array(std::move(found.kinds));
  columns["created_at"] = to_array(std::move(found.created_at));
  columns["valid_from"] = to_array(std::move(found.valid_from));
  columns["event_time"] = to_array(std::move(found.event_time));
  columns["last_used"] = to_array(std::move(found.last_used));
  columns["expires_at"] = to_array(std::move(found.expires_at));
  columns["valid_until"] = to_array(std::move(found.valid_until));
  columns["archived_at"] = to_array(std::move(found.archived_at));
  columns["importance"] = to_array(std::move(found.importance));
  columns["confidence"] = to_array(std::move(found.confidence));
  columns["stability"] = to_array(std::move(found.stability));
  columns["use_count"] = to_array(std::move(found.use_count));
  columns["tokens"] = to_array(std::move(found.tokens));
  columns["flags"] = to_array(std::move(found.flags));
  columns["scope_names"] = from_names(found.scope_names, "a scope's name");
  columns["kind_names"] = from_names(found.kind_names, "a kind's name");
  return columns;
}

}  // namespace

void define_columns(py::class_<Memory>& store) {
  using namespace py::literals;
  store.def("columns", &columns, "filter"_a);
}

}  // namespace hippocore::bindings
