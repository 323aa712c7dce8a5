// What Python sees: the verbs of a memory store over plain data.
//
// Each reading verb takes one snapshot and answers from it alone. Threads, processes and errors are as in
// storage/store.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "memory/columns.h"
#include "memory/filter.h"
#include "memory/lexical.h"
#include "memory/rows.h"
#include "memory/scan_columns.h"
#include "memory/slot_masks.h"
#include "memory/verify.h"
#include "os/workers.h"
#include "ranking/recall.h"
#include "storage/store.h"

namespace hippocore::memory {

// A version to write, owning what it says; vector, code and norm are made by `write`.
struct NewVersion {
  Id id;
  std::string scope;
  std::string kind;
  std::string source;
  std::int64_t created_at = 0;
  std::int64_t valid_from = 0;
  std::int64_t event_time = format::kUnset;
  std::uint64_t text_key = 0;
  std::uint64_t merge_key = 0;
  std::uint32_t tokens = 0;
  std::uint32_t version = 1;
  format::State state;
  std::string content;
  std::string extra;
  std::vector<std::string> facets;
  std::string terms;  // in any order and repeated: format::add_up_terms
};

struct KindHalfLives {
  std::vector<std::pair<std::string, double>> named;  // seconds
  double other = 0;                                   // of kinds not named
};

enum class Mode { kDense, kLexical, kHybrid };

// How a hybrid recall brings similarity and words together.
struct FusionSettings {
  double lexical_weight = 0.5;          // 0..1, of the sum of both
  std::optional<double> rank_constant;  // > 0: by the ranks that both give instead (memory/rank_fusion.h)
};

// Slots that an approximate search proposes, of one generation; those from `from` on it does not know yet.
struct Candidates {
  std::uint64_t generation = 0;
  std::uint32_t from = 0;
  std::span<const std::uint32_t> slots;
};

struct RecallRequest {
  std::span<const float> vector;  // empty: no query
  Mode mode = Mode::kDense;
  LexicalQuery lexical = {};  // for the other modes
  Filter filter;
  ranking::Weights weights;  // half_lives is filled from the next field
  KindHalfLives half_lives;
  RecencyOf recency_of = RecencyOf::kLastUsed;
  FusionSettings fusion = {};
  std::size_t limit = 20;
  double min_relevance = -std::numeric_limits<double>::infinity();
};

struct RecallAnswer {
  std::vector<Row> rows;
  std::vector<ranking::Hit> hits;
  ranking::RecallCounts counts;
  // Of a hybrid recall: 0..1, how surely what is asked for is stored at all (ranking/association.h); 0 when nobody is
  // eligible. It does not depend on min_relevance.
  std::optional<double> confidence;
};

// Who takes part, for an approximate search: bit i of word w is slot 64 w + i.
struct EligibleSlots {
  std::uint64_t generation = 0;
  std::uint32_t slots = 0;     // that the store has, forgotten ones included
  std::uint32_t eligible = 0;  // of them
  std::vector<std::uint64_t> words;
};

// The vectors of the slots from one on, as they were given; unchecked, since they only lead a search.
struct SlotVectors {
  std::uint64_t generation = 0;
  std::uint32_t dimension = 0;
  std::vector<float> vectors;
  std::vector<std::uint8_t> forgotten;  // 1 or 0, one a slot
};

struct DuplicateQuery {
  std::string scope;
  std::string kind;
  std::uint64_t text_key = 0;
  std::uint64_t merge_key = 0;
  std::span<const float> vector;
  double threshold = 1;
  format::Trust trust = format::Trust::kTrusted;
  std::int64_t now = 0;
};

struct Page {
  bool newest_first = true;  // by creation, then id; false: the other way round
  std::optional<Id> after;
  std::optional<std::size_t> limit;
};

struct Statistics {
  std::uint64_t memories = 0;  // newest versions that are not forgotten or superseded
  std::uint64_t versions = 0;  // not forgotten
  std::uint64_t forgotten = 0;
  std::uint64_t scopes = 0;  // with any memory
  std::uint64_t slots = 0;
  std::uint64_t generation = 0;
  std::uint64_t epoch = 0;
  std::uint64_t sequence = 0;
  std::uint64_t log_bytes = 0;
  std::uint64_t disk_bytes = 0;
  std::uint64_t background_failures = 0;
};

class Memory {
 public:
  // `threads`: how many may work on one recall, its caller's included; the others are this object's own (os/workers.h),
  // and help where there are so many bytes to read.
  // Requires: threads > 0.
  explicit Memory(std::unique_ptr<storage::Store> store, std::size_t threads = 1,
                  std::size_t split_from_bytes = ranking::Splitting{}.from_bytes)
      : store_(std::move(store)), workers_(threads), splitting_{&workers_, split_from_bytes} {}

