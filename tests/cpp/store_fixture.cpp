#include "store_fixture.h"

#include <algorithm>

#include "format/log_entry.h"
#include "format/payload.h"
#include "harness.h"
#include "ranking/quantize.h"

namespace hippocore::testing {

using storage::Root;
using storage::Store;

Id id_of(std::uint32_t number) {
  Id id;
  for (std::size_t at = 0; at < 4; ++at) id.bytes[at] = static_cast<std::uint8_t>(number >> (8 * at));
  return id;
}

std::vector<float> vector_of(std::uint32_t number, std::size_t dimension) {
  std::vector<float> vector(dimension);
  std::uint32_t state = number * 2654435761U + 97U;
  for (float& value : vector) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<float>(static_cast<double>(state >> 8) / 8388608.0 - 1.0);
  }
  return vector;
}

namespace {

std::vector<float> vector_of_note(const Note& note) {
  if (!note.vector.empty()) return note.vector;
  const auto first = note.content.empty() ? 0U : static_cast<unsigned char>(note.content.front());
  return vector_of(static_cast<std::uint32_t>(note.content.size()) * 256U + first);
}

}  // namespace

void encode(const Note& note, std::vector<std::byte>& body) {
  const std::vector<float> vector = vector_of_note(note);
  const std::vector<std::string_view> facets(note.facets.begin(), note.facets.end());
  std::vector<std::byte> payload;
  format::encode_payload({note.content, note.extra, facets, note.terms}, payload);
  std::vector<std::byte> code(format::code_bytes(vector.size()));
  const ranking::CodeBounds bounds = ranking::quantize(vector, code);
  format::WriteVersion version;
  version.id = note.id;
  version.scope = note.scope;
  version.kind = note.kind;
  version.source = note.source;
  version.created_at = version.valid_from = note.time;
  version.merge_key = note.merge_key;
  version.text_key = note.content.size();
  version.version = note.version;
  version.norm = bounds.norm;
  version.code_scale = bounds.scale;
  version.code_error = bounds.error;
  version.coarse_scale = bounds.coarse_scale;
  version.coarse_error = bounds.coarse_error;
  version.code = code;
  version.vector = std::as_bytes(std::span(vector));
  version.payload = payload;
  format::encode_operation(version, body);
}

void write(Store& store, const Note& note) {
  write(store, std::span(&note, 1));
}

void write(Store& store, std::span<const Note> notes) {
  std::vector<std::byte> body;
  for (const Note& note : notes) encode(note, body);
  store.write(body);
}

void change(Store& store, const Id& id, double importance) {
  const auto root = store.snapshot();
  format::State state = root->state(root->find(id));
  state.importance = importance;
  std::vector<std::byte> body;
  format::encode_operation(format::ChangeState{id, state}, body);
  store.write(body);
}

void forget(Store& store, const Id& id) {
  std::vector<std::byte> body;
  format::encode_operation(format::Forget{id}, body);
  store.write(body);
}

void forget_ended(Store& store, const Id& id, std::int64_t moment) {
  std::vector<std::byte> body;
  format::encode_operation(format::ForgetEnded{id, moment}, body);
  store.write(body);
}

Seen see(const Root& root, std::uint32_t slot) {
  const format::Payload payload = root.read_payload(slot);
  const format::ChunkView& rows = root.rows(slot);
  const std::size_t row = Root::row(slot);
  root.check_state(slot);
  const format::State state = root.state(slot);
  Seen seen;
  seen.content = payload.content;
  seen.scope = root.index->labels().text(rows.scopes()[row]);
  seen.kind = root.index->kind(rows.kinds()[row]);
  if (rows.sources()[row] != storage::kNoLabel) seen.source = root.index->labels().text(rows.sources()[row]);
  seen.facets.assign(payload.facets.begin(), payload.facets.end());
  seen.version = rows.versions()[row];
  seen.valid_from = rows.valid_from()[row];
  seen.valid_until = state.valid_until;
  seen.superseded = (state.flags & format::kSuperseded) != 0;
  seen.importance = state.importance;
  seen.uses = state.use_count;
  seen.vector.assign(rows.vector(row).begin(), rows.vector(row).end());
  return seen;
}

Contents contents_of(const Root& root) {
  Contents contents;
  for (std::uint32_t slot = 0; slot < root.count; ++slot) {
    root.check_state(slot);
    if ((root.flags(slot) & format::kForgotten) != 0) continue;
    Seen seen = see(root, slot);
    contents[root.id(slot)].push_back(std::move(seen));
  }
  for (const auto& [id, versions] : contents) {
    std::vector<Seen> found;
    for (const std::uint32_t slot : root.versions(id)) found.push_back(see(root, slot));
    if (found != versions) fail(__FILE__, __LINE__, "the index and the slots disagree about " + to_hex(id));
  }
  return contents;
}

Contents contents_of(Store& store) {
  return contents_of(*store.snapshot());
}

void Model::write(const Note& note) {
  std::vector<Seen>& versions = contents_[note.id];
  if (!versions.empty()) {
    versions.back().superseded = true;
    versions.back().valid_until = note.time;
  }
  Seen seen;
  seen.content = note.content;
  seen.scope = note.scope;
  seen.kind = note.kind;
  seen.source = note.source;
  seen.facets = note.facets;
  seen.version = note.version;
  seen.valid_from = note.time;
  seen.valid_until = format::kNever;
  seen.importance = 0.5;
  seen.vector = vector_of_note(note);
  versions.push_back(std::move(seen));
}

void Model::change(const Id& id, double importance) {
  contents_.at(id).back().importance = importance;
}

void Model::forget_ended(const Id& id, std::int64_t moment) {
  std::vector<Seen>& versions = contents_.at(id);
  while (versions.size() > 1 && versions.front().valid_until <= moment) versions.erase(versions.begin());
}

storage::OpenOptions options_of(storage::Sync sync) {
  storage::OpenOptions options;
  options.dimension = kDimension;
  options.embedder = "test";
  options.tokenizer = "estimate";
  options.sync = sync;
  return options;
}

std::unique_ptr<Store> open_store(const std::string& path, const storage::OpenOptions& options) {
  return Store::open(os::open_directory(path, os::Create::kIfMissing), options);
}

}  // namespace hippocore::testing
