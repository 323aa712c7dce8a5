// Recalls that a store's own threads help with: the answers of one thread, whatever else happens to the store.
#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

#include "child_process.h"
#include "faulty_directory.h"
#include "harness.h"
#include "memory_fixture.h"

namespace hippocore::memory {
namespace {

constexpr std::uint32_t kMemories = 2'300;  // three chunks

// Every recall is split, however little there is to read.
std::unique_ptr<Memory> open(const std::string& path, std::size_t threads) {
  return std::make_unique<Memory>(testing::open_store(path, testing::options_of()), threads, 0);
}

// Memories of three scopes and two kinds; every fifth is a twin of another.
void fill(Memory& memory) {
  std::vector<NewVersion> versions;
  std::vector<float> vectors;
  for (std::uint32_t number = 0; number < kMemories; ++number) {
    NewVersion version = testing::version_of(number, "scope" + std::to_string(number % 3));
    if (number % 2 == 1) version.kind = "fact";
    version.created_at = version.valid_from = version.state.last_used = 1'000'000 * (number % 97);
    version.state.importance = (number % 11) / 10.0;
    versions.push_back(std::move(version));
    const std::vector<float> vector = testing::vector_of(number % 5 == 0 ? 7 : number);
    vectors.insert(vectors.end(), vector.begin(), vector.end());
  }
  memory.write(versions, vectors, {}, {});
}

RecallRequest request_for(std::span<const float> vector) {
  RecallRequest request;
  request.vector = vector;
  request.filter.now = 2'000'000'000;
  request.half_lives.other = 1'000;
  return request;
}

RecallRequest random_request(std::span<const float> vector, std::mt19937& random) {
  RecallRequest request = request_for(vector);
  if (random() % 2 == 0) request.filter.scopes = {"scope1"};
  if (random() % 3 == 0) request.filter.kinds = {"fact"};
  if (random() % 3 == 0) request.filter.until = 50'000'000;
  if (random() % 4 == 0) request.filter.as_of = 60'000'000;
  if (random() % 4 == 0) request.min_relevance = 0.4;
  request.limit = std::array{0, 1, 20, 500, 5'000}[random() % 5];
  return request;
}

}  // namespace

TEST(memory_threads_give_the_answers_of_one) {
  const testing::TemporaryDirectory place;
  const auto alone = open(place / "store", 1);
  fill(*alone);
  std::mt19937 random(5);
  for (const std::size_t threads : {2U, 3U, 4U}) {
    const auto helped = open(place / "store", threads);
    for (int round = 0; round < 40; ++round) {
      const std::vector<float> vector = testing::vector_of(static_cast<std::uint32_t>(random() % 40));
      const RecallRequest request = random_request(random() % 8 == 0 ? std::span<const float>() : vector, random);
      const RecallAnswer expected = alone->recall(request);
      const RecallAnswer answer = helped->recall(request);
      CHECK(answer.hits == expected.hits);
      CHECK(testing::ids_of(answer.rows) == testing::ids_of(expected.rows));
      CHECK_EQUAL(answer.counts.eligible, expected.counts.eligible);
    }
  }
}

TEST(memory_threads_answer_many_queries_as_each_alone) {
  const testing::TemporaryDirectory place;
  const auto alone = open(place / "store", 1);
  fill(*alone);
  const auto helped = open(place / "store", 3);
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    RecallRequest request = random_request({}, random);
    std::vector<std::vector<float>> vectors;
    for (auto left = random() % 20; left > 0; --left) {
      vectors.push_back(testing::vector_of(static_cast<std::uint32_t>(random() % 40)));
    }
    const std::vector<std::span<const float>> views(vectors.begin(), vectors.end());
    for (Memory* memory : {alone.get(), helped.get()}) {
      const std::vector<RecallAnswer> answers = memory->recall_many(request, views);
      CHECK_EQUAL(answers.size(), vectors.size());
      for (std::size_t i = 0; i < vectors.size(); ++i) {
        request.vector = vectors[i];
        const RecallAnswer expected = alone->recall(request);
        CHECK(answers[i].hits == expected.hits);
        CHECK(testing::ids_of(answers[i].rows) == testing::ids_of(expected.rows));
      }
    }
  }
  const std::vector<float> wrong(testing::kDimension + 1);
  const std::vector<std::span<const float>> views{wrong};
  CHECK_THROWS(ErrorCode::kDimensionMismatch, alone->recall_many(request_for({}), views));
}

TEST(memory_threads_help_many_recalls_at_once) {
  const testing::TemporaryDirectory place;
  const auto memory = open(place / "store", 3);
  fill(*memory);
  const std::vector<float> vector = testing::vector_of(9);
  const RecallAnswer expected = memory->recall(request_for(vector));
  std::atomic<int> right = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        if (memory->recall(request_for(vector)).hits == expected.hits) ++right;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK_EQUAL(right.load(), 40);
}

TEST(memory_threads_end_with_the_store_while_recalls_are_under_way) {
  for (int round = 0; round < 5; ++round) {
    const testing::TemporaryDirectory place;
    const auto memory = open(place / "store", 3);
    fill(*memory);
    const std::vector<float> vector = testing::vector_of(9);
    const RecallAnswer expected = memory->recall(request_for(vector));
    std::atomic<int> begun = 0;
    std::atomic<int> wrong = 0;
    const auto recall_until_closed = [&] {
      try {
        while (true) {
          ++begun;
          if (memory->recall(request_for(vector)).hits != expected.hits) ++wrong;
        }
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kStoreClosed) ++wrong;
      }
    };
    std::thread one(recall_until_closed);
    std::thread other(recall_until_closed);
    while (begun < 4 + round) std::this_thread::yield();
    memory->close();
    memory->close();
    one.join();
    other.join();
    CHECK_EQUAL(wrong.load(), 0);
  }
}

