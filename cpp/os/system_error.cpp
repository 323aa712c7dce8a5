#include "os/system_error.h"

#include <cerrno>
#include <system_error>

#include "base/error.h"

namespace hippocore::os {
namespace {

std::string_view advice(int number) noexcept {
  switch (number) {
    case ENOSPC:
    case EDQUOT:
      return ": free some space and try again";
    case EFBIG:
      return ": raise the limit on the size of files (ulimit -f)";
    case EMFILE:
      return ": raise the limit on open files (ulimit -n) or close other stores";
    case EROFS:
      return ": open the store read-only, or copy it to a disk that can be written";
    case EACCES:
    case EPERM:
      return ": check who owns the store and its permissions";
    case EEXIST:
      return ": name a directory that holds no store";
    case ELOOP:
      return ": a store's files are never links";
    default:
      return "";
  }
}

bool is_full(int number) noexcept {
  return number == ENOSPC || number == EDQUOT || number == EFBIG;
}

}  // namespace

void throw_system_error(int number, std::string_view action, const std::string& path) {
  std::string message = "cannot " + std::string(action) + " " + path + ": " + std::generic_category().message(number);
  throw Error(is_full(number) ? ErrorCode::kStoreFull : ErrorCode::kInputOutput, message.append(advice(number)));
}

}  // namespace hippocore::os
