#include <atomic>
#include <string>
#include <thread>

#include "harness.h"
#include "storage/append_only.h"

namespace hippocore::storage {

TEST(storage_append_only_keeps_every_element_over_many_segments) {
  AppendOnlyVector<std::size_t> numbers;
  for (std::size_t index = 0; index < 100'000; ++index) numbers.append(index * 3);
  CHECK_EQUAL(numbers.size(), 100'000U);
  for (std::size_t index = 0; index < numbers.size(); ++index) CHECK_EQUAL(numbers[index], index * 3);
}

TEST(storage_append_only_never_moves_an_element) {
  AppendOnlyVector<std::string> texts;
  texts.append("first");
  const std::string* first = &texts[0];
  for (int count = 0; count < 10'000; ++count) texts.append("more");
  CHECK_EQUAL(&texts[0], first);
  CHECK_EQUAL(*first, "first");
}

TEST(storage_append_only_begins_with_zero_where_no_value_is_given) {
  AppendOnlyVector<std::atomic<std::uint32_t>> heads;
  for (int count = 0; count < 200; ++count) heads.append();
  for (std::size_t index = 0; index < heads.size(); ++index) CHECK_EQUAL(heads[index].load(), 0U);
}

TEST(storage_append_only_is_read_while_it_grows) {
  AppendOnlyVector<std::size_t> numbers;
  std::atomic<bool> wrong = false;
  std::thread reader([&] {
    for (std::size_t size = 0; size < 20'000; size = numbers.size()) {
      if (size > 0 && numbers[size - 1] != size - 1) wrong = true;
    }
  });
  for (std::size_t index = 0; index < 20'000; ++index) numbers.append(index);
  reader.join();
  CHECK(!wrong);
}

}  // namespace hippocore::storage
