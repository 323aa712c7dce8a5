#include "os/file_size_signal.h"

#include <cerrno>

namespace hippocore::os {
namespace {

sigset_t only_size_signal() noexcept {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGXFSZ);
  return signals;
}

void take_back_pending_signal() noexcept {
  sigset_t pending;
  if (::sigpending(&pending) != 0 || sigismember(&pending, SIGXFSZ) != 1) return;
  const sigset_t signals = only_size_signal();
  int taken = 0;
  ::sigwait(&signals, &taken);
}

}  // namespace

FileSizeSignalBlock::FileSizeSignalBlock() noexcept {
  const sigset_t signals = only_size_signal();
  ::pthread_sigmask(SIG_BLOCK, &signals, &before_);
}

FileSizeSignalBlock::~FileSizeSignalBlock() {
  const int reason = errno;
  if (sigismember(&before_, SIGXFSZ) == 0) {
    if (reason == EFBIG) take_back_pending_signal();
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  errno = reason;
}

}  // namespace hippocore::os
