// The graph beside a generation: whole or none, and gone with its generation.
#include "faulty_directory.h"
#include "harness.h"
#include "storage/graph_file.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::storage {
namespace {

using testing::FaultyDisk;
using testing::id_of;
using testing::TemporaryDirectory;

format::Header header_of_generation_three() {
  format::Header header;
  header.store_id = id_of(1);
  header.dimension = 8;
  header.generation = 3;
  return header;
}

std::vector<std::byte> graph_of(std::size_t size, int value) {
  return std::vector<std::byte>(size, static_cast<std::byte>(value));
}

bool has_graph(Store& store, std::uint64_t generation) {
  for (const std::string& name : store.directory().names()) {
    if (name == std::string(kGraphFile) + std::to_string(generation)) return true;
  }
  return false;
}

void fill(Store& store) {
  for (std::uint32_t number = 0; number < 3; ++number) testing::write(store, {id_of(number), "content"});
}

// A file whose reading fails: another process cut it, or the disk does not give it.
class UnreadableFile final : public os::File {
 public:
  UnreadableFile(std::unique_ptr<os::File> file, ErrorCode code) : file_(std::move(file)), code_(code) {}
  void read_at(std::uint64_t, std::span<std::byte>) const override { throw Error(code_, "fails as planned"); }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override { file_->write_at(offset, bytes); }
  void allocate(std::uint64_t length) override { file_->allocate(length); }
  void sync() override { file_->sync(); }
  [[nodiscard]] std::uint64_t size() const override { return file_->size(); }
  [[nodiscard]] os::Mapping map(std::uint64_t offset, std::uint64_t length) const override {
    return file_->map(offset, length);
  }

 private:
  std::unique_ptr<os::File> file_;
  ErrorCode code_;
};

class UnreadableDirectory final : public os::Directory {
 public:
  UnreadableDirectory(os::Directory& directory, ErrorCode code) : directory_(directory), code_(code) {}
  std::unique_ptr<os::File> open(std::string_view name, os::Access access) override {
    return std::make_unique<UnreadableFile>(directory_.open(name, access), code_);
  }
  std::unique_ptr<os::File> create(std::string_view name) override { return directory_.create(name); }
  void remove(std::string_view name) override { directory_.remove(name); }
  [[nodiscard]] std::vector<std::string> names() const override { return directory_.names(); }
  void sync() override { directory_.sync(); }
  std::unique_ptr<os::Lock> lock(os::LockName name, std::chrono::milliseconds timeout) override {
    return directory_.lock(name, timeout);
  }
  [[nodiscard]] const std::string& path() const override { return directory_.path(); }

 private:
  os::Directory& directory_;
  ErrorCode code_;
};

TEST(storage_graph_that_is_cut_while_it_is_read_is_none_and_a_disk_that_fails_is_an_error) {
  const TemporaryDirectory place;
  const auto store = testing::open_store(place / "store");
  fill(*store);
  CHECK(store->keep_graph(1, graph_of(20, 1)));
  const format::Header& header = *store->snapshot()->header;
  UnreadableDirectory cut(store->directory(), ErrorCode::kCorruptStore);
  CHECK(!read_graph(cut, header));
  UnreadableDirectory failing(store->directory(), ErrorCode::kInputOutput);
  CHECK_THROWS(ErrorCode::kInputOutput, read_graph(failing, header));
}

TEST(storage_graph_is_kept_beside_its_generation_and_replaced) {
  const TemporaryDirectory place;
  const auto store = testing::open_store(place / "store");
  fill(*store);
  CHECK(!store->kept_graph(1));
  CHECK(store->keep_graph(1, graph_of(5'000, 1)));
  CHECK(store->keep_graph(1, graph_of(20, 2)));
  CHECK(store->kept_graph(1) == graph_of(20, 2));
  store->checkpoint();
  const auto again = testing::open_store(place / "store");
  CHECK(again->kept_graph(1) == graph_of(20, 2));
}

TEST(storage_graph_goes_with_its_generation) {
  const TemporaryDirectory place;
  const auto store = testing::open_store(place / "store");
  fill(*store);
  CHECK(store->keep_graph(1, graph_of(20, 1)));
  testing::forget(*store, id_of(1));
  store->compact();
  CHECK(!has_graph(*store, 1));
  CHECK(!store->kept_graph(1));
  CHECK(!store->kept_graph(2));
  CHECK(!store->keep_graph(1, graph_of(20, 1)));
  CHECK(!has_graph(*store, 1));
  CHECK(store->keep_graph(2, graph_of(20, 2)));
  CHECK(has_graph(*store, 2));
}

TEST(storage_graph_of_a_read_only_handle_is_read_and_not_written) {
  const TemporaryDirectory place;
  const auto store = testing::open_store(place / "store");
  CHECK(store->keep_graph(1, graph_of(20, 1)));
  auto options = testing::options_of();
  options.read_only = true;
  const auto reader = testing::open_store(place / "store", options);
  CHECK(reader->kept_graph(1) == graph_of(20, 1));
  CHECK_THROWS(ErrorCode::kReadOnlyStore, static_cast<void>(reader->keep_graph(1, graph_of(20, 2))));
}

TEST(storage_graph_with_any_flipped_byte_cut_or_longer_is_none) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto directory = disk->open();
  const format::Header header = header_of_generation_three();
  const auto graph = graph_of(40, 7);
  write_graph(*directory, header, graph);
  const std::string name = graph_name(header);
  const auto bytes = disk->bytes(name);
  CHECK(read_graph(*directory, header) == graph);
  for (std::size_t at = 0; at < bytes.size(); at += at < 64 || at > 4'000 ? 1 : 97) {
    auto broken = bytes;
    broken[at] ^= std::byte{1};
    disk->replace(name, broken);
    CHECK(!read_graph(*directory, header));
    disk->replace(name, std::span(bytes).first(at));
    CHECK(!read_graph(*directory, header));
  }
  auto longer = bytes;
  longer.push_back(std::byte{0});
  disk->replace(name, longer);
  CHECK(!read_graph(*directory, header));
}

TEST(storage_graph_of_another_store_dimension_or_generation_is_none) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto directory = disk->open();
  const format::Header header = header_of_generation_three();
  write_graph(*directory, header, graph_of(40, 7));
  const auto bytes = disk->bytes(graph_name(header));
  format::Header other = header;
  other.store_id = id_of(2);
  CHECK(!read_graph(*directory, other));
  other = header;
  other.dimension = 9;
  CHECK(!read_graph(*directory, other));
  other = header;
  other.generation = 4;
  disk->replace(graph_name(other), bytes);
  CHECK(!read_graph(*directory, other));
  CHECK(read_graph(*directory, header));
}

TEST(storage_graph_after_a_crash_at_any_call_is_whole_or_none) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto directory = disk->open();
  const format::Header header = header_of_generation_three();
  const auto first = graph_of(9'000, 1);
  const auto second = graph_of(9'000, 2);
  write_graph(*directory, header, first);
  std::size_t crashes = 0;
  disk->watch = [&](const FaultyDisk::Call& call) {
    for (const auto loss : {testing::Loss::kNothing, testing::Loss::kEverything, testing::Loss::kSome}) {
      for (std::uint32_t seed = 0; seed < 5; ++seed) {
        const auto found = read_graph(*disk->crashed(loss, seed, &call)->open(), header);
        CHECK(!found || *found == first || *found == second);
        ++crashes;
      }
    }
  };
  write_graph(*directory, header, second);
  disk->watch = nullptr;
  CHECK(crashes >= 60);
  CHECK(read_graph(*directory, header) == second);
}

}  // namespace
}  // namespace hippocore::storage
