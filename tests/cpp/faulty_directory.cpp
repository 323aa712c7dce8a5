#include "faulty_directory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness.h"

namespace hippocore::testing {

namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 26;
constexpr std::size_t kSector = 512;

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : state_(seed * 2654435761U + 12345U) {}
  std::uint32_t below(std::size_t bound) {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<std::uint32_t>((state_ >> 8) % bound);
  }
  bool heads() { return below(2) == 0; }

 private:
  std::uint32_t state_;
};

}  // namespace

class FaultyFile {
 public:
  struct Piece {
    std::uint64_t offset = 0;
    std::span<const std::byte> bytes = {};
  };

  FaultyFile() : memory_(::mmap(nullptr, kLargestFile, PROT_READ | PROT_WRITE, kFlags, -1, 0)) {
    if (memory_ == MAP_FAILED) fail(__FILE__, __LINE__, "no memory for a file");
  }
  ~FaultyFile() { ::munmap(memory_, kLargestFile); }
  FaultyFile(const FaultyFile&) = delete;
  FaultyFile& operator=(const FaultyFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return {static_cast<std::byte*>(memory_), size_}; }

  void write(std::uint64_t offset, std::span<const std::byte> bytes) {
    if (offset + bytes.size() > kLargestFile) fail(__FILE__, __LINE__, "a file grows too large for this test");
    std::copy(bytes.begin(), bytes.end(), static_cast<std::byte*>(memory_) + offset);
    size_ = std::max<std::size_t>(size_, offset + bytes.size());
    pending_.push_back({offset, {bytes.begin(), bytes.end()}});
  }
  void grow(std::uint64_t length) { size_ = std::max<std::size_t>(size_, length); }
  void sync() {
    durable_.assign(bytes().begin(), bytes().end());
    pending_.clear();
  }

  [[nodiscard]] std::shared_ptr<FaultyFile> as_it_is() const {
    auto copy = std::make_shared<FaultyFile>();
    std::memcpy(copy->memory_, memory_, size_);
    copy->size_ = size_;
    copy->durable_ = durable_;
    copy->pending_ = pending_;
    return copy;
  }
  // `reached` is what a write that is under way has put into the file.
  [[nodiscard]] std::shared_ptr<FaultyFile> after_power_loss(Dice& dice, bool some, const Piece& reached) const {
    auto left = std::make_shared<FaultyFile>();
    left->write(0, durable_);
    if (some) {
      for (const Write& write : pending_) left->write_some_sectors(write.offset, write.bytes, dice);
      left->write_some_sectors(reached.offset, reached.bytes, dice);
      const std::size_t seen = std::max<std::size_t>(size_, reached.offset + reached.bytes.size());
      const std::size_t length = dice.heads() ? seen : std::max(durable_.size(), std::size_t{dice.below(seen + 1)});
      std::memset(static_cast<std::byte*>(left->memory_) + length, 0, left->size_ > length ? left->size_ - length : 0);
      left->size_ = length;
    }
    left->sync();
    return left;
  }

 private:
  struct Write {
    std::uint64_t offset;
    std::vector<std::byte> bytes;
  };
  void write_some_sectors(std::uint64_t offset, std::span<const std::byte> bytes, Dice& dice) {
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t part = std::min(kSector - (offset + at) % kSector, bytes.size() - at);
      if (dice.heads()) write(offset + at, bytes.subspan(at, part));
      at += part;
    }
  }

  static constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* memory_;
  std::size_t size_ = 0;
  std::vector<std::byte> durable_;
  std::vector<Write> pending_;
};

class FaultyHandle final : public os::File {
 public:
  FaultyHandle(std::shared_ptr<FaultyDisk> disk, std::shared_ptr<FaultyFile> file, std::string name)
      : disk_(std::move(disk)), file_(std::move(file)), name_(std::move(name)) {}

  void read_at(std::uint64_t offset, std::span<std::byte> out) const override {
    const std::lock_guard lock(disk_->mutex_);
    const auto bytes = file_->bytes();
    if (offset > bytes.size() || out.size() > bytes.size() - offset) throw Error(ErrorCode::kCorruptStore, name_);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    disk_->change({Change::kWrite, name_, offset, bytes},
                  [&](bool half) { file_->write(offset, bytes.first(half ? bytes.size() / 2 : bytes.size())); });
  }
  void allocate(std::uint64_t length) override {
    disk_->change({Change::kAllocate, name_, length}, [&](bool half) {
      if (!half) file_->grow(length);
    });
  }
  void sync() override {
    disk_->change({Change::kSync, name_}, [&](bool half) {
      if (!half) file_->sync();
    });
  }
  [[nodiscard]] std::uint64_t size() const override {
    const std::lock_guard lock(disk_->mutex_);
    return file_->bytes().size();
  }
  [[nodiscard]] os::Mapping map(std::uint64_t offset, std::uint64_t length) const override {
    const std::lock_guard lock(disk_->mutex_);
    const auto bytes = file_->bytes();
    if (offset > bytes.size() || length > bytes.size() - offset) throw Error(ErrorCode::kCorruptStore, name_);
    return {bytes.subspan(offset, length), file_};
  }

 private:
  std::shared_ptr<FaultyDisk> disk_;
  std::shared_ptr<FaultyFile> file_;
  std::string name_;
};

class FaultyDirectory final : public os::Directory {
 public:
  explicit FaultyDirectory(std::shared_ptr<FaultyDisk> disk) : disk_(std::move(disk)) {}

