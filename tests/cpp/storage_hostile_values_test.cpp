// Numbers and names that no store writes, in files whose checksums are right: named as damage wherever they are read.
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include "faulty_directory.h"
#include "format/preamble.h"
#include "harness.h"
#include "memory/memory.h"
#include "storage/commit.h"
#include "store_fixture.h"

namespace hippocore::storage {
namespace {

using format::kPreambleSize;
using testing::FaultyDisk;
using testing::id_of;
using testing::Note;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::unique_ptr<Store> open(FaultyDisk& disk) {
  return Store::open(disk.open(), testing::options_of());
}

// Three memories in the files of epoch 2: slots 0, 1 and 2.
std::shared_ptr<FaultyDisk> make_store() {
  auto disk = std::make_shared<FaultyDisk>();
  const auto store = open(*disk);
  for (std::uint32_t number = 0; number < 3; ++number) {
    testing::write(*store, Note{id_of(number), "note", 1, "scope", "fact", "source", {"tag"}});
  }
  store->checkpoint();
  return disk;
}

// Changes the state of slot 1 and makes its checksum right.
void forge_state(FaultyDisk& disk, const std::function<void(format::StateBlock&)>& change) {
  auto bytes = disk.bytes("state-2");
  const auto block = std::make_unique<format::StateBlock>();
  std::memcpy(block.get(), bytes.data() + kPreambleSize, sizeof(*block));
  change(*block);
  block->crc = format::state_crc(*block);
  std::memcpy(bytes.data() + kPreambleSize, block.get(), sizeof(*block));
  disk.replace("state-2", bytes);
}

void forge_row(FaultyDisk& disk, const std::function<void(const format::MutableChunkView&)>& change) {
  auto bytes = disk.bytes("tail-2");
  const format::ChunkLayout layout(testing::kDimension, 64);
  const format::MutableChunkView rows(&layout, bytes.data() + kPreambleSize);
  change(rows);
  rows.row_crcs()[1] = format::row_crc(rows, 1);
  rows.columns_crc() = format::columns_crc(rows, 3);
  disk.replace("tail-2", bytes);
}

void require_named(FaultyDisk& disk, bool only_one) {
  memory::Memory memory(open(disk));
  CHECK(!memory.verify(nullptr).damages.empty());
  const std::vector<Id> one{id_of(1)};
  const std::vector<Id> others{id_of(0), id_of(2)};
  CHECK_THROWS(ErrorCode::kCorruptStore, memory.get(one));
  CHECK_THROWS(ErrorCode::kCorruptStore, memory.versions(0, 10, false));
  CHECK_THROWS(ErrorCode::kCorruptStore, memory.store().compact());
  if (only_one) CHECK_EQUAL(memory.get(others).size(), 2U);
}

}  // namespace

TEST(storage_hostile_values_of_a_state_are_refused_with_the_states_they_are_in) {
  const std::vector<std::function<void(format::StateBlock&)>> changes = {
      [](auto& block) { block.importance[1] = 1e9; },
      [](auto& block) { block.importance[1] = std::numeric_limits<double>::quiet_NaN(); },
      [](auto& block) { block.log_uses[1] = kInfinity; },
      [](auto& block) { block.trust[1] = 200; },
      [](auto& block) { block.flags[1] = 0; },
      [](auto& block) { block.flags[1] = 0x80 | format::kWritten; },
  };
  for (const auto& change : changes) {
    const auto disk = make_store();
    forge_state(*disk, change);
    require_named(*disk, false);
  }
}

TEST(storage_hostile_values_of_a_row_are_refused_with_that_row) {
  const std::vector<std::function<void(const format::MutableChunkView&)>> changes = {
      [](const auto& rows) { rows.vector(1)[3] = kInfinity; },
      [](const auto& rows) { rows.norms()[1] = std::numeric_limits<double>::quiet_NaN(); },
      [](const auto& rows) { rows.code_errors()[1] = -1; },
      [](const auto& rows) { rows.scopes()[1] = rows.sources()[1]; },  // a source's name for its scope
      [](const auto& rows) { rows.sources()[1] = rows.scopes()[1]; },
  };
  for (const auto& change : changes) {
    const auto disk = make_store();
    forge_row(*disk, change);
    require_named(*disk, true);
  }
}

}  // namespace hippocore::storage
