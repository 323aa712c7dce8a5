#include "storage/log.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/crc32c.h"
#include "base/error.h"

namespace hippocore::storage {

using format::entry_size;
using format::kEntryHeaderSize;

namespace {

constexpr std::size_t kClosedMark = 512;  // where it stands, in a sector that nothing else is written to
constexpr std::array<std::byte, 8> kClosed{std::byte{'c'}, std::byte{'l'}, std::byte{'o'}, std::byte{'s'},
                                           std::byte{'e'}, std::byte{'d'}, std::byte{0},   std::byte{0}};
constexpr std::uint64_t kFirstGrowth = std::uint64_t{1} << 16;
constexpr std::uint64_t kLargestGrowth = std::uint64_t{1} << 24;

std::optional<format::EntryHeader> header_at(std::span<const std::byte> log, std::uint64_t offset, std::uint32_t salt) {
  if (offset > log.size() || log.size() - offset < kEntryHeaderSize) return std::nullopt;
  return format::decode_entry_header(log.subspan(offset).first<kEntryHeaderSize>(), salt);
}

// Returns: the length without the zeros at the end. A log is zero-filled by megabytes, so whole words are compared.
std::size_t length_without_zeros(std::span<const std::byte> bytes) {
  std::size_t length = bytes.size();
  for (std::uint64_t word = 0; length >= sizeof(word); length -= sizeof(word)) {
    std::memcpy(&word, bytes.data() + length - sizeof(word), sizeof(word));
    if (word != 0) break;
  }
  while (length > 0 && bytes[length - 1] == std::byte{0}) --length;
  return length;
}

[[noreturn]] void synced_part_damaged(const std::string& name, std::uint64_t sequence) {
  throw Error(ErrorCode::kCorruptStore,
              name + ": entry " + std::to_string(sequence) +
                  " is damaged, and later ones show that it had been written safely; restore a backup");
}

// In small parts: a system that caches a file in the parts it was written in looks at the whole of one at each write.
void write_zeros(os::File& log, std::uint64_t begin, std::uint64_t end) {
  static constexpr std::array<std::byte, 16384> kZeros{};
  for (std::uint64_t offset = begin; offset < end; offset += kZeros.size()) {
    log.write_at(offset, std::span(kZeros).first(std::min<std::uint64_t>(kZeros.size(), end - offset)));
  }
}

// A log grows by its own size, from 64 KiB to at most 16 MiB a step, always leaving room for the next entry's header.
void grow(os::File& log, std::uint64_t needed, Blocks blocks) {
  const std::uint64_t size = log.size();
  if (needed <= size) return;
  const std::uint64_t step = std::clamp(size, kFirstGrowth, kLargestGrowth);
  const std::uint64_t length = (std::max(needed, size + step) + 4095) / 4096 * 4096;
  log.allocate(length);
  if (blocks == Blocks::kWritten) write_zeros(log, size, length);
}

}  // namespace

LogPosition log_start(const format::Header& header) {
  const std::uint32_t salt = format::log_salt(header.store_id, header.epoch);
  return {format::kLogStart, header.sequence, salt, salt};
}

bool something_at(std::span<const std::byte> log, const LogPosition& position) {
  if (position.offset > log.size() || log.size() - position.offset < sizeof(std::uint64_t)) return true;
  const auto* word = reinterpret_cast<const std::uint64_t*>(log.data() + position.offset);
  return __atomic_load_n(word, __ATOMIC_ACQUIRE) != 0;
}

std::optional<LogEntry> read_entry(std::span<const std::byte> log, const LogPosition& position) {
  if (!something_at(log, position)) return std::nullopt;  // comes first: what is read below is no older than this
  const auto header = header_at(log, position.offset, position.salt);
  if (!header || header->sequence != position.sequence + 1) return std::nullopt;
  if (entry_size(header->body_size) > log.size() - position.offset) return std::nullopt;
  const std::uint64_t body_offset = position.offset + kEntryHeaderSize;
  const auto body = log.subspan(body_offset, header->body_size);
  if (crc32c(position.chain, body) != header->body_crc) return std::nullopt;
  return LogEntry{*header,
                  body,
                  body_offset,
                  {position.offset + entry_size(header->body_size), header->sequence, header->body_crc, position.salt}};
}

LogRest judge_rest(std::span<const std::byte> log, const LogPosition& position, const std::string& name) {
  if (position.offset >= log.size()) return {};
  const std::size_t length = length_without_zeros(log.subspan(position.offset));
  for (std::uint64_t offset = position.offset; offset < position.offset + length; offset += 8) {
    const auto header = header_at(log, offset, position.salt);
    if (header && header->synced_through > position.sequence) synced_part_damaged(name, position.sequence + 1);
  }
  return {length};
}

std::unique_ptr<os::File> create_log(os::Directory& directory, const format::Header& header) {
  auto log = directory.create(header.log.name);
  log->allocate(kFirstGrowth);
  log->write_at(0, format::encode_log_preamble({header.store_id, header.epoch, false}));
  return log;
}

bool log_is_closed(std::span<const std::byte> log, const format::Header& header) {
  std::optional<format::LogPreamble> preamble;
  if (log.size() >= format::kLogStart) preamble = format::decode_log_preamble(log.first<64>());
  if (!preamble || preamble->store_id != header.store_id || preamble->epoch != header.epoch) {
    throw Error(ErrorCode::kCorruptStore,
                header.log.name + " is not the log of this store and moment; restore a backup");
  }
  const auto mark = log.subspan(kClosedMark, kClosed.size());
  return preamble->closed || std::any_of(mark.begin(), mark.end(), [](std::byte byte) { return byte != std::byte{0}; });
}

// Whatever a crash leaves of the mark, the preamble says whose log it is: it is not written again.
void close_log(os::File& log) {
  log.write_at(kClosedMark, kClosed);
}

void make_room(os::File& log, const LogPosition& position, std::size_t body_size, std::uint64_t known_size,
               Blocks blocks) {
  if (body_size > format::kMaximumEntrySize || entry_size(body_size) > format::kMaximumEntrySize) {
    throw Error(ErrorCode::kInvalidArgument, "one call writes at most 2 GiB; split the batch");
  }
  const std::uint64_t needed = position.offset + entry_size(body_size) + kEntryHeaderSize;
  if (needed > known_size) grow(log, needed, blocks);
}

LogPosition append_entry(os::File& log, const LogPosition& position, std::span<const std::byte> body,
                         std::uint64_t synced_through) {
  const std::size_t size = entry_size(body.size());
  const format::EntryHeader header{position.sequence + 1, synced_through, static_cast<std::uint32_t>(body.size()),
                                   crc32c(position.chain, body)};
  std::vector<std::byte> bytes(size);
  const auto encoded = format::encode_entry_header(header, position.salt);
  std::memcpy(bytes.data(), encoded.data(), encoded.size());
  std::memcpy(bytes.data() + kEntryHeaderSize, body.data(), body.size());
  log.write_at(position.offset, bytes);
  return {position.offset + size, header.sequence, header.body_crc, position.salt};
}

}  // namespace hippocore::storage
