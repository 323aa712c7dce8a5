// The one function of storage: applies a log entry to a root and gives the next root.
//
// Writing, recovery after a crash and catching up with another process all come here; nothing is decided, since entries
// hold outcomes. Compaction comes here too, with the surviving versions as the operations.
//
// One edit at a time per chain of roots (the store's apply mutex). Blocks that the old root shows are cloned before
// they are changed; rows behind its count are written in place, since no root shows them. If `apply` throws, the chain
// of roots is unusable and the store must be opened again: entries are checked before (operations.h), and damage in the
// files below is carried along without being looked at, so that only memory can run out.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_set>

#include "format/log_entry.h"
#include "storage/root.h"

namespace hippocore::storage {

class Edit {
 public:
  explicit Edit(const Root& from);

  // `payload_place` says where a version's payload lies for good: an offset, with kInLog for the log.
  // Requires, of each: it passed check_operations.
  void apply(const format::WriteVersion& version, std::uint64_t payload_place);
  // Does nothing to an id that is not there.
  void apply(const format::ChangeState& change);
  void apply(const format::Forget& forget);
  void apply(const format::ForgetEnded& ended);

  // Replaces a full chunk in memory by its sealed twin in a file.
  void replace_chunk(std::size_t number, std::shared_ptr<const Chunk> chunk);

  // The log is mapped anew as it grows; what older roots show stays in their mapping.
  void use_log(os::Mapping log) { root_.log = std::move(log); }

  [[nodiscard]] const Root& current() const noexcept { return root_; }
  // Returns: the new root, which has applied the log up to `position`. The edit is used up.
  [[nodiscard]] std::shared_ptr<const Root> finish(const LogPosition& position);

 private:
  [[nodiscard]] std::vector<ChunkPair>& own_chunks();
  [[nodiscard]] format::MutableChunkView own_tail();
  [[nodiscard]] format::StateBlock& own_states(std::uint32_t slot);
  void write_state(std::uint32_t slot, const format::State& state);
  void forget_slot(std::uint32_t slot);
  void end_previous(std::uint32_t slot, std::int64_t valid_until);

  Root root_;
  std::shared_ptr<std::vector<ChunkPair>> owned_chunks_;  // null until something in it changes
  std::unordered_set<std::size_t> owned_states_;          // chunks whose state block is this edit's own clone
};

}  // namespace hippocore::storage
