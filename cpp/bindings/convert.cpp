// The conversions of values.h.
#include <algorithm>
#include <cstring>

#include "bindings/values.h"

namespace py = pybind11;

namespace hippocore::bindings {

namespace {

template <typename T>
T item(const py::tuple& values, std::size_t at) {
  return py::cast<T>(py::handle(PyTuple_GET_ITEM(values.ptr(), static_cast<Py_ssize_t>(at))));
}

std::string text(const py::handle& value) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_Check(value.ptr()) ? PyUnicode_AsUTF8AndSize(value.ptr(), &size) : nullptr;
  if (data == nullptr) {
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    throw py::type_error("text is needed here");
  }
  return {data, static_cast<std::size_t>(size)};
}

std::string text(const py::tuple& values, std::size_t at) {
  return text(py::handle(PyTuple_GET_ITEM(values.ptr(), static_cast<Py_ssize_t>(at))));
}

void require_size(const py::tuple& values, std::size_t size) {
  if (values.size() != size) throw py::value_error("a tuple of " + std::to_string(size) + " values is needed here");
}

format::State to_state(const py::tuple& values) {
  require_size(values, 10);
  format::State state;
  state.importance = item<double>(values, 0);
  state.confidence = item<float>(values, 1);
  state.stability = item<float>(values, 2);
  state.use_count = item<std::uint32_t>(values, 3);
  state.flags = item<std::uint8_t>(values, 4);
  const auto trust = item<std::uint8_t>(values, 5);
  if (trust > static_cast<std::uint8_t>(format::Trust::kTrusted)) throw py::value_error("there is no such trust");
  state.trust = static_cast<format::Trust>(trust);
  state.last_used = item<std::int64_t>(values, 6);
  state.expires_at = item<std::int64_t>(values, 7);
  state.valid_until = item<std::int64_t>(values, 8);
  state.archived_at = item<std::int64_t>(values, 9);
  return state;
}

memory::NewVersion to_version(const py::tuple& values) {
  require_size(values, 16);
  memory::NewVersion version;
  version.id = to_id(py::handle(PyTuple_GET_ITEM(values.ptr(), 0)));
  version.scope = text(values, 1);
  version.kind = text(values, 2);
  version.source = text(values, 3);
  version.created_at = item<std::int64_t>(values, 4);
  version.valid_from = item<std::int64_t>(values, 5);
  version.event_time = item<std::int64_t>(values, 6);
  version.text_key = item<std::uint64_t>(values, 7);
  version.merge_key = item<std::uint64_t>(values, 8);
  version.tokens = item<std::uint32_t>(values, 9);
  version.version = item<std::uint32_t>(values, 10);
  version.state = to_state(item<py::tuple>(values, 11));
  version.content = text(values, 12);
  version.extra = item<std::string>(values, 13);
  for (const py::handle facet : item<py::sequence>(values, 14)) version.facets.push_back(py::cast<std::string>(facet));
  version.terms = item<std::string>(values, 15);
  return version;
}

}  // namespace

Id to_id(const py::handle& value) {
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(value.ptr(), &data, &size) != 0) throw py::error_already_set();
  Id id;
  if (size != static_cast<Py_ssize_t>(id.bytes.size())) throw py::value_error("an id has 16 bytes");
  std::memcpy(id.bytes.data(), data, id.bytes.size());
  return id;
}

std::vector<Id> to_ids(const py::sequence& values) {
  std::vector<Id> ids;
  ids.reserve(values.size());
  if (py::isinstance<py::array_t<std::uint8_t>>(values)) {
    const auto rows = py::cast<py::array_t<std::uint8_t, py::array::c_style>>(values);
    if (rows.ndim() != 2 || rows.shape(1) != py::ssize_t{sizeof(Id)}) throw py::value_error("ids are of 16 bytes each");
    ids.resize(static_cast<std::size_t>(rows.shape(0)));
    std::copy_n(rows.data(), rows.size(), reinterpret_cast<std::uint8_t*>(ids.data()));
    return ids;
  }
  for (const py::handle value : values) ids.push_back(to_id(value));
  return ids;
}

py::bytes from_id(const Id& id) {
  return {reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()};
}

py::str from_text(const std::string& bytes, const NameOf& what) {
  auto text = py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), nullptr));
  if (text) return text;
  PyErr_Clear();
  throw Error(ErrorCode::kCorruptStore,
              what() + " is no text in UTF-8: the store is damaged or was made by another program");
}

std::vector<memory::NewVersion> to_versions(const py::sequence& values) {
  std::vector<memory::NewVersion> versions;
  versions.reserve(values.size());
  for (const py::handle value : values) versions.push_back(to_version(py::cast<py::tuple>(value)));
  return versions;
}

std::vector<format::ChangeState> to_changes(const py::sequence& values) {
  std::vector<format::ChangeState> changes;
  for (const py::handle value : values) {
    const auto pair = py::cast<py::tuple>(value);
    require_size(pair, 2);
    changes.push_back({to_id(pair[0]), to_state(item<py::tuple>(pair, 1))});
  }
  return changes;
}

std::vector<format::ForgetEnded> to_ended(const py::sequence& values) {
  std::vector<format::ForgetEnded> ended;
  for (const py::handle value : values) {
    const auto pair = py::cast<py::tuple>(value);
    require_size(pair, 2);
    ended.push_back({to_id(pair[0]), item<std::int64_t>(pair, 1)});
  }
  return ended;
}

std::span<const float> to_span(const std::optional<FloatArray>& array) {
  if (!array) return {};
  return {array->data(), static_cast<std::size_t>(array->size())};
}

std::vector<std::span<const float>> to_rows(const FloatArray& array) {
  std::vector<std::span<const float>> rows;
  const auto width = static_cast<std::size_t>(array.shape(1));
  for (py::ssize_t row = 0; row < array.shape(0); ++row) rows.emplace_back(array.data(row, 0), width);
  return rows;
}

py::array from_vectors(const std::vector<float>& vectors, std::size_t dimension) {
  const std::size_t rows = dimension == 0 ? 0 : vectors.size() / dimension;
  FloatArray array({rows, dimension});
  if (!vectors.empty()) std::memcpy(array.mutable_data(), vectors.data(), vectors.size() * sizeof(float));
  return array;
}

}  // namespace hippocore::bindings
