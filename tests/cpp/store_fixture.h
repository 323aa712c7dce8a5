// What tests of a store need: memories to write, and what a store holds as plain values that compare.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "os/native_file.h"
#include "storage/store.h"

namespace hippocore::testing {

inline constexpr std::uint32_t kDimension = 8;

[[nodiscard]] Id id_of(std::uint32_t number);
// Returns: a vector that no other number has.
[[nodiscard]] std::vector<float> vector_of(std::uint32_t number, std::size_t dimension = kDimension);

// One version of a memory as a caller gives it.
struct Note {
  Id id;
  std::string content;
  std::uint32_t version = 1;
  std::string scope = "default";
  std::string kind = "episode";
  std::string source = {};
  std::vector<std::string> facets = {};
  std::int64_t time = 1000;
  std::uint64_t merge_key = 7;
  std::vector<float> vector = {};  // empty: vector_of the content's length and first byte
  std::string extra = "extra";
  std::string terms = "terms";
};

// Appends the operation that writes it.
void encode(const Note& note, std::vector<std::byte>& body);
void write(storage::Store& store, const Note& note);
void write(storage::Store& store, std::span<const Note> notes);
void change(storage::Store& store, const Id& id, double importance);
void forget(storage::Store& store, const Id& id);
void forget_ended(storage::Store& store, const Id& id, std::int64_t moment);

// A version as a reader sees it.
struct Seen {
  std::string content;
  std::string scope;
  std::string kind;
  std::string source;
  std::vector<std::string> facets;
  std::uint32_t version = 0;
  std::int64_t valid_from = 0;
  std::int64_t valid_until = 0;
  bool superseded = false;
  double importance = 0;
  std::uint32_t uses = 0;
  std::vector<float> vector;
  bool operator==(const Seen&) const = default;
};
// Every version that is not forgotten, by id, oldest first.
using Contents = std::map<Id, std::vector<Seen>>;

[[nodiscard]] Seen see(const storage::Root& root, std::uint32_t slot);
// Goes by the slots, and checks that the index finds the same by id. Throws: as reading does.
[[nodiscard]] Contents contents_of(const storage::Root& root);
[[nodiscard]] Contents contents_of(storage::Store& store);

// What a store must hold after the same calls, kept in the plainest way.
class Model {
 public:
  void write(const Note& note);
  void change(const Id& id, double importance);
  void touch(const Id& id) { ++contents_.at(id).back().uses; }
  void forget(const Id& id) { contents_.erase(id); }
  void forget_ended(const Id& id, std::int64_t moment);
  [[nodiscard]] const Contents& contents() const noexcept { return contents_; }

 private:
  Contents contents_;
};

[[nodiscard]] storage::OpenOptions options_of(storage::Sync sync = storage::Sync::kOff);
[[nodiscard]] std::unique_ptr<storage::Store> open_store(const std::string& path,
                                                         const storage::OpenOptions& options = options_of());

}  // namespace hippocore::testing
