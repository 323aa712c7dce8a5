// Operations on a store and on its model at once, so that what a crash leaves can be compared with what it may leave.
#pragma once

#include <memory>
#include <vector>

#include "faulty_directory.h"
#include "store_fixture.h"

namespace hippocore::testing {

// `states[k]` is what the store holds after k operations. Of them `acknowledged` have returned, and `synced` are
// promised to survive a power loss. A touch is acknowledged with the next write. For one thread.
class CrashScript {
 public:
  explicit CrashScript(storage::Sync sync) : sync_(sync) {}

  std::shared_ptr<FaultyDisk> disk = std::make_shared<FaultyDisk>();
  std::vector<Contents> states = {Contents{}};
  std::size_t acknowledged = 0;
  std::size_t synced = 0;
  bool created = false;  // whether opening was acknowledged

  void open();
  void close();
  void sync();
  void checkpoint();
  void compact();
  void write(const std::vector<Note>& notes);
  void change(std::uint32_t id, double importance);
  void forget(std::uint32_t id);
  void forget_ended(std::uint32_t id, std::int64_t moment);
  void touch(std::uint32_t id);
  // What the background does once a second.
  void round();

  // Plays operations of every kind, drawn by the seed, and closes.
  void play(std::uint32_t operations, std::uint32_t seed);

  // Returns: whether the contents are those after a number of operations that a crash may leave.
  [[nodiscard]] bool may_be_left(const Contents& contents, Loss loss) const;
  [[nodiscard]] std::size_t least(Loss loss) const { return loss == Loss::kNothing ? acknowledged : synced; }

 private:
  template <typename Call>
  void issue(Call&& call);
  void play_one(Dice& dice);
  void remember(std::uint32_t count);
  [[nodiscard]] std::uint32_t any_alive(Dice& dice) const;

  storage::Sync sync_;
  Model model_;
  std::unique_ptr<storage::Store> store_;
  std::uint32_t next_ = 1;
};

// Returns: memories with numbers from `first`, of several scopes, kinds and sources.
[[nodiscard]] std::vector<Note> notes_from(std::uint32_t first, std::uint32_t count);

// Opens the disk with a background that never wakes by itself, so that a run is the same each time.
[[nodiscard]] std::unique_ptr<storage::Store> open_quietly(FaultyDisk& disk, storage::Sync sync, bool create = true);

}  // namespace hippocore::testing
