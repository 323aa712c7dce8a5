// The descriptor behind a store's lock: open-file-description locks on a byte far behind the data of the header file.
//
// Such a lock belongs to the open file, not to the process: two handles of one process exclude each other, and closing
// some other descriptor of the file releases nothing. A child process would share the open file, and so keep the lock
// alive after its parent's end; therefore the child's copies are closed by a fork handler before the child runs
// anything else.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "os/descriptor.h"
#include "os/file.h"

namespace hippocore::os {

class LockFile {
 public:
  // Opens the header file in `directory`, or makes an empty one; `path` is for messages.
  // Throws: Error{kReadOnlyStore} when it may not be written, for example on a read-only file system;
  // Error{kInputOutput}.
  LockFile(const Descriptor& directory, LockName name, std::string path);
  ~LockFile();
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

  // Tries until `timeout` has passed, at least once. Returns: whether the lock is held now.
  // Requires: this handle does not hold it; one thread at a time.
  // Throws: Error{kForkedHandle} in a child of the process that opened it.
  [[nodiscard]] bool acquire(std::chrono::milliseconds timeout);
  // In a child process this does nothing, for the lock is the parent's.
  void release() noexcept;

 private:
  friend class LockFileRegistry;

  [[nodiscard]] bool try_acquire() const;

  LockName name_;
  std::string path_;
  std::atomic<int> descriptor_ = -1;  // -1 also in a child process
  LockFile* previous_ = nullptr;      // neighbours in the list of this process's lock files
  LockFile* next_ = nullptr;
};

}  // namespace hippocore::os
