#include "storage/load.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.h"
#include "format/preamble.h"
#include "format/state.h"
#include "storage/lexicon.h"

namespace hippocore::storage {

using format::kChunkSlots;
using format::kPreambleSize;
using format::Part;

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::kCorruptStore, name + " " + why + "; restore a backup");
}

std::unique_ptr<os::File> open_part(os::Directory& directory, const format::FileEntry& entry) {
  if (entry.name.empty()) refuse(directory.path() + "/header", "does not name all files of the store");
  auto file = directory.open(entry.name, os::Access::kRead);
  if (file == nullptr) refuse(directory.path() + "/" + entry.name, "is missing");
  if (file->size() < entry.length) refuse(directory.path() + "/" + entry.name, "is shorter than its committed length");
  return file;
}

os::Mapping map_part(os::Directory& directory, const format::Header& header, const format::FileEntry& entry, Part part,
                     std::uint64_t number) {
  const auto file = open_part(directory, entry);
  os::Mapping mapping = file->map(0, entry.length);
  if (!format::has_preamble(mapping.bytes, {header.store_id, part, header.dimension, number})) {
    refuse(directory.path() + "/" + entry.name, "belongs to another store or moment");
  }
  return mapping;
}

void require_length(const os::Directory& directory, const format::FileEntry& entry, std::uint64_t expected) {
  if (entry.length != expected) refuse(directory.path() + "/" + entry.name, "has not the length its header implies");
}

std::vector<std::shared_ptr<const Chunk>> load_chunks(os::Directory& directory, const format::Header& header,
                                                      const std::shared_ptr<const format::ChunkLayout>& layout,
                                                      const Root* previous) {
  std::vector<std::shared_ptr<const Chunk>> chunks;
  const std::size_t sealed = header.slot_count / kChunkSlots;
  const std::size_t rest = header.slot_count % kChunkSlots;
  require_length(directory, header.records, sealed_chunk_offset(*layout, sealed));
  if (previous != nullptr && previous->header->generation == header.generation) {
    const std::size_t kept = std::min<std::size_t>(sealed, previous->header->slot_count / kChunkSlots);
    for (std::size_t number = 0; number < kept; ++number) chunks.push_back((*previous->chunks)[number].chunk);
  }
  const auto records = open_part(directory, header.records);
  if (!format::has_preamble(records->map(0, kPreambleSize).bytes,
                            {header.store_id, Part::kRecords, header.dimension, header.generation})) {
    refuse(directory.path() + "/" + header.records.name, "belongs to another store or moment");
  }
  for (auto& chunk : map_sealed_chunks(*records, layout, chunks.size(), sealed)) chunks.push_back(std::move(chunk));
  if (rest != 0) {
    const auto tail_layout = std::make_shared<const format::ChunkLayout>(header.dimension, tail_capacity(rest));
    require_length(directory, header.tail, kPreambleSize + tail_layout->size());
    const os::Mapping tail = map_part(directory, header, header.tail, Part::kTail, header.epoch);
    chunks.push_back(std::make_shared<Chunk>(tail_layout, tail.bytes.data() + kPreambleSize, tail.owner,
                                             static_cast<std::uint32_t>(rest)));
  }
  return chunks;
}

std::shared_ptr<std::vector<ChunkPair>> pair_with_states(os::Directory& directory, const format::Header& header,
                                                         std::vector<std::shared_ptr<const Chunk>> chunks) {
  require_length(directory, header.state, kPreambleSize + chunks.size() * sizeof(format::StateBlock));
  const os::Mapping states = map_part(directory, header, header.state, Part::kState, header.epoch);
  auto pairs = std::make_shared<std::vector<ChunkPair>>();
  const auto* block = reinterpret_cast<const format::StateBlock*>(states.bytes.data() + kPreambleSize);
  for (auto& chunk : chunks) {
    const std::uint32_t rows = chunk->committed();
    pairs->push_back({std::move(chunk), std::make_shared<StateChunk>(block++, states.owner, rows)});
  }
  return pairs;
}

std::shared_ptr<Index> load_index(os::Directory& directory, const format::Header& header) {
  const os::Mapping mapping = map_part(directory, header, header.index, Part::kIndex, header.epoch);
  const auto bytes = mapping.bytes.subspan(kPreambleSize);
  if (!format::verify_index(bytes, header.slot_count)) {
    refuse(directory.path() + "/" + header.index.name, "is damaged");
  }
  return std::make_shared<Index>(format::decode_index(bytes), mapping.owner,
                                 static_cast<std::uint32_t>(header.slot_count));
}

}  // namespace

std::uint64_t sealed_chunk_offset(const format::ChunkLayout& layout, std::size_t number) {
  return kPreambleSize + std::uint64_t{number} * layout.size();
}

std::size_t tail_capacity(std::size_t rows) {
  return (rows + 63) / 64 * 64;
}

std::vector<std::shared_ptr<const Chunk>> map_sealed_chunks(const os::File& records,
                                                            const std::shared_ptr<const format::ChunkLayout>& layout,
                                                            std::size_t first, std::size_t last) {
  std::vector<std::shared_ptr<const Chunk>> chunks;
  if (first >= last) return chunks;
  const os::Mapping mapping = records.map(sealed_chunk_offset(*layout, first), (last - first) * layout->size());
  for (std::size_t number = first; number < last; ++number) {
    chunks.push_back(std::make_shared<Chunk>(layout, mapping.bytes.data() + (number - first) * layout->size(),
                                             mapping.owner, std::uint32_t{kChunkSlots}));
  }
  return chunks;
}

std::shared_ptr<const Root> load_checkpoint(os::Directory& directory, const format::Header& header,
                                            const Root* previous, os::Access access) {
  auto root = std::make_shared<Root>();
  root->header = std::make_shared<const format::Header>(header);
  root->position = log_start(header);
  root->count = static_cast<std::uint32_t>(header.slot_count);
  const bool same = previous != nullptr && previous->header->generation == header.generation;
  root->layout = same ? previous->layout : std::make_shared<const format::ChunkLayout>(header.dimension, kChunkSlots);
  root->chunks = pair_with_states(directory, header, load_chunks(directory, header, root->layout, previous));
  root->index = load_index(directory, header);
  root->lexicon = same ? previous->lexicon : std::make_shared<Lexicon>();
  root->payloads = map_part(directory, header, header.payload, Part::kPayload, header.generation);
  if (header.log.name.empty()) refuse(directory.path() + "/header", "does not name all files of the store");
  root->log_file = directory.open(header.log.name, access);
  if (root->log_file == nullptr) refuse(directory.path() + "/" + header.log.name, "is missing");
  root->log = root->log_file->map(0, root->log_file->size());
  return root;
}

}  // namespace hippocore::storage
