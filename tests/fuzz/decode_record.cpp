// One decoder of cpp/format, or the checks of a chunk of columns, on any bytes.
//
// Promises: each ends in a value, in nothing or in hippocore's Error; what decodes says the same when it is encoded and
// decoded again; memory is bounded by the bytes.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "allocation_bound.h"
#include "expect.h"
#include "format/index.h"
#include "format/log_entry.h"
#include "format/payload.h"
#include "format/preamble.h"
#include "repair.h"
#include "storage/chunk.h"
#include "storage/index.h"
#include "targets.h"

namespace hippocore::fuzz {

namespace {

constexpr std::size_t kConstant = std::size_t{1} << 20;
constexpr std::size_t kFactor = 32;
constexpr std::uint32_t kDimension = 4;
constexpr std::size_t kRows = 64;  // capacity of the smallest chunk

// Bytes on the heap, aligned as a mapping is and no longer than they should be.
class Bytes {
 public:
  explicit Bytes(std::span<const std::byte> from, std::size_t size) : size_(size) {
    void* memory = nullptr;
    if (::posix_memalign(&memory, 4096, std::max<std::size_t>(size, 1)) != 0) throw std::bad_alloc();
    bytes_.reset(static_cast<std::byte*>(memory));
    std::fill_n(bytes_.get(), size, std::byte{0});
    std::copy_n(from.begin(), std::min(from.size(), size), bytes_.get());
  }
  explicit Bytes(std::span<const std::byte> from) : Bytes(from, from.size()) {}
  [[nodiscard]] std::span<std::byte> all() const { return {bytes_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const noexcept { std::free(bytes); }
  };
  std::unique_ptr<std::byte, Free> bytes_;
  std::size_t size_;
};

void decode_headers(std::span<const std::byte> input, bool repaired) {
  const Bytes file(input, format::kHeaderSize);
  if (repaired) {
    repair_header(file.all().first(format::kHeaderSlotSize));
    repair_header(file.all().subspan(format::kHeaderSlotSize));
  }
  const auto bytes = std::span<const std::byte>(file.all());
  const auto first = format::decode_header(bytes.first<format::kHeaderSlotSize>());
  if (first) expect(format::decode_header(format::encode_header(*first)) == first, "a header comes back");
  const auto second = format::decode_header(bytes.last<format::kHeaderSlotSize>());
  const auto chosen = format::choose_header(bytes.first<format::kHeaderSize>());
  expect(chosen == first || chosen == second, "the chosen header is one of the two");
}

void decode_index(std::span<const std::byte> input, bool repaired) {
  const Bytes file(input);
  if (repaired) repair_index(file.all());
  constexpr std::uint32_t kSlots = 4;
  const bool sound = format::verify_index(file.all(), kSlots);
  const format::IndexSections sections = format::decode_index(file.all());
  if (!sound) return;
  const storage::Index index(sections, nullptr, kSlots);
  for (std::uint32_t label = 0; label < index.labels().size(); ++label) {
    const std::string_view text = index.labels().text(label);
    static_cast<void>(index.labels().find(index.labels().type(label), text));
    for (const std::uint32_t slot : index.labels().live_slots(label)) expect(slot < kSlots, "a posting is a slot");
    for (const std::uint32_t slot : index.labels().superseded_slots(label))
      expect(slot < kSlots, "a posting is a slot");
  }
  for (std::size_t kind = 0; kind < index.kind_count(); ++kind) {
    expect(index.find_kind(index.kind(kind)) == kind, "a kind is found by its name");
  }
  static_cast<void>(index.newest({}, [](std::uint32_t) { return Id{}; }));
  index.for_each_merge_candidate(1, [](std::uint32_t slot) { expect(slot < kSlots, "a candidate is a slot"); });
}

void decode_payload(std::span<const std::byte> input, bool repaired) {
  const Bytes bytes(input);
  if (repaired) repair_payload(bytes.all());
  const format::Payload payload = format::decode_payload(bytes.all());
  std::vector<std::byte> again;
  format::encode_payload(payload, again);
  expect(std::ranges::equal(again, bytes.all()), "a payload is encoded as it was");
}

void decode_operations(std::span<const std::byte> input, bool repaired) {
  const Bytes body(input);
  if (repaired) repair_body(body.all());
  std::vector<std::byte> again;
  format::OperationReader operations(body.all(), kDimension);
  while (const auto operation = operations.next()) format::encode_operation(*operation, again);
  expect(std::ranges::equal(again, body.all()), "operations are encoded as they were");
}

void decode_log_headers(std::span<const std::byte> input, bool repaired) {
  const Bytes bytes(input, 64 + format::kEntryHeaderSize);
  constexpr std::uint32_t kSalt = 5;
  if (repaired) {
    std::array<std::uint32_t, 10> words{};
    std::memcpy(words.data(), bytes.all().data() + 64, sizeof(words));
    if (format::entry_size(words[6]) <= format::kMaximumEntrySize) {
      const auto entry = format::encode_entry_header({words[2], words[4], words[6], words[7]}, kSalt);
      expect(format::decode_entry_header(entry, kSalt).has_value(), "an entry's header comes back");
    }
  }
  const std::span<const std::byte> all = bytes.all();
  const auto entry = format::decode_entry_header(all.last<format::kEntryHeaderSize>(), kSalt);
  if (entry) expect(format::entry_size(entry->body_size) <= format::kMaximumEntrySize, "no entry is too large");
  const auto preamble = format::decode_log_preamble(all.first<64>());
  if (preamble) {
    const auto again = format::decode_log_preamble(format::encode_log_preamble(*preamble));
    expect(again && again->closed == preamble->closed && again->epoch == preamble->epoch, "a preamble comes back");
  }
}

void check_columns(std::span<const std::byte> input, bool repaired) {
  const auto layout = std::make_shared<const format::ChunkLayout>(kDimension, kRows);
  const Bytes bytes(input.subspan(1), layout->size());
  const auto count = static_cast<std::uint32_t>(std::to_integer<std::size_t>(input[0]) % (kRows + 1));
  if (repaired) {
    const format::MutableChunkView rows(layout.get(), bytes.all().data());
    for (std::size_t row = 0; row < count; ++row) rows.row_crcs()[row] = format::row_crc(rows, row);
    rows.columns_crc() = format::columns_crc(rows, count);
  }
  const storage::Chunk chunk(layout, bytes.all().data(), nullptr, count);
  for (std::size_t row = 0; row < count; ++row) {
    const bool intact = chunk.row_is_intact(row);
    expect(intact == (format::row_crc(chunk.rows(), row) == chunk.rows().row_crcs()[row] &&
                      format::row_is_sound(chunk.rows(), row)),
           "a row is intact with its checksum over numbers that can be");
  }
  const storage::Chunk copy(std::make_shared<const format::ChunkLayout>(kDimension, format::kChunkSlots), chunk);
  for (std::size_t row = 0; row < count; ++row) {
    expect(copy.row_is_intact(row) == chunk.row_is_intact(row), "a copied row keeps its damage");
  }
  chunk.check_columns(0, 2, 3);
  for (std::size_t row = 0; row < count; ++row) {
    expect(chunk.rows().kinds()[row] < 2 && chunk.rows().scopes()[row] < 3, "columns name what there is");
  }
}

void check_states(std::span<const std::byte> input, bool repaired) {
  const Bytes bytes(input, sizeof(format::StateBlock));
  auto* block = reinterpret_cast<format::StateBlock*>(bytes.all().data());
  if (repaired) block->crc = format::state_crc(*block);
  constexpr std::uint32_t kCount = 2;
  const storage::StateChunk chunk(block, nullptr, kCount);
  const bool intact = chunk.is_intact();
  const storage::StateChunk copy(chunk);
  expect(copy.is_intact() == intact, "copied states keep their damage");
  chunk.check(0);
  expect(intact, "damaged states are refused");
  for (std::size_t row = 0; row < kCount; ++row) {
    expect(chunk.block().importance[row] >= 0 && chunk.block().importance[row] <= 1, "an importance is in 0..1");
    expect(chunk.block().trust[row] <= 2, "a trust has a name");
  }
}

void check_preambles(std::span<const std::byte> input, bool) {
  const Bytes bytes(input);
  const format::Preamble preamble{{}, format::Part::kState, kDimension, 1};
  if (format::has_preamble(bytes.all(), preamble)) {
    expect(std::ranges::equal(bytes.all().first(format::kPreambleSize), format::encode_preamble(preamble)),
           "a preamble is exactly its own");
  }
}

using Decoder = void (*)(std::span<const std::byte>, bool repaired);
constexpr std::array<Decoder, 8> kDecoders = {decode_headers,     decode_index,  decode_payload, decode_operations,
                                              decode_log_headers, check_columns, check_states,   check_preambles};

}  // namespace

void decode_record(std::span<const std::byte> input) {
  if (input.size() < 3) return;
  const AllocationBound bound(kFactor * input.size() + kConstant);
  const bool repaired = (input[1] & std::byte{1}) != std::byte{0};
  try {
    kDecoders[std::to_integer<std::size_t>(input[0]) % kDecoders.size()](input.subspan(2), repaired);
  } catch (const Error& error) {
    const bool expected = error.code() == ErrorCode::kCorruptStore || error.code() == ErrorCode::kStoreVersion;
    expect(expected, "what cannot be decoded is damaged, or newer");
  }
  bound.check();
}

}  // namespace hippocore::fuzz
