// A store's directory as an attacker, or damage, left it.
//
// Promises: opening, reading and writing it end in an answer or in hippocore's Error; the same bytes give the same
// answer again; a reader changes no file; memory is bounded by the files; what reads well is the same after a
// checkpoint and after a compaction.
#include <algorithm>
#include <optional>
#include <utility>

#include "allocation_bound.h"
#include "base/bytes.h"
#include "expect.h"
#include "packed_files.h"
#include "reading.h"
#include "repair.h"
#include "targets.h"

namespace hippocore::fuzz {

namespace {

using memory::Memory;

constexpr std::size_t kConstant = std::size_t{4} << 20;  // tables and buffers of any store
constexpr std::size_t kFactor = 32;
// A write lays out a chunk of 1,024 rows, whose size no file need have yet.
constexpr std::uint32_t kLargestDimension = 256;

std::size_t size_of(const Files& files) {
  std::size_t size = 0;
  for (const auto& [name, file] : files) size += file.size();
  return size;
}

// As ==, by larger steps.
bool same_files(const Files& left, const Files& right) {
  return std::ranges::equal(left, right, [](const auto& one, const auto& other) {
    return one.first == other.first && as_text(one.second) == as_text(other.second);
  });
}

storage::OpenOptions options(bool read_only) {
  storage::OpenOptions options;
  options.create = false;
  options.read_only = read_only;
  options.sync = storage::Sync::kOff;  // the handle has no thread of its own then
  return options;
}

Memory open(const std::shared_ptr<MemoryDisk>& disk, bool read_only) {
  return Memory(storage::Store::open(open_directory(disk), options(read_only)));
}

struct Opening {
  std::string answer;
  std::optional<Reading> reading;
  std::uint32_t dimension = 0;
  bool operator==(const Opening& other) const {
    return answer == other.answer && reading.has_value() == other.reading.has_value() &&
           (!reading || reading->answers == other.reading->answers);
  }
};

std::string text_of(const Error& error) {
  return std::to_string(static_cast<int>(error.code())) + error.what();
}

Opening open_to_read(const Files& files) {
  const auto disk = make_disk(files);
  Opening opening;
  try {
    Memory memory = open(disk, true);
    opening.dimension = memory.identity()->dimension;
    opening.reading = read_everything(memory);
  } catch (const Error& error) {
    opening.answer = text_of(error);
  }
  expect(same_files(files_of(*disk), files), "a reader changes no file");
  return opening;
}

memory::NewVersion new_version() {
  memory::NewVersion version;
  version.id.bytes.fill(0xAB);
  version.scope = "a";
  version.kind = "fact";
  version.created_at = version.valid_from = 1'999'999;
  version.content = "written to what was found";
  version.facets = {"tag"};
  return version;
}

void write_one(Memory& memory) {
  const memory::NewVersion version = new_version();
  const std::vector<float> vector(memory.identity()->dimension, 0.25F);
  memory.write({&version, 1}, vector, {}, {});
}

using Step = void (*)(Memory&);

// Does one step on a handle of its own, and reads what another one then sees. Returns: nothing after an error.
std::optional<Reading> after(const std::shared_ptr<MemoryDisk>& disk, Step step) {
  try {
    Memory memory = open(disk, false);
    step(memory);
    memory.store().close();
  } catch (const Error&) {
    return std::nullopt;
  }
  Memory memory = open(disk, true);
  return read_everything(memory);
}

// A step that ended well on what was wholly readable keeps it: then opening it again throws nothing.
void write_and_fold(const Files& files, bool forged) {
  const auto disk = make_disk(files);
  const auto written = after(disk, write_one);
  if (!written) return;
  const auto folded = after(disk, [](Memory& memory) { memory.store().checkpoint(); });
  if (folded && written->intact) expect(folded->versions == written->versions, "a checkpoint changes no memory");
  const auto compacted = after(disk, [](Memory& memory) { memory.store().compact(); });
  if (compacted && written->intact) {
    // What a forger says of a version that a later one took the place of is said anew.
    expect(compacted->lasting == written->lasting, "a compaction changes no memory");
    expect(forged || compacted->versions == written->versions, "a compaction changes no state");
  }
  expect(!written->intact || (folded && compacted), "what verify finds intact can be folded");
}

}  // namespace

void open_store(std::span<const std::byte> input) {
  if (input.empty()) return;
  Files files = unpack_files(input.subspan(1));
  const bool forged = (input[0] & std::byte{1}) != std::byte{0};
  if (forged) repair_store(files);
  const AllocationBound bound(kFactor * size_of(files) + kConstant);
  const Opening first = open_to_read(files);
  expect(first == open_to_read(files), "the same files give the same answers");
  bound.check();
  if (!first.reading || first.dimension > kLargestDimension) return;
  write_and_fold(files, forged);
  bound.check();
}

}  // namespace hippocore::fuzz