  // One entry: all or nothing. `vectors` holds versions.size() rows.
  // Throws: kInvalidVector naming the position, kDimensionMismatch, kInvalidArgument.
  void write(std::span<const NewVersion> versions, std::span<const float> vectors,
             std::span<const format::ChangeState> changes, std::span<const Id> forgets,
             std::span<const format::ForgetEnded> ended = {});
  // Returns: the newest live memory of the scope, kind and trust with the same merge key that also has the same text
  // key or a cosine of at least the threshold.
  [[nodiscard]] std::optional<Id> find_duplicate(const DuplicateQuery& query);

  [[nodiscard]] bool contains(const Id& id);
  // The newest version of each. Throws: kMemoryNotFound naming the first that is missing.
  [[nodiscard]] std::vector<Row> get(std::span<const Id> ids);
  [[nodiscard]] std::vector<float> get_vectors(std::span<const Id> ids);
  // What is kept beside the newest version of each; nothing where there is none. Checks payloads, but no vector.
  [[nodiscard]] std::vector<std::optional<std::string>> extras(std::span<const Id> ids);
  [[nodiscard]] std::vector<Row> history(const Id& id);
  [[nodiscard]] std::vector<Row> select(const Filter& filter, const Page& page);
  [[nodiscard]] std::vector<Id> select_ids(const Filter& filter);
  // What passes, as columns (memory/columns.h).
  [[nodiscard]] Columns columns(const Filter& filter);
  [[nodiscard]] std::size_t count(const Filter& filter);
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> scopes(std::int64_t now);
  // Up to `limit` versions that are not forgotten, from a slot on, in the order written; `next` is the slot to go on
  // from, 0 at the end. Vectors too when asked for.
  struct Versions {
    std::vector<Row> rows;
    std::vector<float> vectors;
    std::uint32_t next = 0;
  };
  [[nodiscard]] Versions versions(std::uint32_t first_slot, std::size_t limit, bool with_vectors);
  // In hybrid mode of two stages: memories lend each other (ranking/association.h), and the answer is the true top of
  // what the best kPool of the first stage and their neighbours have then, and all others by themselves.
  [[nodiscard]] RecallAnswer recall(const RecallRequest& request);
  // Returns: for each vector what `recall` returns for the request with it, all from one snapshot. The request's own
  // vector is not looked at.
  [[nodiscard]] std::vector<RecallAnswer> recall_many(const RecallRequest& request,
                                                      std::span<const std::span<const float>> vectors,
                                                      std::span<const LexicalQuery> lexical = {});
  // As `recall`, but of what is eligible only candidates are ranked. Everything is where they are of another
  // generation, fewer than `limit` of them are returned, or words are asked for, which no graph knows.
  [[nodiscard]] RecallAnswer recall(const RecallRequest& request, const Candidates& candidates);
  // Returns: the newest event time among the eligible, nothing when none has one.
  [[nodiscard]] std::optional<std::int64_t> newest_event(const Filter& filter);
  [[nodiscard]] EligibleSlots eligible(const Filter& filter);
  // At most `limit` slots, fewer at the end.
  [[nodiscard]] SlotVectors slot_vectors(std::uint32_t first_slot, std::size_t limit);

  void reembed(const std::string& embedder, std::uint32_t dimension, std::span<const float> vectors);
  [[nodiscard]] Verification verify(const std::function<void(std::uint64_t, std::uint64_t)>& progress);
  [[nodiscard]] Statistics statistics();
  [[nodiscard]] std::shared_ptr<const format::Header> identity() { return store_->snapshot()->header; }
  [[nodiscard]] storage::Store& store() noexcept { return *store_; }
  // As Store::close, and ends the threads; a recall that is under way goes on alone.
  void close();

 private:
  [[nodiscard]] std::vector<RecallAnswer> answers(const storage::Root& root, const SlotMasks& eligible,
                                                  const RecallRequest& request,
                                                  std::span<const std::span<const float>> vectors,
                                                  std::span<const LexicalQuery> lexical) const;

  std::unique_ptr<storage::Store> store_;
  os::Workers workers_;
  ranking::Splitting splitting_;
};

}  // namespace hippocore::memory
