// A directory of a test's own, gone with everything in it when the test ends.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "harness.h"

namespace hippocore::testing {

// Returns: where files are in memory if there is such a place, for tests in which thousands of syncs prove nothing.
inline std::filesystem::path place_in_memory() {
  std::error_code ignored;
  const std::filesystem::path memory = "/dev/shm";
  const bool there = std::filesystem::is_directory(memory, ignored) && ::access(memory.c_str(), W_OK) == 0;
  return there ? memory : std::filesystem::temp_directory_path();
}

class TemporaryDirectory {
 public:
  TemporaryDirectory() : TemporaryDirectory(std::filesystem::temp_directory_path()) {}
  explicit TemporaryDirectory(const std::filesystem::path& beside) : path_((beside / "hippocore-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) fail(__FILE__, __LINE__, "no temporary directory can be made");
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace hippocore::testing