TEST(memory_threads_stay_with_the_parent_of_a_forked_child) {
  const testing::TemporaryDirectory place;
  auto memory = open(place / "store", 3);
  fill(*memory);
  const std::vector<float> vector = testing::vector_of(9);
  const RecallAnswer expected = memory->recall(request_for(vector));
  testing::ChildProcess child([&] {
    CHECK_THROWS(ErrorCode::kForkedHandle, memory->recall(request_for(vector)));
    CHECK_THROWS(ErrorCode::kForkedHandle, memory->close());
    memory.reset();
    // Alone: a thread sanitizer allows no threads here.
    return open(place / "store", 1)->recall(request_for(vector)).hits == expected.hits ? 0 : 1;
  });
  CHECK_EQUAL(child.exit_code(), 0);
  CHECK(memory->recall(request_for(vector)).hits == expected.hits);
}

TEST(memory_threads_tell_of_damage) {
  const auto disk = std::make_shared<testing::FaultyDisk>();
  const auto open_disk = [&](std::size_t threads) {
    return Memory(storage::Store::open(disk->open(), testing::options_of()), threads, 0);
  };
  {
    Memory memory = open_disk(1);
    fill(memory);
    memory.store().checkpoint();
  }
  const auto names = disk->names();
  const auto name = std::ranges::find_if(names, [](const std::string& each) { return each.starts_with("state"); });
  std::vector<std::byte> bytes = disk->bytes(*name);
  bytes[bytes.size() / 2] ^= std::byte{1};  // in the block of the second of three chunks
  disk->replace(*name, bytes);
  const std::vector<float> vector = testing::vector_of(9);
  for (const std::size_t threads : {1U, 3U, 3U, 3U}) {
    Memory memory = open_disk(threads);
    CHECK_THROWS(ErrorCode::kCorruptStore, memory.recall(request_for(vector)));
  }
}

}  // namespace hippocore::memory
