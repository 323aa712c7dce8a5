// The one exception type of the core.
//
// A message says what was wrong, which store or id, and what to do. It never holds memory content.
#pragma once

#include <stdexcept>
#include <string>

namespace hippocore {

enum class ErrorCode {
  kInvalidArgument,  // ValueError
  kStoreNotFound,
  kStoreClosed,
  kStoreBusy,
  kStoreFull,
  kCorruptStore,
  kStoreVersion,
  kEmbedderMismatch,
  kDimensionMismatch,
  kInvalidVector,
  kMemoryNotFound,
  kReadOnlyStore,
  kForkedHandle,
  kInputOutput,  // StoreFailure, which is an OSError
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace hippocore
