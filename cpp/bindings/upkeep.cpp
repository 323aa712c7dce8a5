// What upkeep does with a Store: folding, re-embedding, backup, verifying, and who works on an idle store.
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bindings/register.h"
#include "bindings/values.h"
#include "os/native_file.h"

namespace py = pybind11;

namespace hippocore::bindings {

namespace {

using memory::Memory;
using Free = py::gil_scoped_release;

bool keep_graph(Memory& memory, std::uint64_t generation, const py::bytes& graph) {
  const std::string_view bytes = graph;
  return without_gil([&] { return memory.store().keep_graph(generation, std::as_bytes(std::span(bytes))); });
}

std::optional<py::bytes> kept_graph(Memory& memory, std::uint64_t generation) {
  const auto graph = without_gil([&] { return memory.store().kept_graph(generation); });
  if (!graph) return std::nullopt;
  return py::bytes(reinterpret_cast<const char*>(graph->data()), graph->size());
}

void reembed(Memory& memory, const std::string& embedder, const FloatArray& vectors) {
  if (vectors.ndim() != 2) throw py::value_error("reembed needs vectors of shape (n, dim)");
  if (vectors.shape(1) > static_cast<py::ssize_t>(format::kMaximumDimension))
    throw py::value_error("too many dimensions");
  const auto dimension = static_cast<std::uint32_t>(vectors.shape(1));
  const auto numbers = to_span(vectors);  // makes an optional of the array: with the GIL
  without_gil([&] { memory.reembed(embedder, dimension, numbers); });
}

void backup(Memory& memory, const std::string& path) {
  without_gil([&] { memory.store().backup(*os::open_directory(path, os::Create::kIfMissing)); });
}

py::dict verify(Memory& memory, const std::optional<std::function<void(std::uint64_t, std::uint64_t)>>& progress) {
  const auto report = [&](std::uint64_t done, std::uint64_t total) {
    const py::gil_scoped_acquire gil;
    (*progress)(done, total);
  };
  const auto result = without_gil([&] { return progress ? memory.verify(report) : memory.verify(nullptr); });
  py::list damaged;
  for (const memory::Damage& damage : result.damages) {
    damaged.append(py::make_tuple(damage.id ? py::object(from_id(*damage.id)) : py::none(), damage.what));
  }
  py::dict values;
  values["memories"] = result.memories;
  values["damaged"] = damaged;
  values["bytes"] = result.bytes;
  return values;
}

std::map<std::string, std::uint64_t> statistics(Memory& memory) {
  const auto values = without_gil([&] { return memory.statistics(); });
  return {{"memories", values.memories},
          {"versions", values.versions},
          {"forgotten", values.forgotten},
          {"scopes", values.scopes},
          {"slots", values.slots},
          {"generation", values.generation},
          {"epoch", values.epoch},
          {"sequence", values.sequence},
          {"log_bytes", values.log_bytes},
          {"disk_bytes", values.disk_bytes},
          {"background_failures", values.background_failures}};
}

}  // namespace

void define_upkeep(py::class_<Memory>& store) {
  using namespace py::literals;
  store.def(
           "sync", [](Memory& memory) { memory.store().sync(); }, py::call_guard<Free>())
      .def(
          "checkpoint", [](Memory& memory) { memory.store().checkpoint(); }, py::call_guard<Free>())
      .def(
          "compact", [](Memory& memory) { memory.store().compact(); }, py::call_guard<Free>())
      .def(
          "close", [](Memory& memory) { memory.close(); }, py::call_guard<Free>())
      .def("reembed", &reembed, "embedder"_a, "vectors"_a)
      .def(
          "become_worker", [](Memory& memory) { return memory.store().become_worker(); }, py::call_guard<Free>())
      .def(
          "resign_worker", [](Memory& memory) { memory.store().resign_worker(); }, py::call_guard<Free>())
      .def("keep_graph", &keep_graph, "generation"_a, "graph"_a)
      .def("kept_graph", &kept_graph, "generation"_a)
      .def("backup", &backup, "path"_a)
      .def("verify", &verify, "progress"_a = py::none())
      .def("stats", &statistics)
      .def(
          "sequence", [](Memory& memory) { return memory.store().snapshot()->position.sequence; },
          py::call_guard<Free>());
}

}  // namespace hippocore::bindings
