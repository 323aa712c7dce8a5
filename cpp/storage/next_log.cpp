#include "storage/next_log.h"

#include "base/error.h"
#include "storage/log.h"

namespace hippocore::storage {

NextLog::NextLog(os::Directory& directory, const format::Header& next, const LogPosition& folded)
    : file_(create_log(directory, next)), from_(folded), to_(log_start(next)) {}

std::uint64_t NextLog::follow(const Root& newest, std::uint64_t synced) {
  const std::uint64_t begin = to_.offset;
  while (from_.sequence < newest.position.sequence) {
    const auto entry = read_entry(newest.log.bytes, from_);
    if (!entry) {
      throw Error(ErrorCode::kCorruptStore, newest.header->log.name + " changed after it was read; restore a backup");
    }
    make_room(*file_, to_, entry->body.size());
    to_ = append_entry(*file_, to_, entry->body, synced);
    from_ = entry->next;
  }
  file_->sync();
  return to_.offset - begin;
}

}  // namespace hippocore::storage
