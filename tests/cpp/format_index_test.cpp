#include <cstring>

#include "aligned_bytes.h"
#include "base/bytes.h"
#include "base/crc32c.h"
#include "damage.h"
#include "format/index.h"
#include "harness.h"

namespace hippocore::format {
namespace {

constexpr std::uint64_t kSlots = 10;
constexpr std::uint32_t kFree = kEmptyCell;

// Two labels, one kind, and the slots 0..9.
struct Sample {
  std::vector<std::uint64_t> label_ends = {3, 8};
  std::string label_bytes = "\1ab\2tag!";
  std::vector<std::uint64_t> kind_ends = {4};
  std::string kind_bytes = "fact";
  std::vector<std::uint32_t> label_cells = {kFree, 1, 0, kFree};
  std::vector<std::uint32_t> id_cells = {9, kFree, 3, kFree};
  std::vector<std::uint32_t> merge_cells = {kFree, 9};
  std::vector<std::uint64_t> posting_ends = {2, 3, 5, 5};
  std::vector<std::uint32_t> posting_slots = {1, 9, 0, 3, 4};

  [[nodiscard]] IndexSections sections() const {
    return {label_ends, as_bytes(label_bytes), kind_ends,    as_bytes(kind_bytes), label_cells,
            id_cells,   merge_cells,           posting_ends, posting_slots};
  }
};

template <typename T>
bool same(std::span<const T> left, std::span<const T> right) {
  return as_text(std::as_bytes(left)) == as_text(std::as_bytes(right));
}

bool verifies(const Sample& sample) {
  const auto encoded = encode_index(sample.sections());
  testing::AlignedBytes bytes(encoded);
  return verify_index(bytes.bytes(), kSlots);
}

// Calls verify_index and decode_index, which may refuse by Error{kCorruptStore} and by nothing else.
bool is_accepted(std::span<const std::byte> damaged) {
  testing::AlignedBytes bytes(damaged);
  const bool verified = verify_index(bytes.bytes(), kSlots);
  try {
    static_cast<void>(decode_index(bytes.bytes()));
  } catch (const Error& error) {
    CHECK_EQUAL(error.code(), ErrorCode::kCorruptStore);
    CHECK(!verified);
  }
  return verified;
}

}  // namespace

TEST(format_index_comes_back_as_it_was) {
  const Sample sample;
  const auto encoded = encode_index(sample.sections());
  testing::AlignedBytes bytes(encoded);
  const IndexSections read = decode_index(bytes.bytes());
  const IndexSections written = sample.sections();
  CHECK(same(read.label_ends, written.label_ends));
  CHECK(same(read.label_bytes, written.label_bytes));
  CHECK(same(read.kind_ends, written.kind_ends));
  CHECK(same(read.kind_bytes, written.kind_bytes));
  CHECK(same(read.label_cells, written.label_cells));
  CHECK(same(read.id_cells, written.id_cells));
  CHECK(same(read.merge_cells, written.merge_cells));
  CHECK(same(read.posting_ends, written.posting_ends));
  CHECK(same(read.posting_slots, written.posting_slots));
  CHECK_EQUAL((reinterpret_cast<std::uintptr_t>(read.posting_slots.data())) % 64, 0U);
  CHECK(verify_index(bytes.bytes(), kSlots));
}

TEST(format_index_of_nothing_comes_back_as_it_was) {
  const auto encoded = encode_index({});
  testing::AlignedBytes bytes(encoded);
  CHECK(decode_index(bytes.bytes()).posting_slots.empty());
  CHECK(verify_index(bytes.bytes(), 0));
}

TEST(format_index_with_any_flipped_bit_of_contents_or_sections_fails_to_verify) {
  const auto encoded = encode_index(Sample{}.sections());
  std::size_t accepted = 0;
  testing::for_each_flipped_bit(encoded, [&](std::span<const std::byte> damaged) { accepted += is_accepted(damaged); });
  // What is not covered is the padding between sections, which nobody reads.
  const std::size_t content = 160 + 16 + 8 + 8 + 4 + 16 + 16 + 8 + 32 + 20;
  CHECK_EQUAL(accepted, (encoded.size() - content) * 8);
}

TEST(format_index_cut_anywhere_fails_to_verify) {
  const auto encoded = encode_index(Sample{}.sections());
  testing::for_each_truncation(encoded, [](std::span<const std::byte> shorter) { CHECK(!is_accepted(shorter)); });
}

TEST(format_index_with_numbers_out_of_bounds_fails_to_verify) {
  CHECK(verifies(Sample{}));
  const auto refuse = [](auto change) {
    Sample sample;
    change(sample);
    CHECK(!verifies(sample));
  };
  refuse([](Sample& sample) { sample.label_ends = {3, 9}; });
  refuse([](Sample& sample) { sample.label_ends = {9, 8}; });
  refuse([](Sample& sample) { sample.label_ends = {3, 7}; });
  refuse([](Sample& sample) { sample.label_ends = {8, 8}; });  // a label without even a type
  refuse([](Sample& sample) { sample.kind_ends = {~0ULL}; });
  refuse([](Sample& sample) { sample.label_cells[0] = 2; });
  refuse([](Sample& sample) { sample.id_cells[0] = kSlots; });
  refuse([](Sample& sample) { sample.merge_cells = {1, 2}; });  // no free cell: a probe would not end
  refuse([](Sample& sample) { sample.posting_ends = {2, 3, 5, 6}; });
  refuse([](Sample& sample) { sample.posting_ends = {2, 3, 2, 5}; });
  refuse([](Sample& sample) { sample.posting_slots[1] = kSlots; });
  refuse([](Sample& sample) { sample.posting_slots = {9, 1, 0, 3, 4}; });
}

TEST(format_index_with_impossible_counts_is_refused) {
  const auto refuse = [](auto change) {
    Sample sample;
    change(sample);
    const auto encoded = encode_index(sample.sections());
    testing::AlignedBytes bytes(encoded);
    CHECK_THROWS(ErrorCode::kCorruptStore, decode_index(bytes.bytes()));
  };
  refuse([](Sample& sample) { sample.id_cells = {kFree, kFree, kFree}; });
  refuse([](Sample& sample) { sample.posting_ends = {2, 3, 5}; });
}

TEST(format_index_that_claims_huge_sections_is_refused) {
  std::array<std::byte, 90> small{};
  CHECK(!is_accepted(small));
  const auto encoded = encode_index(Sample{}.sections());
  for (std::size_t section = 0; section < 9; ++section) {
    for (const std::uint64_t length : {std::uint64_t{16} << 30, ~std::uint64_t{0}, ~std::uint64_t{63}}) {
      auto hostile = encoded;
      std::memcpy(hostile.data() + 16 + section * 16, &length, sizeof(length));
      const std::uint32_t sum = crc32c(0, std::span(hostile).subspan(12, 148));
      std::memcpy(hostile.data() + 8, &sum, sizeof(sum));
      testing::AlignedBytes bytes(hostile);
      CHECK(!verify_index(bytes.bytes(), kSlots));
      CHECK_THROWS(ErrorCode::kCorruptStore, decode_index(bytes.bytes()));
    }
  }
}

}  // namespace hippocore::format
