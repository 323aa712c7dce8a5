// Memories to write through the memory floor, and a plain copy of each as a reader must see it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "memory/memory.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::testing {

inline memory::NewVersion version_of(std::uint32_t number, const std::string& scope = "default") {
  memory::NewVersion version;
  version.id = id_of(number);
  version.scope = scope;
  version.kind = "episode";
  version.created_at = version.valid_from = version.state.last_used = 1'000'000 + number;
  version.text_key = number;
  version.merge_key = number;
  version.tokens = 5;
  version.content = "content of " + std::to_string(number);
  version.extra = "extra";
  return version;
}

// A store in a directory of its own.
class MemoryFixture {
 public:
  explicit MemoryFixture(const storage::OpenOptions& options = options_of()) : options_(options) { open(); }

  memory::Memory& operator*() { return *memory_; }
  memory::Memory* operator->() { return memory_.get(); }
  [[nodiscard]] std::string path() const { return place_ / "store"; }
  void open() {
    memory_.reset();
    memory_ = std::make_unique<memory::Memory>(open_store(path(), options_));
  }

  void write(const memory::NewVersion& version, std::span<const float> vector) {
    memory_->write(std::span(&version, 1), vector, {}, {});
  }
  void write(const memory::NewVersion& version, std::uint32_t vector) { write(version, vector_of(vector)); }

 private:
  TemporaryDirectory place_;
  storage::OpenOptions options_;
  std::unique_ptr<memory::Memory> memory_;
};

inline std::vector<Id> ids_of(std::span<const memory::Row> rows) {
  std::vector<Id> ids;
  for (const memory::Row& row : rows) ids.push_back(row.id);
  return ids;
}

}  // namespace hippocore::testing
