// One open file of a store, on a real disk.
#pragma once

#include <memory>
#include <string>

#include "os/descriptor.h"
#include "os/file.h"

namespace hippocore::os {

class PosixFile final : public File {
 public:
  // `path` is for messages.
  PosixFile(Descriptor descriptor, std::string path) : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  void read_at(std::uint64_t offset, std::span<std::byte> out) const override;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void allocate(std::uint64_t length) override;
  void sync() override;
  [[nodiscard]] std::uint64_t size() const override;
  [[nodiscard]] Mapping map(std::uint64_t offset, std::uint64_t length) const override;

 private:
  // Returns: whether the file system gave the blocks; false when it has no call for that.
  bool reserve(std::uint64_t length);
  void append_zeros(std::uint64_t length);

  Descriptor descriptor_;
  std::string path_;
};

}  // namespace hippocore::os
