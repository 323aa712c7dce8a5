// A real file system that is full, and a limit on the size of files: StoreFull, no signal, and all goes on once there
// is room again.
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>

#include "child_process.h"
#include "harness.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::storage {
namespace {

using testing::id_of;
using testing::Note;

constexpr std::size_t kBallast = 2'000'000;

Note note(std::uint32_t number) {
  return {id_of(number), std::string(5'000, static_cast<char>('a' + number % 26)), 1, "s", "k", "", {}, 1, number};
}

// Returns: how many are there when the store is full.
std::uint32_t write_until_full(Store& store) {
  for (std::uint32_t number = 1; number < 10'000; ++number) {
    try {
      testing::write(store, note(number));
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kStoreFull);
      return number;
    }
  }
  testing::fail(__FILE__, __LINE__, "the disk was never full");
}

void check_contents(Store& store, std::uint32_t count) {
  testing::Model model;
  for (std::uint32_t number = 0; number < count; ++number) model.write(note(number));
  CHECK(testing::contents_of(store) == model.contents());
}

void fill_and_go_on(const std::string& path, const std::function<void()>& give_room) {
  const auto store = testing::open_store(path);
  testing::write(*store, note(0));
  store->checkpoint();
  const std::uint32_t count = write_until_full(*store);
  CHECK(count > 5);
  check_contents(*store, count);
  try {
    store->compact();
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kStoreFull);
  }
  check_contents(*store, count);
  check_contents(*testing::open_store(path), count);
  give_room();
  testing::write(*store, note(count));
  store->compact();
  check_contents(*testing::open_store(path), count + 1);
}

// Zero: as far as this process may go.
void limit_file_size(rlim_t bytes) {
  rlimit limit{};
  CHECK_EQUAL(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = bytes == 0 ? limit.rlim_max : bytes;
  CHECK_EQUAL(::setrlimit(RLIMIT_FSIZE, &limit), 0);
}

void write_to(const char* path, const std::string& text) {
  std::ofstream(path) << text;
}

// Returns: whether this process now has a small file system of its own at `path`.
bool mount_small_disk(const std::string& path) {
  const std::string user = std::to_string(::geteuid());
  const std::string group = std::to_string(::getegid());
  if (::unshare(CLONE_NEWNS) != 0) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    write_to("/proc/self/setgroups", "deny");
    write_to("/proc/self/uid_map", "0 " + user + " 1");
    write_to("/proc/self/gid_map", "0 " + group + " 1");
  }
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  return ::mount("tmpfs", path.c_str(), "tmpfs", 0, "size=3m") == 0;
}

}  // namespace

TEST(storage_space_that_ends_at_a_limit_on_file_size_is_full_and_harms_nothing) {
  const testing::TemporaryDirectory place;
  testing::ChildProcess child([&] {
    ::signal(SIGXFSZ, SIG_DFL);  // which ends a process
    limit_file_size(200'000);
    fill_and_go_on(place / "a", [] { limit_file_size(0); });
    return 0;
  });
  CHECK_EQUAL(child.exit_code(), 0);
}

// Where no file system can be mounted, a limit takes the part of the small disk.
TEST(storage_space_that_ends_on_a_small_disk_is_full_and_harms_nothing) {
  const testing::TemporaryDirectory place;
  testing::ChildProcess child([&] {
    if (mount_small_disk(place.path())) {
      std::ofstream(place / "ballast") << std::string(kBallast, 'x');
      fill_and_go_on(place / "a", [&] { std::filesystem::remove(place / "ballast"); });
    } else {
      std::fprintf(stderr, "no file system can be mounted here: a limit on file size stands for it\n");
      limit_file_size(600'000);
      fill_and_go_on(place / "a", [] { limit_file_size(0); });
    }
    return 0;
  });
  CHECK_EQUAL(child.exit_code(), 0);
}

}  // namespace hippocore::storage
