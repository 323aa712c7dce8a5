#include "repair.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "format/log_entry.h"
#include "format/preamble.h"
#include "format/state.h"
#include "storage/load.h"
#include "storage/log.h"
#include "storage/root.h"

namespace hippocore::fuzz {

using format::kChunkSlots;
using format::kEntryHeaderSize;
using format::kPreambleSize;
using format::Part;

namespace {

constexpr std::size_t kStateInLog = 54;

template <typename T>
T get(std::span<const std::byte> bytes, std::size_t offset) {
  return ByteReader(bytes.subspan(offset)).read<T>();
}

template <typename T>
void set(std::span<std::byte> bytes, std::size_t offset, const T& value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(value));
}

void repair_operation(ByteReader& reader, std::span<std::byte> body) {
  const auto type = reader.read<std::uint8_t>();
  static_cast<void>(reader.bytes(sizeof(Id)));
  if (type == 2) static_cast<void>(reader.bytes(kStateInLog));
  if (type != 1) return;
  for (int text = 0; text < 3; ++text) static_cast<void>(reader.text());
  constexpr std::size_t kNumbers = 5 * 8 + 2 * 4 + kStateInLog + 8 + 4 * 4;
  static_cast<void>(reader.bytes(kNumbers));
  for (int text = 0; text < 2; ++text) static_cast<void>(reader.text());
  const std::size_t length = reader.text().size();
  repair_payload(body.subspan(body.size() - reader.remaining() - length, length));
}

std::optional<format::Header> header_of(std::span<const std::byte> file) {
  if (file.size() < format::kHeaderSize) return std::nullopt;
  try {
    return format::choose_header(file.first<format::kHeaderSize>());
  } catch (const Error&) {
    return std::nullopt;
  }
}

class StoreRepair {
 public:
  StoreRepair(Files& files, const format::Header& header) : files_(files), header_(header) {}

  void run() {
    set_preamble(header_.payload, Part::kPayload, header_.generation);
    repair_log(bytes_of(header_.log), header_);
    for (std::size_t number = 0; number < header_.slot_count / kChunkSlots; ++number) {
      if (!repair_chunk(header_.records, {header_.dimension, kChunkSlots}, number, kChunkSlots)) break;
    }
    if (const std::size_t rows = header_.slot_count % kChunkSlots; rows != 0) {
      repair_chunk(header_.tail, {header_.dimension, storage::tail_capacity(rows)}, 0, rows);
    }
    set_preamble(header_.records, Part::kRecords, header_.generation);
    set_preamble(header_.tail, Part::kTail, header_.epoch);
    repair_states();
    set_preamble(header_.index, Part::kIndex, header_.epoch);
    repair_index(committed(header_.index));
  }

 private:
  std::span<std::byte> bytes_of(const format::FileEntry& entry) {
    const auto found = files_.find(entry.name);
    return found == files_.end() ? std::span<std::byte>{} : std::span(found->second);
  }
  // Returns: what the header counts behind the preamble.
  std::span<std::byte> committed(const format::FileEntry& entry) {
    const auto bytes = bytes_of(entry);
    if (entry.length < kPreambleSize || entry.length > bytes.size()) return {};
    return bytes.first(entry.length).subspan(kPreambleSize);
  }
  void set_preamble(const format::FileEntry& entry, Part part, std::uint64_t number) {
    const auto preamble = format::encode_preamble({header_.store_id, part, header_.dimension, number});
    const auto bytes = bytes_of(entry);
    if (bytes.size() >= preamble.size()) std::copy(preamble.begin(), preamble.end(), bytes.begin());
  }
  bool repair_chunk(const format::FileEntry& entry, const format::ChunkLayout& layout, std::size_t number,
                    std::size_t count) {
    const auto bytes = bytes_of(entry);
    const std::uint64_t offset = storage::sealed_chunk_offset(layout, number);
    if (offset > bytes.size() || layout.size() > bytes.size() - offset) return false;
    // Columns are aligned, which the bytes of a file here are not.
    std::unique_ptr<std::byte, decltype(&std::free)> aligned(
        static_cast<std::byte*>(std::aligned_alloc(kPreambleSize, layout.size())), &std::free);
    std::memcpy(aligned.get(), bytes.data() + offset, layout.size());
    const format::MutableChunkView rows(&layout, aligned.get());
    for (std::size_t row = 0; row < count; ++row) {
      repair_content(rows.payload_offsets()[row], rows.payload_lengths()[row]);
      rows.row_crcs()[row] = format::row_crc(rows, row);
    }
    rows.columns_crc() = format::columns_crc(rows, count);
    std::memcpy(bytes.data() + offset, aligned.get(), layout.size());
    return true;
  }
  void repair_content(std::uint64_t place, std::uint32_t length) {
    const auto file = bytes_of((place & storage::kInLog) != 0 ? header_.log : header_.payload);
    const std::uint64_t offset = place & ~storage::kInLog;
    if (offset <= file.size() && length <= file.size() - offset) repair_payload(file.subspan(offset, length));
  }
  void repair_states() {
    const auto blocks = committed(header_.state);
    constexpr std::size_t kCrc = offsetof(format::StateBlock, crc);
    for (std::size_t at = 0; blocks.size() - at >= sizeof(format::StateBlock); at += sizeof(format::StateBlock)) {
      set(blocks, at + kCrc, crc32c(0, blocks.subspan(at, kCrc)));
    }
    set_preamble(header_.state, Part::kState, header_.epoch);
  }

