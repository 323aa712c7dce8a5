// Store: checkpoint, compaction, re-embedding, backup.
#include <vector>

#include "base/error.h"
#include "format/preamble.h"
#include "storage/load.h"
#include "storage/store.h"

namespace hippocore::storage {

void Store::checkpoint() {
  require_writable();
  fold(nullptr, false);
}

void Store::compact() {
  require_writable();
  const auto header = snapshot()->header;
  const Rewrite rewrite{header->dimension, header->embedder, nullptr};
  fold(&rewrite, true);
}

void Store::reembed(std::uint32_t dimension, const std::string& embedder,
                    std::function<std::span<const float>(std::size_t)> vectors) {
  require_writable();
  if (!writer_gate_.held_by_this_thread())
    throw Error(ErrorCode::kInvalidArgument, "reembed works between begin and end");
  const Rewrite rewrite{dimension, embedder, std::move(vectors)};
  fold(&rewrite, true);
}

Gate::Lease Store::lease_maintenance() {
  auto lease = maintenance_gate_.lease(options_.busy_timeout);
  if (lease == nullptr) throw maintained_elsewhere();
  return lease;
}

Error Store::maintained_elsewhere() const {
  return {ErrorCode::kStoreBusy, path() + " is being checkpointed or compacted by another holder; try again"};
}

// Take the root at S, write new files beside everybody, then lock, carry what came after S into the new log, and
// commit.
void Store::fold(const Rewrite* rewrite, bool even_if_empty) {
  const auto gate = lease_maintenance();
  const auto lock = directory_->lock(os::LockName::kMaintenance, options_.busy_timeout);
  if (lock == nullptr) throw maintained_elsewhere();
  const auto root = catch_up();
  if (!even_if_empty && root->position.sequence == root->header->sequence) return;
  const format::Header next = write_files(*root, rewrite);
  const Transaction transaction(*this, Transaction::Log::kAnyState);
  commit_checkpoint(next, *root);
}

format::Header Store::write_files(const Root& root, const Rewrite* rewrite) {
  try {
    return rewrite == nullptr ? write_checkpoint(*directory_, root) : write_compacted(*directory_, root, *rewrite);
  } catch (...) {
    remove_unnamed_files(*directory_, *root.header);  // nothing is committed yet: a full disk gets its space back
    throw;
  }
}

// Requires: the writer's lock.
void Store::commit_checkpoint(const format::Header& next, const Root& folded) {
  (void)catch_up();
  const auto log = create_log(*directory_, next);
  carry_log(*log, next, folded);
  log->sync();
  directory_->sync();
  commit_header(*header_file_, next);
  {
    const std::lock_guard lock(apply_mutex_);
    options_.dimension = next.dimension;
    options_.embedder = next.embedder;
  }
  const auto root = catch_up();
  synced_ = std::max(synced_.load(), root->position.sequence);
  append_failed_ = false;
  judged_ = true;
  remove_unnamed_files(*directory_, next);
}

void Store::carry_log(os::File& into, const format::Header& next, const Root& folded) {
  const auto newest = current();
  LogPosition from = folded.position;
  LogPosition to = log_start(next);
  while (const auto entry = read_entry(newest->log.bytes, from)) {
    to = append_entry(into, to, entry->body, synced_.load());
    from = entry->next;
  }
}

namespace {

void copy_part(os::Directory& from, os::Directory& into, const std::string& name, std::uint64_t length) {
  const auto source = from.open(name, os::Access::kRead);
  if (source == nullptr) throw Error(ErrorCode::kCorruptStore, from.path() + "/" + name + " is missing; try again");
  const auto target = into.create(name);
  target->allocate(length);
  std::vector<std::byte> buffer(std::size_t{1} << 20);
  for (std::uint64_t offset = 0; offset < length; offset += buffer.size()) {
    const auto part = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), length - offset));
    source->read_at(offset, part);
    target->write_at(offset, part);
  }
  target->sync();
}

}  // namespace

// The maintenance lock keeps the named files as they are while they are copied; the log grows meanwhile, and a copy of
// any length of it is a state the store had.
void Store::backup(os::Directory& into) {
  require_usable();
  if (read_header(into))
    throw Error(ErrorCode::kInvalidArgument, into.path() + " holds a store already; name a new directory");
  const auto gate = lease_maintenance();
  std::unique_ptr<os::Lock> lock;
  if (!options_.read_only) {
    lock = directory_->lock(os::LockName::kMaintenance, options_.busy_timeout);
    if (lock == nullptr) throw maintained_elsewhere();
  }
  const auto root = catch_up();
  const format::Header& header = *root->header;
  for (const auto* part : {&header.records, &header.tail, &header.payload, &header.state, &header.index}) {
    if (part->length != 0) copy_part(*directory_, into, part->name, part->length);
  }
  const std::uint64_t entries = root->position.offset + format::kEntryHeaderSize;
  copy_part(*directory_, into, header.log.name, (entries + 4095) / 4096 * 4096);
  into.sync();
  const auto created = into.create("header");
  created->allocate(format::kHeaderSize);
  into.sync();
  commit_header(*created, header);
}

}  // namespace hippocore::storage
