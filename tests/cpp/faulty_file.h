// The bytes of one file of a `FaultyDisk`: what the running system sees, and what would survive a power loss.
//
// Bytes become durable by `sync`. A sync that fails loses what it should have kept: the system shows those bytes and
// takes them for written, so that a later sync that succeeds does not bring them back. Not safe for threads by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hippocore::testing {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : state_(seed * 2654435761U + 12345U) {}
  std::uint32_t below(std::size_t bound) {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<std::uint32_t>((state_ >> 8) % bound);
  }
  bool heads() { return below(2) == 0; }

 private:
  std::uint32_t state_;
};

class FaultyFile {
 public:
  struct Write {
    std::uint64_t offset = 0;
    std::vector<std::byte> bytes = {};
  };

  FaultyFile();
  ~FaultyFile();
  FaultyFile(const FaultyFile&) = delete;
  FaultyFile& operator=(const FaultyFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return {memory_, size_}; }
  void write(std::uint64_t offset, std::span<const std::byte> bytes);
  void grow(std::uint64_t length);
  void sync();
  void fail_to_sync();

  [[nodiscard]] std::shared_ptr<FaultyFile> as_it_is() const;
  // Returns: what is left when nothing reached the disk that was not synced.
  [[nodiscard]] std::shared_ptr<FaultyFile> without_pending() const;
  // Returns: what is left when each write that was not synced, and `reached` of one that is under way, was kept,
  // dropped, cut short, or kept, dropped or garbled by the sector; in the order of the writes or in another one.
  [[nodiscard]] std::shared_ptr<FaultyFile> after_power_loss(Dice& dice, const Write& reached) const;
  // Returns: a number that differs where what is seen or what is durable does.
  [[nodiscard]] std::uint64_t fingerprint() const;

 private:
  void put(std::uint64_t offset, std::span<const std::byte> bytes);
  void put_some(const Write& write, Dice& dice);
  void put_sectors(const Write& write, Dice& dice);
  void cut(std::size_t length);

  std::byte* memory_;
  std::size_t size_ = 0;
  std::size_t touched_ = 0;  // bytes from here on were never written
  // While everything is durable these are empty, and the memory says what is.
  bool clean_ = true;
  std::vector<std::byte> durable_;
  std::size_t durable_size_ = 0;
  std::vector<Write> pending_;
};

}  // namespace hippocore::testing
