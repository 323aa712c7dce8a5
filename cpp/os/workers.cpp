#include "os/workers.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace hippocore::os {

namespace {

// One call of `share`, on its caller's stack until all calls of its work are over.
struct Job {
  const std::function<void()>& work;
  std::size_t wanted;       // threads that may still join
  std::size_t running = 0;  // threads that joined and are not done
  std::exception_ptr error{};
  std::condition_variable done{};
};

std::exception_ptr error_of(const std::function<void()>& work) {
  try {
    work();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

struct Workers::Shared {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job*> jobs;  // those that still want threads, oldest first
  std::vector<std::thread> threads;
  bool stopping = false;

  // Returns: whether there are threads to help. Requires: the mutex is held.
  bool start(std::size_t count) {
    if (stopping) return false;
    try {
      while (threads.size() < count) threads.emplace_back([this] { run(); });
    } catch (const std::system_error&) {
      // The system has no more threads to give: those there are help.
    }
    return !threads.empty();
  }

  void run() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return stopping || !jobs.empty(); });
      if (stopping) return;
      Job& job = *jobs.front();
      if (--job.wanted == 0) jobs.pop_front();
      ++job.running;
      lock.unlock();
      const std::exception_ptr error = error_of(job.work);
      lock.lock();
      if (error != nullptr) job.error = error;
      // Still under the mutex: its caller destroys the job as soon as it has it.
      if (--job.running == 0) job.done.notify_one();
    }
  }
};

Workers::Workers(std::size_t threads) : threads_(threads), process_(getpid()), shared_(std::make_unique<Shared>()) {}

Workers::~Workers() {
  // Destroying a condition variable that a thread waits on would wait for that thread, which a child does not have.
  if (in_forked_child()) {
    static_cast<void>(shared_.release());
  } else {
    stop();
  }
}

bool Workers::in_forked_child() const noexcept {
  return getpid() != process_;
}

void Workers::share(std::size_t others, const std::function<void()>& work) {
  others = std::min(others, threads_ - 1);
  if (others == 0 || in_forked_child()) return work();
  Job job{work, others};
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->start(threads_ - 1)) shared_->jobs.push_back(&job);
    for (std::size_t i = 0; i < others; ++i) shared_->changed.notify_one();
  }
  const std::exception_ptr own = error_of(work);
  std::unique_lock lock(shared_->mutex);
  std::erase(shared_->jobs, &job);
  job.done.wait(lock, [&] { return job.running == 0; });
  lock.unlock();
  if (own != nullptr) std::rethrow_exception(own);
  if (job.error != nullptr) std::rethrow_exception(job.error);
}

std::size_t Workers::started() const {
  if (in_forked_child()) return 0;
  const std::lock_guard lock(shared_->mutex);
  return shared_->threads.size();
}

void Workers::stop() {
  if (in_forked_child()) return;
  std::vector<std::thread> ending;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stopping = true;
    shared_->changed.notify_all();
    ending.swap(shared_->threads);
  }
  for (std::thread& thread : ending) thread.join();
}

void for_each_piece(Workers* workers, std::size_t others, std::size_t pieces,
                    const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto take_pieces = [&] {
    for (std::size_t piece = next++; piece < pieces; piece = next++) work(piece);
  };
  if (workers == nullptr || others == 0) return take_pieces();
  workers->share(others, take_pieces);
}

}  // namespace hippocore::os
