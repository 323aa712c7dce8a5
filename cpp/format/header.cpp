#include "format/header.h"

#include <algorithm>
#include <string_view>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "format/chunk.h"

namespace hippocore::format {
namespace {

constexpr std::uint64_t kMagic = 0x31444145484F4348;  // "HCOHEAD1"
constexpr std::size_t kChecksumOffset = 8;
constexpr std::size_t kChecksummed = 12;  // behind the magic and the checksum itself
constexpr std::string_view kFileNameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

// A file that is not there yet has no name. No name leaves the directory, is hidden, or is the header itself.
bool is_file_entry(const FileEntry& file) {
  if (file.name.empty()) return file.length == 0;
  return file.name.size() <= kMaximumFileNameLength && file.name.front() != '.' && file.name != "header" &&
         file.name.find_first_not_of(kFileNameCharacters) == std::string::npos;
}

std::array<const FileEntry*, 6> files_of(const Header& header) {
  return {&header.records, &header.tail, &header.payload, &header.state, &header.index, &header.log};
}

// Returns: null, or what makes these values impossible.
const char* fault_of(const Header& header) {
  if (header.dimension == 0 || header.dimension > kMaximumDimension) return "an impossible dimension";
  if (header.slot_count >= kNoSlot) return "more memories than a store can hold";
  if (std::max(header.embedder.size(), header.tokenizer.size()) > kMaximumNameLength) {
    return "a name of an embedder or a tokenizer that is too long";
  }
  const auto files = files_of(header);
  const bool named_well =
      std::all_of(files.begin(), files.end(), [](const FileEntry* file) { return is_file_entry(*file); });
  return named_well ? nullptr : "a file name that no store uses";
}

void check_version(std::uint32_t version) {
  if (version > kFormatVersion) {
    throw Error(ErrorCode::kStoreVersion, "the store has format " + std::to_string(version) +
                                              ", this release reads up to " + std::to_string(kFormatVersion) +
                                              ": install a newer hippocore");
  }
  if (version == 0) throw Error(ErrorCode::kCorruptStore, "the header names no format: the file is damaged");
}

FileEntry read_file(ByteReader& reader) {
  FileEntry file;
  file.name = reader.text();
  file.length = reader.read<std::uint64_t>();
  return file;
}

Header read_values(ByteReader& reader) {
  Header header;
  header.version = reader.read<std::uint32_t>();
  check_version(header.version);
  header.epoch = reader.read<std::uint64_t>();
  header.store_id = reader.read<Id>();
  header.dimension = reader.read<std::uint32_t>();
  header.generation = reader.read<std::uint64_t>();
  header.sequence = reader.read<std::uint64_t>();
  header.slot_count = reader.read<std::uint64_t>();
  header.embedder = reader.text();
  header.tokenizer = reader.text();
  header.records = read_file(reader);
  header.tail = read_file(reader);
  header.payload = read_file(reader);
  header.state = read_file(reader);
  header.index = read_file(reader);
  header.log = read_file(reader);
  return header;
}

}  // namespace

HeaderSlot encode_header(const Header& header) {
  if (const char* fault = fault_of(header)) {
    throw Error(ErrorCode::kInvalidArgument, std::string("a store's header cannot hold ") + fault);
  }
  std::vector<std::byte> bytes;
  bytes.reserve(kHeaderSlotSize);
  ByteWriter writer(bytes);
  writer.write(kMagic);
  writer.write(std::uint32_t{0});  // the checksum, known once the rest is there
  writer.write(header.version);
  writer.write(header.epoch);
  writer.write(header.store_id);
  writer.write(header.dimension);
  writer.write(header.generation);
  writer.write(header.sequence);
  writer.write(header.slot_count);
  writer.text(header.embedder);
  writer.text(header.tokenizer);
  for (const FileEntry* file : files_of(header)) {
    writer.text(file->name);
    writer.write(file->length);
  }
  HeaderSlot slot{};
  std::copy(bytes.begin(), bytes.end(), slot.begin());
  const std::uint32_t sum = crc32c(0, std::span(slot).subspan(kChecksummed));
  std::memcpy(slot.data() + kChecksumOffset, &sum, sizeof(sum));
  return slot;
}

// The names at their longest still fit: 2 of 4 + 512 bytes, 6 of 4 + 128 + 8, and 68 of numbers.
static_assert(68 + 2 * (4 + kMaximumNameLength) + 6 * (12 + kMaximumFileNameLength) <= kHeaderSlotSize);
// A reader that only looks whether something happened finds the epoch behind magic, checksum and version.
static_assert(kEpochOffset == kChecksummed + sizeof(std::uint32_t));

std::optional<Header> decode_header(std::span<const std::byte, kHeaderSlotSize> slot) {
  ByteReader reader(slot, "the header");
  if (reader.read<std::uint64_t>() != kMagic) return std::nullopt;
  if (reader.read<std::uint32_t>() != crc32c(0, slot.subspan(kChecksummed))) return std::nullopt;
  Header header = read_values(reader);
  if (const char* fault = fault_of(header)) {
    throw Error(ErrorCode::kCorruptStore, std::string("the header holds ") + fault + ": the file is damaged");
  }
  return header;
}

std::optional<Header> choose_header(std::span<const std::byte, kHeaderSize> file) {
  auto first = decode_header(file.first<kHeaderSlotSize>());
  auto second = decode_header(file.last<kHeaderSlotSize>());
  if (!first || (second && second->epoch > first->epoch)) return second;
  return first;
}

}  // namespace hippocore::format
