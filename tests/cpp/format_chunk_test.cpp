#include <algorithm>
#include <cstring>
#include <vector>

#include "aligned_bytes.h"
#include "base/crc32c.h"
#include "damage.h"
#include "format/chunk.h"
#include "harness.h"

namespace hippocore::format {
namespace {

constexpr std::size_t kDimensions[] = {1, 3, 17, 383, 384, 1536};
constexpr std::size_t kCapacities[] = {64, 128, 1024};
constexpr std::size_t kEligibilityColumns = 5;

// A chunk in memory, every byte of its rows filled.
class FilledChunk {
 public:
  FilledChunk(std::size_t dimension, std::size_t capacity) : layout_(dimension, capacity), bytes_(layout_.size()) {
    const auto pattern = testing::patterned_bytes(layout_.offsets().columns_crc);
    std::copy(pattern.begin(), pattern.end(), bytes_.data());
  }
  [[nodiscard]] MutableChunkView view() { return {&layout_, bytes_.data()}; }
  [[nodiscard]] const ChunkLayout& layout() const { return layout_; }

 private:
  ChunkLayout layout_;
  testing::AlignedBytes bytes_;
};

// Every column as the typed accessors give it, in the order of the file; row_crcs last.
std::vector<std::span<std::byte>> columns(const MutableChunkView& chunk) {
  const auto bytes = [](auto column) { return std::as_writable_bytes(column); };
  const auto vectors = std::span(chunk.vector(0).data(), chunk.dimension() * chunk.layout().capacity());
  return {bytes(chunk.scopes()),          bytes(chunk.kinds()),
          bytes(chunk.valid_from()),      bytes(chunk.created_at()),
          bytes(chunk.event_time()),      bytes(chunk.ids()),
          bytes(chunk.text_keys()),       bytes(chunk.merge_keys()),
          bytes(chunk.sources()),         bytes(chunk.tokens()),
          bytes(chunk.versions()),        bytes(chunk.previous()),
          bytes(chunk.payload_offsets()), bytes(chunk.payload_lengths()),
          bytes(chunk.norms()),           bytes(chunk.code_scales()),
          bytes(chunk.code_errors()),     chunk.codes(),
          bytes(chunk.coarse_scales()),   bytes(chunk.coarse_errors()),
          chunk.coarse_codes(),           bytes(vectors),
          bytes(chunk.row_crcs())};
}

std::span<std::byte> row_of(std::span<std::byte> column, std::size_t capacity, std::size_t index) {
  const std::size_t row_size = column.size() / capacity;
  return column.subspan(index * row_size, row_size);
}

std::vector<std::uint32_t> row_crcs(const ChunkView& chunk) {
  std::vector<std::uint32_t> sums;
  for (std::size_t index = 0; index < chunk.layout().capacity(); ++index) sums.push_back(row_crc(chunk, index));
  return sums;
}

}  // namespace

TEST(format_chunk_columns_are_aligned_and_apart) {
  for (const std::size_t dimension : kDimensions) {
    for (const std::size_t capacity : kCapacities) {
      FilledChunk chunk(dimension, capacity);
      const std::byte* end = chunk.view().data();
      for (const auto column : columns(chunk.view())) {
        CHECK(column.data() >= end);
        CHECK_EQUAL((column.data() - chunk.view().data()) % 64, 0);
        end = column.data() + column.size();
      }
      const std::size_t used = static_cast<std::size_t>(end - chunk.view().data());
      CHECK(chunk.layout().offsets().columns_crc >= used);
      CHECK(chunk.layout().offsets().columns_crc + sizeof(std::uint32_t) <= chunk.layout().size());
      CHECK_EQUAL(chunk.layout().size() % 4096, 0U);
    }
  }
}

TEST(format_chunk_rows_have_their_own_place_in_codes_and_vectors) {
  FilledChunk chunk(383, 64);
  CHECK_EQUAL(code_bytes(383), 192U);
  CHECK_EQUAL(chunk.view().code(5).size(), 192U);
  CHECK_EQUAL(chunk.view().code(5).data() - chunk.view().code(4).data(), 192);
  CHECK_EQUAL(coarse_bytes(383), 96U);
  CHECK_EQUAL(chunk.view().coarse_code(5).size(), 96U);
  CHECK_EQUAL(chunk.view().coarse_code(5).data() - chunk.view().coarse_code(4).data(), 96);
  CHECK_EQUAL(chunk.view().vector(63).size(), 383U);
  CHECK_EQUAL(chunk.view().vector(63).data() - chunk.view().vector(62).data(), 383);
}

TEST(format_chunk_row_crc_covers_its_row_in_every_column_and_no_other_row) {
  for (const std::size_t dimension : {std::size_t{3}, std::size_t{384}}) {
    FilledChunk chunk(dimension, 64);
    const auto before = row_crcs(chunk.view());
    auto summed = columns(chunk.view());
    summed.pop_back();
    for (const auto column : summed) {
      const auto row = row_of(column, 64, 7);
      for (const std::size_t place : {std::size_t{0}, row.size() - 1}) {
        row[place] ^= std::byte{1};
        auto after = row_crcs(chunk.view());
        CHECK(after[7] != before[7]);
        after[7] = before[7];
        CHECK(after == before);
        row[place] ^= std::byte{1};
      }
    }
  }
}

TEST(format_chunk_columns_crc_covers_eligibility_of_the_counted_rows_only) {
  FilledChunk chunk(17, 64);
  const std::uint32_t before = columns_crc(chunk.view(), 40);
  const auto all = columns(chunk.view());
  for (std::size_t number = 0; number < all.size(); ++number) {
    for (const std::size_t index : {std::size_t{0}, std::size_t{39}, std::size_t{40}}) {
      const auto row = row_of(all[number], 64, index);
      row[0] ^= std::byte{0x80};
      CHECK_EQUAL(columns_crc(chunk.view(), 40) != before, number < kEligibilityColumns && index < 40);
      row[0] ^= std::byte{0x80};
    }
  }
}

TEST(format_chunk_columns_crc_does_not_depend_on_the_capacity) {
  FilledChunk from(17, 1024);
  FilledChunk into(17, 128);
  copy_rows(from.view(), 100, into.view());
  CHECK_EQUAL(columns_crc(from.view(), 100), columns_crc(into.view(), 100));
  CHECK_EQUAL(row_crc(from.view(), 99), row_crc(into.view(), 99));
}

TEST(format_chunk_rows_are_copied_between_capacities) {
  for (const std::size_t dimension : kDimensions) {
    for (const auto& [small, large] : {std::pair<std::size_t, std::size_t>{64, 128}, {128, 1024}, {64, 64}}) {
      FilledChunk source(dimension, large);
      const ChunkLayout layout(dimension, small);
      testing::AlignedBytes bytes(layout.size());
      const MutableChunkView target(&layout, bytes.data());
      copy_rows(source.view(), 40, target);
      const auto from = columns(source.view());
      const auto into = columns(target);
      for (std::size_t number = 0; number < from.size(); ++number) {
        const std::size_t length = into[number].size() / small * 40;
        CHECK(std::memcmp(from[number].data(), into[number].data(), length) == 0);
        const auto rest = into[number].subspan(length);
        CHECK(std::all_of(rest.begin(), rest.end(), [](std::byte byte) { return byte == std::byte{0}; }));
      }
      CHECK_EQUAL(target.columns_crc(), 0U);
    }
  }
}

// Stores hold this layout: an intended change of it is a new format version.
TEST(format_chunk_layout_is_the_one_that_stores_hold) {
  const ChunkLayout layout(384, kChunkSlots);
  const std::size_t expected[] = {0,      4096,   6144,   14336,  22528,  30720,  47104,   55296,
                                  63488,  67584,  71680,  75776,  79872,  88064,  92160,   100352,
                                  104448, 108544, 305152, 309248, 313344, 411648, 1984512, 1988608};
  const auto& offsets = layout.offsets();
  const std::size_t actual[] = {offsets.scopes,          offsets.kinds,           offsets.valid_from,
                                offsets.created_at,      offsets.event_time,      offsets.ids,
                                offsets.text_keys,       offsets.merge_keys,      offsets.sources,
                                offsets.tokens,          offsets.versions,        offsets.previous,
                                offsets.payload_offsets, offsets.payload_lengths, offsets.norms,
                                offsets.code_scales,     offsets.code_errors,     offsets.codes,
                                offsets.coarse_scales,   offsets.coarse_errors,   offsets.coarse_codes,
                                offsets.vectors,         offsets.row_crcs,        offsets.columns_crc};
  for (std::size_t number = 0; number < std::size(expected); ++number) CHECK_EQUAL(actual[number], expected[number]);
  CHECK_EQUAL(layout.size(), 1990656U);
}

}  // namespace hippocore::format
