// The one thread of a store's handle: calls a task about a second after it was asked to, and sleeps otherwise.
//
// Started by the first `ask`, so that reading handles have none. The task must not throw.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace hippocore::storage {

class Background {
 public:
  Background(std::chrono::milliseconds delay, std::function<void()> task) : delay_(delay), task_(std::move(task)) {}
  ~Background() { stop(); }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // Any thread. At once: without the delay.
  void ask(bool at_once = false);
  // Waits for a running task and ends the thread. Idempotent.
  void stop();
  // In a forked child the thread does not exist: lets go of it without waiting.
  void abandon();

 private:
  void run();

  std::chrono::milliseconds delay_;
  std::function<void()> task_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
  bool asked_ = false;
  bool at_once_ = false;
  bool stopping_ = false;
};

}  // namespace hippocore::storage
