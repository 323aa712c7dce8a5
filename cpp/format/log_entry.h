// A log entry: one committed operation, as outcomes. Replaying decides nothing.
//
// An entry is a header of kEntryHeaderSize bytes and a body of operations. The header has a checksum of its own; the
// body's checksum continues that of the entry before, and the first one is salted with the store and the epoch, so that
// an entry of another store, another log or another position never passes. Entries start at multiples of 8 bytes.
//
// Pure: bytes <-> values; decoded views point into the bytes given.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/id.h"
#include "format/state.h"

namespace hippocore::format {

inline constexpr std::size_t kLogStart = 4096;  // the first sector names store and epoch and carries the mark
inline constexpr std::size_t kEntryHeaderSize = 40;
inline constexpr std::size_t kMaximumEntrySize = std::size_t{1} << 31;

// One version of one memory: what remember, update and import write. The previous version of the id ends when it
// begins.
struct WriteVersion {
  Id id;
  std::string_view scope;  // canonical text, see hippocore/scopes.py
  std::string_view kind;
  std::string_view source;  // empty: none
  std::int64_t created_at = 0;
  std::int64_t valid_from = 0;
  std::int64_t event_time = kUnset;
  std::uint64_t text_key = 0;
  std::uint64_t merge_key = 0;
  std::uint32_t tokens = 0;
  std::uint32_t version = 1;
  State state;
  double norm = 0;
  float code_scale = 0;
  float code_error = 0;
  float coarse_scale = 0;
  float coarse_error = 0;
  std::span<const std::byte> code;     // code_bytes(dimension) bytes
  std::span<const std::byte> vector;   // dimension little-endian f32, not necessarily aligned
  std::span<const std::byte> payload;  // as encode_payload wrote it
};

// The whole changing state of an id's newest version after the operation.
struct ChangeState {
  Id id;
  State state;
};

// Every version of the id is gone.
struct Forget {
  Id id;
};

// The id's oldest versions are gone, up to the first that ended later than `moment`; its newest is never one of them.
struct ForgetEnded {
  Id id;
  std::int64_t moment = 0;
};

using Operation = std::variant<WriteVersion, ChangeState, Forget, ForgetEnded>;

struct EntryHeader {
  std::uint64_t sequence = 0;        // 1, 2, 3 … over the life of the store
  std::uint64_t synced_through = 0;  // the last sequence its writer knew to be on disk
  std::uint32_t body_size = 0;       // without padding
  std::uint32_t body_crc = 0;        // chained, see above
};

void encode_operation(const Operation& operation, std::vector<std::byte>& body);
// Reads the operations of a body one after another: a body of millions takes no memory beyond its own.
class OperationReader {
 public:
  OperationReader(std::span<const std::byte> body, std::size_t dimension)
      : reader_(body, "a log entry"), dimension_(dimension) {}
  // Returns: nothing behind the last one. Throws: Error{kCorruptStore} when what comes next is no well-formed operation
  // for this dimension; the reader cannot go on then.
  [[nodiscard]] std::optional<Operation> next();

 private:
  ByteReader reader_;
  std::size_t dimension_;
};

// The checksum that the first entry of a log continues.
[[nodiscard]] std::uint32_t log_salt(const Id& store, std::uint64_t epoch) noexcept;
// The header's own checksum is salted too, so that a scan past damage finds only entries of this very log.
// Throws: Error{kInvalidArgument} when the entry would pass kMaximumEntrySize.
[[nodiscard]] std::array<std::byte, kEntryHeaderSize> encode_entry_header(const EntryHeader& header,
                                                                          std::uint32_t salt);
// Returns: nothing when magic, checksum or size is not that of an entry of this log.
[[nodiscard]] std::optional<EntryHeader> decode_entry_header(std::span<const std::byte, kEntryHeaderSize> bytes,
                                                             std::uint32_t salt);
// Returns: bytes from one entry's start to the next one's.
[[nodiscard]] constexpr std::size_t entry_size(std::size_t body_size) noexcept {
  return (kEntryHeaderSize + body_size + 7) / 8 * 8;
}

// The log's first sector.
struct LogPreamble {
  Id store_id;
  std::uint64_t epoch = 0;
  // Nobody appends to this log again. Writers leave it false and set a mark in a sector of its own (storage/log.h),
  // which a crash cannot turn into a damaged preamble.
  bool closed = false;
};
[[nodiscard]] std::array<std::byte, 64> encode_log_preamble(const LogPreamble& preamble);
[[nodiscard]] std::optional<LogPreamble> decode_log_preamble(std::span<const std::byte, 64> bytes);

}  // namespace hippocore::format
