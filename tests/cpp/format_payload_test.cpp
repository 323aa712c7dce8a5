#include <string>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "damage.h"
#include "format/payload.h"
#include "harness.h"

namespace hippocore::format {
namespace {

using namespace std::string_view_literals;

const Payload kPayload{.content = "the \0 build \xF0\x9F\x8C\xB1 broke"sv,
                       .extra = "\x80",
                       .facets = {"tag", "", "key=1"},
                       .terms = "build"};

std::vector<std::byte> encoded(const Payload& payload) {
  std::vector<std::byte> bytes;
  encode_payload(payload, bytes);
  return bytes;
}

void seal(std::vector<std::byte>& bytes) {
  const std::uint32_t sum = crc32c(0, std::span(bytes).subspan(4));
  std::memcpy(bytes.data(), &sum, 4);
}

}  // namespace

TEST(format_payload_comes_back_as_it_was) {
  const auto bytes = encoded(kPayload);
  const Payload payload = decode_payload(bytes);
  CHECK_EQUAL(payload.content, kPayload.content);
  CHECK_EQUAL(payload.extra, kPayload.extra);
  CHECK_EQUAL(payload.terms, kPayload.terms);
  CHECK(payload.facets == kPayload.facets);
  const auto empty = encoded({});
  CHECK(decode_payload(empty).content.empty());
  CHECK(decode_payload(empty).facets.empty());
}

TEST(format_payload_is_appended_and_does_not_depend_on_what_lies_before) {
  std::vector<std::byte> bytes(5, std::byte{9});
  encode_payload(kPayload, bytes);
  const auto alone = encoded(kPayload);
  CHECK(std::vector(bytes.begin() + 5, bytes.end()) == alone);
}

TEST(format_payload_with_any_damage_is_refused) {
  const auto bytes = encoded(kPayload);
  const auto refuse = [](std::span<const std::byte> damaged) {
    CHECK_THROWS(ErrorCode::kCorruptStore, decode_payload(damaged));
  };
  testing::for_each_flipped_bit(bytes, refuse);
  testing::for_each_truncation(bytes, refuse);
}

// A hostile file can carry a right checksum.
TEST(format_payload_with_impossible_lengths_is_refused_without_allocating) {
  const auto bytes = encoded(kPayload);
  for (std::size_t offset = 4; offset + 4 <= bytes.size(); ++offset) {
    auto hostile = bytes;
    const std::uint32_t huge = 0xFFFFFFF0;
    std::memcpy(hostile.data() + offset, &huge, 4);
    seal(hostile);
    try {
      CHECK(decode_payload(hostile).facets.size() < 100);
    } catch (const Error& error) {
      CHECK_EQUAL(error.code(), ErrorCode::kCorruptStore);
    }
  }
  auto longer = bytes;
  longer.push_back(std::byte{0});
  seal(longer);
  CHECK_THROWS(ErrorCode::kCorruptStore, decode_payload(longer));
}

TEST(format_payload_that_is_too_large_is_refused_and_nothing_is_appended) {
  // A view that claims more than there is; it is refused before it is read.
  const char byte = 'x';
  std::vector<std::byte> bytes(3);
  Payload large;
  large.content = {&byte, kMaximumPayloadSize};
  CHECK_THROWS(ErrorCode::kInvalidArgument, encode_payload(large, bytes));
  Payload endless;
  endless.facets = {{&byte, SIZE_MAX / 2}};
  CHECK_THROWS(ErrorCode::kInvalidArgument, encode_payload(endless, bytes));
  CHECK_EQUAL(bytes.size(), 3U);
}

}  // namespace hippocore::format
