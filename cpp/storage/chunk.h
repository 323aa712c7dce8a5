// Chunks and state blocks as a root refers to them: shared, with a check of their checksums on first touch.
//
// A chunk is sealed or tail bytes of a mapped file, or memory that is being filled. Rows below a root's count never
// change. A state block never changes once a root that holds it is published, but for rows at or behind the count.
// What comes from a file stays under its checksums when it is copied into memory: damage is never passed on as sound.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "format/chunk.h"
#include "format/state.h"

namespace hippocore::storage {

class Chunk {
 public:
  // A chunk in a mapped file. `count` rows are committed.
  Chunk(std::shared_ptr<const format::ChunkLayout> layout, const std::byte* bytes, std::shared_ptr<const void> owner,
        std::uint32_t count);
  // An empty chunk in memory.
  explicit Chunk(std::shared_ptr<const format::ChunkLayout> layout);
  // A chunk in memory that begins with the committed rows of another one, and their checksums.
  Chunk(std::shared_ptr<const format::ChunkLayout> layout, const Chunk& tail);

  [[nodiscard]] const format::ChunkView& rows() const noexcept { return view_; }
  // Requires: in_memory(). Only the writer, only rows that no root shows yet.
  [[nodiscard]] format::MutableChunkView filling() const { return {layout_.get(), memory_.get()}; }
  [[nodiscard]] bool in_memory() const noexcept { return memory_ != nullptr; }
  // Rows below came from a file.
  [[nodiscard]] std::uint32_t committed() const noexcept { return committed_; }

  // Checks the columns that decide eligibility in what came from a file, once. Throws: Error{kCorruptStore} naming the
  // chunk, each time if damaged.
  void check_columns(std::size_t chunk_number, std::size_t kind_count, std::uint32_t label_count) const;
  // Returns: whether the row's checksum holds over numbers that can be (rows from the log were checked when their entry
  // was).
  [[nodiscard]] bool row_is_intact(std::size_t index) const;

 private:
  struct Free {
    void operator()(std::byte* bytes) const noexcept;
  };
  std::shared_ptr<const format::ChunkLayout> layout_;
  std::unique_ptr<std::byte, Free> memory_;
  std::shared_ptr<const void> owner_;
  format::ChunkView view_;
  std::uint32_t committed_ = 0;
  mutable std::atomic<bool> columns_checked_{false};
};

class StateChunk {
 public:
  // In a mapped file. `count` slots are committed.
  StateChunk(const format::StateBlock* block, std::shared_ptr<const void> owner, std::uint32_t count);
  // All zero, in memory.
  StateChunk();
  // In memory; damaged when the other is.
  explicit StateChunk(const StateChunk& copied);

  [[nodiscard]] const format::StateBlock& block() const noexcept { return *block_; }
  // Requires: in_memory(). Only the writer.
  [[nodiscard]] format::StateBlock& changing() const { return *memory_; }
  [[nodiscard]] bool in_memory() const noexcept { return memory_ != nullptr; }
  // Checks checksum and values of what came from a file, as Chunk::check_columns.
  void check(std::size_t chunk_number) const;
  [[nodiscard]] bool is_intact() const;

 private:
  std::unique_ptr<format::StateBlock> memory_;
  std::shared_ptr<const void> owner_;
  const format::StateBlock* block_;
  std::uint32_t committed_ = 0;
  bool copied_damage_ = false;
  mutable std::atomic<bool> checked_{false};
};

}  // namespace hippocore::storage
