#include "os/posix_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>

#include "os/file_size_signal.h"
#include "os/system_error.h"

namespace hippocore::os {
namespace {

constexpr std::uint64_t kLargestOffset = std::numeric_limits<off_t>::max();

bool is_within(std::uint64_t offset, std::uint64_t length, std::uint64_t end) noexcept {
  return offset <= end && length <= end - offset;
}

[[noreturn]] void throw_ends_early(const std::string& path) {
  throw Error(ErrorCode::kCorruptStore, path + " ends before the bytes that should be in it: the file was cut");
}

struct stat status_of(const Descriptor& descriptor, const std::string& path) {
  struct stat status{};
  if (::fstat(descriptor.number(), &status) != 0) throw_system_error(errno, "look at", path);
  return status;
}

void check_fits(std::uint64_t offset, std::uint64_t length, const std::string& path) {
  if (!is_within(offset, length, kLargestOffset)) throw_system_error(EFBIG, "write to", path);
}

// The block ends before anything else can change errno.
ssize_t write_some(const Descriptor& descriptor, std::uint64_t offset, std::span<const std::byte> bytes) noexcept {
  const FileSizeSignalBlock block;
  return without_interruption(
      [&] { return ::pwrite(descriptor.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
}

// Not posix_fallocate: where the file system has no such call, that writes into bytes that others may be writing to.
bool reserve_blocks(const Descriptor& descriptor, std::uint64_t length) noexcept {
#if defined(__linux__)
  const FileSizeSignalBlock block;
  return without_interruption([&] { return ::fallocate(descriptor.number(), 0, 0, static_cast<off_t>(length)); }) == 0;
#else
  static_cast<void>(descriptor);
  static_cast<void>(length);
  errno = EOPNOTSUPP;
  return false;
#endif
}

}  // namespace

void PosixFile::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  if (!is_within(offset, out.size(), kLargestOffset)) throw_ends_early(path_);
  while (!out.empty()) {
    const auto place = static_cast<off_t>(offset);
    const ssize_t count =
        without_interruption([&] { return ::pread(descriptor_.number(), out.data(), out.size(), place); });
    if (count < 0) throw_system_error(errno, "read", path_);
    if (count == 0) throw_ends_early(path_);
    out = out.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void PosixFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  check_fits(offset, bytes.size(), path_);
  while (!bytes.empty()) {
    const ssize_t count = write_some(descriptor_, offset, bytes);
    if (count <= 0) throw_system_error(count < 0 ? errno : EIO, "write to", path_);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void PosixFile::allocate(std::uint64_t length) {
  check_fits(0, length, path_);
  if (length > 0 && !reserve(length)) append_zeros(length);
}

bool PosixFile::reserve(std::uint64_t length) {
  if (reserve_blocks(descriptor_, length)) return true;
  if (errno != EOPNOTSUPP && errno != ENOSYS) throw_system_error(errno, "reserve space for", path_);
  return false;
}

void PosixFile::append_zeros(std::uint64_t length) {
  static constexpr std::array<std::byte, 65536> kZeros{};
  for (std::uint64_t end = size(); end < length;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kZeros.size(), length - end));
    write_at(end, std::span(kZeros).first(count));
    end += count;
  }
}

void PosixFile::sync() {
  const int result = without_interruption([&] {
#if defined(__APPLE__)
    return ::fcntl(descriptor_.number(), F_FULLFSYNC);  // fsync leaves the bytes in the drive's own memory there
#else
    return ::fdatasync(descriptor_.number());
#endif
  });
  if (result != 0) throw_system_error(errno, "sync", path_);
}

std::uint64_t PosixFile::size() const {
  return static_cast<std::uint64_t>(status_of(descriptor_, path_).st_size);
}

Mapping PosixFile::map(std::uint64_t offset, std::uint64_t length) const {
  if (!is_within(offset, length, size())) throw_ends_early(path_);
  if (length == 0) return {};
  // Pages are larger than 4096 bytes on some machines.
  const std::uint64_t before = offset % static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const auto mapped = static_cast<std::size_t>(before + length);
  const auto start = static_cast<off_t>(offset - before);
  void* address = ::mmap(nullptr, mapped, PROT_READ, MAP_SHARED, descriptor_.number(), start);
  if (address == MAP_FAILED) throw_system_error(errno, "map", path_);
  const auto unmap = [mapped](const void* pages) { ::munmap(const_cast<void*>(pages), mapped); };
  std::shared_ptr<const void> owner(address, unmap);
  const std::span bytes(static_cast<const std::byte*>(address), mapped);
  return {bytes.subspan(static_cast<std::size_t>(before)), std::move(owner)};
}

}  // namespace hippocore::os
