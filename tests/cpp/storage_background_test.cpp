#include <pthread.h>

#include <atomic>
#include <thread>

#include "child_process.h"
#include "harness.h"
#include "sleeping_threads.h"
#include "storage/background.h"

namespace hippocore::storage {

using namespace std::chrono_literals;

TEST(storage_background_runs_once_for_many_askers_after_the_delay) {
  std::atomic<int> runs = 0;
  Background background(30ms, [&] { ++runs; });
  const auto start = std::chrono::steady_clock::now();
  for (int asker = 0; asker < 100; ++asker) CHECK(background.ask());
  while (runs == 0) std::this_thread::yield();
  CHECK(std::chrono::steady_clock::now() - start >= 29ms);
  background.stop();
  CHECK_EQUAL(runs.load(), 1);
}

TEST(storage_background_runs_at_once_when_told_so) {
  std::atomic<int> runs = 0;
  Background background(1h, [&] { ++runs; });
  CHECK(background.ask());
  CHECK(background.ask(true));
  while (runs == 0) std::this_thread::yield();
}

TEST(storage_background_asked_while_it_works_runs_once_more) {
  std::atomic<int> entered = 0;
  std::atomic<bool> release = false;
  Background background(1h, [&] {
    ++entered;
    while (!release) std::this_thread::yield();
  });
  CHECK(background.ask(true));
  while (entered == 0) std::this_thread::yield();
  CHECK(background.ask(true));
  CHECK(background.ask(true));  // the same round
  release = true;
  while (entered < 2) std::this_thread::yield();
  background.stop();
  CHECK_EQUAL(entered.load(), 2);
}

// A stack that no address space has room for: the system refuses the thread.
TEST(storage_background_says_when_the_system_has_no_thread_to_give) {
  pthread_attr_t usual;
  pthread_attr_t impossible;
  CHECK_EQUAL(::pthread_getattr_default_np(&usual), 0);
  CHECK_EQUAL(::pthread_getattr_default_np(&impossible), 0);
  CHECK_EQUAL(::pthread_attr_setstacksize(&impossible, std::size_t{1} << 50), 0);
  Background background(1h, [] {});
  CHECK_EQUAL(::pthread_setattr_default_np(&impossible), 0);
  const bool runs = background.ask();
  CHECK_EQUAL(::pthread_setattr_default_np(&usual), 0);
  CHECK(!runs);
  CHECK(background.ask());
}

TEST(storage_background_stops_without_waiting_for_the_delay_and_stays_stopped) {
  std::atomic<int> runs = 0;
  Background background(1h, [&] { ++runs; });
  CHECK(background.ask());
  background.stop();
  background.stop();
  CHECK(!background.ask(true));
  CHECK_EQUAL(runs.load(), 0);
}

TEST(storage_background_waits_for_a_running_task) {
  std::atomic<bool> entered = false;
  std::atomic<bool> release = false;
  std::atomic<bool> done = false;
  Background background(1h, [&] {
    entered = true;
    while (!release) std::this_thread::yield();
    done = true;
  });
  CHECK(background.ask(true));
  while (!entered) std::this_thread::yield();
  std::thread releasing([&] { release = true; });
  background.stop();
  CHECK(done);
  releasing.join();
}

TEST(storage_background_abandoned_in_a_child_is_destroyed_without_waiting) {
  Background background(1h, [] {});
  CHECK(background.ask());
  testing::wait_until_others_sleep();
  testing::ChildProcess child([&] {
    background.abandon();
    background.~Background();
    return 0;
  });
  CHECK_EQUAL(child.exit_code(), 0);
}

}  // namespace hippocore::storage
