// Store: checkpoint, compaction, re-embedding, backup, and who works on an idle store.
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "storage/commit.h"
#include "storage/graph_file.h"
#include "storage/load.h"
#include "storage/next_log.h"
#include "storage/replay.h"
#include "storage/store.h"

namespace hippocore::storage {

void Store::checkpoint() {
  require_writable();
  fold(nullptr, false);
}

void Store::compact() {
  require_writable();
  const Rewrite rewrite;
  fold(&rewrite, true);
}

// Maintenance excludes maintenance, in this handle and in all others, for as long as it lives. It is taken before the
// writer's lock and never waited for while that one is held: whoever has it may be waiting for the writer's.
class Store::Maintenance {
 public:
  Maintenance(Store& store, std::chrono::milliseconds timeout) : gate_(store.maintenance_gate_.lease(timeout)) {
    if (gate_ != nullptr) lock_ = store.directory_->lock(os::LockName::kMaintenance, timeout);
  }
  explicit Maintenance(Store& store) : Maintenance(store, store.options_.busy_timeout) {
    if (is_held()) return;
    throw Error(ErrorCode::kStoreBusy,
                store.path() + " is being checkpointed or compacted by another holder; try again");
  }
  [[nodiscard]] bool is_held() const noexcept { return lock_ != nullptr; }

 private:
  Gate::Lease gate_;
  std::unique_ptr<os::Lock> lock_;
};

bool Store::become_worker() {
  require_writable();  // before the mutex, which a fork may have left locked in a child
  const std::lock_guard lock(worker_mutex_);
  require_writable();
  if (worker_lock_ == nullptr) worker_lock_ = directory_->lock(os::LockName::kWorker, std::chrono::milliseconds{0});
  return worker_lock_ != nullptr;
}

void Store::resign_worker() noexcept {
  if (getpid() != process_) return;
  const std::lock_guard lock(worker_mutex_);
  worker_lock_.reset();
}

void Store::reembed(std::uint32_t dimension, const std::string& embedder,
                    std::function<std::span<const float>(std::size_t)> vectors) {
  require_writable();
  if (!writer_gate_.held_by_this_thread())
    throw Error(ErrorCode::kInvalidArgument, "reembed works between begin and end");
  if (dimension == 0 || dimension > format::kMaximumDimension || embedder.size() > format::kMaximumNameLength) {
    throw Error(ErrorCode::kInvalidArgument, "reembed needs 1 to " + std::to_string(format::kMaximumDimension) +
                                                 " dimensions and an embedder's name of at most " +
                                                 std::to_string(format::kMaximumNameLength) + " bytes");
  }
  const Rewrite rewrite{std::move(vectors), dimension, embedder};
  if (const Maintenance free_at_once(*this, std::chrono::milliseconds{0}); free_at_once.is_held()) {
    fold_now(&rewrite, true);
    return;
  }
  const std::uint64_t agreed = catch_up()->position.sequence;
  release_writer_lock();
  const Maintenance maintenance(*this);
  take_writer_lock();
  if (catch_up()->position.sequence != agreed) {
    throw Error(ErrorCode::kStoreBusy, path() + " was written to before it could be re-embedded; try again");
  }
  fold_now(&rewrite, true);
}

// A root of the epoch that is being committed, for whoever of this handle is first to see it; gone where the commit
// fails, since another process may then give the epoch other files.
class Store::Prepared {
 public:
  Prepared(Store& store, std::shared_ptr<const Root> root) : store_(store) { put(std::move(root)); }
  ~Prepared() { put(nullptr); }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

 private:
  void put(std::shared_ptr<const Root> root) {
    const std::lock_guard lock(store_.apply_mutex_);
    store_.prepared_.swap(root);
  }
  Store& store_;
};

namespace {

// The files of a checkpoint until it is about to be committed: whatever ends it before that, they are removed, so that
// a full disk gets its space back.
class NewFiles {
 public:
  NewFiles(os::Directory& directory, const format::Header& current) : directory_(directory), current_(current) {}
  ~NewFiles() {
    if (kept_) return;
    try {
      remove_unnamed_files(directory_, current_);
    } catch (const std::exception&) {
      // The next checkpoint removes them; what ended this one is already on its way to the caller.
    }
  }
  NewFiles(const NewFiles&) = delete;
  NewFiles& operator=(const NewFiles&) = delete;
  void keep() noexcept { kept_ = true; }

