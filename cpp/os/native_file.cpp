#include "os/native_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <mutex>

#include "os/descriptor.h"
#include "os/directory_entry.h"
#include "os/lock_file.h"
#include "os/posix_file.h"
#include "os/system_error.h"

namespace hippocore::os {
namespace {

constexpr mode_t kOwnerOnly = 0700;

// Keeps its file open, so that it may outlive the directory.
class HeldLock final : public Lock {
 public:
  explicit HeldLock(std::shared_ptr<LockFile> file) : file_(std::move(file)) {}
  ~HeldLock() override { file_->release(); }
  HeldLock(const HeldLock&) = delete;
  HeldLock& operator=(const HeldLock&) = delete;

 private:
  std::shared_ptr<LockFile> file_;
};

class PosixDirectory final : public Directory {
 public:
  PosixDirectory(Descriptor descriptor, std::string path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  std::unique_ptr<File> open(std::string_view name, Access access) override {
    const std::string file = plain_name(name);
    Descriptor opened = open_entry(descriptor_, file, access, path_of(file));
    if (!opened.is_open()) return nullptr;
    return std::make_unique<PosixFile>(std::move(opened), path_of(file));
  }

  std::unique_ptr<File> create(std::string_view name) override {
    const std::string file = plain_name(name);
    if (file != "header") remove(name);
    Descriptor made = make_entry(descriptor_, file, path_of(file));
    if (!made.is_open()) throw_system_error(EEXIST, "create", path_of(file));
    return std::make_unique<PosixFile>(std::move(made), path_of(file));
  }

  void remove(std::string_view name) override {
    const std::string file = plain_name(name);
    if (::unlinkat(descriptor_.number(), file.c_str(), 0) != 0 && errno != ENOENT) {
      throw_system_error(errno, "remove", path_of(file));
    }
  }

  std::vector<std::string> names() const override;

  void sync() override {
    if (without_interruption([&] { return ::fsync(descriptor_.number()); }) != 0) {
      throw_system_error(errno, "sync", path_);
    }
  }

  std::unique_ptr<Lock> lock(LockName name, std::chrono::milliseconds timeout) override {
    std::shared_ptr<LockFile> file = lock_file(name);
    if (!file->acquire(timeout)) return nullptr;
    return std::make_unique<HeldLock>(std::move(file));
  }

  const std::string& path() const override { return path_; }

 private:
  [[nodiscard]] std::string path_of(std::string_view name) const { return path_ + "/" + std::string(name); }

  // A name from a damaged header must not lead out of the directory.
  static std::string plain_name(std::string_view name) {
    if (name.empty() || name == "." || name == ".." || name.find_first_of(std::string_view("/\0", 2)) != name.npos) {
      throw Error(ErrorCode::kInvalidArgument,
                  "a store's file cannot have an empty name or one that leaves its directory");
    }
    return std::string(name);
  }

  std::shared_ptr<LockFile> lock_file(LockName name) {
    const std::lock_guard guard(lock_files_mutex_);
    auto& file = lock_files_.at(static_cast<std::size_t>(name));
    if (!file) file = std::make_shared<LockFile>(descriptor_, name, path_of("header"));
    return file;
  }

  Descriptor descriptor_;
  std::string path_;
  std::mutex lock_files_mutex_;
  std::array<std::shared_ptr<LockFile>, 3> lock_files_;
};

Descriptor open_directory_at(int base, const std::string& path) {
  return Descriptor(
      without_interruption([&] { return ::openat(base, path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
}

struct CloseDirectory {
  void operator()(DIR* stream) const noexcept { ::closedir(stream); }
};

std::vector<std::string> PosixDirectory::names() const {
  // A stream owns its descriptor and keeps a position in it, so it gets one of its own.
  Descriptor own = open_directory_at(descriptor_.number(), ".");
  if (!own.is_open()) throw_system_error(errno, "list", path_);
  const std::unique_ptr<DIR, CloseDirectory> stream(::fdopendir(own.number()));
  if (!stream) throw_system_error(errno, "list", path_);
  static_cast<void>(own.release());
  std::vector<std::string> found;
  errno = 0;
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string_view name(entry->d_name);
    if (name != "." && name != "..") found.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) throw_system_error(errno, "list", path_);
  return found;
}

std::string parent_of(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const std::size_t slash = path.find_last_of('/');
  if (slash == path.npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// A umask may have taken the owner's own rights; without them the directory cannot even be opened.
void give_owner_its_rights(const std::string& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) throw_system_error(errno, "look at", path);
  const bool is_own = S_ISDIR(status.st_mode) && status.st_uid == ::geteuid();
  if (!is_own || (status.st_mode & kOwnerOnly) == kOwnerOnly) return;
  if (::chmod(path.c_str(), kOwnerOnly) != 0) throw_system_error(errno, "give the owner rights to", path);
}

// Makes the directory, its parents first, and syncs each one's parent, so that a new store is still there after a power
// loss.
void make_directory(const std::string& path) {
  const std::string parent = parent_of(path);
  if (::mkdir(path.c_str(), kOwnerOnly) != 0) {
    if (errno == EEXIST) return;
    if (errno != ENOENT || parent == path) throw_system_error(errno, "make the directory", path);
    make_directory(parent);
    if (::mkdir(path.c_str(), kOwnerOnly) != 0 && errno != EEXIST) {
      throw_system_error(errno, "make the directory", path);
    }
  }
  give_owner_its_rights(path);
  const Descriptor above = open_directory_at(AT_FDCWD, parent);
  if (!above.is_open() || ::fsync(above.number()) != 0) throw_system_error(errno, "sync", parent);
}

}  // namespace

std::unique_ptr<Directory> open_directory(const std::string& path, Create create) {
  if (path.empty() || path.find('\0') != path.npos) {
    throw Error(ErrorCode::kInvalidArgument, "a store's path must not be empty or hold a NUL");
  }
  Descriptor opened = open_directory_at(AT_FDCWD, path);
  if (!opened.is_open() && errno == ENOENT && create == Create::kIfMissing) {
    make_directory(path);
    opened = open_directory_at(AT_FDCWD, path);
  }
  if (!opened.is_open() && errno == ENOENT) {
    throw Error(ErrorCode::kStoreNotFound, "there is no store at " + path + ": check the path, or create the store");
  }
  if (!opened.is_open()) throw_system_error(errno, "open the directory", path);
  return std::make_unique<PosixDirectory>(std::move(opened), path);
}

}  // namespace hippocore::os
