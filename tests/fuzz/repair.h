// Makes the checksums of mutated bytes right again, as an attacker would: so that what they guard is reached.
//
// Nothing but checksums, and the preambles that must match the header, is changed; what is too short is left as it is.
#pragma once

#include <cstddef>
#include <span>

#include "format/header.h"
#include "memory_directory.h"

namespace hippocore::fuzz {

// A slot of the header file.
void repair_header(std::span<std::byte> slot);
// The first checksum of a payload.
void repair_payload(std::span<std::byte> payload);
// The payloads within the body of a log entry.
void repair_body(std::span<std::byte> body);
// The entries behind a log's preamble, and that.
void repair_log(std::span<std::byte> log, const format::Header& header);
// The table of contents of an index, and its sections.
void repair_index(std::span<std::byte> index);
// Every file that the header names.
void repair_store(Files& files);

}  // namespace hippocore::fuzz
