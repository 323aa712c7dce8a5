#include "storage/store.h"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <random>
#include <utility>

#include "base/error.h"
#include "storage/commit.h"
#include "storage/load.h"
#include "storage/replay.h"

namespace hippocore::storage {

namespace {

constexpr std::chrono::milliseconds kLongestWait = std::chrono::hours{24 * 365};  // a clock can still be added to it

Id random_id() {
  std::random_device device;
  Id id;
  for (auto& byte : id.bytes) byte = static_cast<std::uint8_t>(device());
  return id;
}

}  // namespace

Store::Store(std::unique_ptr<os::Directory> directory, const OpenOptions& options)
    : directory_(std::move(directory)),
      options_(options),
      process_(getpid()),
      background_(options.background_delay, [this] { work_in_background(); }) {
  options_.busy_timeout = std::clamp(options_.busy_timeout, std::chrono::milliseconds{0}, kLongestWait);
}

std::unique_ptr<Store> Store::open(std::unique_ptr<os::Directory> directory, const OpenOptions& options) {
  std::unique_ptr<Store> store(new Store(std::move(directory), options));
  auto header = read_header(*store->directory_);
  if (!header) {
    if (!options.create || options.read_only) {
      throw Error(ErrorCode::kStoreNotFound,
                  "there is no store at " + store->path() + "; open it with create=True to make one");
    }
    store->create_files();
    header = read_header(*store->directory_);
    if (!header) throw Error(ErrorCode::kInputOutput, store->path() + " was removed while it was being created");
  }
  store->check_identity(*header);
  store->options_.dimension = header->dimension;
  store->options_.embedder = header->embedder;
  store->options_.tokenizer = header->tokenizer;
  const os::Access access = options.read_only ? os::Access::kRead : os::Access::kReadWrite;
  store->header_file_ = store->directory_->open("header", access);
  if (store->header_file_ == nullptr) throw Error(ErrorCode::kStoreNotFound, store->path() + " was just removed");
  store->header_map_ = store->header_file_->map(0, format::kHeaderSize);
  {
    const std::lock_guard lock(store->apply_mutex_);
    store->publish(store->apply_log(store->reload(nullptr)));
  }
  store->judge_log_at_opening();
  store->opened_ = true;
  return store;
}

Store::~Store() {
  if (getpid() != process_) {
    background_.abandon();
    return;
  }
  try {
    close();
  } catch (const std::exception&) {
    // A destructor cannot report; `close` can, and callers who care call it.
  }
}

void Store::create_files() {
  if (options_.dimension == 0) {
    throw Error(ErrorCode::kInvalidArgument, "a new store needs a dimension: pass dim= or an embedder");
  }
  require_own_directory(*directory_);  // before the lock makes a file in it
  const auto lock = directory_->lock(os::LockName::kWriter, options_.busy_timeout);
  if (lock == nullptr) throw Error(ErrorCode::kStoreBusy, path() + " is being created by another process; try again");
  if (read_header(*directory_)) return;
  if (holds_headless_store(*directory_)) {
    throw Error(ErrorCode::kCorruptStore,
                path() + " holds the files of a store, but its header is gone; restore a backup");
  }
  format::Header identity;
  identity.store_id = random_id();
  identity.dimension = options_.dimension;
  identity.embedder = options_.embedder;
  identity.tokenizer = options_.tokenizer;
  static_cast<void>(format::encode_header(identity));  // refuses what no header can hold, before a file is made
  const format::Header header = write_empty(*directory_, identity);
  create_log(*directory_, header)->sync();
  const auto file = directory_->open("header", os::Access::kReadWrite);
  file->allocate(format::kHeaderSize);
  file->sync();  // its length, so that what a crash leaves of the first commit is read as unfinished
  directory_->sync();
  commit_header(*file, header);
}

void Store::check_identity(const format::Header& header) const {
  if (!options_.embedder.empty() && options_.embedder != header.embedder) {
    throw Error(ErrorCode::kEmbedderMismatch,
                path() + " was made with the embedder '" + header.embedder + "', not '" + options_.embedder +
                    "'; open it with the first, or open it with that one and call reembed to change over");
  }
  if (options_.dimension != 0 && options_.dimension != header.dimension) {
    throw Error(ErrorCode::kEmbedderMismatch, path() + " holds vectors of " + std::to_string(header.dimension) +
                                                  " dimensions (embedder '" + header.embedder + "'), not " +
                                                  std::to_string(options_.dimension) +
                                                  "; use that embedder, or call reembed to change over");
  }
}

void Store::require_usable() const {
  if (getpid() != process_) {
    throw Error(ErrorCode::kForkedHandle, path() + " was opened before a fork; open it again in the child process");
  }
  if (closed_) throw Error(ErrorCode::kStoreClosed, path() + " is closed");
  if (apply_failed_)
    throw Error(ErrorCode::kInputOutput, "memory ran out while " + path() + " was updated; open it again");
}

void Store::require_writable() const {
  require_usable();
  if (options_.read_only) throw Error(ErrorCode::kReadOnlyStore, path() + " is open read-only");
  require_unfailed_syncs();
}

void Store::require_unfailed_syncs() const {
  if (group_sync_.failed()) throw_failed_sync();
}

void Store::throw_failed_sync() const {
  throw Error(ErrorCode::kInputOutput,
              path() + ": the disk failed to keep a write, so what it holds is unknown; open the store again");
}

std::shared_ptr<const Root> Store::current() const {
  const std::lock_guard lock(root_mutex_);
  return root_;
}

void Store::publish(std::shared_ptr<const Root> root) {
  const std::lock_guard lock(root_mutex_);
  root_.swap(root);
}

std::uint64_t Store::epoch_in_slot(std::size_t slot) const {
  const std::byte* place = header_map_.bytes.data() + slot * format::kHeaderSlotSize + format::kEpochOffset;
  return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(place), __ATOMIC_ACQUIRE);
}

