// The threads of one store's handle that help a caller with work that can be split.
//
// They start when work is first shared, and then wait on a condition. A caller never waits for one to become free: it
// works itself, and those that are idle meanwhile help. So any number of callers may share at once, and work may share
// again. Any thread may call any function at any time.
// After a fork the child has none of the threads: there every caller works alone, and `stop` and the destructor touch
// nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace hippocore::os {

class Workers {
 public:
  // `threads` that may work at once for a caller, itself included: with 1 none is ever started.
  // Requires: threads > 0.
  explicit Workers(std::size_t threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  [[nodiscard]] std::size_t threads() const noexcept { return threads_; }

  // Calls `work` on this thread, and up to `others` times on threads that are idle before that call ends; returns when
  // all calls that began are over. Each call is to take pieces of the work until none is left.
  // Throws: what a call threw, this thread's first. The other calls go on to their end.
  void share(std::size_t others, const std::function<void()>& work);

  // Returns: how many threads wait or work for callers now.
  [[nodiscard]] std::size_t started() const;

  // Ends the threads once they are out of the calls they are in; from then on callers work alone. Idempotent.
  void stop();

 private:
  struct Shared;
  [[nodiscard]] bool in_forked_child() const noexcept;

  std::size_t threads_;
  int process_;  // the process that made it
  std::unique_ptr<Shared> shared_;
};

// Calls `work(piece)` for each piece below `pieces`, in any order, on this thread and on up to `others` of the workers;
// returns when all are done. Without workers, or others, in order on this thread alone.
// Throws: what a call threw; the other threads' pieces may have been done or not.
void for_each_piece(Workers* workers, std::size_t others, std::size_t pieces,
                    const std::function<void(std::size_t)>& work);

}  // namespace hippocore::os
