// The log of a store that is empty but for it.
//
// Promises: reading entries, judging what stands behind them and replaying them end in a value or in hippocore's Error;
// entries follow each other; replaying twice gives the same root; memory is bounded by the log.
#include <algorithm>
#include <optional>
#include <utility>

#include "allocation_bound.h"
#include "expect.h"
#include "reading.h"
#include "repair.h"
#include "storage/checkpoint.h"
#include "storage/commit.h"
#include "storage/log.h"
#include "targets.h"

namespace hippocore::fuzz {

namespace {

constexpr std::size_t kConstant = std::size_t{4} << 20;
constexpr std::size_t kFactor = 32;
constexpr std::uint32_t kDimension = 4;

// The files of a store without memories, made once.
struct Empty {
  Files files;
  format::Header header;

  Empty() {
    const auto disk = make_disk({});
    const auto directory = open_directory(disk);
    format::Header identity;
    identity.store_id.bytes.fill(7);
    identity.dimension = kDimension;
    header = storage::write_empty(*directory, identity);
    static_cast<void>(storage::create_log(*directory, header));
    const auto file = directory->create("header");
    file->allocate(format::kHeaderSize);
    storage::commit_header(*file, header);
    files = files_of(*disk);
  }
};

// Returns: the position behind the last entry, each of which begins where the one before ends.
storage::LogPosition walk(std::span<const std::byte> log, const format::Header& header) {
  storage::LogPosition position = storage::log_start(header);
  while (const auto entry = storage::read_entry(log, position)) {
    expect(entry->header.sequence == position.sequence + 1, "sequences follow each other");
    expect(entry->body_offset + entry->body.size() <= entry->next.offset, "a body ends before the next entry");
    expect(entry->next.offset <= log.size(), "an entry lies in its log");
    position = entry->next;
  }
  return position;
}

void judge(std::span<const std::byte> log, const format::Header& header) {
  const storage::LogPosition end = walk(log, header);
  try {
    const auto rest = storage::judge_rest(log, end, "log");
    expect(end.offset + rest.discarded_bytes <= std::max<std::uint64_t>(log.size(), end.offset),
           "no more is discarded than there is");
    static_cast<void>(storage::log_is_closed(log, header));
  } catch (const Error& error) {
    expect(error.code() == ErrorCode::kCorruptStore, "a log that is refused is damaged");
  }
}

std::string replay(const Files& files) {
  storage::OpenOptions options;
  options.create = false;
  options.read_only = true;
  try {
    memory::Memory memory(storage::Store::open(open_directory(make_disk(files)), options));
    return read_everything(memory).answers;
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

void read_log(std::span<const std::byte> input) {
  if (input.empty()) return;
  static const Empty empty;
  Files files = empty.files;
  std::vector<std::byte>& log = files.at(empty.header.log.name);
  const auto entries = input.subspan(1);
  log.resize(format::kLogStart);
  log.insert(log.end(), entries.begin(), entries.end());
  if ((input[0] & std::byte{1}) != std::byte{0}) repair_log(log, empty.header);
  if ((input[0] & std::byte{2}) != std::byte{0}) log.resize((log.size() + 4095) / 4096 * 4096);
  const AllocationBound bound(kFactor * log.size() + kConstant);
  // 8-aligned, as a mapping is.
  const auto file = open_directory(make_disk(files))->open(empty.header.log.name, os::Access::kRead);
  judge(file->map(0, file->size()).bytes, empty.header);
  expect(replay(files) == replay(files), "a log replays to the same memories each time");
  bound.check();
}

}  // namespace hippocore::fuzz
