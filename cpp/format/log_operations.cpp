// The body of a log entry: operations one after another, each a byte of type and its fields.
#include <string>

#include "base/bytes.h"
#include "format/chunk.h"
#include "format/finite.h"
#include "format/log_entry.h"

namespace hippocore::format {
namespace {

enum class Type : std::uint8_t { kWriteVersion = 1, kChangeState = 2, kForget = 3, kForgetEnded = 4 };

[[noreturn]] void refuse(const std::string& reason) {
  throw Error(ErrorCode::kCorruptStore, "a log entry " + reason + ": the file is damaged");
}

void check(bool holds, const char* reason) {
  if (!holds) refuse(reason);
}

void write_state(ByteWriter& writer, const State& state) {
  writer.write(state.importance);
  writer.write(state.confidence);
  writer.write(state.stability);
  writer.write(state.use_count);
  writer.write(state.flags);
  writer.write(static_cast<std::uint8_t>(state.trust));
  writer.write(state.last_used);
  writer.write(state.expires_at);
  writer.write(state.valid_until);
  writer.write(state.archived_at);
}

State read_state(ByteReader& reader) {
  State state;
  state.importance = reader.read<double>();
  state.confidence = reader.read<float>();
  state.stability = reader.read<float>();
  state.use_count = reader.read<std::uint32_t>();
  state.flags = reader.read<std::uint8_t>();
  const auto trust = reader.read<std::uint8_t>();
  state.last_used = reader.read<std::int64_t>();
  state.expires_at = reader.read<std::int64_t>();
  state.valid_until = reader.read<std::int64_t>();
  state.archived_at = reader.read<std::int64_t>();
  check(state.importance >= 0 && state.importance <= 1, "holds an importance outside 0..1");
  check(is_measure(state.confidence) && is_measure(state.stability), "holds an impossible confidence or stability");
  check((state.flags & ~kKnownFlags) == 0, "holds unknown flags");
  check(trust <= static_cast<std::uint8_t>(Trust::kTrusted), "holds an unknown trust");
  state.trust = static_cast<Trust>(trust);
  return state;
}

void write_operation(ByteWriter& writer, const WriteVersion& version) {
  writer.write(Type::kWriteVersion);
  writer.write(version.id);
  writer.text(version.scope);
  writer.text(version.kind);
  writer.text(version.source);
  writer.write(version.created_at);
  writer.write(version.valid_from);
  writer.write(version.event_time);
  writer.write(version.text_key);
  writer.write(version.merge_key);
  writer.write(version.tokens);
  writer.write(version.version);
  write_state(writer, version.state);
  writer.write(version.norm);
  writer.write(version.code_scale);
  writer.write(version.code_error);
  writer.write(version.coarse_scale);
  writer.write(version.coarse_error);
  writer.text(as_text(version.code));
  writer.text(as_text(version.vector));
  writer.text(as_text(version.payload));
}

void write_operation(ByteWriter& writer, const ChangeState& change) {
  writer.write(Type::kChangeState);
  writer.write(change.id);
  write_state(writer, change.state);
}

void write_operation(ByteWriter& writer, const Forget& forget) {
  writer.write(Type::kForget);
  writer.write(forget.id);
}

void write_operation(ByteWriter& writer, const ForgetEnded& ended) {
  writer.write(Type::kForgetEnded);
  writer.write(ended.id);
  writer.write(ended.moment);
}

void check_version(const WriteVersion& version, std::size_t dimension) {
  check(!version.scope.empty(), "writes a memory without a scope");
  check(!version.kind.empty(), "writes a memory without a kind");
  check(version.code.size() == code_bytes(dimension), "holds a code of another dimension");
  check(version.vector.size() == dimension * sizeof(float), "holds a vector of another dimension");
  check(all_finite(version.vector), "holds a vector that is not finite");
  check(is_measure(version.norm), "holds an impossible norm");
  check(is_measure(version.code_scale) && is_measure(version.code_error), "holds an impossible error bound");
  check(is_measure(version.coarse_scale) && is_measure(version.coarse_error), "holds an impossible error bound");
}

WriteVersion read_version(ByteReader& reader, std::size_t dimension) {
  WriteVersion version;
  version.id = reader.read<Id>();
  version.scope = reader.text();
  version.kind = reader.text();
  version.source = reader.text();
  version.created_at = reader.read<std::int64_t>();
  version.valid_from = reader.read<std::int64_t>();
  version.event_time = reader.read<std::int64_t>();
  version.text_key = reader.read<std::uint64_t>();
  version.merge_key = reader.read<std::uint64_t>();
  version.tokens = reader.read<std::uint32_t>();
  version.version = reader.read<std::uint32_t>();
  version.state = read_state(reader);
  version.norm = reader.read<double>();
  version.code_scale = reader.read<float>();
  version.code_error = reader.read<float>();
  version.coarse_scale = reader.read<float>();
  version.coarse_error = reader.read<float>();
  version.code = as_bytes(reader.text());
  version.vector = as_bytes(reader.text());
  version.payload = as_bytes(reader.text());
  check_version(version, dimension);
  return version;
}

Operation read_operation(ByteReader& reader, std::size_t dimension) {
  switch (static_cast<Type>(reader.read<std::uint8_t>())) {
    case Type::kWriteVersion:
      return read_version(reader, dimension);
    case Type::kChangeState: {
      const Id id = reader.read<Id>();
      return ChangeState{id, read_state(reader)};
    }
    case Type::kForget:
      return Forget{reader.read<Id>()};
    case Type::kForgetEnded: {
      const Id id = reader.read<Id>();
      return ForgetEnded{id, reader.read<std::int64_t>()};
    }
  }
  refuse("holds an unknown operation");
}

}  // namespace

void encode_operation(const Operation& operation, std::vector<std::byte>& body) {
  ByteWriter writer(body);
  std::visit([&writer](const auto& one) { write_operation(writer, one); }, operation);
}

std::optional<Operation> OperationReader::next() {
  if (reader_.empty()) return std::nullopt;
  return read_operation(reader_, dimension_);
}

}  // namespace hippocore::format
