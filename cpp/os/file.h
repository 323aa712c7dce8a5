// The seam to the disk: the only place from which bytes reach a file. Tests replace it to lose, cut and garble writes.
//
// A `Directory` is a store's folder; a `File` is one open file of it. Both are used by several threads at once: calls
// on one File are independent, as pread and pwrite are. No call retries silently except after EINTR or a short
// transfer.
//
// Throws: Error{kStoreFull} when the disk or a quota is full, Error{kInputOutput} with the system's reason otherwise;
// both name the file. After either error the bytes of the failed call may be partly written.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hippocore::os {

// Bytes of a file in memory, read-only and shared with the file: later writes within the range become visible. The
// bytes stay valid while any copy lives, also after the file is removed.
struct Mapping {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};

class File {
 public:
  virtual ~File() = default;
  // Fills `out` whole. Throws: Error{kCorruptStore} when the file ends before that.
  virtual void read_at(std::uint64_t offset, std::span<std::byte> out) const = 0;
  // Writes all of `bytes`.
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  // Makes the file at least `length` long with blocks behind every byte (a full disk is an error here, never a SIGBUS
  // later); new bytes read as zero.
  virtual void allocate(std::uint64_t length) = 0;
  // When it returns, what was written before the call survives a power loss. A failure means that the outcome is
  // unknown.
  virtual void sync() = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  // Requires: offset is a multiple of 4096 and offset + length <= size().
  [[nodiscard]] virtual Mapping map(std::uint64_t offset, std::uint64_t length) const = 0;
};

enum class Access { kRead, kReadWrite };

// Byte ranges of the header file that processes lock: writers exclude each other for one operation; checkpoints,
// compactions and purges exclude each other for as long as they run; who works on an idle store does for as long as it
// is the one that does.
enum class LockName { kWriter = 0, kMaintenance = 1, kWorker = 2 };

// Held while it lives. Released by the destructor and by the system when the process ends, however it ends.
class Lock {
 public:
  virtual ~Lock() = default;
};

class Directory {
 public:
  virtual ~Directory() = default;
  // Opens without following links; checks that it is a regular file of a trusted owner, for writing one without a
  // second name. Returns: null when there is no such file. Throws: Error{kReadOnlyStore} when it may not be written.
  [[nodiscard]] virtual std::unique_ptr<File> open(std::string_view name, Access access) = 0;
  // Creates a new file with mode 0600, exclusively. A leftover of that name (of a crashed checkpoint) is removed first.
  // But "header" is never made anew: locks are held on it, and two of it would exclude nobody. Throws:
  // Error{kInputOutput} when there is one already, for example the empty one that `lock` makes; open it.
  [[nodiscard]] virtual std::unique_ptr<File> create(std::string_view name) = 0;
  // Does nothing when there is no such file.
  virtual void remove(std::string_view name) = 0;
  [[nodiscard]] virtual std::vector<std::string> names() const = 0;
  // When it returns, creations and removals before the call survive a power loss.
  virtual void sync() = 0;
  // An open-file-description lock on the file "header", which is made empty when it is missing. Waits up to `timeout`
  // (zero: one try). Returns: null when another handle, of this or another process, still holds it. Threads of one
  // handle exclude each other by other means.
  [[nodiscard]] virtual std::unique_ptr<Lock> lock(LockName name, std::chrono::milliseconds timeout) = 0;
  // The path as the user gave it, for messages.
  [[nodiscard]] virtual const std::string& path() const = 0;
};

}  // namespace hippocore::os
