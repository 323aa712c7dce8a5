// The test harness: named tests that register themselves, and checks that say what they saw.
//
//   TEST(a_header_comes_back_as_it_was) {
//     CHECK(slot.has_value());
//     CHECK_EQUAL(slot->epoch, 7U);
//     CHECK_THROWS(ErrorCode::kCorruptStore, decode(bytes));
//   }
//
// A check that fails ends its test by an exception, so it belongs on the test's own thread: threads and child processes
// report to it. The executable runs every test, or those whose name begins with its argument; `--list` prints the
// names.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.h"

namespace hippocore::testing {

class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A static object that adds one test to the list. Requires: the name is unique in the executable.
class Registration {
 public:
  Registration(const char* name, void (*body)());
};

[[noreturn]] void fail(const char* file, int line, const std::string& message);

// Returns: the value as a message shows it.
template <typename T>
std::string describe(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (sizeof(T) == 1 && std::is_integral_v<T>) {
    return std::to_string(static_cast<int>(value));
  } else if constexpr (requires(std::ostream& stream) { stream << value; }) {
    std::ostringstream text;
    text.precision(17);
    text << value;
    return text.str();
  } else {
    return "a value that cannot be printed";
  }
}

template <typename Left, typename Right>
void check_equal(const char* file, int line, const char* expression, const Left& left, const Right& right) {
  if (left == right) return;
  fail(file, line, std::string(expression) + ": " + describe(left) + " is not " + describe(right));
}

template <typename Body>
void check_throws(const char* file, int line, const char* expression, ErrorCode code, Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    if (error.code() == code) return;
    fail(file, line,
         std::string(expression) + " threw code " + describe(error.code()) + ", not " + describe(code) + ": " +
             error.what());
  }
  fail(file, line, std::string(expression) + " threw nothing");
}

}  // namespace hippocore::testing

#define TEST(name)                                                                         \
  static void test_##name();                                                               \
  static const ::hippocore::testing::Registration registration_##name{#name, test_##name}; \
  static void test_##name()

#define CHECK(...)                                                                                     \
  do {                                                                                                 \
    if (!(__VA_ARGS__)) ::hippocore::testing::fail(__FILE__, __LINE__, #__VA_ARGS__ " does not hold"); \
  } while (false)

#define CHECK_EQUAL(left, ...) \
  ::hippocore::testing::check_equal(__FILE__, __LINE__, #left " == " #__VA_ARGS__, left, __VA_ARGS__)

// The expression's own value, if it has one, is dropped.
#define CHECK_THROWS(code, ...) \
  ::hippocore::testing::check_throws(__FILE__, __LINE__, #__VA_ARGS__, code, [&] { static_cast<void>(__VA_ARGS__); })
