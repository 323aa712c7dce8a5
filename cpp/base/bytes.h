// Bounds-checked little-endian reading and writing: the only way bytes from a file become values.
//
// A reader never looks past its span: a short input is Error{kCorruptStore}. Views it returns point into the span it
// was given; whoever owns those bytes must outlive them. Numbers are little-endian on every machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.h"

namespace hippocore {

static_assert(std::endian::native == std::endian::little, "hippocore supports little-endian machines only");

[[nodiscard]] inline std::span<const std::byte> as_bytes(std::string_view text) noexcept {
  return std::as_bytes(std::span(text.data(), text.size()));
}

[[nodiscard]] inline std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class ByteReader {
 public:
  // `what` names the thing being read in the error, for example "log entry 7".
  explicit ByteReader(std::span<const std::byte> bytes, std::string_view what = "record") : rest_(bytes), what_(what) {}

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  T read() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::span<const std::byte> bytes(std::size_t length) { return take(length); }
  // A u32 length, then that many bytes.
  std::string_view text() { return as_text(take(read<std::uint32_t>())); }

  [[nodiscard]] std::size_t remaining() const noexcept { return rest_.size(); }
  [[nodiscard]] bool empty() const noexcept { return rest_.empty(); }

 private:
  std::span<const std::byte> take(std::size_t length) {
    if (length > rest_.size()) {
      throw Error(ErrorCode::kCorruptStore, std::string(what_) + " ends too early: the file is damaged");
    }
    const auto taken = rest_.first(length);
    rest_ = rest_.subspan(length);
    return taken;
  }

  std::span<const std::byte> rest_;
  std::string_view what_;
};

class ByteWriter {
 public:
  // Appends to `out`, which the caller owns and keeps alive.
  explicit ByteWriter(std::vector<std::byte>& out) : out_(out) {}

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void write(const T& value) {
    bytes(std::as_bytes(std::span(&value, 1)));
  }
  void bytes(std::span<const std::byte> value) {
    if (value.empty()) return;
    const std::size_t start = out_.size();
    out_.resize(start + value.size());
    std::memcpy(out_.data() + start, value.data(), value.size());
  }
  // Throws: Error{kInvalidArgument} when the length does not fit its u32.
  void text(std::string_view value) {
    if (value.size() > std::numeric_limits<std::uint32_t>::max()) {
      throw Error(ErrorCode::kInvalidArgument, "a text of 4 GiB or more cannot be stored");
    }
    write(static_cast<std::uint32_t>(value.size()));
    bytes(as_bytes(value));
  }

 private:
  std::vector<std::byte>& out_;
};

}  // namespace hippocore