  Files& files_;
  const format::Header& header_;
};

}  // namespace

void repair_header(std::span<std::byte> slot) {
  if (slot.size() >= format::kHeaderSlotSize) {
    set(slot, 8, crc32c(0, slot.first(format::kHeaderSlotSize).subspan(12)));
  }
}

void repair_payload(std::span<std::byte> payload) {
  if (payload.size() >= sizeof(std::uint32_t)) set(payload, 0, crc32c(0, payload.subspan(sizeof(std::uint32_t))));
}

void repair_body(std::span<std::byte> body) {
  ByteReader reader(body);
  try {
    while (!reader.empty()) repair_operation(reader, body);
  } catch (const Error&) {
    // What is cut short has no checksum to repair.
  }
}

void repair_log(std::span<std::byte> log, const format::Header& header) {
  if (log.size() < format::kLogStart) return;
  const bool closed = get<std::uint32_t>(log, 12) != 0;
  const auto preamble = format::encode_log_preamble({header.store_id, header.epoch, closed});
  std::copy(preamble.begin(), preamble.end(), log.begin());
  storage::LogPosition position = storage::log_start(header);
  while (log.size() - position.offset >= kEntryHeaderSize) {
    const auto entry = log.subspan(position.offset);
    const auto size = get<std::uint32_t>(entry, 24);
    if (get<std::uint32_t>(entry, 0) == 0 || format::entry_size(size) > entry.size()) return;
    const auto body = entry.subspan(kEntryHeaderSize, size);
    repair_body(body);
    position.chain = crc32c(position.chain, body);
    const auto repaired = format::encode_entry_header(
        {get<std::uint64_t>(entry, 8), get<std::uint64_t>(entry, 16), size, position.chain}, position.salt);
    std::copy(repaired.begin(), repaired.end(), entry.begin());
    position.offset += format::entry_size(size);
  }
}

void repair_index(std::span<std::byte> index) {
  constexpr std::size_t kContents = 160;
  constexpr std::size_t kSections = 9;
  if (index.size() < kContents) return;
  std::size_t end = kContents;
  for (std::size_t section = 0; section < kSections; ++section) {
    const std::size_t start = (end + 63) / 64 * 64;
    const auto length = get<std::uint64_t>(index, 16 + 16 * section);
    if (start > index.size() || length > index.size() - start) break;
    set(index, 24 + 16 * section, crc32c(0, index.subspan(start, length)));
    end = start + length;
  }
  set(index, 8, crc32c(0, index.first<kContents>().subspan(12)));
}

void repair_store(Files& files) {
  const auto found = files.find("header");
  if (found == files.end() || found->second.size() < format::kHeaderSize) return;
  const std::span slots(found->second);
  repair_header(slots.first<format::kHeaderSlotSize>());
  repair_header(slots.subspan(format::kHeaderSlotSize));
  if (const auto header = header_of(slots)) StoreRepair(files, *header).run();
}

}  // namespace hippocore::fuzz
