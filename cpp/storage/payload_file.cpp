#include "storage/payload_file.h"

namespace hippocore::storage {

namespace {
constexpr std::size_t kBufferSize = std::size_t{1} << 20;
constexpr std::size_t kSector = 4096;
}  // namespace

PayloadFile::PayloadFile(std::unique_ptr<os::File> file, std::uint64_t committed)
    : file_(std::move(file)), written_(committed) {}

std::uint64_t PayloadFile::append(std::span<const std::byte> payload) {
  const std::uint64_t offset = written_ + buffer_.size();
  buffer_.insert(buffer_.end(), payload.begin(), payload.end());
  if (buffer_.size() >= kBufferSize) flush();
  return offset;
}

std::uint64_t PayloadFile::finish() {
  buffer_.resize((written_ + buffer_.size() + kSector - 1) / kSector * kSector - written_);
  flush();
  file_->sync();
  return written_;
}

void PayloadFile::flush() {
  if (buffer_.empty()) return;
  file_->allocate(written_ + buffer_.size());
  file_->write_at(written_, buffer_);
  written_ += buffer_.size();
  buffer_.clear();
}

}  // namespace hippocore::storage
