// Store: the writer's lock, appending, syncing.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "storage/commit.h"
#include "storage/operations.h"
#include "storage/store.h"

namespace hippocore::storage {

void Store::begin() {
  require_writable();
  if (writer_gate_.held_by_this_thread()) {
    throw Error(ErrorCode::kInvalidArgument, "this thread has begun already; end first");
  }
  take_writer_lock();
  try {
    // Nobody writes behind an unfinished or closed log, or one of an older format: it is folded into new files first.
    // Folding takes the maintenance lock, which is never waited for while the writer's lock is held.
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

// The lock is not held during a sync.
void Store::end() {
  if (!writer_gate_.held_by_this_thread()) return;
  const auto written = std::exchange(unacknowledged_, nullptr);
  release_writer_lock();
  if (written != nullptr) acknowledge(written);
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
    settle();
  } catch (...) {
    release_writer_lock();
    throw;
  }
}

// A commit that was cut short, by a crash or by an error, leaves slots that differ; nothing is written on top of that.
void Store::settle() {
  if (epoch_in_slot(0) != epoch_in_slot(1)) settle_header(*header_file_);
}

void Store::release_writer_lock() {
  writer_lock_.reset();
  writer_gate_.release();
}

LogRest Store::judge(const Root& root) const {
  return judge_rest(root.log.bytes, root.position, path() + "/" + root.header->log.name);
}

bool Store::must_fold(const Root& root) {
  if (root.header->version != format::kFormatVersion)
    return true;  // an older release must not meet what it cannot read
  if (append_failed_ || log_is_closed(root.log.bytes, *root.header)) return true;
  if (judged_ && !something_at(root.log.bytes, root.position)) return false;
  if (judge(root).discarded_bytes != 0) return true;
  judged_ = true;
  return false;
}

void Store::write(std::span<const std::byte> operations) {
  if (writer_gate_.held_by_this_thread()) {
    if (!operations.empty()) append(*snapshot(), operations);
    unacknowledged_ = catch_up();
  } else if (const auto own = group_write_.join(operations)) {
    lead(own);
  }
}

// Writes what stands in line, and acknowledges it, for all. Who comes meanwhile makes the next batch.
void Store::lead(const std::shared_ptr<GroupWrite::Write>& own) {
  struct HandedOver {
    GroupWrite* group;
    const std::shared_ptr<GroupWrite::Write>* own;
    ~HandedOver() { group->hand_over(*own); }
  } const handed_over{&group_write_, &own};
  GroupWrite::Batch batch;
  try {
    std::shared_ptr<const Root> written;
    {
      const Transaction transaction(*this);
      batch = group_write_.take();
      written = append_all(batch);
    }
    acknowledge(written);
  } catch (...) {
    if (batch.empty()) throw;
    GroupWrite::fail(batch, std::current_exception());
  }
  GroupWrite::finish(batch, own);
  if (own->failure) std::rethrow_exception(own->failure);
}

// Requires: the writer's lock. A write that fails has its failure. Nobody writes behind half an entry: who comes after
// one goes back to the line, and leaves the batch.
// Returns: the root with all that was written.
std::shared_ptr<const Root> Store::append_all(GroupWrite::Batch& batch) {
  auto root = snapshot();
  for (auto write = batch.begin(); write != batch.end(); ++write) {
    try {
      if (!(*write)->operations.empty()) append(*root, (*write)->operations);
      root = catch_up();
    } catch (...) {
      (*write)->failure = std::current_exception();
      if (!append_failed_) continue;
      group_write_.give_back(std::next(write), batch.end());
      batch.erase(std::next(write), batch.end());
      break;
    }
  }
  return root;
}

// Requires: the writer's lock.
void Store::append(const Root& root, std::span<const std::byte> body) {
  if (append_failed_) {
    throw Error(ErrorCode::kInputOutput,
                path() + ": an earlier write of this transaction failed; end it and try again");
  }
  try {
    check_operations(root, body);
  } catch (const Error& error) {
    throw Error(ErrorCode::kInvalidArgument, std::string("this does not fit the store: ") + error.what());
  }
  settle();
  const Blocks blocks = options_.sync == Sync::kFull ? Blocks::kWritten : Blocks::kReserved;
  make_room(*root.log_file, root.position, body.size(), root.log.bytes.size(), blocks);
  try {
    static_cast<void>(append_entry(*root.log_file, root.position, body, group_sync_.synced()));
  } catch (const Error&) {
    append_failed_ = true;
    throw;
  }
}

void Store::touch(std::span<const Id> ids, std::int64_t time) {
  require_usable();
  if (options_.read_only || ids.empty()) return;
  Touches touches;
  for (const Id& id : ids) {
    Touch& touch = touches.try_emplace(id, Touch{0, 0, time, time}).first->second;
    ++touch.uses;
  }
  queue(touches);
  background_.ask();
}

void Store::queue(const Touches& touches) {
  const std::lock_guard lock(touch_mutex_);
  for (const auto& [id, touch] : touches) {
    Touch& queued = touches_.try_emplace(id, Touch{0, 0, touch.first, touch.first}).first->second;
    queued.uses += touch.uses;
    queued.spaced += touch.spaced + (format::is_spaced(queued.last, touch.first) ? 1 : 0);
    queued.last = std::max(queued.last, touch.last);
  }
}

bool Store::has_touches() {
  const std::lock_guard lock(touch_mutex_);
  return !touches_.empty();
}

// Requires: the writer's lock.
void Store::write_touches() {
  Touches touches;
  {
    const std::lock_guard lock(touch_mutex_);
    touches.swap(touches_);
  }
  try {
    append_touches(touches);
  } catch (...) {
    queue(touches);  // for the next write
    throw;
  }
  static_cast<void>(catch_up());
}

namespace {

std::uint32_t add_saturated(std::uint32_t left, std::uint32_t right) {
  return right > std::numeric_limits<std::uint32_t>::max() - left ? std::numeric_limits<std::uint32_t>::max()
                                                                  : left + right;
}

// Returns: nothing for a memory that is gone, or in a damaged part: that is no reason to refuse a write.
std::optional<format::State> state_of(const Root& root, const Id& id) {
  try {
    const std::uint32_t slot = root.find(id);
    return slot == kNoSlot ? std::nullopt : std::optional(root.state(slot));
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

// An entry of its own.
void Store::append_touches(const Touches& touches) {
  const auto root = snapshot();
  std::vector<std::byte> body;
  for (const auto& [id, touch] : touches) {
    auto state = state_of(*root, id);
    if (!state) continue;
    const bool spaced = format::is_spaced(state->last_used, touch.first);
    state->stability += static_cast<float>(touch.spaced + (spaced ? 1 : 0));
    state->use_count = add_saturated(state->use_count, touch.uses);
    state->last_used = std::max(state->last_used, touch.last);
    format::encode_operation(format::ChangeState{id, *state}, body);
  }
  if (!body.empty()) append(*root, body);
}

void Store::acknowledge(const std::shared_ptr<const Root>& written) {
  const bool at_once = options_.sync == Sync::kFull || (options_.sync == Sync::kNormal && !background_.ask());
  if (at_once) sync_through(written);
  // After a failure the next try comes with the next round, not with every write.
  if (written->position.offset > options_.checkpoint_bytes) background_.ask(background_failures_ == 0);
}

void Store::sync() {
  require_writable();
  sync_through(snapshot());
}

// A sync that succeeds after one that failed, of this handle or of another, proves nothing: what that one was to keep
// counts as written, and may be gone.
void Store::sync_through(const std::shared_ptr<const Root>& root) {
  group_sync_.through(root->position.sequence, [this, &root] {
    auto newest = current();
    if (newest == nullptr) newest = root;  // closed meanwhile
    try {
      newest->log_file->sync();
    } catch (const Error&) {
      close_log(*newest->log_file);
      throw;
    }
    if (log_is_closed(newest->log.bytes, *newest->header)) throw_failed_sync();
    return newest->position.sequence;
  });
}

void Store::work_in_background() {
  try {
    if (has_touches()) write({});
    const auto root = snapshot();
    if (options_.sync != Sync::kOff) sync_through(root);
    if (root->position.offset > options_.checkpoint_bytes) fold(nullptr, false);
  } catch (const std::exception&) {
    ++background_failures_;  // reported by stats; a failed sync refuses further writes by itself
  }
}

}  // namespace hippocore::storage
