// From Error{code} to the exception tree of hippocore.errors.
#include <pybind11/pybind11.h>

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
      return nullptr;  // the builtin OSError
  }
  return nullptr;
}

void raise(const Error& error) {
  if (error.code() == ErrorCode::kInputOutput) return py::set_error(PyExc_OSError, error.what());
  const char* name = class_name(error.code());
  if (name == nullptr) return py::set_error(PyExc_ValueError, error.what());
  py::set_error(py::module_::import("hippocore.errors").attr(name), error.what());
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
