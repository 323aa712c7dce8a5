// A child process that runs a function of the test, and two signs by which it and its parent wait for each other.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <utility>

#include "harness.h"

// What was counted for coverage (python -m tests.coverage) is lost in a child otherwise; null elsewhere.
extern "C" void __gcov_dump() __attribute__((weak));

namespace hippocore::testing {

// A pipe of which one side gives a sign and the other waits for it. Make it before the child, which inherits it.
class Sign {
 public:
  Sign() {
    if (::pipe(ends_.data()) != 0) fail(__FILE__, __LINE__, "no pipe can be made");
  }
  ~Sign() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  Sign(const Sign&) = delete;
  Sign& operator=(const Sign&) = delete;

  void give() const {
    const char sign = 1;
    if (::write(ends_[1], &sign, 1) != 1) fail(__FILE__, __LINE__, "the sign cannot be given");
  }
  void wait() const {
    char sign = 0;
    if (::read(ends_[0], &sign, 1) != 1) fail(__FILE__, __LINE__, "the sign was not given");
  }

 private:
  std::array<int, 2> ends_{};
};

// Killed and waited for at the end of its life, if it has not ended by itself.
class ChildProcess {
 public:
  // `body` returns the exit code; an exception makes it 99. Nothing of the parent's is destroyed in the child.
  template <typename Body>
  explicit ChildProcess(Body&& body) : process_(::fork()) {
    if (process_ < 0) fail(__FILE__, __LINE__, "no child process can be made");
    if (process_ == 0) end(run(std::forward<Body>(body)));
  }
  ~ChildProcess() { kill(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    static_cast<void>(exit_code());
  }

  // Waits for the end. Returns: the exit code, or minus the signal that ended it.
  int exit_code() {
    int status = 0;
    ::waitpid(std::exchange(process_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  [[noreturn]] static void end(int code) {
    if (__gcov_dump != nullptr) __gcov_dump();
    ::_exit(code);
  }
  template <typename Body>
  static int run(Body&& body) noexcept {
    try {
      return body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "in a child process: %s\n", error.what());
      return 99;
    }
  }

  pid_t process_;
};

}  // namespace hippocore::testing
