// Writes of several threads under one taking of the writer's lock: the first leads, the others wait in line, and when
// the lock is had the leader takes all that stand in line then.
//
// Owns nothing of a store: who leads says what taking, writing and acknowledging mean. Threads: any, at once.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "storage/signal.h"

namespace hippocore::storage {

class GroupWrite {
 public:
  // One thread's write. Its bytes stay valid until that thread has left the line.
  class Write {
   public:
    explicit Write(std::span<const std::byte> bytes) : operations(bytes) {}
    const std::span<const std::byte> operations;
    std::exception_ptr failure;  // why it did not happen; null while it may have

   private:
    friend class GroupWrite;
    bool leads_ = false;  // written before the signal, read after it
    Signal turn_;         // it leads, or is done
  };
  using Batch = std::vector<std::shared_ptr<Write>>;

  // Stands in line until this write is done by another thread, or is the first of the line. Returns: the write; null
  // when it is done. Throws: its failure.
  [[nodiscard]] std::shared_ptr<Write> join(std::span<const std::byte> operations);

  // Leader: everything that stands in line, its own write first. They are the leader's to finish from here on.
  [[nodiscard]] Batch take();

  // Leader: puts back in front what was taken and not written.
  void give_back(Batch::const_iterator begin, Batch::const_iterator end);

  // Leader: lets the next in line lead. The own write leaves the line, if it is still there.
  void hand_over(const std::shared_ptr<Write>& own);

  // Gives this failure to each that has none.
  static void fail(const Batch& batch, const std::exception_ptr& failure);

  // Wakes the threads of all these writes but the leader's own.
  static void finish(const Batch& batch, const std::shared_ptr<Write>& own);

  [[nodiscard]] std::size_t in_line() const;

 private:
  mutable std::mutex mutex_;
  bool led_ = false;
  Batch line_;
};

}  // namespace hippocore::storage
