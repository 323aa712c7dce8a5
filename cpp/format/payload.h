// The variable-size part of a version: content, the caller's data, facets and terms, with a checksum.
//
// Pure: bytes <-> views. The same bytes stand in a log entry and in payload-G, so folding a log is copying them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hippocore::format {

// What an encoded payload may weigh: far above any memory, far below what a u32 length or a log entry holds.
inline constexpr std::size_t kMaximumPayloadSize = std::size_t{1} << 30;

// Views into the encoded bytes (decode) or the caller's memory (encode).
struct Payload {
  std::string_view content;              // UTF-8 as given
  std::string_view extra;                // msgpack: tags, metadata, links; opaque here
  std::vector<std::string_view> facets;  // keys a filter can ask for: one for each tag and metadata pair; opaque here
  std::string_view terms;                // for the lexical leg; opaque here
};

// Appends to `out`. Throws: Error{kInvalidArgument} when the parts together pass kMaximumPayloadSize; `out` is
// unchanged then.
void encode_payload(const Payload& payload, std::vector<std::byte>& out);
// Throws: Error{kCorruptStore} when the checksum or a length is wrong.
[[nodiscard]] Payload decode_payload(std::span<const std::byte> bytes);

}  // namespace hippocore::format
