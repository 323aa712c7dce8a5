#include "storage/store.h"

#include <unistd.h>

#include <random>

#include "base/error.h"
#include "storage/edit.h"
#include "storage/load.h"

namespace hippocore::storage {

namespace {

constexpr std::chrono::milliseconds kBackgroundDelay{900};

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
      background_(kBackgroundDelay, [this] { work_in_background(); }) {}

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
  }
  store->check_identity(*header);
  store->options_.dimension = header->dimension;
  store->options_.embedder = header->embedder;
  store->options_.tokenizer = header->tokenizer;
  const os::Access access = options.read_only ? os::Access::kRead : os::Access::kReadWrite;
  store->header_file_ = store->directory_->open("header", access);
  store->header_map_ = store->header_file_->map(0, format::kHeaderSize);
  {
    const std::lock_guard lock(store->apply_mutex_);
    store->publish(store->apply_log(store->reload(nullptr)));
  }
  store->judge_log_at_opening();
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
  const auto lock = directory_->lock(os::LockName::kWriter, options_.busy_timeout);
  if (lock == nullptr) throw Error(ErrorCode::kStoreBusy, path() + " is being created by another process; try again");
  if (read_header(*directory_)) return;
  format::Header identity;
  identity.store_id = random_id();
  identity.dimension = options_.dimension;
  identity.embedder = options_.embedder;
  identity.tokenizer = options_.tokenizer;
  const format::Header header = write_empty(*directory_, identity);
  create_log(*directory_, header)->sync();
  const auto file = directory_->open("header", os::Access::kReadWrite);
  file->allocate(format::kHeaderSize);
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
  if (sync_failed_) {
    throw Error(ErrorCode::kInputOutput,
                path() + ": the disk failed to keep a write, so what it holds is unknown; open the store again");
  }
}

std::shared_ptr<const Root> Store::current() const {
  const std::lock_guard lock(root_mutex_);
  return root_;
}

void Store::publish(std::shared_ptr<const Root> root) {
  const std::lock_guard lock(root_mutex_);
  root_.swap(root);
}

std::uint64_t Store::epoch_on_disk() const {
  const auto read = [this](std::size_t slot) {
    const std::byte* place = header_map_.bytes.data() + slot * format::kHeaderSlotSize + format::kEpochOffset;
    return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(place), __ATOMIC_ACQUIRE);
  };
  return std::max(read(0), read(1));
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
    if (from != nullptr && header->epoch == from->header->epoch) return current();
    check_identity(*header);
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

void Store::apply_entry(Edit& edit, const LogEntry& entry, const os::Mapping& log, std::size_t dimension) {
  const auto operations = format::decode_operations(entry.body, dimension);
  try {
    for (const auto& operation : operations) {
      if (const auto* version = std::get_if<format::WriteVersion>(&operation)) {
        edit.apply(*version, static_cast<std::uint64_t>(version->payload.data() - log.bytes.data()) | kInLog);
      } else if (const auto* change = std::get_if<format::ChangeState>(&operation)) {
        edit.apply(*change);
      } else {
        edit.apply(std::get<format::Forget>(operation));
      }
    }
  } catch (...) {
    apply_failed_ = true;
    throw;
  }
}

std::shared_ptr<const Root> Store::apply_log(std::shared_ptr<const Root> root) {
  std::unique_ptr<Edit> edit;
  LogPosition position = root->position;
  os::Mapping log = root->log;
  while (true) {
    auto entry = read_entry(log.bytes, position);
    if (!entry) {
      const std::uint64_t size = root->log_file->size() / 4096 * 4096;
      if (size <= log.bytes.size()) break;
      log = root->log_file->map(0, size);
      continue;
    }
    if (edit == nullptr) edit = std::make_unique<Edit>(*root);
    apply_entry(*edit, *entry, log, root->header->dimension);
    position = entry->next;
  }
  if (edit == nullptr && log.bytes.size() == root->log.bytes.size()) return root;
  if (edit == nullptr) edit = std::make_unique<Edit>(*root);
  edit->use_log(log);
  return edit->finish(position);
}

// Behind the last entry there may be an unfinished write of a crashed process; whether it is that or damage to what had
// been synced can be judged only while nobody writes.
void Store::judge_log_at_opening() {
  const auto lock =
      options_.read_only ? nullptr : directory_->lock(os::LockName::kWriter, std::chrono::milliseconds{0});
  if (lock == nullptr && !options_.read_only) return;  // somebody is writing: it ended well for them
  const auto root = catch_up();
  try {
    discarded_bytes_ =
        judge_rest(root->log.bytes, root->position, path() + "/" + root->header->log.name).discarded_bytes;
  } catch (const Error&) {
    // A reader without the lock may have looked while entries were being written: then they can be read now.
    if (lock != nullptr || catch_up()->position.sequence == root->position.sequence) throw;
  }
}

void Store::close() {
  if (getpid() != process_) throw Error(ErrorCode::kForkedHandle, path() + " was opened before a fork");
  if (closed_) return;
  background_.stop();
  const bool usable = !options_.read_only && !sync_failed_ && !apply_failed_ && current() != nullptr;
  try {
    if (usable) {
      if (has_touches()) write({});
      const auto root = snapshot();
      if (root->position.offset > options_.checkpoint_bytes) fold(nullptr, false);
      sync_through(current()->position.sequence);
    }
  } catch (...) {
    closed_ = true;
    publish(nullptr);
    throw;
  }
  closed_ = true;
  publish(nullptr);
}

}  // namespace hippocore::storage
