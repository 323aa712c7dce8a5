#include "packed_files.h"

#include <algorithm>

#include "base/bytes.h"

namespace hippocore::fuzz {

namespace {

constexpr std::uint32_t kEnd = 0xFFFFFFFF;
constexpr std::size_t kLargestFile = std::size_t{1} << 20;
constexpr std::size_t kMostFiles = 12;
constexpr std::size_t kLongestSegment = 0xFFFF;
constexpr std::size_t kGap = 8;  // so many zeros end a segment

void unpack_file(ByteReader& reader, Files& files) {
  const std::string name(as_text(reader.bytes(reader.read<std::uint8_t>())));
  const std::size_t size = std::min<std::size_t>(reader.read<std::uint32_t>(), kLargestFile);
  std::vector<std::byte>& file = files[name] = std::vector<std::byte>(size);
  for (auto offset = reader.read<std::uint32_t>(); offset != kEnd; offset = reader.read<std::uint32_t>()) {
    const auto bytes = reader.bytes(reader.read<std::uint16_t>());
    if (offset >= size) continue;
    std::copy_n(bytes.begin(), std::min<std::size_t>(bytes.size(), size - offset), file.begin() + offset);
  }
}

// Returns: where the next run of kGap zeros begins, or the end.
std::size_t end_of_segment(std::span<const std::byte> file, std::size_t start) {
  std::size_t zeros = 0;
  for (std::size_t at = start; at < file.size() && at - start < kLongestSegment; ++at) {
    zeros = file[at] == std::byte{0} ? zeros + 1 : 0;
    if (zeros == kGap) return at + 1 - kGap;
  }
  return std::min(file.size(), start + kLongestSegment);
}

}  // namespace

Files unpack_files(std::span<const std::byte> packed) {
  Files files;
  ByteReader reader(packed);
  try {
    while (!reader.empty() && files.size() < kMostFiles) unpack_file(reader, files);
  } catch (const Error&) {
    // The input ends within a file, which is then as far as it goes.
  }
  return files;
}

std::vector<std::byte> pack_files(const Files& files) {
  std::vector<std::byte> packed;
  ByteWriter writer(packed);
  for (const auto& [name, file] : files) {
    writer.write(static_cast<std::uint8_t>(name.size()));
    writer.bytes(as_bytes(name));
    writer.write(static_cast<std::uint32_t>(file.size()));
    for (std::size_t at = 0; at < file.size();) {
      if (file[at] == std::byte{0}) {
        ++at;
        continue;
      }
      const std::size_t end = end_of_segment(file, at);
      writer.write(static_cast<std::uint32_t>(at));
      writer.write(static_cast<std::uint16_t>(end - at));
      writer.bytes(std::span(file).subspan(at, end - at));
      at = end;
    }
    writer.write(kEnd);
  }
  return packed;
}

}  // namespace hippocore::fuzz
