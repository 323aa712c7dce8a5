#include <atomic>
#include <thread>
#include <vector>

#include "harness.h"
#include "storage/cells.h"

namespace hippocore::storage {
namespace {

constexpr std::uint64_t hash_of(std::uint32_t position) {
  return position * 0x9E3779B97F4A7C15ULL;
}

std::uint32_t find(const GrowingCells& cells, std::uint32_t wanted) {
  return cells.find(hash_of(wanted), [&](std::uint32_t at) { return at == wanted; });
}

}  // namespace

TEST(storage_cells_find_what_was_inserted_and_nothing_else) {
  GrowingCells cells;
  for (std::uint32_t position = 0; position < 5'000; ++position) cells.insert(hash_of(position), position, hash_of);
  for (std::uint32_t position = 0; position < 5'000; ++position) CHECK_EQUAL(find(cells, position), position);
  for (std::uint32_t position = 5'000; position < 10'000; ++position) {
    CHECK_EQUAL(find(cells, position), format::kEmptyCell);
  }
}

TEST(storage_cells_replace_one_position_by_another) {
  GrowingCells cells;
  for (std::uint32_t position = 0; position < 100; ++position) cells.insert(1, position, [](auto) { return 1; });
  cells.replace(1, 50, 777);
  std::vector<std::uint32_t> seen;
  static_cast<void>(cells.find(1, [&](std::uint32_t at) {
    seen.push_back(at);
    return false;
  }));
  CHECK_EQUAL(seen.size(), 100U);
  CHECK_EQUAL(seen[50], 777U);
}

TEST(storage_cells_of_a_file_are_probed_to_the_first_free_one) {
  std::vector<std::uint32_t> cells(16, format::kEmptyCell);
  for (std::uint32_t position = 0; position < 5; ++position) insert_into_cells(cells, 14, position);
  CHECK_EQUAL(find_in_cells(cells, 14, [](std::uint32_t at) { return at == 4; }), 4U);
  CHECK_EQUAL(find_in_cells(cells, 14, [](std::uint32_t at) { return at == 9; }), format::kEmptyCell);
  CHECK_EQUAL(find_in_cells(std::span<const std::uint32_t>(), 14, [](auto) { return true; }), format::kEmptyCell);
}

// A hostile file may hold such a table.
TEST(storage_cells_without_a_free_one_end_the_search) {
  const std::vector<std::uint32_t> cells(16, 3);
  CHECK_EQUAL(find_in_cells(cells, 5, [](auto) { return false; }), format::kEmptyCell);
}

TEST(storage_cells_are_read_while_they_grow) {
  GrowingCells cells;
  std::atomic<std::uint32_t> inserted = 0;
  std::atomic<bool> wrong = false;
  std::thread reader([&] {
    for (std::uint32_t known = 0; known < 20'000; known = inserted) {
      if (known > 0 && find(cells, known - 1) != known - 1) wrong = true;
    }
  });
  for (std::uint32_t position = 0; position < 20'000; ++position) {
    cells.insert(hash_of(position), position, hash_of);
    inserted = position + 1;
  }
  reader.join();
  CHECK(!wrong);
}

}  // namespace hippocore::storage
