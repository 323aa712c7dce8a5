// While it lives, a write past the process's file size limit fails with EFBIG and nothing more.
//
// Otherwise the system also sends SIGXFSZ to the thread that wrote, which ends a process that has not arranged for it.
// The thread blocks the signal and takes back what came, so that other threads and the program's own handling never
// notice. A thread that already blocks it is left alone. Costs two system calls.
#pragma once

#include <csignal>

namespace hippocore::os {

class FileSizeSignalBlock {
 public:
  FileSizeSignalBlock() noexcept;
  ~FileSizeSignalBlock();
  FileSizeSignalBlock(const FileSizeSignalBlock&) = delete;
  FileSizeSignalBlock& operator=(const FileSizeSignalBlock&) = delete;

 private:
  sigset_t before_;
};

}  // namespace hippocore::os