  std::unique_ptr<os::File> open(std::string_view name, os::Access) override {
    const std::lock_guard lock(disk_->mutex_);
    const auto found = disk_->seen_.find(name);
    if (found == disk_->seen_.end()) return nullptr;
    return std::make_unique<FaultyHandle>(disk_, found->second, std::string(name));
  }
  std::unique_ptr<os::File> create(std::string_view name) override {
    auto file = std::make_shared<FaultyFile>();
    disk_->change({Change::kCreate, std::string(name)}, [&](bool half) {
      if (!half) disk_->seen_[std::string(name)] = file;
    });
    return std::make_unique<FaultyHandle>(disk_, std::move(file), std::string(name));
  }
  void remove(std::string_view name) override {
    disk_->change({Change::kRemove, std::string(name)}, [&](bool half) {
      if (!half) disk_->seen_.erase(std::string(name));
    });
  }
  [[nodiscard]] std::vector<std::string> names() const override { return disk_->names(); }
  void sync() override {
    disk_->change({Change::kSyncDirectory, ""}, [&](bool half) {
      if (!half) disk_->durable_ = disk_->seen_;
    });
  }
  std::unique_ptr<os::Lock> lock(os::LockName name, std::chrono::milliseconds) override {
    const std::lock_guard lock(disk_->mutex_);
    disk_->seen_.try_emplace("header", std::make_shared<FaultyFile>());
    if (!disk_->held_.insert(name).second) return nullptr;
    return std::make_unique<Held>(disk_, name);
  }
  [[nodiscard]] const std::string& path() const override { return path_; }

 private:
  class Held final : public os::Lock {
   public:
    Held(std::shared_ptr<FaultyDisk> disk, os::LockName name) : disk_(std::move(disk)), name_(name) {}
    ~Held() override {
      const std::lock_guard lock(disk_->mutex_);
      disk_->held_.erase(name_);
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

   private:
    std::shared_ptr<FaultyDisk> disk_;
    os::LockName name_;
  };

  std::shared_ptr<FaultyDisk> disk_;
  std::string path_ = "faulty.mem";
};

std::unique_ptr<os::Directory> FaultyDisk::open() {
  return std::make_unique<FaultyDirectory>(shared_from_this());
}

void FaultyDisk::set_plan(const Plan& plan) {
  const std::lock_guard lock(mutex_);
  plan_ = plan;
  calls_ = 0;
}

// Whoever watches may use stores, so no lock is held meanwhile.
void FaultyDisk::change(const Call& call, const std::function<void(bool half)>& make) {
  if (watch) watch(call);
  const std::lock_guard lock(mutex_);
  const bool counts = !plan_.change.has_value() || plan_.change == call.change;
  if (counts) ++calls_;
  const bool fails = counts && calls_ >= plan_.first && calls_ <= plan_.last;
  make(fails);
  if (fails) throw Error(plan_.code, "faulty.mem/" + call.name + " fails as planned");
}

std::shared_ptr<FaultyDisk> FaultyDisk::crashed(Loss loss, std::uint32_t seed, const Call* call) const {
  const std::lock_guard lock(mutex_);
  Dice dice(seed);
  std::map<const FaultyFile*, std::shared_ptr<FaultyFile>> copies;
  const auto copy_of = [&](const std::shared_ptr<FaultyFile>& file, const std::string& name) {
    auto& copy = copies[file.get()];
    if (copy != nullptr) return copy;
    FaultyFile::Piece reached;
    if (call != nullptr && call->change == Change::kWrite && call->name == name) {
      reached = {call->offset, call->bytes.first(dice.below(call->bytes.size() + 1))};
    }
    copy = loss == Loss::kNothing ? file->as_it_is() : file->after_power_loss(dice, loss == Loss::kSome, reached);
    if (loss == Loss::kNothing && !reached.bytes.empty()) copy->write(reached.offset, reached.bytes);
    return copy;
  };
  auto left = std::make_shared<FaultyDisk>();
  for (const auto& [name, file] : seen_) {
    const auto durable = durable_.find(name);
    const bool same = durable != durable_.end() && durable->second == file;
    const bool survives = loss == Loss::kNothing || same || (loss == Loss::kSome && dice.heads());
    if (survives) left->seen_[name] = copy_of(file, name);
  }
  for (const auto& [name, file] : durable_) {
    const bool removed = !seen_.contains(name);
    const bool back = loss == Loss::kEverything || (loss == Loss::kSome && dice.heads());
    if (loss == Loss::kNothing) left->durable_[name] = copy_of(file, name);
    if (loss != Loss::kNothing && !left->seen_.contains(name) && (back || !removed))
      left->seen_[name] = copy_of(file, name);
  }
  if (loss != Loss::kNothing) left->durable_ = left->seen_;
  return left;
}

std::vector<std::string> FaultyDisk::names() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, file] : seen_) names.push_back(name);
  return names;
}

std::vector<std::byte> FaultyDisk::bytes(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto bytes = seen_.at(name)->bytes();
  return {bytes.begin(), bytes.end()};
}

void FaultyDisk::replace(const std::string& name, std::span<const std::byte> bytes) {
  const std::lock_guard lock(mutex_);
  auto file = std::make_shared<FaultyFile>();
  file->write(0, bytes);
  file->sync();
  seen_[name] = file;
  durable_[name] = file;
}

}  // namespace hippocore::testing
