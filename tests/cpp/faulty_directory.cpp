#include "faulty_directory.h"

#include <algorithm>
#include <utility>

#include "harness.h"

namespace hippocore::testing {

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
    disk_->change({Change::kWrite, name_, offset, bytes}, [&](Outcome outcome) {
      if (outcome == Outcome::kFailed) return;
      file_->write(offset, bytes.first(outcome == Outcome::kHalf ? bytes.size() / 2 : bytes.size()));
    });
  }
  void allocate(std::uint64_t length) override {
    disk_->change({Change::kAllocate, name_, length}, [&](Outcome outcome) {
      if (outcome == Outcome::kDone) file_->grow(length);
    });
  }
  void sync() override {
    disk_->change({Change::kSync, name_},
                  [&](Outcome outcome) { outcome == Outcome::kDone ? file_->sync() : file_->fail_to_sync(); });
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
  using Outcome = FaultyDisk::Outcome;
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
    disk_->change({Change::kCreate, std::string(name)}, [&](Outcome outcome) {
      if (outcome == Outcome::kDone) disk_->seen_[std::string(name)] = file;
    });
    return std::make_unique<FaultyHandle>(disk_, std::move(file), std::string(name));
  }
  void remove(std::string_view name) override {
    disk_->change({Change::kRemove, std::string(name)}, [&](Outcome outcome) {
      if (outcome == Outcome::kDone) disk_->seen_.erase(std::string(name));
    });
  }
  [[nodiscard]] std::vector<std::string> names() const override { return disk_->names(); }
  void sync() override {
    disk_->change({Change::kSyncDirectory, ""}, [&](Outcome outcome) {
      if (outcome == Outcome::kDone) disk_->durable_ = disk_->seen_;
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
  using Outcome = FaultyDisk::Outcome;
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
void FaultyDisk::change(const Call& call, const std::function<void(Outcome)>& make) {
  if (watch) watch(call);
  const std::lock_guard lock(mutex_);
  const bool counts = !plan_.change.has_value() || plan_.change == call.change;
  if (counts) ++calls_;
  const bool fails = counts && calls_ >= plan_.first && calls_ <= plan_.last;
  const Outcome failed = plan_.reach == Reach::kHalf ? Outcome::kHalf : Outcome::kFailed;
  make(fails ? failed : Outcome::kDone);
  if (fails) throw Error(plan_.code, "faulty.mem/" + call.name + " fails as planned");
}

namespace {

std::shared_ptr<FaultyFile> left_of(const FaultyFile& file, Loss loss, Dice& dice, const FaultyFile::Write& reached) {
  if (loss == Loss::kEverything) return file.without_pending();
  if (loss == Loss::kSome) return file.after_power_loss(dice, reached);
  auto copy = file.as_it_is();
  if (!reached.bytes.empty()) copy->write(reached.offset, reached.bytes);
  return copy;
}

}  // namespace

std::shared_ptr<FaultyDisk> FaultyDisk::crashed(Loss loss, std::uint32_t seed, const Call* call) const {
  const std::lock_guard lock(mutex_);
  Dice dice(seed);
  std::map<const FaultyFile*, std::shared_ptr<FaultyFile>> copies;
  const auto copy_of = [&](const std::shared_ptr<FaultyFile>& file, const std::string& name) {
    auto& copy = copies[file.get()];
    if (copy != nullptr) return copy;
    FaultyFile::Write reached;
    if (call != nullptr && call->change == Change::kWrite && call->name == name) {
      const auto part = call->bytes.first(dice.below(call->bytes.size() + 1));
      reached = {call->offset, {part.begin(), part.end()}};
    }
    copy = left_of(*file, loss, dice, reached);
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

std::vector<std::shared_ptr<FaultyDisk>> FaultyDisk::crashed_without_one_name() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> changed;
  for (const auto& [name, file] : seen_) {
    const auto durable = durable_.find(name);
    if (durable == durable_.end() || durable->second != file) changed.push_back(name);
  }
  for (const auto& [name, file] : durable_) {
    if (!seen_.contains(name)) changed.push_back(name);
  }
  std::vector<std::shared_ptr<FaultyDisk>> all;
  for (const std::string& lost : changed) {
    Names kept = seen_;
    kept.erase(lost);
    if (const auto before = durable_.find(lost); before != durable_.end()) kept[lost] = before->second;
    auto left = std::make_shared<FaultyDisk>();
    for (const auto& [name, file] : kept) {
      auto copy = file->as_it_is();
      copy->sync();
      left->seen_[name] = std::move(copy);
    }
    left->durable_ = left->seen_;
    all.push_back(std::move(left));
  }
  return all;
}

std::uint64_t FaultyDisk::fingerprint() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = 14'695'981'039'346'656'037U;
  for (const Names* names : {&seen_, &durable_}) {
    for (const auto& [name, file] : *names) {
      sum = (sum ^ std::hash<std::string>{}(name)) * 1'099'511'628'211U;
      sum = (sum ^ file->fingerprint()) * 1'099'511'628'211U;
      sum ^= sum >> 29;
    }
  }
  return sum;
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
