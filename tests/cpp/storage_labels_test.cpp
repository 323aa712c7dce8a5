#include <set>
#include <string>
#include <vector>

#include "harness.h"
#include "storage/labels.h"

namespace hippocore::storage {
namespace {

std::vector<std::uint32_t> added_slots(const Labels& labels, std::uint32_t label) {
  std::vector<std::uint32_t> slots;
  labels.for_each_added(label, [&](std::uint32_t slot) { slots.push_back(slot); });
  return slots;
}

}  // namespace

// Row 16 of the field cases: compared byte by byte.
TEST(storage_labels_of_any_bytes_are_kept_apart) {
  Labels labels({}, nullptr);
  const std::vector<std::string> texts = {"user:1",
                                          "user:12",
                                          "user_1",
                                          "user%1",
                                          "user*1",
                                          "user/1",
                                          "user:1 ",
                                          "user:1\n",
                                          "",
                                          "用户:1",
                                          std::string(1, '\0'),
                                          std::string("a\0b", 3),
                                          std::string("a\0c", 3)};
  std::set<std::uint32_t> numbers;
  for (const std::string& text : texts) numbers.insert(labels.intern(LabelType::kScope, text));
  CHECK_EQUAL(numbers.size(), texts.size());
  for (const std::string& text : texts) CHECK(labels.text(labels.find(LabelType::kScope, text)) == text);
}

TEST(storage_labels_of_two_types_are_two_labels) {
  Labels labels({}, nullptr);
  const std::uint32_t scope = labels.intern(LabelType::kScope, "same");
  const std::uint32_t facet = labels.intern(LabelType::kFacet, "same");
  CHECK(scope != facet);
  CHECK(labels.type(facet) == LabelType::kFacet);
  CHECK_EQUAL(labels.find(LabelType::kSource, "same"), kNoLabel);
}

TEST(storage_labels_are_interned_once) {
  Labels labels({}, nullptr);
  const std::uint32_t first = labels.intern(LabelType::kScope, "a");
  for (int count = 0; count < 1'000; ++count) labels.intern(LabelType::kScope, std::to_string(count));
  CHECK_EQUAL(labels.intern(LabelType::kScope, "a"), first);
  CHECK_EQUAL(labels.size(), 1'001U);
}

TEST(storage_labels_list_the_slots_added_to_each_newest_first) {
  Labels labels({}, nullptr);
  const std::uint32_t even = labels.intern(LabelType::kFacet, "even");
  const std::uint32_t odd = labels.intern(LabelType::kFacet, "odd");
  for (std::uint32_t slot = 0; slot < 6; ++slot) labels.add_slot(slot % 2 == 0 ? even : odd, slot);
  CHECK(added_slots(labels, even) == std::vector<std::uint32_t>({4, 2, 0}));
  CHECK(added_slots(labels, odd) == std::vector<std::uint32_t>({5, 3, 1}));
}

// The number may come from a damaged column.
TEST(storage_labels_that_do_not_exist_are_damage) {
  Labels labels({}, nullptr);
  labels.intern(LabelType::kScope, "a");
  CHECK_THROWS(ErrorCode::kCorruptStore, labels.text(1));
  CHECK_THROWS(ErrorCode::kCorruptStore, labels.text(kNoLabel));
}

}  // namespace hippocore::storage
