// Scoring and packing on numpy arrays, and which kernels run. hippocore.scoring checks shapes and values before it
// calls.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings/register.h"
#include "bindings/values.h"
#include "kernels/kernels.h"
#include "ranking/arrays.h"
#include "ranking/packer.h"

namespace py = pybind11;

namespace hippocore::bindings {
namespace {

template <typename T>
using Array = py::array_t<T, py::array::c_style>;

template <typename T>
std::span<const T> view(const Array<T>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

void require(bool holds) {
  if (!holds) throw py::value_error("arrays of these shapes do not belong together");
}

template <typename Work>
auto without_gil(Work&& work) {
  const py::gil_scoped_release release;
  return work();
}

py::array cosine(const Array<float>& query, const Array<float>& vectors) {
  require(query.ndim() == 1 && vectors.ndim() == 2 && query.shape(0) == vectors.shape(1) && query.size() > 0);
  return to_array(without_gil([&] { return ranking::cosines(view(query), view(vectors)); }));
}

py::array fused_score(const Array<double>& relevance, const Array<double>& recency, const Array<double>& importance,
                      const Array<double>& usage, const std::array<double, 4>& weights) {
  const ranking::SignalColumns signals{view(relevance), view(recency), view(importance), view(usage)};
  const std::size_t size = signals.relevance.size();
  require(signals.recency.size() == size && signals.importance.size() == size && signals.usage.size() == size);
  ranking::Weights numbers;
  numbers.relevance = weights[0];
  numbers.recency = weights[1];
  numbers.importance = weights[2];
  numbers.usage = weights[3];
  return to_array(without_gil([&] { return ranking::fused_scores(signals, numbers); }));
}

py::array best(const Array<double>& scores, std::size_t limit) {
  return to_array(without_gil([&] { return ranking::best_positions(view(scores), limit); }));
}

py::array pack(const Array<double>& scores, const Array<std::uint32_t>& tokens, std::uint64_t budget,
               ranking::PackStrategy strategy) {
  require(scores.size() == tokens.size());
  return to_array(without_gil([&] { return ranking::pack(view(scores), view(tokens), budget, strategy); }));
}

std::vector<std::string> available_kernels() {
  std::vector<std::string> names;
  for (const kernels::Kernels* each : kernels::available_kernels()) names.emplace_back(each->name);
  return names;
}

}  // namespace

void register_scoring(py::module_& module) {
  py::enum_<ranking::PackStrategy>(module, "PackStrategy")
      .value("SCORE", ranking::PackStrategy::kScore)
      .value("DENSITY", ranking::PackStrategy::kDensity)
      .value("BEST", ranking::PackStrategy::kBest);
  module.def("cosine", &cosine);
  module.def("fused_score", &fused_score);
  module.def("best", &best);
  module.def("pack", &pack);
  module.def("kernel_name", [] { return kernels::kernels().name; });
  module.def("available_kernels", &available_kernels);
}

}  // namespace hippocore::bindings
