"""What keeps a memory: checksums, syncs, the order of a commit, locks."""

from __future__ import annotations

from tests.mutating import Mutation

MUTATIONS = (
    Mutation(
        "a payload's checksum not compared",
        "cpp/format/payload.cpp",
        'if (sum != crc32c(0, bytes.subspan(kLengthSize))) refuse("does not match its checksum");',
        "static_cast<void>(sum);",
        "format_payload_with_any_damage",
    ),
    Mutation(
        "a header's checksum not compared",
        "cpp/format/header.cpp",
        "if (reader.read<std::uint32_t>() != crc32c(0, slot.subspan(kChecksummed))) return std::nullopt;",
        "static_cast<void>(reader.read<std::uint32_t>());",
        "format_header_with_any_flipped_bit",
    ),
    Mutation(
        "the older header chosen",
        "cpp/format/header.cpp",
        "second->epoch > first->epoch",
        "second->epoch < first->epoch",
        "format_header_chosen",
    ),
    Mutation(
        "the lock of a store not taken",
        "cpp/os/lock_file.cpp",
        "const int reason = change_lock(descriptor, name_, F_WRLCK);",
        "const int reason = change_lock(descriptor, name_, F_UNLCK);",
        "os_lock_excludes",
    ),
)