std::uint64_t Store::epoch_on_disk() const {
  return std::max(epoch_in_slot(0), epoch_in_slot(1));
}

bool Store::is_behind(const Root& root) const {
  return epoch_on_disk() != root.header->epoch || something_at(root.log.bytes, root.position);
}

std::shared_ptr<const Root> Store::snapshot() {
  require_usable();
  auto root = current();
  if (root == nullptr) throw Error(ErrorCode::kStoreClosed, path() + " is closed");
  return is_behind(*root) ? catch_up() : root;
}

std::shared_ptr<const Root> Store::catch_up() {
  const std::lock_guard lock(apply_mutex_);
  auto root = current();
  if (root == nullptr) throw Error(ErrorCode::kStoreClosed, path() + " is closed");
  if (epoch_on_disk() != root->header->epoch) root = reload(root.get());
  root = apply_log(std::move(root));
  publish(root);
  return root;
}

// Follows the header to the newest checkpoint. A file that is gone means that the header moved on meanwhile.
std::shared_ptr<const Root> Store::reload(const Root* from) {
  std::uint64_t tried = 0;
  while (true) {
    const auto header = read_header(*directory_);
    if (!header) throw Error(ErrorCode::kCorruptStore, path() + "/header is damaged; restore a backup");
    if (from != nullptr && header->store_id != from->header->store_id) {
      throw Error(ErrorCode::kCorruptStore, path() + " was replaced by another store while it was open; open it again");
    }
    if (from != nullptr && header->epoch == from->header->epoch) return current();
    check_identity(*header);
    if (prepared_ != nullptr) return prepared_;  // nobody but this handle commits: it holds the maintenance lock
    try {
      const os::Access access = options_.read_only ? os::Access::kRead : os::Access::kReadWrite;
      auto root = load_checkpoint(*directory_, *header, from, access);
      (void)log_is_closed(root->log.bytes, *header);  // throws where it is another store's
      return root;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kCorruptStore || tried == header->epoch) throw;
      tried = header->epoch;
    }
  }
}

// What was applied before a step failed is published: the index that the old root shares knows of it.
std::shared_ptr<const Root> Store::apply_log(std::shared_ptr<const Root> root) {
  Replay replay(std::move(root));
  std::exception_ptr failure;
  try {
    while (replay.step()) {
    }
  } catch (...) {
    failure = std::current_exception();
  }
  try {
    if (!replay.is_broken()) root = replay.finish();
  } catch (...) {
    failure = std::current_exception();
    root = nullptr;
  }
  if (root == nullptr) apply_failed_ = true;
  if (failure && root != nullptr) publish(root);
  if (failure) std::rethrow_exception(failure);
  return root;
}

// Behind the last entry there may be an unfinished write of a crashed process; whether it is that or damage to what had
// been synced can be judged only while nobody writes.
void Store::judge_log_at_opening() {
  const auto lock =
      options_.read_only ? nullptr : directory_->lock(os::LockName::kWriter, std::chrono::milliseconds{0});
  if (lock == nullptr && !options_.read_only) return;  // somebody is writing: it ended well for them
  const auto root = catch_up();
  try {
    discarded_bytes_ = judge(*root).discarded_bytes;
  } catch (const Error&) {
    // A reader without the lock may have looked while entries were being written: then they can be read now.
    if (lock != nullptr || catch_up()->position.sequence == root->position.sequence) throw;
  }
}

void Store::close() {
  if (getpid() != process_) throw Error(ErrorCode::kForkedHandle, path() + " was opened before a fork");
  const std::lock_guard once(close_mutex_);
  if (closed_) return;
  background_.stop();
  const bool usable = opened_ && !options_.read_only && !group_sync_.failed() && !apply_failed_;
  std::exception_ptr failure;
  try {
    if (usable) write_what_is_queued();
  } catch (...) {
    failure = std::current_exception();
  }
  const auto last = shut();
  if (usable) sync_through(last);
  if (failure) std::rethrow_exception(failure);
}

void Store::write_what_is_queued() {
  try {
    if (has_touches()) write({});
    if (snapshot()->position.offset > options_.checkpoint_bytes) fold(nullptr, false);
  } catch (const Error& error) {
    // Another handle re-embedded the store, and so folded and synced all this one wrote; or it is folding just now.
    if (error.code() != ErrorCode::kEmbedderMismatch && error.code() != ErrorCode::kStoreBusy) throw;
  }
}

// No write of this handle is under way any more, or its thread holds on to the lock: then that write throws.
// Returns: the last root.
std::shared_ptr<const Root> Store::shut() {
  Gate::Lease in_flight;
  if (!writer_gate_.held_by_this_thread()) in_flight = writer_gate_.lease(options_.busy_timeout);
  const std::lock_guard lock(apply_mutex_);
  closed_ = true;
  auto last = current();
  publish(nullptr);
  resign_worker();
  return last;
}

}  // namespace hippocore::storage
