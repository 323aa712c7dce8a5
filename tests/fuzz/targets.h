// The bodies that both libFuzzer (fuzzed.cpp) and the C++ test of the corpus (tests/cpp/fuzz_corpus_test.cpp) call.
//
// Each takes any bytes. Throws: Finding, or whatever the core threw that is no Error; both are faults of the core.
#pragma once

#include <cstddef>
#include <span>

namespace hippocore::fuzz {

// A packed directory (packed_files.h): opened read-only twice and for writing, read whole, written to, folded.
void open_store(std::span<const std::byte> input);
// One byte of choices, then the entries of a log: walked, judged and replayed onto an empty root.
void read_log(std::span<const std::byte> input);
// One byte that chooses a decoder, one of choices, then what it decodes.
void decode_record(std::span<const std::byte> input);

}  // namespace hippocore::fuzz
