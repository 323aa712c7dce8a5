#include "base/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace hippocore {
namespace {

// The polynomial 0x1EDC6F41 with its bits reversed, as every CRC here runs from the lowest bit.
constexpr std::uint32_t kPolynomial = 0x82F63B78;
constexpr std::size_t kWord = sizeof(std::uint64_t);

using Tables = std::array<std::array<std::uint32_t, 256>, kWord>;

// tables[n][b] is the effect of byte b followed by n zero bytes, so that eight look-ups take eight bytes at once.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = value;
  }
  for (std::size_t zeros = 1; zeros < kWord; ++zeros) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t shorter = tables[zeros - 1][byte];
      tables[zeros][byte] = (shorter >> 8) ^ tables[0][shorter & 255];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

// The CPU's instruction takes a word each cycle but gives its result after three: three streams keep it busy.
constexpr std::size_t kStream = 256;
using StreamTables = std::array<std::array<std::uint32_t, 256>, sizeof(std::uint32_t)>;

// tables[n][b] is the effect that byte n of a state, being b, has behind a stream: a state's bits act independently.
constexpr StreamTables make_stream_tables() {
  std::array<std::uint32_t, 32> of_bits{};
  for (std::size_t bit = 0; bit < of_bits.size(); ++bit) {
    std::uint32_t state = std::uint32_t{1} << bit;
    for (std::size_t zero = 0; zero < kStream; ++zero) state = (state >> 8) ^ kTables[0][state & 255];
    of_bits[bit] = state;
  }
  StreamTables tables{};
  for (std::size_t bit = 0; bit < of_bits.size(); ++bit) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      if ((byte >> bit % 8 & 1) != 0) tables[bit / 8][byte] ^= of_bits[bit];
    }
  }
  return tables;
}

constexpr StreamTables kStreamTables = make_stream_tables();

std::uint32_t behind_a_stream(std::uint32_t state) noexcept {
  return kStreamTables[0][state & 255] ^ kStreamTables[1][state >> 8 & 255] ^ kStreamTables[2][state >> 16 & 255] ^
         kStreamTables[3][state >> 24];
}

std::uint64_t load_word(const std::byte* bytes) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, kWord);
  return word;
}

// A step takes the running state, which is the complement of the checksum so far, over one word or one byte.
struct TableSteps {
  static std::uint32_t word(std::uint32_t state, std::uint64_t value) noexcept {
    value ^= state;
    std::uint32_t next = 0;
    for (std::size_t position = 0; position < kWord; ++position) {
      next ^= kTables[kWord - 1 - position][(value >> (8 * position)) & 255];
    }
    return next;
  }
  static std::uint32_t byte(std::uint32_t state, std::byte value) noexcept {
    return (state >> 8) ^ kTables[0][(state ^ std::to_integer<std::uint32_t>(value)) & 255];
  }
};

#if defined(__x86_64__)

#define HIPPOCORE_CRC_TARGET __attribute__((target("sse4.2")))
struct CpuSteps {
  HIPPOCORE_CRC_TARGET static std::uint32_t word(std::uint32_t state, std::uint64_t value) noexcept {
    return static_cast<std::uint32_t>(_mm_crc32_u64(state, value));
  }
  HIPPOCORE_CRC_TARGET static std::uint32_t byte(std::uint32_t state, std::byte value) noexcept {
    return _mm_crc32_u8(state, std::to_integer<std::uint8_t>(value));
  }
};
bool cpu_has_instruction() noexcept {
  return __builtin_cpu_supports("sse4.2") != 0;
}

#elif defined(__aarch64__)

// The compilers' own names: <arm_acle.h> hides them unless the whole file is built for a CPU that has them.
#if defined(__clang__)
#define HIPPOCORE_CRC_TARGET __attribute__((target("crc")))
#define HIPPOCORE_CRC_WORD __builtin_arm_crc32cd
#define HIPPOCORE_CRC_BYTE __builtin_arm_crc32cb
#else
#define HIPPOCORE_CRC_TARGET __attribute__((target("+crc")))
#define HIPPOCORE_CRC_WORD __builtin_aarch64_crc32cx
#define HIPPOCORE_CRC_BYTE __builtin_aarch64_crc32cb
#endif
struct CpuSteps {
  HIPPOCORE_CRC_TARGET static std::uint32_t word(std::uint32_t state, std::uint64_t value) noexcept {
    return HIPPOCORE_CRC_WORD(state, value);
  }
  HIPPOCORE_CRC_TARGET static std::uint32_t byte(std::uint32_t state, std::byte value) noexcept {
    return HIPPOCORE_CRC_BYTE(state, std::to_integer<std::uint8_t>(value));
  }
};
bool cpu_has_instruction() noexcept {
#if defined(__linux__)
  return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0;
#else
  return true;  // every 64-bit Apple CPU has it
#endif
}

#else

#define HIPPOCORE_CRC_TARGET
using CpuSteps = TableSteps;
bool cpu_has_instruction() noexcept {
  return false;
}

#endif

HIPPOCORE_CRC_TARGET std::uint32_t crc32c_from_cpu(std::uint32_t seed, std::span<const std::byte> bytes) noexcept {
  std::uint32_t state = ~seed;
  for (; bytes.size() >= 3 * kStream; bytes = bytes.subspan(3 * kStream)) {
    std::uint32_t second = 0;
    std::uint32_t third = 0;
    for (const std::byte* word = bytes.data(); word != bytes.data() + kStream; word += kWord) {
      state = CpuSteps::word(state, load_word(word));
      second = CpuSteps::word(second, load_word(word + kStream));
      third = CpuSteps::word(third, load_word(word + 2 * kStream));
    }
    state = behind_a_stream(behind_a_stream(state) ^ second) ^ third;
  }
  for (; bytes.size() >= kWord; bytes = bytes.subspan(kWord)) state = CpuSteps::word(state, load_word(bytes.data()));
  for (const std::byte value : bytes) state = CpuSteps::byte(state, value);
  return ~state;
}

}  // namespace

std::uint32_t crc32c_from_tables(std::uint32_t seed, std::span<const std::byte> bytes) noexcept {
  std::uint32_t state = ~seed;
  for (; bytes.size() >= kWord; bytes = bytes.subspan(kWord)) state = TableSteps::word(state, load_word(bytes.data()));
  for (const std::byte value : bytes) state = TableSteps::byte(state, value);
  return ~state;
}

std::uint32_t crc32c(std::uint32_t seed, std::span<const std::byte> bytes) noexcept {
  static const bool from_cpu = cpu_has_instruction();
  return from_cpu ? crc32c_from_cpu(seed, bytes) : crc32c_from_tables(seed, bytes);
}

}  // namespace hippocore
