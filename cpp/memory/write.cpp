// Memory: the verbs that write.
#include <cmath>

#include "base/error.h"
#include "format/log_entry.h"
#include "format/payload.h"
#include "format/terms.h"
#include "memory/memory.h"
#include "ranking/quantize.h"
#include "ranking/score.h"

namespace hippocore::memory {

using storage::Root;

namespace {

void require_finite(std::span<const float> vector, std::size_t position) {
  for (const float value : vector) {
    if (!std::isfinite(value)) {
      throw Error(ErrorCode::kInvalidVector, "vector " + std::to_string(position) + " holds NaN or an infinity");
    }
  }
}

format::WriteVersion as_operation(const NewVersion& version) {
  format::WriteVersion operation;
  operation.id = version.id;
  operation.scope = version.scope;
  operation.kind = version.kind;
  operation.source = version.source;
  operation.created_at = version.created_at;
  operation.valid_from = version.valid_from;
  operation.event_time = version.event_time;
  operation.text_key = version.text_key;
  operation.merge_key = version.merge_key;
  operation.tokens = version.tokens;
  operation.version = version.version;
  operation.state = version.state;
  return operation;
}

// The pieces one version's operation points to, reused from one to the next.
struct Scratch {
  std::vector<std::byte> code;
  std::vector<std::byte> payload;
};

void encode_version(const NewVersion& version, std::span<const float> vector, Scratch& scratch,
                    std::vector<std::byte>& body) {
  scratch.payload.clear();
  const std::vector<std::string_view> facets(version.facets.begin(), version.facets.end());
  const std::string terms = format::add_up_terms(version.terms);
  format::encode_payload({version.content, version.extra, facets, terms}, scratch.payload);
  const ranking::CodeBounds bounds = ranking::quantize(vector, scratch.code);
  format::WriteVersion operation = as_operation(version);
  operation.norm = bounds.norm;
  operation.code_scale = bounds.scale;
  operation.code_error = bounds.error;
  operation.coarse_scale = bounds.coarse_scale;
  operation.coarse_error = bounds.coarse_error;
  operation.code = scratch.code;
  operation.vector = std::as_bytes(vector);
  operation.payload = scratch.payload;
  format::encode_operation(operation, body);
}

bool is_duplicate(const Root& root, std::uint32_t slot, const DuplicateQuery& query, double query_norm) {
  const format::ChunkView& rows = root.rows(slot);
  const std::size_t row = Root::row(slot);
  root.check_state(slot);
  const format::State state = root.state(slot);
  const bool live = state.flags == format::kWritten ||
                    (state.flags == (format::kWritten | format::kExpires) && state.expires_at > query.now);
  if (!live || state.trust != query.trust || rows.merge_keys()[row] != query.merge_key) return false;
  root.check_row(slot);
  if (root.index->labels().text(rows.scopes()[row]) != query.scope ||
      root.index->kind(rows.kinds()[row]) != query.kind) {
    return false;
  }
  if (rows.text_keys()[row] == query.text_key) return true;
  return ranking::similarity(query.vector, query_norm, rows.vector(row), rows.norms()[row]) >= query.threshold;
}

}  // namespace

void Memory::write(std::span<const NewVersion> versions, std::span<const float> vectors,
                   std::span<const format::ChangeState> changes, std::span<const Id> forgets,
                   std::span<const format::ForgetEnded> ended) {
  const std::size_t dimension = identity()->dimension;
  if (vectors.size() != versions.size() * dimension) {
    throw Error(ErrorCode::kDimensionMismatch,
                "vectors of " + std::to_string(dimension) + " dimensions are needed, one a memory");
  }
  std::vector<std::byte> body;
  body.reserve(versions.size() * (format::code_bytes(dimension) + 4 * dimension + 512));
  Scratch scratch{std::vector<std::byte>(format::code_bytes(dimension)), {}};
  for (std::size_t position = 0; position < versions.size(); ++position) {
    const auto vector = vectors.subspan(position * dimension, dimension);
    require_finite(vector, position);
    encode_version(versions[position], vector, scratch, body);
  }
  for (const format::ChangeState& change : changes) format::encode_operation(change, body);
  for (const Id& id : forgets) format::encode_operation(format::Forget{id}, body);
  for (const format::ForgetEnded& one : ended) format::encode_operation(one, body);
  store_->write(body);
}

std::optional<Id> Memory::find_duplicate(const DuplicateQuery& query) {
  const auto root = store_->snapshot();
  const double query_norm = ranking::norm(query.vector);
  std::uint32_t newest = storage::kNoSlot;
  root->index->for_each_merge_candidate(query.merge_key, [&](std::uint32_t slot) {
    if (slot >= root->count || (newest != storage::kNoSlot && slot < newest)) return;
    if (is_duplicate(*root, slot, query, query_norm)) newest = slot;
  });
  return newest == storage::kNoSlot ? std::nullopt : std::optional(root->id(newest));
}

void Memory::reembed(const std::string& embedder, std::uint32_t dimension, std::span<const float> vectors) {
  for (std::size_t at = 0; at * dimension < vectors.size(); ++at)
    require_finite(vectors.subspan(at * dimension, dimension), at);
  store_->reembed(dimension, embedder, [=](std::size_t survivor) {
    if ((survivor + 1) * dimension > vectors.size()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "reembed was given too few vectors; memories were added meanwhile, try again");
    }
    return vectors.subspan(survivor * dimension, dimension);
  });
}

}  // namespace hippocore::memory