 private:
  os::Directory& directory_;
  const format::Header& current_;
  bool kept_ = false;
};

}  // namespace

void Store::fold(const Rewrite* rewrite, bool even_if_empty) {
  const Maintenance maintenance(*this);
  fold_now(rewrite, even_if_empty);
}

namespace {

// Under the writer's lock less than this is left to be carried: a hundred ordinary entries or so.
constexpr std::uint64_t kLeftForTheLock = std::uint64_t{1} << 18;
// Writers who are faster than what follows them are not waited for.
constexpr int kRounds = 8;

std::shared_ptr<const Root> apply_all(std::shared_ptr<const Root> root) {
  Replay replay(std::move(root));
  while (replay.step()) {
  }
  return replay.finish();
}

}  // namespace

// Take the root at S, write new files beside everybody, let log and root of the next epoch follow what is written
// meanwhile, then lock, carry what little is left, and commit. Requires: maintenance.
void Store::fold_now(const Rewrite* rewrite, bool even_if_empty) {
  const auto root = catch_up();
  if (!even_if_empty && root->position.sequence == root->header->sequence) return;
  NewFiles files(*directory_, *root->header);
  const format::Header next =
      rewrite == nullptr ? write_checkpoint(*directory_, *root) : write_compacted(*directory_, *root, *rewrite);
  NextLog log(*directory_, next, root->position);
  auto prepared = load_checkpoint(*directory_, next, root.get(), os::Access::kReadWrite);
  for (int round = 0; round < kRounds; ++round) {
    const bool nearly_there = log.follow(*catch_up(), group_sync_.synced()) < kLeftForTheLock;
    prepared = apply_all(std::move(prepared));
    if (nearly_there) break;
  }
  {
    const Transaction transaction(*this, Transaction::Log::kAnyState);
    finish_log(log);
    files.keep();  // from here on the header may name them
    commit_checkpoint(next, std::move(prepared));
  }
  remove_unnamed_files(*directory_, next);
}

// Requires: the writer's lock. What stands behind the last good entry is judged first, since it ends here.
void Store::finish_log(NextLog& log) {
  const auto newest = catch_up();
  static_cast<void>(judge(*newest));
  static_cast<void>(log.follow(*newest, group_sync_.synced()));
  directory_->sync();
}

// Requires: the writer's lock.
void Store::commit_checkpoint(const format::Header& next, std::shared_ptr<const Root> prepared) {
  const Prepared offered(*this, std::move(prepared));
  commit_header(*header_file_, next);
  {
    const std::lock_guard lock(apply_mutex_);
    options_.dimension = next.dimension;
    options_.embedder = next.embedder;
  }
  const auto root = catch_up();
  group_sync_.note(root->position.sequence);
  append_failed_ = false;
  judged_ = true;
}

bool Store::keep_graph(std::uint64_t generation, std::span<const std::byte> graph) {
  require_writable();
  const Maintenance maintenance(*this);
  const auto root = catch_up();
  if (root->header->generation != generation) return false;
  write_graph(*directory_, *root->header, graph);
  return true;
}

std::optional<std::vector<std::byte>> Store::kept_graph(std::uint64_t generation) {
  const auto root = snapshot();
  if (root->header->generation != generation) return std::nullopt;
  return read_graph(*directory_, *root->header);
}

namespace {

std::unique_ptr<os::File> copy_part(os::Directory& from, os::Directory& into, const std::string& name,
                                    std::uint64_t length) {
  const auto source = from.open(name, os::Access::kRead);
  if (source == nullptr) throw Error(ErrorCode::kCorruptStore, from.path() + "/" + name + " is missing; try again");
  auto target = into.create(name);
  target->allocate(length);
  std::vector<std::byte> buffer(std::size_t{1} << 20);
  for (std::uint64_t offset = 0; offset < length; offset += buffer.size()) {
    const auto part = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), length - offset));
    source->read_at(offset, part);
    target->write_at(offset, part);
  }
  target->sync();
  return target;
}

}  // namespace

// The maintenance lock keeps the named files as they are while they are copied; of the log the entries of one root are,
// since others may be writing behind them. A read-only handle takes no lock: a file that goes away meanwhile ends it.
void Store::backup(os::Directory& into) {
  require_usable();
  if (read_header(into))
    throw Error(ErrorCode::kInvalidArgument, into.path() + " holds a store already; name a new directory");
  require_own_directory(into);
  const auto maintenance = options_.read_only ? nullptr : std::make_unique<Maintenance>(*this);
  const auto root = catch_up();
  const format::Header& header = *root->header;
  for (const auto* part : {&header.records, &header.tail, &header.payload, &header.state, &header.index}) {
    if (part->length != 0) static_cast<void>(copy_part(*directory_, into, part->name, part->length));
  }
  const auto log = copy_part(*directory_, into, header.log.name, root->position.offset);
  make_room(*log, root->position, 0);
  log->sync();
  auto target = into.open("header", os::Access::kReadWrite);  // of a backup that was cut short
  if (target == nullptr) target = into.create("header");
  target->allocate(format::kHeaderSize);
  target->sync();
  into.sync();
  commit_header(*target, header);
}

}  // namespace hippocore::storage
