#include "os/directory_entry.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "os/system_error.h"

namespace hippocore::os {
namespace {

constexpr mode_t kOwnerOnly = 0600;
// Without O_NONBLOCK, opening a pipe that someone put into the store would wait for its other end.
constexpr int kOpenFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::kInputOutput, path + " " + why);
}

[[noreturn]] void throw_cannot_open(int number, Access access, const std::string& path) {
  const bool refused = number == EACCES || number == EPERM || number == EROFS;
  if (access == Access::kRead || !refused) throw_system_error(number, "open", path);
  throw Error(ErrorCode::kReadOnlyStore, path + " cannot be written: " + std::generic_category().message(number) +
                                             ": open the store with read_only=True, or copy it to where it can be");
}

struct stat status_of(const Descriptor& descriptor, const std::string& path) {
  struct stat status{};
  if (::fstat(descriptor.number(), &status) != 0) throw_system_error(errno, "look at", path);
  return status;
}

void check_is_own_file(const Descriptor& descriptor, Access access, const std::string& path) {
  const struct stat status = status_of(descriptor, path);
  if (!S_ISREG(status.st_mode)) {
    refuse(path, "is not a plain file: this is not a store, or something was put into it");
  }
  const uid_t user = ::geteuid();
  if (!is_trusted_owner(status.st_uid, user)) {
    refuse(path, "belongs to user " + std::to_string(status.st_uid) + ", not to user " + std::to_string(user) +
                     " or root: copy the store to use it");
  }
  if (access == Access::kReadWrite && status.st_nlink > 1) {
    refuse(path, "is a file that has another name too (a hard link), and writing would change both: copy the store");
  }
}

// A umask may have taken the owner's own rights.
void give_owner_its_rights(const Descriptor& made, const std::string& path) {
  const struct stat status = status_of(made, path);
  if ((status.st_mode & kOwnerOnly) == kOwnerOnly) return;
  if (::fchmod(made.number(), kOwnerOnly) != 0) throw_system_error(errno, "give the owner rights to", path);
}

}  // namespace

Descriptor open_entry(const Descriptor& directory, const std::string& name, Access access, const std::string& path) {
  const int flags = kOpenFlags | (access == Access::kRead ? O_RDONLY : O_RDWR);
  Descriptor opened(without_interruption([&] { return ::openat(directory.number(), name.c_str(), flags); }));
  if (opened.is_open()) {
    check_is_own_file(opened, access, path);
  } else if (errno != ENOENT) {
    throw_cannot_open(errno, access, path);
  }
  return opened;
}

Descriptor make_entry(const Descriptor& directory, const std::string& name, const std::string& path) {
  const int flags = kOpenFlags | O_RDWR | O_CREAT | O_EXCL;
  Descriptor made(without_interruption([&] { return ::openat(directory.number(), name.c_str(), flags, kOwnerOnly); }));
  if (made.is_open()) {
    give_owner_its_rights(made, path);
  } else if (errno != EEXIST) {
    throw_system_error(errno, "create", path);
  }
  return made;
}

}  // namespace hippocore::os
