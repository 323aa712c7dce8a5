#include "storage/replay.h"

#include <string>
#include <utility>

#include "base/error.h"
#include "format/log_entry.h"
#include "storage/operations.h"

namespace hippocore::storage {

namespace {

// The payload of a version stays where it is, in the log, until a checkpoint moves it.
void apply(Edit& edit, const format::Operation& operation, const os::Mapping& log) {
  if (const auto* version = std::get_if<format::WriteVersion>(&operation)) {
    edit.apply(*version, static_cast<std::uint64_t>(version->payload.data() - log.bytes.data()) | kInLog);
  } else if (const auto* change = std::get_if<format::ChangeState>(&operation)) {
    edit.apply(*change);
  } else if (const auto* forget = std::get_if<format::Forget>(&operation)) {
    edit.apply(*forget);
  } else {
    edit.apply(std::get<format::ForgetEnded>(operation));
  }
}

void check_entry(const Root& root, const LogEntry& entry) {
  try {
    check_operations(root, entry.body);
  } catch (const Error& error) {
    throw Error(ErrorCode::kCorruptStore, root.header->log.name + ": entry " + std::to_string(entry.header.sequence) +
                                              " cannot be applied: " + error.what());
  }
}

}  // namespace

Replay::Replay(std::shared_ptr<const Root> from)
    : from_(std::move(from)), position_(from_->position), log_(from_->log) {}

Edit& Replay::edit() {
  if (edit_ == nullptr) edit_ = std::make_unique<Edit>(*from_);
  return *edit_;
}

// A file that has grown is mapped anew, whole: what older roots show stays in their mapping. The header of the next
// entry always has room in what is mapped, so that nothing there means no entry.
std::optional<LogEntry> Replay::next_entry() {
  while (true) {
    if (auto entry = read_entry(log_.bytes, position_)) return entry;
    if (!something_at(log_.bytes, position_)) return std::nullopt;
    const std::uint64_t size = from_->log_file->size();
    if (size <= log_.bytes.size()) return std::nullopt;
    log_ = from_->log_file->map(0, size);
  }
}

bool Replay::step() {
  const auto entry = next_entry();
  if (!entry) return false;
  check_entry(edit().current(), *entry);
  broken_ = true;
  format::OperationReader operations(entry->body, from_->header->dimension);
  while (const auto operation = operations.next()) apply(edit(), *operation, log_);
  broken_ = false;
  position_ = entry->next;
  return true;
}

std::shared_ptr<const Root> Replay::finish() {
  if (edit_ == nullptr && log_.bytes.size() == from_->log.bytes.size()) return from_;
  edit().use_log(log_);
  return edit().finish(position_);
}

}  // namespace hippocore::storage
