#include "storage/checkpoint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "base/bytes.h"
#include "base/error.h"
#include "format/preamble.h"
#include "ranking/quantize.h"
#include "storage/build_index.h"
#include "storage/edit.h"
#include "storage/graph_file.h"
#include "storage/lexicon.h"
#include "storage/load.h"
#include "storage/payload_file.h"

namespace hippocore::storage {

using format::kChunkSlots;
using format::kPreambleSize;
using format::Part;

namespace {

// The files of one checkpoint while they are written.
struct Writing {
  os::Directory& directory;
  format::Header next;
  std::unique_ptr<os::File> records;
  PayloadFile payload;
  std::size_t sealed;  // chunks that are in the record file
};

std::string numbered(const char* name, std::uint64_t number) {
  return std::string(name) + "-" + std::to_string(number);
}

void name_files(format::Header& header) {
  header.records.name = numbered("records", header.generation);
  header.payload.name = numbered("payload", header.generation);
  header.tail.name = numbered("tail", header.epoch);
  header.state.name = numbered("state", header.epoch);
  header.index.name = numbered("index", header.epoch);
  header.log.name = numbered("log", header.epoch);
  header.version = format::kFormatVersion;
}

std::vector<std::byte> preamble(const format::Header& header, Part part, std::uint64_t number) {
  return format::encode_preamble({header.store_id, part, header.dimension, number});
}

std::unique_ptr<os::File> create_part(os::Directory& directory, const std::string& name,
                                      std::span<const std::byte> beginning, std::uint64_t length) {
  auto file = directory.create(name);
  file->allocate(length);
  file->write_at(0, beginning);
  return file;
}

std::unique_ptr<os::File> reopen(os::Directory& directory, const std::string& name) {
  auto file = directory.open(name, os::Access::kReadWrite);
  if (file == nullptr)
    throw Error(ErrorCode::kCorruptStore, directory.path() + "/" + name + " is missing; restore a backup");
  return file;
}

Writing continue_generation(os::Directory& directory, const format::Header& current) {
  format::Header next = current;
  ++next.epoch;
  name_files(next);
  return {directory, next, reopen(directory, next.records.name),
          PayloadFile(reopen(directory, next.payload.name), current.payload.length),
          static_cast<std::size_t>(current.slot_count / kChunkSlots)};
}

Writing start_generation(os::Directory& directory, format::Header next) {
  ++next.epoch;
  ++next.generation;
  next.slot_count = 0;
  name_files(next);
  auto records =
      create_part(directory, next.records.name, preamble(next, Part::kRecords, next.generation), kPreambleSize);
  auto payload =
      create_part(directory, next.payload.name, preamble(next, Part::kPayload, next.generation), kPreambleSize);
  return {directory, std::move(next), std::move(records), PayloadFile(std::move(payload), kPreambleSize), 0};
}

// A copy of a chunk's first rows as it goes to disk. Rows that were committed before keep the checksums they had; those
// from the log get theirs now, and their payloads are moved out of it.
std::unique_ptr<Chunk> finished_copy(const Root& root, std::size_t number, std::size_t rows,
                                     std::shared_ptr<const format::ChunkLayout> layout, PayloadFile& payload) {
  const Chunk& chunk = *(*root.chunks)[number].chunk;
  chunk.check_columns(number, root.index->kind_count(), root.index->labels().size());
  auto copy = std::make_unique<Chunk>(std::move(layout));
  const format::MutableChunkView view = copy->filling();
  format::copy_rows(chunk.rows(), rows, view);
  for (std::size_t row = chunk.committed(); row < rows; ++row) {
    const auto slot = static_cast<std::uint32_t>(number * kChunkSlots + row);
    if ((view.payload_offsets()[row] & kInLog) != 0)
      view.payload_offsets()[row] = payload.append(root.payload_bytes(slot));
    view.row_crcs()[row] = format::row_crc(copy->rows(), row);
  }
  view.columns_crc() = format::columns_crc(copy->rows(), rows);
  return copy;
}

// Writes the full chunks of the root that are not in the record file yet.
void seal_full_chunks(Writing& files, const Root& root) {
  for (; files.sealed < root.count / kChunkSlots; ++files.sealed) {
    const auto sealed = finished_copy(root, files.sealed, kChunkSlots, root.layout, files.payload);
    const std::uint64_t offset = sealed_chunk_offset(*root.layout, files.sealed);
    files.records->allocate(offset + root.layout->size());
    files.records->write_at(offset, std::span(sealed->rows().data(), root.layout->size()));
  }
}

void write_tail(Writing& files, const Root& root) {
  const std::size_t rows = root.count % kChunkSlots;
  files.next.tail.length = 0;
  if (rows == 0) return;
  const auto layout = std::make_shared<const format::ChunkLayout>(files.next.dimension, tail_capacity(rows));
  const auto tail = finished_copy(root, root.count / kChunkSlots, rows, layout, files.payload);
  files.next.tail.length = kPreambleSize + layout->size();
  const auto file = create_part(files.directory, files.next.tail.name,
                                preamble(files.next, Part::kTail, files.next.epoch), files.next.tail.length);
  file->write_at(kPreambleSize, std::span(tail->rows().data(), layout->size()));
  file->sync();
}

void write_states(Writing& files, const Root& root) {
  files.next.state.length = kPreambleSize + root.chunks->size() * sizeof(format::StateBlock);
  const auto file = create_part(files.directory, files.next.state.name,
                                preamble(files.next, Part::kState, files.next.epoch), files.next.state.length);
  auto block = std::make_unique<format::StateBlock>();
  for (std::size_t number = 0; number < root.chunks->size(); ++number) {
    // Rows behind the root's count may be under way; they are not part of this checkpoint.
    const std::size_t rows = std::min<std::size_t>(kChunkSlots, root.count - number * kChunkSlots);
    (*root.chunks)[number].state->check(number);
    *block = {};
    for (std::size_t row = 0; row < rows; ++row) {
      format::set_state(*block, row, format::get_state((*root.chunks)[number].state->block(), row));
    }
    block->crc = format::state_crc(*block);
    file->write_at(kPreambleSize + number * sizeof(*block), std::as_bytes(std::span(block.get(), 1)));
  }
  file->sync();
}

void write_index(Writing& files, const Root& root) {
  const std::vector<std::byte> bytes = build_index(root);
  files.next.index.length = kPreambleSize + bytes.size();
  const auto file = create_part(files.directory, files.next.index.name,
                                preamble(files.next, Part::kIndex, files.next.epoch), files.next.index.length);
  file->write_at(kPreambleSize, bytes);
  file->sync();
}

format::Header finish(Writing& files, const Root& root) {
  seal_full_chunks(files, root);
  write_tail(files, root);
  files.records->sync();
  files.next.records.length = sealed_chunk_offset(*root.layout, files.sealed);
  files.next.payload.length = files.payload.finish();
  write_states(files, root);
  write_index(files, root);
  files.next.slot_count = root.count;
  files.next.sequence = root.position.sequence;
  return files.next;
}

std::shared_ptr<const Root> empty_root(const format::Header& header) {
  auto root = std::make_shared<Root>();
  root->header = std::make_shared<const format::Header>(header);
  root->layout = std::make_shared<const format::ChunkLayout>(header.dimension, kChunkSlots);
  root->chunks = std::make_shared<const std::vector<ChunkPair>>();
  root->index = std::make_shared<Index>(format::IndexSections{}, nullptr, 0);
  root->lexicon = std::make_shared<Lexicon>();
  return root;
}

// A surviving version as the operation that wrote it. `code` holds a new code where the vector is new.
format::WriteVersion as_operation(const Root& root, std::uint32_t slot) {
  const format::ChunkView& rows = root.rows(slot);
  const std::size_t row = Root::row(slot);
  static_cast<void>(root.read_payload(slot));  // checks the row too
  const std::uint32_t source = rows.sources()[row];
  format::WriteVersion version;
  version.id = rows.ids()[row];
  version.scope = root.index->labels().text(rows.scopes()[row]);
  version.kind = root.index->kind(rows.kinds()[row]);
  if (source != kNoLabel) version.source = root.index->labels().text(source);
  version.created_at = rows.created_at()[row];
  version.valid_from = rows.valid_from()[row];
  version.event_time = rows.event_time()[row];
  version.text_key = rows.text_keys()[row];
  version.merge_key = rows.merge_keys()[row];
  version.tokens = rows.tokens()[row];
  version.version = rows.versions()[row];
  version.state = root.state(slot);
  version.norm = rows.norms()[row];
  version.code_scale = rows.code_scales()[row];
  version.code_error = rows.code_errors()[row];
  version.coarse_scale = rows.coarse_scales()[row];
  version.coarse_error = rows.coarse_errors()[row];
  version.code = rows.code(row);
  version.vector = std::as_bytes(rows.vector(row));
  version.payload = root.payload_bytes(slot);
  return version;
}

void replace_vector(format::WriteVersion& version, std::span<const float> vector, std::vector<std::byte>& code) {
  const ranking::CodeBounds bounds = ranking::quantize(vector, code);
  version.norm = bounds.norm;
  version.code_scale = bounds.scale;
  version.code_error = bounds.error;
  version.coarse_scale = bounds.coarse_scale;
  version.coarse_error = bounds.coarse_error;
  version.code = code;
  version.vector = std::as_bytes(vector);
}

// Full chunks go to disk as they fill, and their mapping takes their place, so that memory stays small.
void move_full_chunks_out(Writing& files, Edit& edit) {
  const std::size_t first = files.sealed;
  const Root& root = edit.current();
  if (root.count / kChunkSlots < first + 16) return;
  seal_full_chunks(files, root);
  auto sealed = map_sealed_chunks(*files.records, root.layout, first, files.sealed);
  for (std::size_t at = 0; at < sealed.size(); ++at) edit.replace_chunk(first + at, std::move(sealed[at]));
}

}  // namespace

format::Header write_checkpoint(os::Directory& directory, const Root& root) {
  Writing files = continue_generation(directory, *root.header);
  return finish(files, root);
}

format::Header write_compacted(os::Directory& directory, const Root& root, const Rewrite& rewrite) {
  format::Header next = *root.header;
  if (rewrite.vectors) {
    next.dimension = rewrite.dimension;
    next.embedder = rewrite.embedder;
  }
  Writing files = start_generation(directory, std::move(next));
  Edit edit(*empty_root(files.next));
  std::vector<std::byte> code(format::code_bytes(files.next.dimension));
  std::size_t survivors = 0;
  for (std::uint32_t slot = 0; slot < root.count; ++slot) {
    root.check_state(slot);
    if ((root.flags(slot) & format::kForgotten) != 0) continue;
    format::WriteVersion version = as_operation(root, slot);
    if (rewrite.vectors) replace_vector(version, rewrite.vectors(survivors), code);
    edit.apply(version, files.payload.append(version.payload));
    ++survivors;
    move_full_chunks_out(files, edit);
  }
  const auto rewritten = edit.finish(root.position);
  return finish(files, *rewritten);
}

format::Header write_empty(os::Directory& directory, const format::Header& identity) {
  Writing files = start_generation(directory, identity);
  const auto root = empty_root(files.next);
  return finish(files, *root);
}

namespace {

// Returns: the number in a name such as "tail-12"; nothing when a store gives no such name.
std::optional<std::uint64_t> file_number(std::string_view name) {
  static constexpr std::array<std::string_view, 7> kKinds{"records-", "tail-", "payload-", "state-",
                                                          "index-",   "log-",  kGraphFile};
  for (const std::string_view kind : kKinds) {
    if (!name.starts_with(kind)) continue;
    std::uint64_t number = 0;
    const auto digits = name.substr(kind.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc{} && end == digits.data() + digits.size()) return number;
  }
  return std::nullopt;
}

}  // namespace

void remove_unnamed_files(os::Directory& directory, const format::Header& header) {
  const std::array named{&header.records, &header.tail, &header.payload, &header.state, &header.index, &header.log};
  for (const std::string& name : directory.names()) {
    const bool kept = name == graph_name(header) ||
                      std::any_of(named.begin(), named.end(), [&](const auto* entry) { return entry->name == name; });
    if (!kept && file_number(name)) directory.remove(name);
  }
  directory.sync();
}

void require_own_directory(const os::Directory& directory) {
  for (const std::string& name : directory.names()) {
    if (name.starts_with('.') || name == "lost+found" || name == "header" || file_number(name)) continue;
    throw Error(ErrorCode::kInvalidArgument,
                directory.path() + " holds other files; give a store a directory of its own");
  }
}

// A creation leaves files numbered 1 and a log without entries.
bool holds_headless_store(os::Directory& directory) {
  for (const std::string& name : directory.names()) {
    const auto number = file_number(name);
    if (number && *number != 1) return true;
    if (name != "log-1") continue;
    const auto log = directory.open(name, os::Access::kRead);
    if (log == nullptr || log->size() <= format::kLogStart) continue;
    const auto entries = log->map(0, log->size()).bytes.subspan(format::kLogStart);
    if (std::any_of(entries.begin(), entries.end(), [](std::byte byte) { return byte != std::byte{0}; })) return true;
  }
  return false;
}

}  // namespace hippocore::storage
