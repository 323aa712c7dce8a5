#include "format/log_entry.h"

#include <bit>
#include <cstring>
#include <string>

#include "base/crc32c.h"
#include "base/error.h"

namespace hippocore::format {
namespace {

constexpr std::uint32_t kEntryMagic = 0x45434948;        // "HICE"
constexpr std::uint64_t kLogMagic = 0x31474F4C4F434948;  // "HICOLOG1"

// The bytes on disk. Both checksums cover everything behind themselves.
struct EntryHeaderBytes {
  std::uint32_t magic = kEntryMagic;
  std::uint32_t crc = 0;
  std::uint64_t sequence = 0;
  std::uint64_t synced_through = 0;
  std::uint32_t body_size = 0;
  std::uint32_t body_crc = 0;
  std::uint64_t reserved = 0;
};
static_assert(sizeof(EntryHeaderBytes) == kEntryHeaderSize);

struct PreambleBytes {
  std::uint64_t magic = kLogMagic;
  std::uint32_t crc = 0;
  std::uint32_t closed = 0;
  Id store_id;
  std::uint64_t epoch = 0;
  std::array<std::uint64_t, 3> reserved{};
};
static_assert(sizeof(PreambleBytes) == 64);

template <typename Bytes>
std::uint32_t checksum(const Bytes& bytes, std::uint32_t salt) noexcept {
  return crc32c(salt, std::as_bytes(std::span(&bytes, 1)).subspan(offsetof(Bytes, crc) + sizeof(bytes.crc)));
}

template <typename Bytes, std::size_t size>
Bytes load(std::span<const std::byte, size> from) noexcept {
  static_assert(sizeof(Bytes) == size);
  Bytes bytes;
  std::memcpy(&bytes, from.data(), size);
  return bytes;
}

}  // namespace

std::uint32_t log_salt(const Id& store, std::uint64_t epoch) noexcept {
  const std::uint32_t of_store = crc32c(0, std::as_bytes(std::span(store.bytes)));
  return crc32c(of_store, std::as_bytes(std::span(&epoch, 1)));
}

std::array<std::byte, kEntryHeaderSize> encode_entry_header(const EntryHeader& header, std::uint32_t salt) {
  if (entry_size(header.body_size) > kMaximumEntrySize) {
    throw Error(ErrorCode::kInvalidArgument, "one operation of " + std::to_string(header.body_size) +
                                                 " bytes is larger than a log entry may be: write smaller batches");
  }
  EntryHeaderBytes bytes{.sequence = header.sequence,
                         .synced_through = header.synced_through,
                         .body_size = header.body_size,
                         .body_crc = header.body_crc};
  bytes.crc = checksum(bytes, salt);
  return std::bit_cast<std::array<std::byte, kEntryHeaderSize>>(bytes);
}

std::optional<EntryHeader> decode_entry_header(std::span<const std::byte, kEntryHeaderSize> bytes, std::uint32_t salt) {
  const auto read = load<EntryHeaderBytes>(bytes);
  if (read.magic != kEntryMagic || read.crc != checksum(read, salt)) return std::nullopt;
  if (entry_size(read.body_size) > kMaximumEntrySize) return std::nullopt;
  return EntryHeader{read.sequence, read.synced_through, read.body_size, read.body_crc};
}

std::array<std::byte, 64> encode_log_preamble(const LogPreamble& preamble) {
  PreambleBytes bytes{.closed = preamble.closed ? 1U : 0U, .store_id = preamble.store_id, .epoch = preamble.epoch};
  bytes.crc = checksum(bytes, 0);
  return std::bit_cast<std::array<std::byte, 64>>(bytes);
}

std::optional<LogPreamble> decode_log_preamble(std::span<const std::byte, 64> bytes) {
  const auto read = load<PreambleBytes>(bytes);
  if (read.magic != kLogMagic || read.crc != checksum(read, 0)) return std::nullopt;
  return LogPreamble{read.store_id, read.epoch, read.closed != 0};
}

}  // namespace hippocore::format
