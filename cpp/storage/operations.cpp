#include "storage/operations.h"

#include <string_view>
#include <unordered_set>

#include "base/error.h"
#include "format/payload.h"

namespace hippocore::storage {

namespace {

void require_room_for_kinds(const Index& index, const std::vector<format::Operation>& operations) {
  if (index.kind_count() + operations.size() <= kMaximumKinds) return;
  std::unordered_set<std::string_view> added;
  for (const auto& operation : operations) {
    const auto* version = std::get_if<format::WriteVersion>(&operation);
    if (version != nullptr && index.find_kind(version->kind) == index.kind_count()) added.insert(version->kind);
  }
  if (index.kind_count() + added.size() > kMaximumKinds) {
    throw Error(ErrorCode::kInvalidArgument,
                "a store holds at most 65,535 kinds; put what varies into tags or metadata");
  }
}

}  // namespace

std::vector<format::Operation> decode_for(const Root& root, std::span<const std::byte> body) {
  auto operations = format::decode_operations(body, root.header->dimension);
  for (const auto& operation : operations) {
    const auto* version = std::get_if<format::WriteVersion>(&operation);
    if (version != nullptr) static_cast<void>(format::decode_payload(version->payload));
  }
  require_room_for_kinds(*root.index, operations);
  if (operations.size() >= kNoSlot - root.count) {
    throw Error(ErrorCode::kInvalidArgument,
                "a store holds at most 4,294,967,294 versions; compact it or start another");
  }
  return operations;
}

}  // namespace hippocore::storage
