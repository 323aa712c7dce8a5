#include "harness.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace hippocore::testing {
namespace {

struct Test {
  std::string_view name;
  void (*body)();
};

std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

bool passes(const Test& test) {
  try {
    test.body();
    return true;
  } catch (const std::exception& error) {
    std::printf("FAILED %s\n  %s\n", test.name.data(), error.what());
  } catch (...) {
    std::printf("FAILED %s\n  threw something that is no exception\n", test.name.data());
  }
  return false;
}

std::vector<Test> chosen_tests(std::string_view prefix) {
  std::vector<Test> chosen;
  std::copy_if(tests().begin(), tests().end(), std::back_inserter(chosen),
               [prefix](const Test& test) { return test.name.starts_with(prefix); });
  std::sort(chosen.begin(), chosen.end(), [](const Test& left, const Test& right) { return left.name < right.name; });
  return chosen;
}

// Returns: the exit code. A prefix that no test has is a failure: nothing was proved.
int run(const std::vector<Test>& chosen) {
  int passed = 0;
  for (const Test& test : chosen) {
    passed += passes(test) ? 1 : 0;
    std::fflush(stdout);
  }
  const int failed = static_cast<int>(chosen.size()) - passed;
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace

Registration::Registration(const char* name, void (*body)()) {
  tests().push_back({name, body});
}

void fail(const char* file, int line, const std::string& message) {
  throw Failure(std::string(file) + ":" + std::to_string(line) + ": " + message);
}

}  // namespace hippocore::testing

int main(int count, char** arguments) {
  using namespace hippocore::testing;
  const std::string_view argument = count > 1 ? arguments[1] : "";
  if (argument == "--list") {
    for (const auto& test : chosen_tests("")) std::printf("%s\n", test.name.data());
    return 0;
  }
  return run(chosen_tests(argument));
}
