// What a fuzz target promises about every input: a false `expect` is a finding, like any exception but hippocore's.
#pragma once

#include <stdexcept>
#include <string>

namespace hippocore::fuzz {

class Finding : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void expect(bool holds, const std::string& promise) {
  if (!holds) throw Finding(promise);
}

}  // namespace hippocore::fuzz
