#include "memory_directory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "expect.h"

namespace hippocore::fuzz {

namespace {

constexpr std::size_t kPage = 4096;  // mappings are aligned so

std::shared_ptr<std::byte> zeros(std::size_t size) {
  void* memory = nullptr;
  if (::posix_memalign(&memory, kPage, std::max<std::size_t>(size, 1)) != 0) throw std::bad_alloc();
  std::memset(memory, 0, size);
  return {static_cast<std::byte*>(memory), [](std::byte* bytes) { std::free(bytes); }};
}

struct Node {
  std::shared_ptr<std::byte> bytes = zeros(0);
  std::size_t size = 0;

  [[nodiscard]] std::span<const std::byte> all() const { return {bytes.get(), size}; }
  void grow(std::size_t length) {
    if (length <= size) return;
    auto larger = zeros(length);
    std::memcpy(larger.get(), bytes.get(), size);
    bytes = std::move(larger);
    size = length;
  }
  void write(std::size_t offset, std::span<const std::byte> from) {
    grow(offset + from.size());
    if (!from.empty()) std::memcpy(bytes.get() + offset, from.data(), from.size());
  }
};

bool is_within(std::uint64_t offset, std::uint64_t length, std::uint64_t size) {
  return offset <= size && length <= size - offset;
}

}  // namespace

class MemoryDisk {
 public:
  std::map<std::string, std::shared_ptr<Node>, std::less<>> nodes;
};

namespace {

class MemoryFile final : public os::File {
 public:
  MemoryFile(std::shared_ptr<Node> node, std::string name, os::Access access)
      : node_(std::move(node)), name_(std::move(name)), access_(access) {}

  void read_at(std::uint64_t offset, std::span<std::byte> out) const override {
    require_within(offset, out.size());
    std::copy_n(node_->all().begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    require_writable();
    node_->write(offset, bytes);
  }
  void allocate(std::uint64_t length) override {
    require_writable();
    node_->grow(length);
  }
  void sync() override {}
  [[nodiscard]] std::uint64_t size() const override { return node_->size; }
  [[nodiscard]] os::Mapping map(std::uint64_t offset, std::uint64_t length) const override {
    expect(offset % kPage == 0, "a file is mapped at a multiple of a page");
    require_within(offset, length);
    return {node_->all().subspan(offset, length), node_->bytes};
  }

 private:
  void require_within(std::uint64_t offset, std::uint64_t length) const {
    if (!is_within(offset, length, node_->size)) throw Error(ErrorCode::kCorruptStore, name_ + " ends too early");
  }
  void require_writable() const { expect(access_ == os::Access::kReadWrite, "a reader writes to no file"); }

  std::shared_ptr<Node> node_;
  std::string name_;
  os::Access access_;
};

class MemoryDirectory final : public os::Directory {
 public:
  explicit MemoryDirectory(std::shared_ptr<MemoryDisk> disk) : disk_(std::move(disk)) {}

  std::unique_ptr<os::File> open(std::string_view name, os::Access access) override {
    const auto found = disk_->nodes.find(name);
    if (found == disk_->nodes.end()) return nullptr;
    return std::make_unique<MemoryFile>(found->second, std::string(name), access);
  }
  std::unique_ptr<os::File> create(std::string_view name) override {
    auto node = std::make_shared<Node>();
    expect(name != "header" || !disk_->nodes.contains(name), "the header is never made anew");
    disk_->nodes[std::string(name)] = node;
    return std::make_unique<MemoryFile>(std::move(node), std::string(name), os::Access::kReadWrite);
  }
  void remove(std::string_view name) override { disk_->nodes.erase(std::string(name)); }
  [[nodiscard]] std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const auto& [name, node] : disk_->nodes) names.push_back(name);
    return names;
  }
  void sync() override {}
  std::unique_ptr<os::Lock> lock(os::LockName, std::chrono::milliseconds) override {
    disk_->nodes.try_emplace("header", std::make_shared<Node>());
    return std::make_unique<os::Lock>();
  }
  [[nodiscard]] const std::string& path() const override { return path_; }

 private:
  std::shared_ptr<MemoryDisk> disk_;
  std::string path_ = "fuzzed.mem";
};

}  // namespace

std::shared_ptr<MemoryDisk> make_disk(const Files& files) {
  auto disk = std::make_shared<MemoryDisk>();
  for (const auto& [name, bytes] : files) {
    auto node = std::make_shared<Node>();
    node->write(0, bytes);
    disk->nodes[name] = std::move(node);
  }
  return disk;
}

Files files_of(const MemoryDisk& disk) {
  Files files;
  for (const auto& [name, node] : disk.nodes) files[name] = {node->all().begin(), node->all().end()};
  return files;
}

std::unique_ptr<os::Directory> open_directory(std::shared_ptr<MemoryDisk> disk) {
  return std::make_unique<MemoryDirectory>(std::move(disk));
}

}  // namespace hippocore::fuzz
