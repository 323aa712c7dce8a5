// Appending to payload-G behind its committed length, buffered.
//
// Owned by one checkpoint. `finish` pads to a sector, so that the next one begins in a sector of its own, and syncs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "os/file.h"

namespace hippocore::storage {

class PayloadFile {
 public:
  PayloadFile(std::unique_ptr<os::File> file, std::uint64_t committed);
  // Returns: the offset at which the payload lies.
  std::uint64_t append(std::span<const std::byte> payload);
  // Returns: the length to commit.
  std::uint64_t finish();

 private:
  void flush();

  std::unique_ptr<os::File> file_;
  std::uint64_t written_;
  std::vector<std::byte> buffer_;
};

}  // namespace hippocore::storage
