#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "child_process.h"
#include "harness.h"
#include "os/directory_entry.h"
#include "os/native_file.h"
#include "temporary_directory.h"

namespace hippocore::os {
namespace {

mode_t mode_of(const std::string& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) testing::fail(__FILE__, __LINE__, "no such file: " + path);
  return status.st_mode & 07777;
}

std::vector<std::string> sorted_names(const Directory& directory) {
  auto names = directory.names();
  std::sort(names.begin(), names.end());
  return names;
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

// Returns: what the message of the error says, empty when there was none.
template <typename Body>
std::string message_of(Body&& body) {
  try {
    static_cast<void>(body());
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// In a child process: an ordinary user, whom permissions bind.
void drop_root() {
  constexpr uid_t kNobody = 65534;
  if (::geteuid() == 0 && ::setuid(kNobody) != 0) ::_exit(98);
}

}  // namespace

TEST(os_directory_is_made_with_its_parents_for_its_owner_alone) {
  const testing::TemporaryDirectory place;
  const mode_t before = ::umask(0);
  const auto directory = open_directory(place / "a/b//c/", Create::kIfMissing);
  static_cast<void>(directory->create("data"));
  static_cast<void>(directory->lock(LockName::kWriter, {}));
  ::umask(before);
  for (const char* name : {"a", "a/b", "a/b/c"}) CHECK_EQUAL(mode_of(place / name), 0700U);
  CHECK_EQUAL(mode_of(place / "a/b/c/data"), 0600U);
  CHECK_EQUAL(mode_of(place / "a/b/c/header"), 0600U);
  directory->sync();
}

TEST(os_directory_and_files_belong_to_their_owner_under_any_umask) {
  const testing::TemporaryDirectory place;
  ::chmod(place.path().c_str(), 0777);
  for (const mode_t mask : {0000U, 0077U, 0177U, 0777U}) {
    testing::ChildProcess child([&place, mask] {
      drop_root();
      ::umask(mask);
      const auto name = "of-" + std::to_string(mask);
      const auto directory = open_directory(place / name + "/store", Create::kIfMissing);
      directory->create("data")->write_at(0, std::vector<std::byte>(5));
      CHECK(directory->lock(LockName::kWriter, {}) != nullptr);
      CHECK(directory->lock(LockName::kMaintenance, {}) != nullptr);
      CHECK(directory->open("header", Access::kReadWrite) != nullptr);
      CHECK_EQUAL(directory->open("data", Access::kRead)->size(), 5U);
      CHECK_EQUAL(directory->names().size(), 2U);
      for (const char* part : {"", "/store"}) CHECK_EQUAL(mode_of(place / name + part), 0700U);
      for (const char* part : {"/data", "/header"}) CHECK_EQUAL(mode_of(place / name + "/store" + part), 0600U);
      return 0;
    });
    CHECK_EQUAL(child.exit_code(), 0);
  }
}

TEST(os_directory_that_is_there_is_opened_as_it_is) {
  const testing::TemporaryDirectory place;
  ::chmod(place.path().c_str(), 0750);
  CHECK_EQUAL(open_directory(place.path(), Create::kIfMissing)->path(), place.path());
  CHECK_EQUAL(mode_of(place.path()), 0750U);
}

TEST(os_directory_that_is_missing_is_not_found) {
  const testing::TemporaryDirectory place;
  CHECK_THROWS(ErrorCode::kStoreNotFound, open_directory(place / "none", Create::kNo));
  CHECK_THROWS(ErrorCode::kStoreNotFound, open_directory(place / "none/below", Create::kNo));
  CHECK(message_of([&] { return open_directory(place / "none", Create::kNo); }).find(place / "none") !=
        std::string::npos);
}

TEST(os_directory_at_an_impossible_path_is_refused) {
  const testing::TemporaryDirectory place;
  write_text(place / "file", "text");
  CHECK_THROWS(ErrorCode::kInputOutput, open_directory(place / "file", Create::kIfMissing));
  CHECK_THROWS(ErrorCode::kInputOutput, open_directory(place / "file/below", Create::kIfMissing));
  CHECK_THROWS(ErrorCode::kInputOutput, open_directory(place / std::string(5000, 'x'), Create::kIfMissing));
  CHECK_THROWS(ErrorCode::kInvalidArgument, open_directory("", Create::kIfMissing));
  CHECK_THROWS(ErrorCode::kInvalidArgument, open_directory(place.path() + std::string(1, '\0') + "x", Create::kNo));
}

TEST(os_directory_path_may_be_long_and_in_any_script) {
  const testing::TemporaryDirectory place;
  for (const std::string& name : {std::string("my agent's memory "), std::string("\xE8\xAE\xB0\xE5\xBF\x86"),
                                  std::string(200, 'x'), std::string("a\nb\"c\\")}) {
    const auto directory = open_directory(place / name, Create::kIfMissing);
    directory->create("data")->write_at(0, std::vector<std::byte>(3));
    CHECK_EQUAL(open_directory(place / name, Create::kNo)->open("data", Access::kRead)->size(), 3U);
  }
}

TEST(os_directory_may_be_reached_through_a_link) {
  const testing::TemporaryDirectory place;
  static_cast<void>(open_directory(place / "real", Create::kIfMissing)->create("data"));
  CHECK_EQUAL(::symlink((place / "real").c_str(), (place / "link").c_str()), 0);
  CHECK(open_directory(place / "link", Create::kNo)->open("data", Access::kRead) != nullptr);
}

TEST(os_directory_lists_makes_and_removes_files) {
  const testing::TemporaryDirectory place;
  const auto directory = open_directory(place.path(), Create::kNo);
  CHECK(directory->names().empty());
  static_cast<void>(directory->create("one"));
  static_cast<void>(directory->create("two"));
  CHECK(sorted_names(*directory) == std::vector<std::string>({"one", "two"}));
  CHECK(sorted_names(*directory) == std::vector<std::string>({"one", "two"}));
  directory->remove("one");
  directory->remove("one");
  CHECK(directory->names() == std::vector<std::string>({"two"}));
  CHECK(directory->open("one", Access::kRead) == nullptr);
  CHECK(directory->open("one", Access::kReadWrite) == nullptr);
}

TEST(os_directory_makes_a_file_anew_over_a_leftover) {
  const testing::TemporaryDirectory place;
  const auto directory = open_directory(place.path(), Create::kNo);
  const auto old = directory->create("data");
  old->write_at(0, std::vector<std::byte>(10));
  CHECK_EQUAL(directory->create("data")->size(), 0U);
  CHECK_EQUAL(old->size(), 10U);
  write_text(place / "target", "precious");
  CHECK_EQUAL(::symlink((place / "target").c_str(), (place / "link").c_str()), 0);
  directory->create("link")->write_at(0, std::vector<std::byte>(1));
  CHECK_EQUAL(directory->open("target", Access::kRead)->size(), 8U);
}

TEST(os_directory_never_replaces_the_header) {
  const testing::TemporaryDirectory place;
  const auto directory = open_directory(place.path(), Create::kNo);
  CHECK_EQUAL(directory->create("header")->size(), 0U);
  const auto lock = directory->lock(LockName::kWriter, {});
  CHECK_THROWS(ErrorCode::kInputOutput, directory->create("header"));
  CHECK(open_directory(place.path(), Create::kNo)->lock(LockName::kWriter, {}) == nullptr);
}

TEST(os_directory_refuses_links_pipes_and_directories_as_files) {
  const testing::TemporaryDirectory place;
  const auto directory = open_directory(place.path(), Create::kNo);
  write_text(place / "target", "text");
  CHECK_EQUAL(::symlink((place / "target").c_str(), (place / "link").c_str()), 0);
  CHECK_EQUAL(::symlink("/dev/zero", (place / "device").c_str()), 0);
  CHECK_EQUAL(::mkfifo((place / "pipe").c_str(), 0600), 0);
  CHECK_EQUAL(::mkdir((place / "directory").c_str(), 0700), 0);
  for (const char* name : {"link", "device", "pipe", "directory"}) {
    CHECK_THROWS(ErrorCode::kInputOutput, directory->open(name, Access::kRead));
    CHECK_THROWS(ErrorCode::kInputOutput, directory->open(name, Access::kReadWrite));
  }
  CHECK_EQUAL(::symlink((place / "target").c_str(), (place / "header").c_str()), 0);
  CHECK_THROWS(ErrorCode::kInputOutput, directory->lock(LockName::kWriter, {}));
}

TEST(os_directory_never_makes_a_file_through_a_link) {
  const testing::TemporaryDirectory place;
  const auto directory = open_directory(place / "store", Create::kIfMissing);
  CHECK_EQUAL(::symlink((place / "outside").c_str(), (place / "store/header").c_str()), 0);
  CHECK_THROWS(ErrorCode::kInputOutput, directory->lock(LockName::kWriter, {}));
  CHECK_THROWS(ErrorCode::kInputOutput, directory->create("header"));
  CHECK_THROWS(ErrorCode::kInputOutput, directory->open("header", Access::kReadWrite));
  CHECK_EQUAL(::symlink((place / "outside").c_str(), (place / "store/data").c_str()), 0);
  directory->create("data")->write_at(0, std::vector<std::byte>(1));
  CHECK_EQUAL(::access((place / "outside").c_str(), F_OK), -1);
}

TEST(os_directory_reads_a_file_with_two_names_and_writes_neither) {
  const testing::TemporaryDirectory place;
  const auto directory = open_directory(place / "store", Create::kIfMissing);
  write_text(place / "outside", "precious");
  for (const char* name : {"data", "header"}) {
    CHECK_EQUAL(::link((place / "outside").c_str(), (place / "store/" + name).c_str()), 0);
    CHECK_EQUAL(directory->open(name, Access::kRead)->size(), 8U);
    CHECK_THROWS(ErrorCode::kInputOutput, directory->open(name, Access::kReadWrite));
  }
  CHECK_THROWS(ErrorCode::kInputOutput, directory->lock(LockName::kWriter, {}));
  CHECK(message_of([&] { return directory->open("data", Access::kReadWrite); }).find("hard link") != std::string::npos);
  CHECK_EQUAL(directory->create("data")->size(), 0U);
  CHECK_EQUAL(directory->open("header", Access::kRead)->size(), 8U);
}

TEST(os_directory_makes_one_file_when_two_make_it_at_once) {
  const testing::TemporaryDirectory place;
  const auto directory = open_directory(place.path(), Create::kNo);
  const Descriptor at(::open(place.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  CHECK(make_entry(at, "data", "data").is_open());
  CHECK(!make_entry(at, "data", "data").is_open());
  CHECK_EQUAL(::symlink("nowhere", (place / "link").c_str()), 0);
  CHECK(!make_entry(at, "link", "link").is_open());
  CHECK_EQUAL(directory->names().size(), 2U);
}

TEST(os_directory_refuses_a_file_of_another_user_by_number) {
  const testing::TemporaryDirectory place;
  ::chmod(place.path().c_str(), 0777);
  if (::geteuid() == 0) {
    write_text(place / "data", "text");
    CHECK_EQUAL(::chown((place / "data").c_str(), 4321, 4321), 0);
    ::chmod((place / "data").c_str(), 0666);
  }
  testing::ChildProcess child([&place, is_root = ::geteuid() == 0] {
    drop_root();
    const auto directory = open_directory(is_root ? place.path() : "/etc", Create::kNo);
    const char* name = is_root ? "data" : "passwd";
    if (!is_root) {  // an ordinary user cannot give a file away: here one of root's is read, which is trusted
      CHECK(directory->open(name, Access::kRead) != nullptr);
      return 0;
    }
    for (const Access access : {Access::kRead, Access::kReadWrite}) {
      const auto message = message_of([&] { return directory->open(name, access); });
      CHECK(message.find("belongs to user 4321") != std::string::npos);
      CHECK(message.find("data") != std::string::npos);
    }
    return 0;
  });
  CHECK_EQUAL(child.exit_code(), 0);
}

TEST(os_directory_refuses_names_that_lead_elsewhere) {
  const testing::TemporaryDirectory place;
  const auto directory = open_directory(place / "store", Create::kIfMissing);
  write_text(place / "outside", "text");
  for (const std::string& name : {std::string("../outside"), place / "outside", std::string(".."), std::string("."),
                                  std::string(), std::string("a\0b", 3)}) {
    CHECK_THROWS(ErrorCode::kInvalidArgument, directory->open(name, Access::kRead));
    CHECK_THROWS(ErrorCode::kInvalidArgument, directory->create(name));
    CHECK_THROWS(ErrorCode::kInvalidArgument, directory->remove(name));
  }
}

TEST(os_directory_trusts_files_of_the_user_and_of_root) {
  CHECK(is_trusted_owner(1000, 1000));
  CHECK(is_trusted_owner(0, 1000));
  CHECK(is_trusted_owner(1000, 0));
  CHECK(!is_trusted_owner(1001, 1000));
}

TEST(os_directory_that_cannot_be_written_is_read_and_says_why_not_more) {
  const testing::TemporaryDirectory place;
  ::chmod(place.path().c_str(), 0755);
  {
    const auto directory = open_directory(place / "store", Create::kIfMissing);
    directory->create("data")->write_at(0, std::vector<std::byte>(5));
    static_cast<void>(directory->lock(LockName::kWriter, {}));
  }
  for (const char* name : {"store/data", "store/header"}) ::chmod((place / name).c_str(), 0444);
  ::chmod((place / "store").c_str(), 0555);
  testing::ChildProcess child([&place] {
    drop_root();
    const auto directory = open_directory(place / "store", Create::kIfMissing);
    CHECK_EQUAL(directory->open("data", Access::kRead)->map(0, 5).bytes.size(), 5U);
    CHECK_THROWS(ErrorCode::kReadOnlyStore, directory->open("data", Access::kReadWrite));
    CHECK_THROWS(ErrorCode::kInputOutput, directory->create("more"));
    CHECK_THROWS(ErrorCode::kReadOnlyStore, directory->lock(LockName::kWriter, {}));
    const auto message = message_of([&] { return directory->lock(LockName::kWriter, {}); });
    CHECK(message.find("Permission denied") != std::string::npos);
    return 0;
  });
  const int code = child.exit_code();
  ::chmod((place / "store").c_str(), 0755);
  CHECK_EQUAL(code, 0);
}

TEST(os_directory_without_descriptors_left_says_so) {
  const testing::TemporaryDirectory place;
  testing::ChildProcess child([&place] {
    const auto directory = open_directory(place.path(), Create::kNo);
    const rlimit limit{3, 3};
    ::setrlimit(RLIMIT_NOFILE, &limit);
    for (const auto& message :
         {message_of([&] { return directory->create("data"); }), message_of([&] { return directory->names(); }),
          message_of([&] { return directory->lock(LockName::kWriter, {}); }),
          message_of([&] { return open_directory(place.path(), Create::kIfMissing); })}) {
      CHECK(message.find("ulimit -n") != std::string::npos);
    }
    return 0;
  });
  CHECK_EQUAL(child.exit_code(), 0);
}

}  // namespace hippocore::os
