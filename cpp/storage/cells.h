// Hash tables of positions: open addressing, linear probing, the keys live elsewhere (in the columns of a slot, in a
// label).
//
// `find_in_cells` reads a table of the mapped index file; `GrowingCells` is the table in memory that one writer fills
// while readers probe it. Both call back to compare keys, so a table costs four bytes a cell.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "format/index.h"

namespace hippocore::storage {

// Calls matches(position) for each cell on the probe path of `hash`. Returns: the first position it accepts, else
// kEmptyCell. Terminates on a full table too. Requires: cells.size() is 0 or a power of two.
template <typename Matches>
[[nodiscard]] std::uint32_t find_in_cells(std::span<const std::uint32_t> cells, std::uint64_t hash, Matches&& matches) {
  for (std::size_t step = 0; step < cells.size(); ++step) {
    const std::uint32_t position = cells[(hash + step) & (cells.size() - 1)];
    if (position == format::kEmptyCell || matches(position)) return position;
  }
  return format::kEmptyCell;
}

// Puts a position into the first free cell. Requires: there is one.
inline void insert_into_cells(std::span<std::uint32_t> cells, std::uint64_t hash, std::uint32_t position) {
  std::size_t at = hash & (cells.size() - 1);
  while (cells[at] != format::kEmptyCell) at = (at + 1) & (cells.size() - 1);
  cells[at] = position;
}

// Returns: a power of two that leaves at least half of the cells free.
[[nodiscard]] constexpr std::size_t cell_count(std::size_t entries) noexcept {
  std::size_t cells = 16;
  while (cells < 2 * entries) cells *= 2;
  return cells;
}

class GrowingCells {
 public:
  GrowingCells() { grow(16); }

  // Any thread; sees at least what was published before the caller's root was.
  template <typename Matches>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, Matches&& matches) const {
    const Table& table = *current_.load(std::memory_order_acquire);
    for (std::size_t at = hash & table.mask;; at = (at + 1) & table.mask) {
      const std::uint32_t position = table.cells[at].load(std::memory_order_acquire);
      if (position == format::kEmptyCell || matches(position)) return position;
    }
  }

  // Only the writer. `hash_of(position)` gives the hash of what is there already, for growing.
  template <typename HashOf>
  void insert(std::uint64_t hash, std::uint32_t position, HashOf&& hash_of) {
    const Table* table = tables_.back().get();
    if (2 * (used_ + 1) > table->mask + 1) {
      const Table& full = *table;
      grow(2 * (full.mask + 1));
      for (std::size_t at = 0; at <= full.mask; ++at) {
        const std::uint32_t kept = full.cells[at].load(std::memory_order_relaxed);
        if (kept != format::kEmptyCell) put(*tables_.back(), hash_of(kept), kept);
      }
      current_.store(tables_.back().get(), std::memory_order_release);
    }
    put(*tables_.back(), hash, position);
    ++used_;
  }

  // Only the writer. Puts `position` in the place of `old`. Requires: `old` is in the table under `hash`.
  void replace(std::uint64_t hash, std::uint32_t old, std::uint32_t position) {
    const Table& table = *tables_.back();
    std::size_t at = hash & table.mask;
    while (table.cells[at].load(std::memory_order_relaxed) != old) at = (at + 1) & table.mask;
    table.cells[at].store(position, std::memory_order_release);
  }

 private:
  struct Table {
    std::size_t mask;
    std::unique_ptr<std::atomic<std::uint32_t>[]> cells;
  };

  void grow(std::size_t size) {
    auto table = std::make_unique<Table>(Table{size - 1, std::make_unique<std::atomic<std::uint32_t>[]>(size)});
    for (std::size_t at = 0; at < size; ++at) table->cells[at].store(format::kEmptyCell, std::memory_order_relaxed);
    tables_.push_back(std::move(table));
    if (tables_.size() == 1) current_.store(tables_.back().get(), std::memory_order_release);
  }

  static void put(const Table& table, std::uint64_t hash, std::uint32_t position) {
    std::size_t at = hash & table.mask;
    while (table.cells[at].load(std::memory_order_relaxed) != format::kEmptyCell) at = (at + 1) & table.mask;
    table.cells[at].store(position, std::memory_order_release);
  }

  // Outgrown tables stay: a reader may still probe one. Together they are smaller than the current one.
  std::vector<std::unique_ptr<Table>> tables_;
  std::atomic<const Table*> current_{nullptr};
  std::size_t used_ = 0;
};

}  // namespace hippocore::storage
