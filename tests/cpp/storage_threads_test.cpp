// Many at once, on one handle and on several: what the thread sanitizer must find nothing in.
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "child_process.h"
#include "harness.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::storage {
namespace {

using testing::id_of;
using testing::Note;
using testing::open_store;

// Collects the first failure of threads, which cannot check by themselves.
class Threads {
 public:
  ~Threads() { join(); }
  Threads() = default;
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  void run(std::function<void()> body) {
    threads_.emplace_back([this, body = std::move(body)] {
      try {
        body();
      } catch (const std::exception& error) {
        const std::lock_guard lock(mutex_);
        if (failure_.empty()) failure_ = error.what();
      }
    });
  }
  std::string join() {
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
    return failure_;
  }

 private:
  std::mutex mutex_;
  std::string failure_;
  std::vector<std::thread> threads_;
};

// Pairs are written in one operation: a reader sees both or neither, always with the same text.
void check_pairs(const Root& root) {
  const auto contents = testing::contents_of(root);
  for (const auto& [id, versions] : contents) {
    Id twin = id;
    twin.bytes[8] = static_cast<std::uint8_t>(1 - twin.bytes[8]);
    const auto found = contents.find(twin);
    CHECK(found != contents.end());
    CHECK(found->second.back().content == versions.back().content);
  }
}

void write_pair(Store& store, std::uint32_t number, std::uint32_t version) {
  Note first{id_of(number), "version " + std::to_string(version) + " of " + std::to_string(number), version};
  Note second = first;
  second.id.bytes[8] = 1;
  const std::array pair{first, second};
  testing::write(store, pair);
}

}  // namespace

// Row 37 of the field cases.
TEST(storage_threads_write_while_others_read_and_all_is_found) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a", testing::options_of(Sync::kNormal));
  std::atomic<int> writing = 10;
  Threads threads;
  for (std::uint32_t thread = 0; thread < 10; ++thread) {
    threads.run([&, thread] {
      for (std::uint32_t number = 0; number < 100; ++number) write_pair(*store, thread * 100 + number, 1);
      --writing;
    });
  }
  for (int reader = 0; reader < 2; ++reader) {
    threads.run([&] {
      while (writing > 0) check_pairs(*store->snapshot());
    });
  }
  CHECK_EQUAL(threads.join(), "");
  CHECK_EQUAL(testing::contents_of(*store).size(), 2'000U);
}

// Row 36 of the field cases, with everything at once.
TEST(storage_threads_read_whole_operations_while_the_store_is_written_checkpointed_and_compacted) {
  const testing::TemporaryDirectory place;
  const auto first = open_store(place / "a", testing::options_of(Sync::kNormal));
  const auto second = open_store(place / "a", testing::options_of(Sync::kFull));
  for (std::uint32_t number = 0; number < 20; ++number) write_pair(*first, number, 1);
  std::atomic<int> working = 4;
  Threads threads;
  const auto work = [&](std::function<void(std::uint32_t)> step, std::uint32_t rounds) {
    threads.run([&, step = std::move(step), rounds] {
      for (std::uint32_t round = 0; round < rounds; ++round) step(round);
      --working;
    });
  };
  work([&](std::uint32_t round) { write_pair(*first, round % 20, 2 + round); }, 150);
  work([&](std::uint32_t round) { write_pair(*second, 100 + round, 1); }, 60);
  work([&](std::uint32_t) { first->checkpoint(); }, 12);
  work([&](std::uint32_t) { second->compact(); }, 8);
  for (Store* store : {first.get(), second.get()}) {
    threads.run([&, store] {
      while (working > 0) {
        check_pairs(*store->snapshot());
        store->touch(std::array{id_of(3)}, 5'000);
      }
    });
  }
  CHECK_EQUAL(threads.join(), "");
  CHECK_EQUAL(testing::contents_of(*first).size(), 160U);
  CHECK(testing::contents_of(*first) == testing::contents_of(*second));
}

// Row 40 of the field cases.
TEST(storage_threads_that_use_a_store_while_it_closes_get_a_result_or_closed) {
  for (int round = 0; round < 20; ++round) {
    const testing::TemporaryDirectory place;
    const auto store = open_store(place / "a", testing::options_of(Sync::kFull));
    write_pair(*store, 0, 1);
    std::atomic<std::uint32_t> acknowledged = 0;
    std::atomic<bool> started = false;
    Threads threads;
    const auto until_closed = [&](std::function<void(std::uint32_t)> step) {
      threads.run([&, step = std::move(step)] {
        try {
          for (std::uint32_t turn = 1;; ++turn) {
            step(turn);
            started = true;
          }
        } catch (const Error& error) {
          if (error.code() != ErrorCode::kStoreClosed) throw;
        }
      });
    };
    until_closed([&](std::uint32_t) { check_pairs(*store->snapshot()); });
    until_closed([&](std::uint32_t turn) {
      write_pair(*store, turn, 1);
      acknowledged = turn;
    });
    until_closed([&](std::uint32_t) { store->touch(std::array{id_of(0)}, 5'000); });
    until_closed([&](std::uint32_t) { store->checkpoint(); });
    while (!started) std::this_thread::yield();
    threads.run([&] { store->close(); });
    store->close();
    CHECK_EQUAL(threads.join(), "");
    CHECK(testing::contents_of(*open_store(place / "a")).size() >= 2 * acknowledged);
  }
}

// Row 35 of the field cases, in small.
TEST(storage_processes_write_into_one_store_and_none_is_lost) {
  const testing::TemporaryDirectory place;
  const auto store = open_store(place / "a");
  const auto write_some = [&](std::uint32_t process) {
    OpenOptions options = testing::options_of(Sync::kNormal);
    options.checkpoint_bytes = 50'000;
    const auto own = open_store(place / "a", options);
    for (std::uint32_t number = 0; number < 150; ++number) {
      write_pair(*own, process * 1'000 + number, 1);
      check_pairs(*own->snapshot());
    }
    own->close();
    return 0;
  };
  std::vector<std::unique_ptr<testing::ChildProcess>> children;
  for (std::uint32_t process = 0; process < 4; ++process) {
    children.push_back(std::make_unique<testing::ChildProcess>([&, process] { return write_some(process); }));
  }
  for (std::size_t seen = 0; seen < 1'200; seen = testing::contents_of(*store).size()) check_pairs(*store->snapshot());
  for (auto& child : children) CHECK_EQUAL(child->exit_code(), 0);
  CHECK_EQUAL(testing::contents_of(*store).size(), 1'200U);
}

}  // namespace hippocore::storage
