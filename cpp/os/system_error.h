// What a failed system call becomes.
#pragma once

#include <string>
#include <string_view>

namespace hippocore::os {

// `number` is an errno; `action` says what was tried on the file or directory at `path`, for example "write to".
// Throws: Error{kStoreFull} when the disk, a quota or a size limit is reached, Error{kInputOutput} otherwise.
[[noreturn]] void throw_system_error(int number, std::string_view action, const std::string& path);

// Calls again while a signal interrupts. Returns: what the call returned; errno is its own.
template <typename Call>
auto without_interruption(Call&& call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

}  // namespace hippocore::os
