#include "format/payload.h"

#include <cstdint>

#include "base/bytes.h"
#include "base/crc32c.h"

namespace hippocore::format {
namespace {

constexpr std::size_t kLengthSize = sizeof(std::uint32_t);

[[noreturn]] void refuse(const char* reason) {
  throw Error(ErrorCode::kCorruptStore, std::string("a memory's payload ") + reason + ": the file is damaged");
}

void check_size(const Payload& payload) {
  std::size_t room = kMaximumPayloadSize;
  const auto take = [&room](std::size_t size) {
    if (size > room || room - size < kLengthSize) {
      throw Error(ErrorCode::kInvalidArgument,
                  "a memory's content, metadata, tags and links together are larger than " +
                      std::to_string(kMaximumPayloadSize) + " bytes: split the memory");
    }
    room -= size + kLengthSize;
  };
  for (const std::string_view part : {payload.content, payload.extra, payload.terms}) take(part.size());
  for (const std::string_view facet : payload.facets) take(facet.size());
}

}  // namespace

void encode_payload(const Payload& payload, std::vector<std::byte>& out) {
  check_size(payload);
  const std::size_t start = out.size();
  ByteWriter writer(out);
  writer.write(std::uint32_t{0});  // the checksum, known once the rest is there
  writer.text(payload.content);
  writer.text(payload.extra);
  writer.text(payload.terms);
  writer.write(static_cast<std::uint32_t>(payload.facets.size()));
  for (const std::string_view facet : payload.facets) writer.text(facet);
  const std::uint32_t sum = crc32c(0, std::span(out).subspan(start + kLengthSize));
  std::memcpy(out.data() + start, &sum, sizeof(sum));
}

Payload decode_payload(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "a memory's payload");
  const auto sum = reader.read<std::uint32_t>();
  if (sum != crc32c(0, bytes.subspan(kLengthSize))) refuse("does not match its checksum");
  Payload payload;
  payload.content = reader.text();
  payload.extra = reader.text();
  payload.terms = reader.text();
  const auto facets = reader.read<std::uint32_t>();
  if (facets > reader.remaining() / kLengthSize) refuse("claims more facets than it has bytes for");
  payload.facets.reserve(facets);
  for (std::uint32_t index = 0; index < facets; ++index) payload.facets.push_back(reader.text());
  if (!reader.empty()) refuse("goes on behind its end");
  return payload;
}

}  // namespace hippocore::format
