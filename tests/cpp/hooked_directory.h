// A directory that lets a test step in before each of its calls: another process that does something in between.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/file.h"

namespace hippocore::testing {

struct Hooks {
  // Before a file is opened. Returns: whether it is there.
  std::function<bool(std::string_view name)> open = [](std::string_view) { return true; };
  std::function<void(os::LockName name, std::chrono::milliseconds timeout)> lock = [](os::LockName,
                                                                                      std::chrono::milliseconds) {};
};

class HookedDirectory final : public os::Directory {
 public:
  // `hooks` outlives the directory.
  HookedDirectory(std::unique_ptr<os::Directory> directory, Hooks& hooks)
      : directory_(std::move(directory)), hooks_(hooks) {}

  std::unique_ptr<os::File> open(std::string_view name, os::Access access) override {
    return hooks_.open(name) ? directory_->open(name, access) : nullptr;
  }
  std::unique_ptr<os::File> create(std::string_view name) override { return directory_->create(name); }
  void remove(std::string_view name) override { directory_->remove(name); }
  [[nodiscard]] std::vector<std::string> names() const override { return directory_->names(); }
  void sync() override { directory_->sync(); }
  std::unique_ptr<os::Lock> lock(os::LockName name, std::chrono::milliseconds timeout) override {
    hooks_.lock(name, timeout);
    return directory_->lock(name, timeout);
  }
  [[nodiscard]] const std::string& path() const override { return directory_->path(); }

 private:
  std::unique_ptr<os::Directory> directory_;
  Hooks& hooks_;
};

}  // namespace hippocore::testing
