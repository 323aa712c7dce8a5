// The kept inputs of the fuzzers (tests/fuzz/corpus), through the same bodies: seeds, and what once was a fault.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "harness.h"
#include "targets.h"

namespace hippocore::fuzz {
namespace {

std::vector<std::byte> bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void replay(const std::string& target, void (*body)(std::span<const std::byte>)) {
  std::vector<std::filesystem::path> inputs;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(HIPPOCORE_CORPUS) / target)) {
    inputs.push_back(entry.path());
  }
  CHECK(!inputs.empty());
  std::sort(inputs.begin(), inputs.end());
  for (const auto& input : inputs) {
    try {
      body(bytes_of(input));
    } catch (const std::exception& error) {
      testing::fail(__FILE__, __LINE__, input.filename().string() + ": " + error.what());
    }
  }
}

}  // namespace

TEST(fuzz_corpus_of_open_store_keeps_every_promise) {
  replay("open_store", open_store);
}

TEST(fuzz_corpus_of_read_log_keeps_every_promise) {
  replay("read_log", read_log);
}

TEST(fuzz_corpus_of_decode_record_keeps_every_promise) {
  replay("decode_record", decode_record);
}

}  // namespace hippocore::fuzz
