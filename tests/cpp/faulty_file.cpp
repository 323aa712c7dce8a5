#include "faulty_file.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <numeric>
#include <utility>

#include "base/crc32c.h"
#include "harness.h"

namespace hippocore::testing {

namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 26;
constexpr std::size_t kSector = 512;

// Zero-filled memory of the largest size. What was little used is cleared and used again, which is much cheaper than
// asking the system: tests make some hundred thousand files.
class Memories {
 public:
  std::byte* take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::byte* memory = free_.back();
        free_.pop_back();
        return memory;
      }
    }
    void* memory =
        ::mmap(nullptr, kLargestFile, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) fail(__FILE__, __LINE__, "no memory for a file");
    return static_cast<std::byte*>(memory);
  }
  void give_back(std::byte* memory, std::size_t touched) noexcept {
    const std::lock_guard lock(mutex_);
    if (touched > kWorthKeeping || free_.size() == free_.capacity()) {
      ::munmap(memory, kLargestFile);
      return;
    }
    std::memset(memory, 0, touched);
    free_.push_back(memory);
  }

 private:
  static constexpr std::size_t kWorthKeeping = std::size_t{1} << 20;
  std::mutex mutex_;
  std::vector<std::byte*> free_ = [] {
    std::vector<std::byte*> room;
    room.reserve(64);
    return room;
  }();
};

Memories& memories() {
  static auto* all = new Memories;  // outlives every file
  return *all;
}

// Readers look into a mapped file while others write it, so words arrive whole and the first of them last, as
// something_at of storage/log.h counts on.
void arrive(std::byte* place, std::span<const std::byte> bytes) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  const bool aligned = reinterpret_cast<std::uintptr_t>(place) % kWord == 0;
  std::size_t words = aligned ? bytes.size() / kWord : 0;
  std::ranges::copy(bytes.subspan(words * kWord), place + words * kWord);
  while (words-- > 0) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + words * kWord, kWord);
    std::atomic_ref(reinterpret_cast<std::uint64_t*>(place)[words]).store(value, std::memory_order_release);
  }
}

}  // namespace

FaultyFile::FaultyFile() : memory_(memories().take()) {}

FaultyFile::~FaultyFile() {
  memories().give_back(memory_, touched_);
}

void FaultyFile::put(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (offset + bytes.size() > kLargestFile) fail(__FILE__, __LINE__, "a file grows too large for this test");
  arrive(memory_ + offset, bytes);
  size_ = std::max<std::size_t>(size_, offset + bytes.size());
  touched_ = std::max<std::size_t>(touched_, offset + bytes.size());
}

void FaultyFile::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (clean_) {
    durable_.assign(memory_, memory_ + std::min(size_, touched_));
    durable_size_ = size_;
    clean_ = false;
  }
  put(offset, bytes);
  pending_.push_back({offset, {bytes.begin(), bytes.end()}});
}

void FaultyFile::grow(std::uint64_t length) {
  if (length <= size_) return;
  write(size_, {});
  size_ = length;
}

// What an earlier sync lost stays lost, so the durable bytes are not simply those that are seen.
void FaultyFile::sync() {
  if (clean_) return;
  for (const Write& write : pending_) {
    durable_.resize(std::max<std::size_t>(durable_.size(), write.offset + write.bytes.size()));
    std::copy(write.bytes.begin(), write.bytes.end(), durable_.begin() + static_cast<std::ptrdiff_t>(write.offset));
  }
  pending_.clear();
  durable_size_ = size_;
  durable_.resize(std::min(durable_size_, touched_));
  clean_ = std::equal(durable_.begin(), durable_.end(), memory_);
  if (clean_) durable_ = {};
}

void FaultyFile::fail_to_sync() {
  pending_.clear();
}

std::shared_ptr<FaultyFile> FaultyFile::as_it_is() const {
  auto copy = std::make_shared<FaultyFile>();
  copy->put(0, bytes().first(std::min(size_, touched_)));
  copy->size_ = size_;
  copy->clean_ = clean_;
  copy->durable_ = durable_;
  copy->durable_size_ = durable_size_;
  copy->pending_ = pending_;
  return copy;
}

std::shared_ptr<FaultyFile> FaultyFile::without_pending() const {
  auto left = std::make_shared<FaultyFile>();
  left->put(0, clean_ ? bytes().first(std::min(size_, touched_)) : std::span<const std::byte>(durable_));
  left->size_ = clean_ ? size_ : durable_size_;
  return left;
}

std::shared_ptr<FaultyFile> FaultyFile::after_power_loss(Dice& dice, const Write& reached) const {
  auto left = without_pending();
  const std::size_t least = left->size_;
  if (clean_ && reached.bytes.empty()) return left;
  std::vector<const Write*> order;
  for (const Write& write : pending_) order.push_back(&write);
  if (!reached.bytes.empty()) order.push_back(&reached);
  if (dice.heads()) {
    for (std::size_t at = order.size(); at > 1; --at) std::swap(order[at - 1], order[dice.below(at)]);
  }
  for (const Write* write : order) left->put_some(*write, dice);
  const std::size_t seen = std::max<std::size_t>(size_, reached.offset + reached.bytes.size());
  left->cut(dice.heads() ? seen : std::max(least, std::size_t{dice.below(seen + 1)}));
  return left;
}

void FaultyFile::put_some(const Write& write, Dice& dice) {
  switch (dice.below(4)) {
    case 0:
      return;
    case 1:
      return put(write.offset, write.bytes);
    case 2:
      return put(write.offset, std::span(write.bytes).first(dice.below(write.bytes.size() + 1)));
    default:
      return put_sectors(write, dice);
  }
}

// A sector that is being written keeps what the write does not change of it: disks promise no less, and SQLite counts
// on it as well (its "powersafe overwrite").
void FaultyFile::put_sectors(const Write& write, Dice& dice) {
  const auto bytes = std::span(write.bytes);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t part = std::min(kSector - (write.offset + at) % kSector, bytes.size() - at);
    const std::uint32_t fate = dice.below(3);
    if (fate == 0) put(write.offset + at, bytes.subspan(at, part));
    if (fate == 1) {
      std::vector<std::byte> garbled(part);
      for (std::byte& byte : garbled) byte = static_cast<std::byte>(dice.below(256));
      put(write.offset + at, garbled);
    }
    at += part;
  }
}

void FaultyFile::cut(std::size_t length) {
  if (touched_ > length) std::memset(memory_ + length, 0, touched_ - length);
  size_ = length;
}

std::uint64_t FaultyFile::fingerprint() const {
  const std::uint64_t seen = crc32c(static_cast<std::uint32_t>(size_), bytes().first(std::min(size_, touched_)));
  if (clean_) return seen;
  std::uint32_t kept = crc32c(static_cast<std::uint32_t>(durable_size_) + 1, durable_);
  for (const Write& write : pending_) {
    kept = crc32c(kept + static_cast<std::uint32_t>(write.offset), write.bytes) * 2'654'435'761U;
  }
  return seen | (std::uint64_t{kept} << 32);
}

}  // namespace hippocore::testing
