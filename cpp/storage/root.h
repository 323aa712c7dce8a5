// A root: one consistent state of a store. Everything a read needs hangs on it, and it never changes.
//
// A read takes one root and holds it from start to end; what the root shows stays alive with it, whatever is written,
// folded, compacted or unlinked meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/id.h"
#include "format/chunk.h"
#include "format/header.h"
#include "format/payload.h"
#include "os/file.h"
#include "storage/chunk.h"
#include "storage/index.h"
#include "storage/log.h"

namespace hippocore::storage {

using format::kNoSlot;

// Set in a payload offset that counts from the start of the log instead of the payload file.
inline constexpr std::uint64_t kInLog = std::uint64_t{1} << 63;

class Lexicon;

struct ChunkPair {
  std::shared_ptr<const Chunk> chunk;
  std::shared_ptr<const StateChunk> state;
};

struct Root {
  std::shared_ptr<const format::Header> header;       // the checkpoint it stands on
  LogPosition position;                               // behind the last entry applied
  std::uint32_t count = 0;                            // slots below are visible
  std::shared_ptr<const format::ChunkLayout> layout;  // of a full chunk
  std::shared_ptr<const std::vector<ChunkPair>> chunks;
  std::shared_ptr<Index> index;
  os::Mapping payloads;
  os::Mapping log;
  std::shared_ptr<os::File> log_file;
  std::shared_ptr<Lexicon> lexicon;  // of this generation and handle

  [[nodiscard]] const Chunk& chunk(std::uint32_t slot) const { return *(*chunks)[slot / format::kChunkSlots].chunk; }
  [[nodiscard]] const format::ChunkView& rows(std::uint32_t slot) const { return chunk(slot).rows(); }
  [[nodiscard]] const format::StateBlock& states(std::uint32_t slot) const {
    return (*chunks)[slot / format::kChunkSlots].state->block();
  }
  [[nodiscard]] static std::size_t row(std::uint32_t slot) noexcept { return slot % format::kChunkSlots; }
  [[nodiscard]] std::uint8_t flags(std::uint32_t slot) const { return states(slot).flags[row(slot)]; }
  [[nodiscard]] format::State state(std::uint32_t slot) const { return format::get_state(states(slot), row(slot)); }
  [[nodiscard]] const Id& id(std::uint32_t slot) const { return rows(slot).ids()[row(slot)]; }

  // Returns: the id's newest visible slot, kNoSlot when it has none or was forgotten. Throws: Error{kCorruptStore} when
  // damage hides the answer: in the slot's state, or in a record that may be the id's.
  [[nodiscard]] std::uint32_t find(const Id& id) const;
  // As `find`, but a forgotten version counts too.
  [[nodiscard]] std::uint32_t find_even_forgotten(const Id& id) const;
  // Returns: the slot of the version before. Throws: Error{kCorruptStore} when the chain does not lead back within the
  // id.
  [[nodiscard]] std::uint32_t previous(std::uint32_t slot) const;
  // Returns: the id's visible versions that are not forgotten, oldest first. Throws: as `find` and `previous`.
  [[nodiscard]] std::vector<std::uint32_t> versions(const Id& id) const;
  // The same for forgetting them, in no order: never throws for damage, but reads every record's id where the chain of
  // versions is damaged, so that none is left behind.
  [[nodiscard]] std::vector<std::uint32_t> versions_in_spite_of_damage(const Id& id) const;

  // Returns: the payload as stored. Throws: Error{kCorruptStore} naming the id when it does not lie in its file.
  [[nodiscard]] std::span<const std::byte> payload_bytes(std::uint32_t slot) const;
  // Checks the row and its payload and names the id when either is damaged.
  [[nodiscard]] format::Payload read_payload(std::uint32_t slot) const;
  void check_row(std::uint32_t slot) const;
  // Throws: Error{kCorruptStore} naming the slots when their states are damaged.
  void check_state(std::uint32_t slot) const;

 private:
  [[nodiscard]] bool is_forgotten(std::uint32_t slot) const { return (flags(slot) & format::kForgotten) != 0; }
  [[nodiscard]] bool leads_back(std::uint32_t slot) const;
  void require_intact_neighbours(const Id& id) const;
};

}  // namespace hippocore::storage
