// The write-ahead log: reading it from a position, appending to it, and telling an unfinished write from damage.
//
// A position is a value; whoever holds one can go on from there. Bytes behind the last entry are zero until somebody
// writes, so a reader learns of an entry by looking at its own position in the mapped log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "format/header.h"
#include "format/log_entry.h"
#include "os/file.h"

namespace hippocore::storage {

struct LogPosition {
  std::uint64_t offset = format::kLogStart;
  std::uint64_t sequence = 0;  // of the last entry before the offset
  std::uint32_t chain = 0;     // its checksum
  std::uint32_t salt = 0;      // of this log
};

struct LogEntry {
  format::EntryHeader header;
  std::span<const std::byte> body;
  std::uint64_t body_offset = 0;
  LogPosition next;
};

// Returns: where the log of this checkpoint begins.
[[nodiscard]] LogPosition log_start(const format::Header& header);

// Returns: whether anything was written at the position, or may have been: the mapping ends there.
[[nodiscard]] bool something_at(std::span<const std::byte> log, const LogPosition& position);

// Returns: nothing unless a whole valid entry that continues the chain stands at the position.
[[nodiscard]] std::optional<LogEntry> read_entry(std::span<const std::byte> log, const LogPosition& position);

// What stands behind the last good entry, as the next writer or an opener, who knows that nobody is writing, must judge
// it.
struct LogRest {
  std::uint64_t discarded_bytes = 0;  // of an unfinished write; 0: the log ends cleanly
};
// Throws: Error{kCorruptStore} when a later valid entry says that what is damaged here had been synced.
[[nodiscard]] LogRest judge_rest(std::span<const std::byte> log, const LogPosition& position, const std::string& name);

// Creates the log file of an epoch and writes its preamble. Not synced.
[[nodiscard]] std::unique_ptr<os::File> create_log(os::Directory& directory, const format::Header& header);

// Returns: whether the log was closed for good. Throws: Error{kCorruptStore} when it is not this checkpoint's log.
[[nodiscard]] bool log_is_closed(std::span<const std::byte> log, const format::Header& header);

// Sets the mark; nobody appends to this log again.
void close_log(os::File& log);

// What a log grows by: blocks that are only reserved, or written once. A sync of an entry in reserved ones also has to
// write where they are; writing them costs each byte once more, and is worth it where every write is synced.
enum class Blocks { kReserved, kWritten };

// Grows the file so that an entry of this size fits behind the position, and the header of the next one.
// Requires: the file is at least as long as `known_size`. Where that is enough, the system is not asked: some file
// systems keep a finer time of change for a file that was asked about, and write it with every sync.
// Throws: as os::File, Error{kInvalidArgument} when the entry is too large; no entry is half written then.
void make_room(os::File& log, const LogPosition& position, std::size_t body_size, std::uint64_t known_size = 0,
               Blocks blocks = Blocks::kReserved);

// Writes one entry behind the position. Requires: there is room. Returns: the position behind it.
// Throws: as os::File; the entry may then be half written, and the log must be folded before anybody appends to it.
[[nodiscard]] LogPosition append_entry(os::File& log, const LogPosition& position, std::span<const std::byte> body,
                                       std::uint64_t synced_through);

}  // namespace hippocore::storage
