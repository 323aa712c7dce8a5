// A store's handle: one directory, one current root, the log it grows by, and the locks.
//
// State = checkpoint + log. Reading takes a snapshot; writing appends one entry and then catches up like everybody
// else.
//
// Threads: every function may be called from any thread. Reads take no lock that a write holds for longer than a
// pointer swap,
//   unless there is something to catch up with.
// Processes: any number of handles on one directory. Writers take turns by the operating system's lock.
// Throws: Error. After an error the store is as it was; kForkedHandle in a forked child, kStoreClosed after `close`.
// After a crash: see DURABILITY.md.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/id.h"
#include "os/file.h"
#include "storage/background.h"
#include "storage/checkpoint.h"
#include "storage/gate.h"
#include "storage/group_sync.h"
#include "storage/group_write.h"
#include "storage/log.h"
#include "storage/root.h"

namespace hippocore::storage {

enum class Sync { kFull, kNormal, kOff };

class NextLog;

struct OpenOptions {
  bool create = true;
  std::uint32_t dimension = 0;  // 0: as the store remembers
  std::string embedder;         // empty: as the store remembers
  std::string tokenizer;
  Sync sync = Sync::kNormal;
  bool read_only = false;
  std::chrono::milliseconds busy_timeout{5000};
  std::uint64_t checkpoint_bytes = std::uint64_t{64} << 20;  // a log longer than this is folded in the background
  std::chrono::milliseconds background_delay{900};           // between a write and what is done in the background
};

class Store {
 public:
  // Opens or creates. Throws: kStoreNotFound, kDimensionMismatch, kEmbedderMismatch, kStoreVersion, kCorruptStore.
  [[nodiscard]] static std::unique_ptr<Store> open(std::unique_ptr<os::Directory> directory,
                                                   const OpenOptions& options);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // The newest committed state, of this and every other process.
  [[nodiscard]] std::shared_ptr<const Root> snapshot();

  // The writer's lock for several steps: what is read between is what will be written to. One thread at a time; `write`
  // and `reembed` inside use it. Queued touches are written first. Throws: kStoreBusy when another holder does not let
  // go within the busy timeout; kInvalidArgument when this thread has begun already.
  void begin();
  // Gives the lock back and acknowledges what was written since `begin`: with Sync::kFull it is synced when this
  // returns. Does nothing when this thread has not begun. Throws: as os::File when a sync fails.
  void end();
  // The lock as a scope. Does nothing when this thread holds it already.
  class Transaction;

  // Commits operations (as format::encode_operation wrote them, one after the other) as one entry. None: only what is
  // queued. Throws: kInvalidArgument when they do not fit the store, which may have been re-embedded meanwhile; as
  // os::File when the disk refuses them, or, with Sync::kFull, refuses to sync them: then they may be there or not.
  // Threads that write at once share the lock and the sync; one that waits behind others may wait once more for the
  // busy timeout.
  void write(std::span<const std::byte> operations);

  // Queues a use of each memory at `time`, in microseconds. Never waits, never fails for want of a lock. Written with
  // the next write, within about a second or at close; a crash before that loses it.
  void touch(std::span<const Id> ids, std::int64_t time);

  // Makes everything acknowledged so far survive a power loss.
  void sync();
  // Folds the log into the files.
  void checkpoint();
  // New files without what was forgotten. When it returns the old files are unlinked.
  void compact();
  // New files with another dimension and embedder; `vectors(n)` is the new vector of the n-th surviving version. Other
  // handles throw kEmbedderMismatch from then on. Requires: begun. Throws: kStoreBusy, and the writer's lock is lost,
  // when a checkpoint of another holder is under way and somebody writes before it ends.
  void reembed(std::uint32_t dimension, const std::string& embedder,
               std::function<std::span<const float>(std::size_t)> vectors);
  // Keeps the graph of an approximate search (storage/graph_file.h) beside the generation that it was made for, in
  // place of one that is there. Returns: false, and keeps none, where that is not the store's any more. Throws:
  // kStoreBusy beside a checkpoint that lasts; as os::File.
  [[nodiscard]] bool keep_graph(std::uint64_t generation, std::span<const std::byte> graph);
  // Returns: the graph of that generation; nothing where there is none, or no whole one, or it is not the store's.
  [[nodiscard]] std::optional<std::vector<std::byte>> kept_graph(std::uint64_t generation);
  // Makes this handle the one of all, in every process, that works on the store while it is idle. It keeps nobody from
  // reading, writing or folding, and never waits. Returns: whether this handle is the one now, which it stays until
  // `resign_worker`, `close` or the end of its process. Throws: kReadOnlyStore; as os::File where nothing can be
  // locked.
  [[nodiscard]] bool become_worker();
  // Lets another handle become the one. Does nothing where this one is not.
  void resign_worker() noexcept;
  // Writes a consistent copy into `into`, which holds no store.
  void backup(os::Directory& into);
  // Idempotent. Waits for a write that is under way in another thread; every later call throws kStoreClosed. Writes
  // what is queued and syncs, and is closed even if that throws.
  void close();

