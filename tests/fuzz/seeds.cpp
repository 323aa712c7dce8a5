// hippocore_fuzz_seeds FOLDER: writes the seeds of each target into FOLDER/<target>/, from small stores made here.
//
// Deterministic but for the id of a store, which is set to a fixed one in the packed files.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "format/log_entry.h"
#include "format/payload.h"
#include "format/preamble.h"
#include "format/state.h"
#include "memory/memory.h"
#include "packed_files.h"
#include "repair.h"
#include "storage/commit.h"

namespace hippocore::fuzz {
namespace {

constexpr std::uint32_t kDimension = 4;
const std::filesystem::path* folder = nullptr;

void save(const std::string& target, const std::string& name, std::span<const std::byte> bytes) {
  std::filesystem::create_directories(*folder / target);
  std::ofstream file(*folder / target / name, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// One seed as it is, and one whose checksums the target repairs.
void save_both(const std::string& target, const std::string& name, std::vector<std::byte> prefix,
               std::span<const std::byte> bytes) {
  prefix.push_back(std::byte{0});
  prefix.insert(prefix.end(), bytes.begin(), bytes.end());
  save(target, name, prefix);
  prefix[prefix.size() - bytes.size() - 1] = std::byte{1};
  save(target, name + "_repaired", prefix);
}

Id id_of(std::uint8_t number) {
  Id id;
  id.bytes[0] = number;
  return id;
}

memory::NewVersion version_of(std::uint8_t number, const std::string& scope, const std::string& kind) {
  memory::NewVersion version;
  version.id = id_of(number);
  version.scope = scope;
  version.kind = kind;
  version.created_at = version.valid_from = version.state.last_used = 1'000'000 + number;
  version.text_key = version.merge_key = number;
  version.tokens = 3;
  version.content = "content";
  version.extra = "extra";
  version.terms = "terms";
  return version;
}

void write(memory::Memory& memory, const memory::NewVersion& version) {
  const float first = static_cast<float>(version.id.bytes[0]) - 2.5F;
  const std::vector<float> vector = {first, 1.0F, -0.5F, 0.25F};
  memory.write({&version, 1}, vector, {}, {});
}

// Every kind of operation and of state.
void fill(memory::Memory& memory) {
  auto version = version_of(1, "a", "fact");
  version.source = "source";
  version.facets = {"tag", "other"};
  write(memory, version);
  version.version = 2;
  version.valid_from += 50;
  write(memory, version);
  version = version_of(2, "a/b", "episode");
  version.event_time = 900'000;
  version.facets = {"tag"};
  version.state.expires_at = 3'000'000;
  version.state.trust = format::Trust::kUntrusted;
  write(memory, version);
  write(memory, version_of(3, "c", "fact"));
  write(memory, version_of(4, "c", "fact"));
  format::State state;
  state.use_count = 3;
  state.last_used = 1'500'000;
  state.flags = format::kWritten | format::kArchived;
  state.archived_at = 1'600'000;
  const format::ChangeState change{id_of(4), state};
  const Id forgotten = id_of(3);
  memory.write({}, {}, {&change, 1}, {&forgotten, 1});
  const format::ForgetEnded ended{id_of(1), 1'000'051};
  memory.write({}, {}, {}, {}, {&ended, 1});
}

memory::Memory open(const std::shared_ptr<MemoryDisk>& disk) {
  storage::OpenOptions options;
  options.dimension = kDimension;
  options.embedder = "test";
  options.tokenizer = "estimate";
  options.sync = storage::Sync::kOff;
  return memory::Memory(storage::Store::open(open_directory(disk), options));
}

// Gives the store a fixed id, so that seeds are the same each time.
Files settled(const MemoryDisk& disk) {
  Files files = files_of(disk);
  auto& slots = files.at("header");
  for (std::size_t slot = 0; slot < format::kHeaderSize; slot += format::kHeaderSlotSize) {
    std::fill_n(slots.begin() + static_cast<std::ptrdiff_t>(slot + 24), sizeof(Id), std::byte{7});
  }
  repair_store(files);
  return files;
}

format::Header header_of(const Files& files) {
  return format::choose_header(std::span(files.at("header")).first<format::kHeaderSize>()).value();
}

// The parts of a store as the smaller targets take them.
void save_parts(const Files& files, const std::string& name) {
  const format::Header header = header_of(files);
  const auto decoder = [](std::uint8_t number) { return std::vector<std::byte>{std::byte{number}}; };
  const auto part = [&](const format::FileEntry& entry) {
    return std::span(files.at(entry.name)).first(entry.length).subspan(4096);
  };
  save_both("decode_record", name + "_header", decoder(0), std::span(files.at("header")).first(600));
  save_both("decode_record", name + "_index", decoder(1), part(header.index));
  const auto& log = files.at(header.log.name);
  std::size_t used = log.size();
  while (used > 0 && log[used - 1] == std::byte{0}) --used;
  used = std::max<std::size_t>(4096, (used + 7) / 8 * 8);
  save_both("read_log", name, {}, std::span(log).first(used).subspan(4096));
  save_both("decode_record", name + "_log_header", decoder(4), std::span(log).first(64));
  save_both("decode_record", name + "_preamble", decoder(7), std::span(files.at(header.state.name)).first(4096));
}

// A store whose checksums are right, with one value that no store writes.
void save_forged(const Files& whole, const std::string& name, const std::string& file, std::size_t offset,
                 std::initializer_list<std::uint8_t> bytes) {
  Files files = whole;
  for (const std::uint8_t byte : bytes) files.at(file)[offset++] = std::byte{byte};
  std::vector<std::byte> input{std::byte{1}};
  const auto packed = pack_files(files);
  input.insert(input.end(), packed.begin(), packed.end());
  save("open_store", name, input);
}

// The values that were read as if they were sound before they were checked, and sizes that only one check refuses.
void save_forgeries(const Files& files) {
  const std::string state = header_of(files).state.name;
  const std::string tail = header_of(files).tail.name;
  const format::ChunkLayout layout(kDimension, 64);
  constexpr std::size_t kStart = format::kPreambleSize;
  save_forged(files, "a_slot_whose_state_was_never_written", state, kStart + offsetof(format::StateBlock, flags), {0});
  save_forged(files, "a_trust_without_a_name", state, kStart + offsetof(format::StateBlock, trust), {200});
  save_forged(files, "an_importance_that_is_no_number", state, kStart + 6, {0xF8, 0x7F});
  save_forged(files, "a_vector_that_is_infinite", tail, kStart + layout.offsets().vectors + 2, {0x80, 0x7F});
  save_forged(files, "a_scope_that_is_a_source", tail, kStart + layout.offsets().scopes, {1});
  save_forged(files, "a_header_of_the_widest_dimension", "header", 40, {0, 0, 1, 0});
  auto index = std::span(files.at(header_of(files).index.name)).subspan(kStart);
  std::vector<std::byte> longer(index.begin(), index.end());
  constexpr std::uint64_t kTooLong = std::uint64_t{1} << 32;  // a power of two, as the cells of a table are
  std::memcpy(longer.data() + 16 + 5 * 16, &kTooLong, sizeof(kTooLong));
  repair_index(longer);
  longer.insert(longer.begin(), {std::byte{1}, std::byte{0}});
  save("decode_record", "an_index_section_longer_than_the_file", longer);
}

void save_stores() {
  const auto disk = make_disk({});
  memory::Memory memory = open(disk);
  save_both("open_store", "empty", {}, pack_files(settled(*disk)));
  fill(memory);
  save_both("open_store", "log", {}, pack_files(settled(*disk)));
  save_parts(settled(*disk), "log");
  memory.store().checkpoint();
  save_both("open_store", "checkpoint", {}, pack_files(settled(*disk)));
  save_forgeries(settled(*disk));
  save_parts(settled(*disk), "checkpoint");
  write(memory, version_of(5, "a", "fact"));
  save_both("open_store", "checkpoint_and_log", {}, pack_files(settled(*disk)));
  memory.store().compact();
  save_both("open_store", "compacted", {}, pack_files(settled(*disk)));
}

void save_records() {
  std::vector<std::byte> payload;
  format::encode_payload({"content", "extra", {"tag", "other"}, "terms"}, payload);
  save_both("decode_record", "payload", {std::byte{2}}, payload);
  std::vector<std::byte> crowded(payload);
  crowded[4 + 11 + 9 + 9 + 3] = std::byte{0xFF};  // the count of facets
  crowded.insert(crowded.begin(), {std::byte{2}, std::byte{1}});
  save("decode_record", "a_payload_with_more_facets_than_bytes", crowded);
  std::vector<std::byte> body;
  const std::vector<float> vector(kDimension, 0.5F);
  const std::vector<std::byte> code(format::code_bytes(kDimension));
  format::WriteVersion version;
  version.scope = "a";
  version.kind = "fact";
  version.vector = std::as_bytes(std::span(vector));
  version.code = code;
  version.payload = payload;
  format::encode_operation(version, body);
  format::encode_operation(format::ChangeState{id_of(1), {}}, body);
  format::encode_operation(format::Forget{id_of(1)}, body);
  format::encode_operation(format::ForgetEnded{id_of(1), 5}, body);
  save_both("decode_record", "operations", {std::byte{3}}, body);
  const std::vector<std::byte> columns(400, std::byte{1});
  save_both("decode_record", "columns", {std::byte{5}}, columns);
  save_both("decode_record", "states", {std::byte{6}}, std::vector<std::byte>(64));
}

}  // namespace
}  // namespace hippocore::fuzz

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: hippocore_fuzz_seeds FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path given = arguments[1];
  hippocore::fuzz::folder = &given;
  hippocore::fuzz::save_stores();
  hippocore::fuzz::save_records();
  return 0;
}
