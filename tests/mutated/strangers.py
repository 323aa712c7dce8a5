"""What keeps strangers out: whose a file is, where a name leads, and what a store or an export may say."""

from __future__ import annotations

from tests.mutating import Mutation

_TESTS = "tests/python/strangers"
_ENTRY = "cpp/os/directory_entry.cpp"

MUTATIONS = (
    Mutation(
        "a link followed",
        _ENTRY,
        "constexpr int kOpenFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;",
        "constexpr int kOpenFlags = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;",
        "os_directory_refuses_links",
    ),
    Mutation(
        "a pipe waited for",
        _ENTRY,
        "constexpr int kOpenFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;",
        "constexpr int kOpenFlags = O_CLOEXEC | O_NOFOLLOW | O_NOCTTY;",
        f"{_TESTS}/test_files.py::test_what_is_no_file_in_the_place_of_a_stores_file_is_refused[plant_pipe-payload]",
    ),
    Mutation(
        "another user's file trusted",
        _ENTRY,
        "if (!is_trusted_owner(status.st_uid, user)) {",
        "if (!is_trusted_owner(status.st_uid, status.st_uid)) {",
        f"{_TESTS}/test_ordinary_user.py::test_a_store_that_another_user_opened_to_all_is_refused_with_its_owner",
    ),
    Mutation(
        "a file for all to read",
        _ENTRY,
        "constexpr mode_t kOwnerOnly = 0600;",
        "constexpr mode_t kOwnerOnly = 0644;",
        "os_directory_and_files_belong_to_their_owner",
    ),
    Mutation(
        "a file made over what is there",
        _ENTRY,
        "const int flags = kOpenFlags | O_RDWR | O_CREAT | O_EXCL;",
        "const int flags = kOpenFlags | O_RDWR | O_CREAT;",
        "os_directory_makes_one_file",
    ),
    Mutation(
        "a file with a second name written",
        _ENTRY,
        "if (access == Access::kReadWrite && status.st_nlink > 1) {",
        "if (access == Access::kReadWrite && status.st_nlink > 1'000'000) {",
        "os_directory_reads_a_file_with_two_names",
    ),
    Mutation(
        "a facet that comes twice is kept twice",
        "cpp/storage/labels.cpp",
        "  if (newest != 0 && postings_[newest - 1].slot == slot) return;\n",
        "",
        "storage_hostile_version_that_names_a_facet_twice",
    ),
    Mutation(
        "hostile tags and metadata believed",
        "python/hippocore/records.py",
        "    except ValueError as error:\n        raise _corrupt(key, str(error)) from None\n",
        "    except ValueError:\n        said = Extra(metadata={})\n",
        f"{_TESTS}/test_hostile_store.py::test_hostile_tags_metadata_and_ids_are_damage_of_that_memory",
    ),
    Mutation(
        "times outside the calendar believed",
        "python/hippocore/records.py",
        "        EARLIEST <= created_at <= LATEST\n",
        "        created_at is not None\n",
        f"{_TESTS}/test_hostile_store.py::test_times_outside_the_calendar_are_damage_of_that_memory",
    ),
    Mutation(
        "an export written through a link",
        "python/hippocore/transfer.py",
        "    target = named.parent.resolve() / named.name\n",
        "    target = named.resolve()\n",
        f"{_TESTS}/test_files.py::test_an_export_neither_replaces_nor_follows_a_link",
    ),
    Mutation(
        "a vector stretched to the store's dimension",
        "python/hippocore/transfer_import.py",
        "self._header.dim if self._header.embeddings else None",
        "self._header.dim",
        f"{_TESTS}/test_hostile_import.py::test_a_vector_is_never_stretched_to_the_dimension_of_the_store",
    ),
    Mutation(
        "an escape sequence printed",
        "python/hippocore/cli/terminal.py",
        'return "" if category == "Cc" or character in BIDIRECTIONAL else character',
        "return character",
        f"{_TESTS}/test_terminal_output.py::test_no_stored_text_commands_the_terminal",
    ),
)
