#include <pthread.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "child_process.h"
#include "harness.h"
#include "os/workers.h"
#include "sleeping_threads.h"

namespace hippocore::os {
namespace {

// Calls that wait for each other: none returns before so many are inside at once.
class Meeting {
 public:
  explicit Meeting(int wanted) : wanted_(wanted) {}
  void come() {
    ++inside_;
    while (inside_ < wanted_) std::this_thread::yield();
  }

 private:
  std::atomic<int> inside_ = 0;
  int wanted_;
};

std::string what_share_throws(Workers& workers, const std::function<void()>& work) {
  try {
    workers.share(1, work);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST(os_workers_work_at_once_with_their_caller) {
  Workers workers(3);
  for (int round = 0; round < 3; ++round) {
    Meeting meeting(3);
    workers.share(2, [&] { meeting.come(); });
  }
}

TEST(os_workers_start_at_the_first_work_that_is_shared) {
  Workers workers(3);
  workers.share(0, [] {});
  CHECK_EQUAL(workers.started(), 0U);
  workers.share(2, [] {});
  workers.share(2, [] {});
  CHECK_EQUAL(workers.started(), 2U);
  workers.stop();
  CHECK_EQUAL(workers.started(), 0U);
}

TEST(os_workers_of_one_thread_are_its_caller_alone) {
  Workers workers(1);
  int calls = 0;
  workers.share(7, [&] { ++calls; });
  CHECK_EQUAL(calls, 1);
  CHECK_EQUAL(workers.started(), 0U);
}

TEST(os_workers_do_each_piece_once) {
  Workers workers(4);
  for (const std::size_t pieces : {0U, 1U, 3U, 1000U}) {
    std::vector<std::atomic<int>> done(pieces);
    for_each_piece(&workers, 3, pieces, [&](std::size_t piece) { ++done[piece]; });
    for (const auto& times : done) CHECK_EQUAL(times.load(), 1);
  }
  std::vector<std::size_t> alone;
  for_each_piece(nullptr, 3, 3, [&](std::size_t piece) { alone.push_back(piece); });
  CHECK(alone == (std::vector<std::size_t>{0, 1, 2}));
}

TEST(os_workers_that_are_busy_are_not_waited_for) {
  Workers workers(2);
  std::atomic<int> inside = 0;
  std::atomic<bool> release = false;
  std::thread holding([&] {
    workers.share(1, [&] {
      ++inside;
      while (!release) std::this_thread::yield();
    });
  });
  while (inside < 2) std::this_thread::yield();
  int calls = 0;
  workers.share(1, [&] { ++calls; });
  release = true;
  holding.join();
  CHECK_EQUAL(calls, 1);
}

TEST(os_workers_share_for_many_callers_at_once_and_within_shared_work) {
  Workers workers(3);
  std::atomic<int> pieces = 0;
  const auto inner = [&](std::size_t) { ++pieces; };
  const auto outer = [&](std::size_t) { for_each_piece(&workers, 2, 5, inner); };
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 20; ++round) for_each_piece(&workers, 2, 5, outer);
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK_EQUAL(pieces.load(), 4 * 20 * 5 * 5);
}

TEST(os_workers_tell_their_caller_what_was_thrown) {
  Workers workers(2);
  const auto caller = std::this_thread::get_id();
  for (int round = 0; round < 2; ++round) {
    Meeting all(2);
    CHECK_EQUAL(what_share_throws(workers,
                                  [&] {
                                    all.come();
                                    if (std::this_thread::get_id() != caller) throw std::runtime_error("another");
                                  }),
                "another");
    Meeting again(2);
    CHECK_EQUAL(what_share_throws(workers,
                                  [&] {
                                    again.come();
                                    throw std::runtime_error(std::this_thread::get_id() == caller ? "own" : "another");
                                  }),
                "own");
  }
}

TEST(os_workers_that_stop_end_their_calls_first_and_are_not_started_again) {
  Workers workers(2);
  const auto caller = std::this_thread::get_id();
  Meeting both(3);
  std::atomic<bool> helped = false;
  bool helped_before_stop_ended = false;
  std::thread stopping([&] {
    both.come();
    workers.stop();
    helped_before_stop_ended = helped;
  });
  workers.share(1, [&] {
    both.come();
    if (std::this_thread::get_id() == caller) return;
    for (int turn = 0; turn < 100; ++turn) std::this_thread::yield();
    helped = true;
  });
  stopping.join();
  CHECK(helped_before_stop_ended);
  int calls = 0;
  workers.share(1, [&] { ++calls; });
  workers.stop();
  CHECK_EQUAL(calls, 1);
  CHECK_EQUAL(workers.started(), 0U);
}

// A stack that no address space has room for: the system refuses the thread.
TEST(os_workers_do_without_threads_that_the_system_does_not_give) {
  pthread_attr_t usual;
  pthread_attr_t impossible;
  CHECK_EQUAL(::pthread_getattr_default_np(&usual), 0);
  CHECK_EQUAL(::pthread_getattr_default_np(&impossible), 0);
  CHECK_EQUAL(::pthread_attr_setstacksize(&impossible, std::size_t{1} << 50), 0);
  Workers workers(3);
  int calls = 0;
  CHECK_EQUAL(::pthread_setattr_default_np(&impossible), 0);
  workers.share(2, [&] { ++calls; });
  CHECK_EQUAL(::pthread_setattr_default_np(&usual), 0);
  CHECK_EQUAL(calls, 1);
  Meeting all(3);
  workers.share(2, [&] { all.come(); });
}

TEST(os_workers_are_not_there_in_a_forked_child) {
  auto workers = std::make_unique<Workers>(3);
  Meeting all(3);
  workers->share(2, [&] { all.come(); });
  testing::wait_until_others_sleep();
  testing::ChildProcess child([&] {
    int calls = 0;
    workers->share(2, [&] { ++calls; });
    workers->stop();
    workers.reset();
    return calls;
  });
  CHECK_EQUAL(child.exit_code(), 1);
  Meeting again(3);
  workers->share(2, [&] { again.come(); });
}

TEST(os_workers_in_the_middle_of_work_are_not_there_in_a_forked_child) {
  auto workers = std::make_unique<Workers>(2);
  const auto caller = std::this_thread::get_id();
  Meeting both(2);
  std::atomic<bool> forked = false;
  int code = -1;
  workers->share(1, [&] {
    both.come();
    if (std::this_thread::get_id() == caller) {
      testing::ChildProcess child([&] {
        workers.reset();
        return 7;
      });
      code = child.exit_code();
      forked = true;
    } else {
      while (!forked) std::this_thread::yield();
    }
  });
  CHECK_EQUAL(code, 7);
}

}  // namespace hippocore::os
