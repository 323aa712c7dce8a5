#include "format/preamble.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/crc32c.h"

namespace hippocore::format {

namespace {
constexpr std::uint64_t kMagic = 0x314C4946'504D4948ULL;  // "HIMPFIL1"
}

std::vector<std::byte> encode_preamble(const Preamble& preamble) {
  std::vector<std::byte> bytes;
  bytes.reserve(kPreambleSize);
  ByteWriter writer(bytes);
  writer.write(kMagic);
  writer.write(preamble.store_id);
  writer.write(preamble.part);
  writer.write(preamble.dimension);
  writer.write(preamble.number);
  writer.write(crc32c(0, bytes));
  bytes.resize(kPreambleSize);
  return bytes;
}

bool has_preamble(std::span<const std::byte> file, const Preamble& preamble) {
  const std::vector<std::byte> expected = encode_preamble(preamble);
  return file.size() >= kPreambleSize && std::equal(expected.begin(), expected.end(), file.begin());
}

}  // namespace hippocore::format
