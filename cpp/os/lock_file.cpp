#include "os/lock_file.h"

#include <fcntl.h>
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <thread>

#include "os/directory_entry.h"
#include "os/system_error.h"

namespace hippocore::os {

// Every lock file of this process. Opening and closing happen under its mutex, and so does fork: a child therefore sees
// a whole list, and the mutex in a state it can release.
class LockFileRegistry {
 public:
  static void add(LockFile& file, Descriptor (*open)(const Descriptor&, const std::string&),
                  const Descriptor& directory) {
    if (watching_ != 0) throw_system_error(watching_, "watch for forks while opening", "the store");
    const std::lock_guard guard(mutex_);
    file.descriptor_ = open(directory, file.path_).release();
    file.next_ = first_;
    if (first_ != nullptr) first_->previous_ = &file;
    first_ = &file;
  }

  static void remove(LockFile& file) noexcept {
    const std::lock_guard guard(mutex_);
    if (file.next_ != nullptr) file.next_->previous_ = file.previous_;
    (file.previous_ != nullptr ? file.previous_->next_ : first_) = file.next_;
    close_descriptor(file);
  }

 private:
  static void close_descriptor(LockFile& file) noexcept { const Descriptor closes(file.descriptor_.exchange(-1)); }

  static int watch_forks() noexcept {
    return ::pthread_atfork([] { mutex_.lock(); }, [] { mutex_.unlock(); },
                            [] {
                              for (LockFile* file = first_; file != nullptr; file = file->next_)
                                close_descriptor(*file);
                              mutex_.unlock();
                            });
  }

  // Neither has a destructor that runs at exit, so handles may live until the very end of the process.
  static inline constinit std::mutex mutex_;
  static inline constinit LockFile* first_ = nullptr;
  // Set at loading: a thread that set it at its first use could be in the middle of that while another one forks.
  static inline const int watching_ = watch_forks();
};

namespace {

constexpr off_t kLockOffset = off_t{1} << 62;
constexpr std::chrono::milliseconds kShortestPause{1};
constexpr std::chrono::milliseconds kLongestPause{20};

#if defined(__APPLE__) && !defined(F_OFD_SETLK)
#define F_OFD_SETLK 90  // not in every SDK's headers
#endif

// Opens the header, or makes an empty one; another process may be doing the same.
Descriptor open_header(const Descriptor& directory, const std::string& path) {
  while (true) {
    Descriptor opened = open_entry(directory, "header", Access::kReadWrite, path);
    if (!opened.is_open()) opened = make_entry(directory, "header", path);
    if (opened.is_open()) return opened;
  }
}

// Returns: 0, or the errno.
int change_lock(int descriptor, LockName name, short type) noexcept {
  struct flock range{};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = kLockOffset + static_cast<off_t>(name);
  range.l_len = 1;
  const int result = without_interruption([&] { return ::fcntl(descriptor, F_OFD_SETLK, &range); });
  return result == 0 ? 0 : errno;
}

}  // namespace

LockFile::LockFile(const Descriptor& directory, LockName name, std::string path) : name_(name), path_(std::move(path)) {
  LockFileRegistry::add(*this, open_header, directory);
}

LockFile::~LockFile() {
  LockFileRegistry::remove(*this);
}

bool LockFile::try_acquire() const {
  const int descriptor = descriptor_;
  if (descriptor < 0) {
    throw Error(ErrorCode::kForkedHandle,
                path_ + " was opened before a fork: open the store again in the child process");
  }
  const int reason = change_lock(descriptor, name_, F_WRLCK);
  if (reason != 0 && reason != EAGAIN && reason != EACCES) throw_system_error(reason, "lock", path_);
  return reason == 0;
}

bool LockFile::acquire(std::chrono::milliseconds timeout) {
  if (try_acquire()) return true;
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  for (auto pause = kShortestPause;; pause = std::min(pause * 2, kLongestPause)) {
    const auto rest = deadline - std::chrono::steady_clock::now();
    if (rest <= rest.zero()) return false;
    std::this_thread::sleep_for(std::min<std::chrono::steady_clock::duration>(pause, rest));
    if (try_acquire()) return true;
  }
}

void LockFile::release() noexcept {
  if (const int descriptor = descriptor_; descriptor >= 0) change_lock(descriptor, name_, F_UNLCK);
}

}  // namespace hippocore::os
