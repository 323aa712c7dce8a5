// The log of a store with every kind of operation, cut at every byte and with every bit flipped, as whoever opens the
// store finds it.
#include <algorithm>
#include <set>
#include <vector>

#include "crash_script.h"
#include "harness.h"

namespace hippocore::storage {
namespace {

using testing::Contents;
using testing::CrashScript;
using testing::FaultyDisk;
using testing::id_of;

// `ends[k]` is where the log ends whose entries make `states[k]`.
struct WrittenStore {
  WrittenStore() {
    script.open();
    step([&] { script.write(testing::notes_from(1, 2)); });
    step([&] { script.change(2, 0.9); });
    step([&] { script.write({{id_of(1), "note 1 again", 2, "scope 0", "fact", "", {}, 200}}); });
    script.touch(1);
    ends.push_back(0);  // written with the next one
    step([&] { script.forget(2); });
    step([&] { script.forget_ended(1, 200); });
    step([&] { script.write(testing::notes_from(3, 1)); });
    script.close();
    bytes = script.disk->bytes("log-1");
    ends[4] = place_after_entry(4);
  }
  void step(const std::function<void()>& act) {
    act();
    ends.push_back(root()->position.offset);
  }
  [[nodiscard]] std::shared_ptr<const Root> root() const {
    return testing::open_quietly(*script.disk, Sync::kOff, false)->snapshot();
  }
  [[nodiscard]] std::uint64_t place_after_entry(std::size_t count) const {
    LogPosition position = log_start(*root()->header);
    while (count-- > 0) position = read_entry(bytes, position).value().next;
    return position.offset;
  }

  CrashScript script{Sync::kFull};
  std::vector<std::uint64_t> ends = {format::kLogStart};
  std::vector<std::byte> bytes;
};

Contents found_with(FaultyDisk& disk, std::span<const std::byte> log) {
  disk.replace("log-1", log);
  return testing::contents_of(*testing::open_quietly(disk, Sync::kOff, false));
}

}  // namespace

TEST(storage_log_cut_in_these_tests_has_every_kind_of_operation) {
  const WrittenStore written;
  std::set<std::size_t> kinds;
  LogPosition position = log_start(*written.root()->header);
  while (const auto entry = read_entry(written.bytes, position)) {
    format::OperationReader operations(entry->body, testing::kDimension);
    while (const auto operation = operations.next()) kinds.insert(operation->index());
    position = entry->next;
  }
  CHECK_EQUAL(kinds.size(), std::variant_size_v<format::Operation>);
  CHECK(std::is_sorted(written.ends.begin(), written.ends.end()));
  CHECK_EQUAL(written.ends.size(), written.script.states.size());
  CHECK_EQUAL(written.ends.back(), position.offset);
}

TEST(storage_log_cut_at_any_byte_is_a_store_after_a_whole_number_of_operations) {
  const WrittenStore written;
  const auto disk = written.script.disk->crashed(testing::Loss::kNothing, 1);
  for (std::size_t length = 0; length <= written.ends.back(); ++length) {
    const auto cut = std::span(written.bytes).first(length);
    if (length < format::kLogStart) {
      CHECK_THROWS(ErrorCode::kCorruptStore, found_with(*disk, cut));
      continue;
    }
    const auto behind = std::upper_bound(written.ends.begin(), written.ends.end(), length);
    CHECK(found_with(*disk, cut) == written.script.states[static_cast<std::size_t>(behind - written.ends.begin() - 1)]);
  }
}

TEST(storage_log_cut_with_any_flipped_bit_is_a_prefix_of_the_operations_or_refused) {
  const WrittenStore written;
  const auto disk = written.script.disk->crashed(testing::Loss::kNothing, 1);
  auto log =
      std::vector(written.bytes.begin(), written.bytes.begin() + static_cast<std::ptrdiff_t>(written.ends.back()));
  const auto& states = written.script.states;
  for (std::size_t at = 0; at < log.size(); ++at) {
    if (at >= 600 && at < format::kLogStart) continue;  // zeros that mean nothing
    for (int bit = 0; bit < 8; ++bit) {
      log[at] ^= static_cast<std::byte>(1 << bit);
      try {
        CHECK(std::find(states.begin(), states.end(), found_with(*disk, log)) != states.end());
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kCorruptStore);
      }
      log[at] ^= static_cast<std::byte>(1 << bit);
    }
  }
}

}  // namespace hippocore::storage
