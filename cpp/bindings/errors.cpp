// From Error{code} to the exception tree of hippocore.errors.
#include <pybind11/pybind11.h>

#include <cstring>

#include "base/error.h"
#include "bindings/register.h"

namespace py = pybind11;

namespace hippocore::bindings {

namespace {

const char* class_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return nullptr;  // the builtin ValueError
    case ErrorCode::kStoreNotFound:
      return "StoreNotFound";
    case ErrorCode::kStoreClosed:
      return "StoreClosed";
    case ErrorCode::kStoreBusy:
      return "StoreBusy";
    case ErrorCode::kStoreFull:
      return "StoreFull";
    case ErrorCode::kCorruptStore:
      return "CorruptStore";
    case ErrorCode::kStoreVersion:
      return "StoreVersionError";
    case ErrorCode::kEmbedderMismatch:
      return "EmbedderMismatch";
    case ErrorCode::kDimensionMismatch:
      return "DimensionMismatch";
    case ErrorCode::kInvalidVector:
      return "InvalidVector";
    case ErrorCode::kMemoryNotFound:
      return "MemoryNotFound";
    case ErrorCode::kReadOnlyStore:
      return "ReadOnlyStore";
    case ErrorCode::kForkedHandle:
      return "ForkedHandle";
    case ErrorCode::kInputOutput:
      return "StoreFailure";
  }
  return nullptr;
}

// A path, and a name that a hostile store gave, may hold bytes that are no text or that command a terminal: those are
// shown as escapes.
py::str shown(const char* message) {
  const auto decoded = py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(message, static_cast<Py_ssize_t>(std::strlen(message)), "backslashreplace"));
  if (!decoded) throw py::error_already_set();
  if (decoded.attr("isprintable")().cast<bool>()) return decoded;
  py::str shown;
  for (const py::handle character : decoded) {
    const bool printable = character.attr("isprintable")().cast<bool>();
    shown += printable ? py::str(character) : py::str(character.attr("encode")("unicode_escape").attr("decode")());
  }
  return shown;
}

void raise(const Error& error) {
  const char* name = class_name(error.code());
  const py::object type = name == nullptr ? py::reinterpret_borrow<py::object>(PyExc_ValueError)
                                          : py::module_::import("hippocore.errors").attr(name);
  PyErr_SetObject(type.ptr(), shown(error.what()).ptr());
}

}  // namespace

void register_errors(py::module_& module) {
  (void)module;
  py::register_exception_translator([](std::exception_ptr pending) {
    try {
      if (pending) std::rethrow_exception(pending);
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace hippocore::bindings
