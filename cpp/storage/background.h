// The one thread of a store's handle: calls a task about a second after it was asked to, and sleeps otherwise.
//
// Started by the first `ask`, so that reading handles have none. The task must not throw.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace hippocore::storage {

class Background {
 public:
  Background(std::chrono::milliseconds delay, std::function<void()> task);
  ~Background() { stop(); }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // Any thread. At once: without the delay. Returns: false when the task will not run, because `stop` was called or the
  // system has no thread to give; the caller must then do the work or live without it.
  bool ask(bool at_once = false);
  // Waits for a running task and ends the thread. Idempotent. Requires: one thread at a time.
  void stop();
  // In a forked child the thread does not exist, but what it waited on says that it waits: all of it is let go of.
  void abandon() noexcept;

 private:
  struct Shared {
    std::chrono::milliseconds delay;
    std::function<void()> task;
    std::mutex mutex;
    std::condition_variable changed;
    std::thread thread;
    bool asked = false;
    bool at_once = false;
    bool stopping = false;

    bool start();
    void run();
  };
  std::unique_ptr<Shared> shared_;
};

}  // namespace hippocore::storage
