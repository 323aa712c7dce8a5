// The header file: two checksummed slots, each in 4096 bytes of its own. The valid slot with the higher epoch is the
// store.
//
// Pure: bytes <-> values. Writing a slot is the only commit of a checkpoint, a compaction, a purge or a re-embedding.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/id.h"

namespace hippocore::format {

// What each format added: 2, the operation `ForgetEnded`. All of them are read; a store of an older one is written to
// only once it is of this one (storage/store_write.cpp).
inline constexpr std::uint32_t kFormatVersion = 2;
inline constexpr std::size_t kHeaderSlotSize = 4096;
inline constexpr std::size_t kHeaderSize = 2 * kHeaderSlotSize;
// Where a slot keeps its epoch, for readers that only look whether something happened.
inline constexpr std::size_t kEpochOffset = 16;
inline constexpr std::size_t kMaximumNameLength = 512;  // of an embedder or a tokenizer
inline constexpr std::size_t kMaximumFileNameLength = 128;
// A limit for sanity: a damaged or hostile header must not make a reader lay out chunks of terabytes.
inline constexpr std::uint32_t kMaximumDimension = 65536;

struct FileEntry {
  std::string name;
  std::uint64_t length = 0;  // committed bytes; what lies behind them is not part of the store
  bool operator==(const FileEntry&) const = default;
};

struct Header {
  Id store_id;
  std::uint32_t version = kFormatVersion;
  std::uint32_t dimension = 0;
  std::uint64_t epoch = 0;       // grows with every commit of a header
  std::uint64_t generation = 0;  // grows when records and payload are written anew
  std::uint64_t sequence = 0;    // the last log entry that is folded into the files below
  std::uint64_t slot_count = 0;  // slots in records and tail
  std::string embedder;
  std::string tokenizer;
  FileEntry records, tail, payload, state, index, log;  // the log's length is 0: its entries speak for themselves
  bool operator==(const Header&) const = default;
};

using HeaderSlot = std::array<std::byte, kHeaderSlotSize>;

// Throws: Error{kInvalidArgument} when a name is too long, a file name could leave the directory, or the dimension is
// not within 1..kMaximumDimension: what decode_header would refuse is never written.
[[nodiscard]] HeaderSlot encode_header(const Header& header);

// Returns: nothing when the slot's magic or checksum is wrong.
// Throws: Error{kStoreVersion} when the slot is intact and of a newer format; Error{kCorruptStore} when an intact slot
// holds impossible values (no dimension, a file name with a slash ...).
[[nodiscard]] std::optional<Header> decode_header(std::span<const std::byte, kHeaderSlotSize> slot);

// Chooses the intact slot with the higher epoch. Returns: nothing when neither is intact.
[[nodiscard]] std::optional<Header> choose_header(std::span<const std::byte, kHeaderSize> file);

}  // namespace hippocore::format