  [[nodiscard]] const std::string& path() const { return directory_->path(); }
  [[nodiscard]] bool read_only() const noexcept { return options_.read_only; }
  [[nodiscard]] std::uint64_t discarded_bytes() const noexcept { return discarded_bytes_; }
  [[nodiscard]] std::uint64_t background_failures() const noexcept { return background_failures_; }
  // How many writes of this handle's threads wait for the writer's lock.
  [[nodiscard]] std::size_t writes_in_line() const { return group_write_.in_line(); }
  [[nodiscard]] os::Directory& directory() noexcept { return *directory_; }

 private:
  Store(std::unique_ptr<os::Directory> directory, const OpenOptions& options);

  // store.cpp: the life of a handle, and catching up
  void create_files();
  void check_identity(const format::Header& header) const;
  void require_usable() const;
  void require_writable() const;
  void require_unfailed_syncs() const;
  [[noreturn]] void throw_failed_sync() const;
  [[nodiscard]] std::shared_ptr<const Root> current() const;
  void publish(std::shared_ptr<const Root> root);
  [[nodiscard]] bool is_behind(const Root& root) const;
  [[nodiscard]] std::shared_ptr<const Root> catch_up();
  [[nodiscard]] std::shared_ptr<const Root> reload(const Root* from);
  [[nodiscard]] std::shared_ptr<const Root> apply_log(std::shared_ptr<const Root> root);
  [[nodiscard]] std::uint64_t epoch_in_slot(std::size_t slot) const;
  [[nodiscard]] std::uint64_t epoch_on_disk() const;
  void judge_log_at_opening();
  void write_what_is_queued();
  [[nodiscard]] std::shared_ptr<const Root> shut();

  // store_write.cpp: locks, appending, syncing
  void take_writer_lock();
  void settle();
  void release_writer_lock();
  [[nodiscard]] LogRest judge(const Root& root) const;
  [[nodiscard]] bool must_fold(const Root& root);
  void append(const Root& root, std::span<const std::byte> body);
  void lead(const std::shared_ptr<GroupWrite::Write>& own);
  [[nodiscard]] std::shared_ptr<const Root> append_all(GroupWrite::Batch& batch);
  void write_touches();
  [[nodiscard]] bool has_touches();
  void acknowledge(const std::shared_ptr<const Root>& written);
  void sync_through(const std::shared_ptr<const Root>& root);
  void work_in_background();

  // store_upkeep.cpp: new files
  class Maintenance;
  void fold(const Rewrite* rewrite, bool even_if_empty);
  void fold_now(const Rewrite* rewrite, bool even_if_empty);
  class Prepared;  // a root of the next epoch, offered to `reload`
  void finish_log(NextLog& log);
  void commit_checkpoint(const format::Header& next, std::shared_ptr<const Root> prepared);

  std::unique_ptr<os::Directory> directory_;
  OpenOptions options_;  // dimension and embedder: what this handle expects of a header; under apply_mutex_
  int process_;          // the process that opened it
  std::unique_ptr<os::File> header_file_;
  os::Mapping header_map_;

  mutable std::mutex root_mutex_;  // held for a pointer copy only
  std::shared_ptr<const Root> root_;

  std::mutex apply_mutex_;                // one edit at a time; never held during a sync
  std::shared_ptr<const Root> prepared_;  // while an epoch is committed: its root; under apply_mutex_
  bool opened_ = false;                   // whether it ever stood: what did not is not written to, not even by `close`
  std::mutex close_mutex_;
  std::atomic<bool> closed_{false};
  std::atomic<bool> apply_failed_{false};

  Gate writer_gate_;
  std::unique_ptr<os::Lock> writer_lock_;
  bool append_failed_ = false;                  // writer's: an entry may be half written
  bool judged_ = false;                         // writer's: what stands behind the log's end was looked at
  std::shared_ptr<const Root> unacknowledged_;  // writer's: with the last write since `begin`
  GroupWrite group_write_;

  Gate maintenance_gate_;

  std::mutex worker_mutex_;
  std::unique_ptr<os::Lock> worker_lock_;  // under worker_mutex_

  GroupSync group_sync_;

  struct Touch {
    std::uint32_t uses = 0;
    std::uint32_t spaced = 0;  // of them, those that came format::kSpacing or more after the one before
    std::int64_t first = 0;
    std::int64_t last = 0;
  };
  struct IdHash {
    std::size_t operator()(const Id& id) const noexcept { return hash(id); }
  };
  using Touches = std::unordered_map<Id, Touch, IdHash>;
  void append_touches(const Touches& touches);
  void queue(const Touches& touches);
  std::mutex touch_mutex_;
  Touches touches_;

  std::uint64_t discarded_bytes_ = 0;
  std::atomic<std::uint64_t> background_failures_{0};
  Background background_;
};

class Store::Transaction {
 public:
  enum class Log { kMustBeClean, kAnyState };
  explicit Transaction(Store& store, Log log = Log::kMustBeClean)
      : store_(store), mine_(!store.writer_gate_.held_by_this_thread()) {
    if (!mine_) return;
    log == Log::kMustBeClean ? store_.begin() : store_.take_writer_lock();
  }
  ~Transaction() {
    if (mine_) store_.release_writer_lock();
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

 private:
  Store& store_;
  bool mine_;
};

}  // namespace hippocore::storage
