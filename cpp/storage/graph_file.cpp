#include "storage/graph_file.h"

#include "base/bytes.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "format/preamble.h"

namespace hippocore::storage {

namespace {

constexpr std::uint64_t kFrameSize = 16;  // u64 length of the graph, u32 its checksum, zeros
constexpr std::uint64_t kGraphStart = format::kPreambleSize + kFrameSize;

std::vector<std::byte> beginning(const format::Header& header, std::span<const std::byte> graph) {
  std::vector<std::byte> bytes =
      format::encode_preamble({header.store_id, format::Part::kGraph, header.dimension, header.generation});
  ByteWriter writer(bytes);
  writer.write(static_cast<std::uint64_t>(graph.size()));
  writer.write(crc32c(0, graph));
  bytes.resize(kGraphStart);
  return bytes;
}

}  // namespace

std::string graph_name(const format::Header& header) {
  return std::string(kGraphFile) + std::to_string(header.generation);
}

// The beginning is written once the rest is on disk: until then it is zeros, which are nobody's.
void write_graph(os::Directory& directory, const format::Header& header, std::span<const std::byte> graph) {
  const auto file = directory.create(graph_name(header));
  file->allocate(kGraphStart + graph.size());
  file->write_at(kGraphStart, graph);
  file->sync();
  file->write_at(0, beginning(header, graph));
  file->sync();
  directory.sync();
}

std::optional<std::vector<std::byte>> read_graph(os::Directory& directory, const format::Header& header) {
  const auto file = directory.open(graph_name(header), os::Access::kRead);
  if (file == nullptr || file->size() < kGraphStart) return std::nullopt;
  std::vector<std::byte> graph;
  try {
    graph.resize(file->size() - kGraphStart);
    std::vector<std::byte> found(kGraphStart);
    file->read_at(0, found);
    file->read_at(kGraphStart, graph);
    if (found == beginning(header, graph)) return graph;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCorruptStore) throw;  // it was cut meanwhile
  }
  return std::nullopt;
}

}  // namespace hippocore::storage
