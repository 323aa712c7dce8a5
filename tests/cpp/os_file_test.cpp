#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>

#include "child_process.h"
#include "damage.h"
#include "harness.h"
#include "os/native_file.h"
#include "temporary_directory.h"

namespace hippocore::os {
namespace {

std::vector<std::byte> read(const File& file, std::uint64_t offset, std::size_t length) {
  std::vector<std::byte> bytes(length);
  file.read_at(offset, bytes);
  return bytes;
}

}  // namespace

TEST(os_file_holds_what_was_written) {
  const testing::TemporaryDirectory place;
  const auto directory = open_directory(place.path(), Create::kNo);
  const auto file = directory->create("data");
  const auto bytes = testing::patterned_bytes(300'000);
  file->write_at(0, bytes);
  file->write_at(1'000'000, std::span(bytes).first(10));
  file->write_at(5, {});
  CHECK_EQUAL(file->size(), 1'000'010U);
  CHECK(read(*file, 0, bytes.size()) == bytes);
  CHECK(read(*directory->open("data", Access::kRead), 1'000'000, 10) == read(*file, 0, 10));
  CHECK(read(*file, 999'999, 1) == std::vector{std::byte{0}});
  file->sync();
}

TEST(os_file_shorter_than_what_is_read_is_corrupt) {
  const testing::TemporaryDirectory place;
  const auto file = open_directory(place.path(), Create::kNo)->create("data");
  file->write_at(0, std::vector<std::byte>(100));
  CHECK_THROWS(ErrorCode::kCorruptStore, read(*file, 0, 101));
  CHECK_THROWS(ErrorCode::kCorruptStore, read(*file, 100, 1));
  CHECK_THROWS(ErrorCode::kCorruptStore, read(*file, UINT64_MAX, 1));
  CHECK_THROWS(ErrorCode::kCorruptStore, read(*file, UINT64_MAX - 1, 8));
  CHECK(read(*file, 100, 0).empty());
}

TEST(os_file_opened_for_reading_is_not_written) {
  const testing::TemporaryDirectory place;
  const auto directory = open_directory(place.path(), Create::kNo);
  static_cast<void>(directory->create("data"));
  const auto file = directory->open("data", Access::kRead);
  CHECK_THROWS(ErrorCode::kInputOutput, file->write_at(0, std::vector<std::byte>(1)));
  CHECK_EQUAL(file->size(), 0U);
}

TEST(os_file_allocated_has_blocks_and_keeps_its_content) {
  const testing::TemporaryDirectory place;
  const auto file = open_directory(place.path(), Create::kNo)->create("data");
  const auto bytes = testing::patterned_bytes(10);
  file->write_at(0, bytes);
  file->allocate(1 << 20);
  CHECK_EQUAL(file->size(), std::uint64_t{1} << 20);
  struct stat status{};
  CHECK_EQUAL(::stat((place / "data").c_str(), &status), 0);
  CHECK(status.st_blocks * 512 >= 1 << 20);
  CHECK(read(*file, 0, 10) == bytes);
  const auto rest = read(*file, 10, (1 << 20) - 10);
  CHECK(std::all_of(rest.begin(), rest.end(), [](std::byte byte) { return byte == std::byte{0}; }));
  file->allocate(4096);
  file->allocate(0);
  CHECK_EQUAL(file->size(), std::uint64_t{1} << 20);
}

TEST(os_file_larger_than_any_disk_is_full) {
  const testing::TemporaryDirectory place;
  const auto file = open_directory(place.path(), Create::kNo)->create("data");
  CHECK_THROWS(ErrorCode::kStoreFull, file->allocate(UINT64_MAX));
  CHECK_THROWS(ErrorCode::kStoreFull, file->allocate(std::uint64_t{1} << 62));
  CHECK_THROWS(ErrorCode::kStoreFull, file->write_at(UINT64_MAX - 1, std::vector<std::byte>(8)));
  CHECK_EQUAL(file->size(), 0U);
}

TEST(os_file_map_sees_later_writes) {
  const testing::TemporaryDirectory place;
  const auto file = open_directory(place.path(), Create::kNo)->create("data");
  file->allocate(3 * 4096);
  const Mapping mapping = file->map(4096, 5000);
  CHECK_EQUAL(mapping.bytes.size(), 5000U);
  CHECK(mapping.bytes[100] == std::byte{0});
  file->write_at(4196, std::vector(1, std::byte{7}));
  CHECK(mapping.bytes[100] == std::byte{7});
}

TEST(os_file_map_outlives_the_file_and_its_removal) {
  const testing::TemporaryDirectory place;
  const auto directory = open_directory(place.path(), Create::kNo);
  auto file = directory->create("data");
  const auto bytes = testing::patterned_bytes(9000);
  file->write_at(0, bytes);
  Mapping mapping = file->map(0, bytes.size());
  const Mapping copy = mapping;
  mapping = {};
  file.reset();
  directory->remove("data");
  CHECK(std::equal(bytes.begin(), bytes.end(), copy.bytes.begin(), copy.bytes.end()));
}

TEST(os_file_map_past_the_end_is_corrupt) {
  const testing::TemporaryDirectory place;
  const auto file = open_directory(place.path(), Create::kNo)->create("data");
  CHECK(file->map(0, 0).bytes.empty());
  file->write_at(0, std::vector<std::byte>(5000));
  CHECK_EQUAL(file->map(0, 5000).bytes.size(), 5000U);
  CHECK_THROWS(ErrorCode::kCorruptStore, file->map(0, 5001));
  CHECK_THROWS(ErrorCode::kCorruptStore, file->map(4096, 1000));
  CHECK_THROWS(ErrorCode::kCorruptStore, file->map(4096, UINT64_MAX - 4095));
  CHECK_THROWS(ErrorCode::kCorruptStore, file->map(std::uint64_t{16} << 30, 4096));
}

// The default of SIGXFSZ ends the process: in the child it is the default.
TEST(os_file_past_the_size_limit_is_full_and_the_process_lives) {
  const testing::TemporaryDirectory place;
  testing::ChildProcess child([&place] {
    ::signal(SIGXFSZ, SIG_DFL);
    const rlimit limit{8192, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto file = open_directory(place.path(), Create::kNo)->create("data");
    const std::vector<std::byte> bytes(8192);
    file->write_at(0, bytes);
    int refused = 0;
    const auto attempt = [&refused](auto call) {
      try {
        call();
      } catch (const Error& error) {
        refused += error.code() == ErrorCode::kStoreFull ? 1 : 0;
      }
    };
    attempt([&] { file->write_at(8192, bytes); });
    attempt([&] { file->write_at(4096, bytes); });
    attempt([&] { file->allocate(1 << 20); });
    sigset_t pending;
    ::sigpending(&pending);
    return refused == 3 && file->size() == 8192 && sigismember(&pending, SIGXFSZ) == 0 ? 0 : 1;
  });
  CHECK_EQUAL(child.exit_code(), 0);
}

TEST(os_file_leaves_the_size_signal_as_the_program_has_it) {
  const testing::TemporaryDirectory place;
  const auto file = open_directory(place.path(), Create::kNo)->create("data");
  sigset_t before;
  sigset_t after;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
  file->write_at(0, std::vector<std::byte>(10));
  file->allocate(100);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &after);
  CHECK_EQUAL(sigismember(&before, SIGXFSZ), sigismember(&after, SIGXFSZ));
}

}  // namespace hippocore::os
