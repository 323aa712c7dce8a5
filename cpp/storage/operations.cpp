#include "storage/operations.h"

#include <string_view>
#include <unordered_set>

#include "base/error.h"
#include "format/log_entry.h"
#include "format/payload.h"

namespace hippocore::storage {

namespace {

// Returns: the kinds in the body that the index does not have yet.
std::size_t count_new_kinds(const Root& root, std::span<const std::byte> body) {
  std::unordered_set<std::string_view> added;
  format::OperationReader operations(body, root.header->dimension);
  while (const auto operation = operations.next()) {
    const auto* version = std::get_if<format::WriteVersion>(&*operation);
    if (version != nullptr && root.index->find_kind(version->kind) == root.index->kind_count()) {
      added.insert(version->kind);
    }
  }
  return added.size();
}

// Returns: how many operations the body holds, each of which is sound.
std::size_t count_sound(const Root& root, std::span<const std::byte> body) {
  std::size_t count = 0;
  format::OperationReader operations(body, root.header->dimension);
  while (const auto operation = operations.next()) {
    const auto* version = std::get_if<format::WriteVersion>(&*operation);
    if (version != nullptr) static_cast<void>(format::decode_payload(version->payload));
    ++count;
  }
  return count;
}

}  // namespace

void check_operations(const Root& root, std::span<const std::byte> body) {
  const std::size_t count = count_sound(root, body);
  const std::size_t kinds = root.index->kind_count();
  if (kinds + count > kMaximumKinds && kinds + count_new_kinds(root, body) > kMaximumKinds) {
    throw Error(ErrorCode::kInvalidArgument,
                "a store holds at most 65,535 kinds; put what varies into tags or metadata");
  }
  if (count >= kNoSlot - root.count) {
    throw Error(ErrorCode::kInvalidArgument,
                "a store holds at most 4,294,967,294 versions; compact it or start another");
  }
}

}  // namespace hippocore::storage
