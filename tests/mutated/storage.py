"""What keeps a memory: checksums, syncs, the order of a commit, locks."""

from __future__ import annotations

from tests.mutating import Mutation

_CRASH = "storage_crash_at_any_call_leaves_all_that_was_acknowledged"
_DAMAGE = "storage_damage_of_any_byte_is_named"

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
        "a log entry's checksum not compared",
        "cpp/storage/log.cpp",
        "if (crc32c(position.chain, body) != header->body_crc) return std::nullopt;",
        "",
        "storage_log_with_any_flipped_bit",
    ),
    Mutation(
        "a row's checksum not compared",
        "cpp/storage/chunk.cpp",
        "(format::row_crc(view_, index) == view_.row_crcs()[index] && ",
        "(",
        _DAMAGE,
    ),
    Mutation(
        "the columns' checksum not compared",
        "cpp/storage/chunk.cpp",
        "bool good = format::columns_crc(view_, committed_) == view_.columns_crc();",
        "bool good = true;",
        "memory_damage_of_a_column",
    ),
    Mutation(
        "the states' checksum not compared",
        "cpp/storage/chunk.cpp",
        "format::state_crc(*block_) == block_->crc && ",
        "",
        _DAMAGE,
    ),
    Mutation(
        "damage to a synced entry taken for an unfinished write",
        "cpp/storage/log.cpp",
        "if (header && header->synced_through > position.sequence) synced_part",
        "if (header && header->synced_through > position.sequence + (1U << 31)) synced_part",
        "storage_damage_of_a_synced_log",
    ),
    Mutation(
        "the older header chosen",
        "cpp/format/header.cpp",
        "second->epoch > first->epoch",
        "second->epoch < first->epoch",
        "format_header_chosen",
    ),
    Mutation(
        "the standing header slot written first",
        "cpp/storage/commit.cpp",
        "  write_slot(header_file, 1 - standing, slot);\n  write_second_slot(header_file, standing, slot);",
        "  write_slot(header_file, standing, slot);\n  write_second_slot(header_file, 1 - standing, slot);",
        "storage_header_order",
    ),
    Mutation(
        "an acknowledgement that does not wait for its sync",
        "cpp/storage/store_write.cpp",
        "const bool at_once = options_.sync == Sync::kFull || (",
        "const bool at_once = (",
        _CRASH,
    ),
    Mutation(
        "a checkpoint's log not synced",
        "cpp/storage/next_log.cpp",
        "  file_->sync();\n",
        "",
        _CRASH,
    ),
    Mutation(
        "a checkpoint's directory not synced",
        "cpp/storage/store_upkeep.cpp",
        "group_sync_.synced()));\n  directory_->sync();\n",
        "group_sync_.synced()));\n",
        _CRASH,
    ),
    Mutation(
        "a header slot overwritten while the other may not be on disk",
        "cpp/storage/commit.cpp",
        "  header_file.sync();\n",
        "",
        "storage_commit_over_one_that_was_not_synced",
    ),
    Mutation(
        "the header committed before its files are synced",
        "cpp/storage/store_upkeep.cpp",
        "    finish_log(log);\n",
        "    commit_header(*header_file_, next);\n    finish_log(log);\n",
        _CRASH,
    ),
    Mutation(
        "the index of a checkpoint not synced",
        "cpp/storage/checkpoint.cpp",
        "  file->write_at(kPreambleSize, bytes);\n  file->sync();\n",
        "  file->write_at(kPreambleSize, bytes);\n",
        _CRASH,
    ),
    Mutation(
        "writes go on after a failed sync",
        "cpp/storage/group_sync.cpp",
        "failed_ = true;",
        "failed_ = false;",
        "storage_faults_of_a_sync_end",
    ),
    Mutation(
        "a compaction keeps what was forgotten",
        "cpp/storage/checkpoint.cpp",
        "if ((root.flags(slot) & format::kForgotten) != 0) continue;",
        "",
        "tests/python/layer/test_forget.py::test_a_purge_leaves_neither_text_nor_vector_in_any_file",
    ),
    Mutation(
        "what was written during a checkpoint is not carried over",
        "cpp/storage/next_log.cpp",
        "while (from_.sequence < newest.position.sequence)",
        "while (from_.sequence > newest.position.sequence)",
        "tests/faults/test_killed_writers.py::test_a_killed_writer_loses_nothing_acknowledged_and_leaves_nothing_half",
    ),
    Mutation(
        "a handle that never looks whether another one wrote",
        "cpp/storage/log.cpp",
        "return __atomic_load_n(word, __ATOMIC_ACQUIRE) != 0;",
        "return __atomic_load_n(word, __ATOMIC_ACQUIRE) == 1;",
        "storage_store_shows_each_handle",
    ),
    Mutation(
        "the lock of a store not taken",
        "cpp/os/lock_file.cpp",
        "const int reason = change_lock(descriptor, name_, F_WRLCK);",
        "const int reason = change_lock(descriptor, name_, F_UNLCK);",
        "os_lock_excludes",
    ),
    Mutation(
        "a writer that goes on without the lock",
        "cpp/storage/store_write.cpp",
        "if (writer_lock_ == nullptr) throw busy();",
        "",
        "tests/python/layer/test_processes.py::"
        "test_a_waiting_writer_gives_up_and_the_lock_of_a_killed_holder_frees_itself",
    ),
)
