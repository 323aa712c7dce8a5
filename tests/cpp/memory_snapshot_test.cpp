// Recall beside everything else, in threads and in processes: each answer is of one state. Twins are written in one
// operation, with one vector: an answer has both, of the same version, or neither.
#include <atomic>
#include <functional>
#include <map>
#include <thread>

#include "child_process.h"
#include "harness.h"
#include "memory_fixture.h"

namespace hippocore::memory {
namespace {

using testing::id_of;

constexpr std::uint32_t kTwins = 12;
constexpr std::uint32_t kRounds = 60;

std::unique_ptr<Memory> open(const std::string& path) {
  return std::make_unique<Memory>(testing::open_store(path, testing::options_of(storage::Sync::kNormal)));
}

void write_twins(Memory& memory, std::uint32_t number, std::uint32_t which, std::size_t length) {
  NewVersion one = testing::version_of(number);
  one.version = which;
  one.content = std::string(length, static_cast<char>('a' + which % 26));
  NewVersion other = one;
  other.id.bytes[8] = 1;
  std::vector<float> vectors = testing::vector_of(number);
  vectors.insert(vectors.end(), vectors.begin(), vectors.begin() + testing::kDimension);
  memory.write(std::array{one, other}, vectors, {}, {});
}

// Returns: the newest version of any.
std::uint32_t check_one_state(Memory& memory, std::uint32_t near) {
  const std::vector<float> query = testing::vector_of(near);
  RecallRequest request;
  request.vector = query;
  request.filter.now = 2'000'000'000;
  request.half_lives.other = 1'000;
  request.limit = 10'000;
  std::map<Id, const Row*> found;
  const RecallAnswer answer = memory.recall(request);
  std::uint32_t newest = 0;
  for (const Row& row : answer.rows) {
    CHECK(found.emplace(row.id, &row).second);
    newest = std::max(newest, row.version);
  }
  for (const auto& [id, row] : found) {
    Id twin = id;
    twin.bytes[8] = static_cast<std::uint8_t>(1 - twin.bytes[8]);
    CHECK(found.contains(twin) && found.at(twin)->content == row->content);
  }
  CHECK(found.size() >= 2 * kTwins);
  return newest;
}

using Work = std::function<void(Memory&, std::uint32_t round)>;

// Everything that can go on beside a recall.
std::vector<Work> all_works() {
  return {[](Memory& memory, std::uint32_t round) { write_twins(memory, round % kTwins, 2 + round / kTwins, 20); },
          [](Memory& memory, std::uint32_t round) { write_twins(memory, 1'000 + round, 1, 5'000); },  // the log grows
          [](Memory& memory, std::uint32_t round) {
            if (round % 6 == 0) memory.store().checkpoint();
          },
          [](Memory& memory, std::uint32_t round) {
            if (round % 10 == 0) memory.store().compact();
          }};
}

void make_twins(const std::string& path) {
  const auto memory = open(path);
  for (std::uint32_t number = 0; number < kTwins; ++number) write_twins(*memory, number, 1, 10);
}

void check_end(Memory& memory) {
  CHECK_EQUAL(check_one_state(memory, 3), 1 + kRounds / kTwins);
  CHECK_EQUAL(memory.count({}), std::size_t{2 * (kTwins + kRounds)});
}

}  // namespace

TEST(memory_snapshot_of_a_recall_is_one_state_beside_threads_that_write_grow_checkpoint_and_compact) {
  const testing::TemporaryDirectory place;
  make_twins(place / "a");
  const auto first = open(place / "a");
  const auto second = open(place / "a");
  std::atomic<int> working = 0;
  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  for (const Work& work : all_works()) {
    Memory& memory = working++ % 2 == 0 ? *first : *second;
    threads.emplace_back([&, work] {
      try {
        for (std::uint32_t round = 0; round < kRounds; ++round) work(memory, round);
      } catch (const std::exception&) {
        ++failed;
      }
      --working;
    });
  }
  std::exception_ptr failure;
  try {
    for (std::uint32_t turn = 0; working > 0; ++turn) check_one_state(turn % 2 == 0 ? *first : *second, turn % kTwins);
  } catch (...) {
    failure = std::current_exception();
  }
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  CHECK_EQUAL(failed.load(), 0);
  check_end(*first);
}

TEST(memory_snapshot_of_a_recall_is_one_state_beside_processes_that_write_grow_checkpoint_and_compact) {
  const testing::TemporaryDirectory place;
  make_twins(place / "a");
  const auto memory = open(place / "a");
  std::vector<std::unique_ptr<testing::ChildProcess>> children;
  for (const Work& work : all_works()) {
    children.push_back(std::make_unique<testing::ChildProcess>([&] {
      const auto own = open(place / "a");
      for (std::uint32_t round = 0; round < kRounds; ++round) {
        work(*own, round);
        check_one_state(*own, round % kTwins);
      }
      own->store().close();
      return 0;
    }));
  }
  while (check_one_state(*memory, 1) < 1 + kRounds / kTwins) {
  }
  for (auto& child : children) CHECK_EQUAL(child->exit_code(), 0);
  check_end(*memory);
}

}  // namespace hippocore::memory
