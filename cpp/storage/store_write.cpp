// Store: the writer's lock, appending, syncing.
#include <algorithm>

#include "base/bytes.h"
#include "base/error.h"
#include "storage/store.h"

namespace hippocore::storage {

void Store::begin() {
  require_writable();
  take_writer_lock();
  try {
    // Nobody writes behind an unfinished or closed log: it is folded into new files first. Folding takes the
    // maintenance lock, which is never waited for while the writer's lock is held.
    while (must_fold(*catch_up())) {
      release_writer_lock();
      fold(nullptr, true);
      take_writer_lock();
    }
    if (has_touches()) write_touches();
  } catch (...) {
    if (writer_gate_.held_by_this_thread()) release_writer_lock();
    throw;
  }
}

void Store::end() {
  if (writer_gate_.held_by_this_thread()) release_writer_lock();
}

void Store::take_writer_lock() {
  const auto start = std::chrono::steady_clock::now();
  const auto busy = [this] {
    return Error(ErrorCode::kStoreBusy,
                 path() + " is being written by another holder for longer than busy_timeout; try again");
  };
  if (!writer_gate_.acquire(options_.busy_timeout)) throw busy();
  try {
    const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
    writer_lock_ =
        directory_->lock(os::LockName::kWriter, std::max(std::chrono::milliseconds{0}, options_.busy_timeout - used));
    if (writer_lock_ == nullptr) throw busy();
  } catch (...) {
    writer_gate_.release();
    throw;
  }
}

void Store::release_writer_lock() {
  writer_lock_.reset();
  writer_gate_.release();
}

bool Store::must_fold(const Root& root) {
  const std::string name = path() + "/" + root.header->log.name;
  if (append_failed_ || log_is_closed(root.log.bytes, *root.header)) return true;
  if (judged_ && !something_at(root.log.bytes, root.position)) return false;
  if (judge_rest(root.log.bytes, root.position, name).discarded_bytes != 0) return true;
  judged_ = true;
  return false;
}

void Store::write(std::span<const std::byte> operations) {
  std::uint64_t sequence = 0;
  bool long_log = false;
  {
    const Transaction transaction(*this);
    const auto root = current();
    if (!operations.empty()) append(*root, operations);
    const auto written = catch_up();
    sequence = written->position.sequence;
    long_log = written->position.offset > options_.checkpoint_bytes;
  }
  acknowledge(sequence);
  if (long_log) background_.ask(true);
}

void Store::append(const Root& root, std::span<const std::byte> body) {
  try {
    (void)append_entry(*root.log_file, root.position, body, synced_.load());
  } catch (const Error& error) {
    append_failed_ = error.code() != ErrorCode::kInvalidArgument;
    throw;
  }
}

void Store::touch(std::span<const Id> ids, std::int64_t time) {
  require_usable();
  if (options_.read_only || ids.empty()) return;
  {
    const std::lock_guard lock(touch_mutex_);
    for (const Id& id : ids) {
      Touch& touch = touches_[id];
      ++touch.uses;
      touch.last = std::max(touch.last, time);
    }
  }
  background_.ask();
}

bool Store::has_touches() {
  const std::lock_guard lock(touch_mutex_);
  return !touches_.empty();
}

// An entry of its own. Requires: the writer's lock.
void Store::write_touches() {
  std::unordered_map<Id, Touch, IdHash> touches;
  {
    const std::lock_guard lock(touch_mutex_);
    touches.swap(touches_);
  }
  const auto root = current();
  std::vector<std::byte> body;
  for (const auto& [id, touch] : touches) {
    const std::uint32_t slot = root->find(id);
    if (slot == kNoSlot) continue;
    format::State state = root->state(slot);
    state.use_count += touch.uses;
    state.last_used = std::max(state.last_used, touch.last);
    format::encode_operation(format::ChangeState{id, state}, body);
  }
  if (body.empty()) return;
  append(*root, body);
  (void)catch_up();
}

void Store::acknowledge(std::uint64_t sequence) {
  if (options_.sync == Sync::kFull) sync_through(sequence);
  if (options_.sync == Sync::kNormal) background_.ask();
}

void Store::sync() {
  require_writable();
  sync_through(snapshot()->position.sequence);
}

// One sync serves everybody who waits: whoever comes in finds either its entry synced or syncs all that was written by
// then.
void Store::sync_through(std::uint64_t sequence) {
  const std::lock_guard lock(sync_mutex_);
  if (synced_ >= sequence) return;
  const auto root = current();
  if (root == nullptr) return;
  try {
    root->log_file->sync();
  } catch (const Error&) {
    sync_failed_ = true;
    close_log(*root->log_file, *root->header);
    throw;
  }
  synced_ = std::max(synced_.load(), root->position.sequence);
}

void Store::work_in_background() {
  try {
    if (has_touches()) write({});
    const auto root = current();
    if (root == nullptr) return;
    if (options_.sync != Sync::kOff) sync_through(root->position.sequence);
    if (root->position.offset > options_.checkpoint_bytes) fold(nullptr, false);
  } catch (const std::exception&) {
    ++background_failures_;  // reported by stats; a failed sync refuses further writes by itself
  }
}

}  // namespace hippocore::storage
