// Plain values between Python and the core: ids, states, versions, filters, rows.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "memory/memory.h"

namespace hippocore::bindings {

using FloatArray = pybind11::array_t<float, pybind11::array::c_style>;
using SlotArray = pybind11::array_t<std::uint32_t, pybind11::array::c_style>;

// Rows or hits copied out; hits is empty for plain rows.
struct Rows {
  std::vector<memory::Row> rows;
  std::vector<ranking::Hit> hits;
  std::vector<float> vectors;
  std::size_t dimension = 0;
  ranking::RecallCounts counts;
  std::optional<double> confidence;
};
struct Hits : Rows {};

struct RankingValues {
  ranking::Weights weights;
  memory::KindHalfLives half_lives;
  memory::RecencyOf recency_of = memory::RecencyOf::kLastUsed;
  memory::FusionSettings fusion;
  ranking::Bm25 bm25;
};

// Calls it while other threads of Python run. It touches nothing of Python's.
template <typename Call>
auto without_gil(Call&& call) {
  const pybind11::gil_scoped_release free;
  return call();
}

// Throws: py::value_error when it is not 16 bytes.
[[nodiscard]] Id to_id(const pybind11::handle& value);
// Each of 16 bytes, or all of them as the rows of one array of bytes, which costs no object each.
[[nodiscard]] std::vector<Id> to_ids(const pybind11::sequence& values);
[[nodiscard]] pybind11::bytes from_id(const Id& id);
// Says what bytes are of; asked only where they are damaged, since every row that is returned has four texts.
using NameOf = std::function<std::string()>;
// Returns: the text. Throws: Error{kCorruptStore} when the bytes are no UTF-8, which no release ever writes.
[[nodiscard]] pybind11::str from_text(const std::string& bytes, const NameOf& what);
[[nodiscard]] std::vector<memory::NewVersion> to_versions(const pybind11::sequence& values);
[[nodiscard]] std::vector<format::ChangeState> to_changes(const pybind11::sequence& values);
[[nodiscard]] std::vector<format::ForgetEnded> to_ended(const pybind11::sequence& values);
// Returns: a view into the array, which the caller keeps alive; empty for None.
[[nodiscard]] std::span<const float> to_span(const std::optional<FloatArray>& array);
// Returns: a view of each row. Requires: two dimensions.
[[nodiscard]] std::vector<std::span<const float>> to_rows(const FloatArray& array);
template <typename T>
[[nodiscard]] pybind11::array from_values(const std::vector<T>& values) {
  return pybind11::array_t<T>(static_cast<pybind11::ssize_t>(values.size()), values.data());
}
// As from_values; the numbers move into the array, nothing is copied.
template <typename T>
[[nodiscard]] pybind11::array_t<T> to_array(std::vector<T> values) {
  auto owner = std::make_unique<std::vector<T>>(std::move(values));
  const std::vector<T>& kept = *owner;
  const pybind11::capsule release(owner.release(), [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
  return pybind11::array_t<T>(static_cast<pybind11::ssize_t>(kept.size()), kept.data(), release);
}
[[nodiscard]] pybind11::array from_vectors(const std::vector<float>& vectors, std::size_t dimension);

}  // namespace hippocore::bindings
