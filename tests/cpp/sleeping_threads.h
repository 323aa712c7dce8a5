// When the other threads of this process have nothing to do but wait.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace hippocore::testing {

// Returns: whether the system shows a thread as sleeping. A thread that has just ended does not sleep.
inline bool is_sleeping(const std::filesystem::path& thread) {
  std::ifstream file(thread / "stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');  // the state follows the name, which may hold anything
  return name_end != text.npos && text.size() > name_end + 2 && text[name_end + 2] == 'S';
}

// Waits until every thread but the calling one sleeps.
inline void wait_until_others_sleep() {
  const auto all_sleep = [] {
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
      if (thread.path().filename() != std::to_string(::gettid()) && !is_sleeping(thread.path())) return false;
    }
    return true;
  };
  while (!all_sleep()) std::this_thread::yield();
}

}  // namespace hippocore::testing
