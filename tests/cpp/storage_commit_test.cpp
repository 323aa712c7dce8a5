#include <algorithm>
#include <vector>

#include "faulty_directory.h"
#include "harness.h"
#include "storage/commit.h"
#include "store_fixture.h"

namespace hippocore::storage {
namespace {

using testing::FaultyDisk;
using testing::Loss;

format::Header header_of(std::uint64_t epoch) {
  format::Header header;
  header.store_id = testing::id_of(1);
  header.dimension = 4;
  header.epoch = epoch;
  return header;
}

std::shared_ptr<FaultyDisk> disk_with(std::uint64_t epoch) {
  auto disk = std::make_shared<FaultyDisk>();
  const auto directory = disk->open();
  const auto file = directory->create("header");
  file->allocate(format::kHeaderSize);
  commit_header(*file, header_of(epoch));
  directory->sync();
  return disk;
}

std::uint64_t epoch_on(FaultyDisk& disk) {
  return read_header(*disk.open()).value().epoch;
}

std::unique_ptr<os::File> header_on(FaultyDisk& disk) {
  return disk.open()->open("header", os::Access::kReadWrite);
}

// Calls visit(disk) with what each kind of crash leaves at each call of `work`.
template <typename Work, typename Visit>
void for_each_crash(FaultyDisk& disk, Work&& work, Visit&& visit, std::uint32_t seeds = 12) {
  disk.watch = [&](const FaultyDisk::Call& call) {
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
      for (const Loss loss : {Loss::kNothing, Loss::kEverything, Loss::kSome}) visit(*disk.crashed(loss, seed, &call));
    }
  };
  work();
  disk.watch = nullptr;
}

}  // namespace

TEST(storage_commit_is_read_back) {
  const auto disk = disk_with(5);
  CHECK_EQUAL(epoch_on(*disk), 5U);
  commit_header(*header_on(*disk), header_of(6));
  CHECK_EQUAL(epoch_on(*disk), 6U);
  const auto bytes = disk->bytes("header");
  const auto second = bytes.begin() + static_cast<std::ptrdiff_t>(format::kHeaderSlotSize);
  CHECK(std::equal(bytes.begin(), second, second));  // either is enough
}

TEST(storage_commit_cut_short_leaves_the_old_store_or_the_new_one) {
  const auto disk = disk_with(5);
  for_each_crash(
      *disk, [&] { commit_header(*header_on(*disk), header_of(6)); },
      [](FaultyDisk& left) {
        const std::uint64_t epoch = epoch_on(left);
        CHECK(epoch == 5 || epoch == 6);
      });
}

// The second crash comes while the next writer settles and commits again.
TEST(storage_commit_cut_short_twice_leaves_a_store) {
  const auto disk = disk_with(5);
  for_each_crash(
      *disk, [&] { commit_header(*header_on(*disk), header_of(6)); },
      [](FaultyDisk& left) {
        const auto again = [&] {
          settle_header(*header_on(left));
          commit_header(*header_on(left), header_of(7));
        };
        const std::uint64_t before = epoch_on(left);
        for_each_crash(
            left, again,
            [before](FaultyDisk& twice) {
              const std::uint64_t epoch = epoch_on(twice);
              CHECK(epoch == 7 || epoch == before || (before == 6 && epoch == 5));
            },
            4);
        CHECK_EQUAL(epoch_on(left), 7U);
      });
}

// A process that is killed before it syncs its second slot leaves a header that looks settled, with a slot that is not
// on disk.
TEST(storage_commit_over_one_that_was_not_synced_never_puts_the_only_good_slot_at_risk) {
  const auto disk = disk_with(5);
  std::size_t unsynced = 0;
  disk->watch = [&](const FaultyDisk::Call& call) {
    const auto left = disk->crashed(Loss::kNothing, 0, &call);
    const auto bytes = left->bytes("header");
    if (!std::equal(bytes.begin(), bytes.begin() + format::kHeaderSlotSize, bytes.begin() + format::kHeaderSlotSize))
      return;
    ++unsynced;
    for_each_crash(
        *left, [&] { commit_header(*header_on(*left), header_of(7)); },
        [](FaultyDisk& twice) { CHECK(epoch_on(twice) >= 5); }, 200);
  };
  commit_header(*header_on(*disk), header_of(6));
  CHECK(unsynced > 0);
}

// What is written into the log of an epoch must not be lost because the epoch is.
TEST(storage_commit_seen_before_it_was_synced_is_kept_once_settled) {
  const auto disk = disk_with(5);
  for_each_crash(
      *disk, [&] { commit_header(*header_on(*disk), header_of(6)); },
      [](FaultyDisk& left) {
        const std::uint64_t seen = epoch_on(left);
        settle_header(*header_on(left));
        CHECK_EQUAL(epoch_on(left), seen);
        CHECK_EQUAL(epoch_on(*left.crashed(Loss::kEverything, 0)), seen);
      });
}

TEST(storage_commit_heals_a_damaged_slot_without_touching_the_good_one_first) {
  for (const std::size_t damaged : {std::size_t{0}, std::size_t{1}}) {
    const auto disk = disk_with(5);
    auto bytes = disk->bytes("header");
    bytes[damaged * format::kHeaderSlotSize + 100] ^= std::byte{1};
    disk->replace("header", bytes);
    for_each_crash(
        *disk, [&] { commit_header(*header_on(*disk), header_of(6)); },
        [](FaultyDisk& left) { CHECK(epoch_on(left) >= 5); });
    CHECK_EQUAL(epoch_on(*disk), 6U);
  }
}

TEST(storage_commit_of_a_new_store_cut_short_is_no_store_or_the_whole_one) {
  const auto disk = std::make_shared<FaultyDisk>();
  const auto create = [&] {
    const auto directory = disk->open();
    const auto file = directory->create("header");
    file->allocate(format::kHeaderSize);
    file->sync();
    directory->sync();
    commit_header(*file, header_of(1));
  };
  for_each_crash(*disk, create, [](FaultyDisk& left) {
    const auto header = read_header(*left.open());
    CHECK(!header || header->epoch == 1);
  });
}

TEST(storage_commit_refuses_a_header_without_an_intact_slot) {
  const auto disk = disk_with(5);
  auto bytes = disk->bytes("header");
  bytes[20] ^= std::byte{1};
  bytes[format::kHeaderSlotSize + 20] ^= std::byte{1};
  disk->replace("header", bytes);
  CHECK_THROWS(ErrorCode::kCorruptStore, read_header(*disk->open()));
  CHECK_THROWS(ErrorCode::kCorruptStore, settle_header(*header_on(*disk)));
  disk->replace("header", std::span(bytes).first(90));
  CHECK_THROWS(ErrorCode::kCorruptStore, read_header(*disk->open()));
}

// Promised since format 2: what an older release cannot read is never written into a store that it would open.
TEST(storage_commit_of_an_older_format_is_read_and_renewed_before_anything_is_written) {
  const auto disk = std::make_shared<FaultyDisk>();
  testing::write(*Store::open(disk->open(), testing::options_of()), testing::Note{testing::id_of(1), "text"});
  format::Header older = read_header(*disk->open()).value();
  CHECK_EQUAL(older.version, format::kFormatVersion);
  older.version = 1;
  const auto slot = format::encode_header(older);
  std::vector<std::byte> both(slot.begin(), slot.end());
  both.insert(both.end(), slot.begin(), slot.end());
  disk->replace("header", both);
  const auto right = testing::contents_of(*Store::open(disk->open(), testing::options_of()));
  CHECK_EQUAL(right.size(), 1U);
  CHECK_EQUAL(read_header(*disk->open())->version, 1U);
  const auto store = Store::open(disk->open(), testing::options_of());
  testing::forget_ended(*store, testing::id_of(1), 5);
  CHECK_EQUAL(read_header(*disk->open())->version, format::kFormatVersion);
  CHECK(testing::contents_of(*store) == right);
  CHECK(testing::contents_of(*Store::open(disk->open(), testing::options_of())) == right);
}

}  // namespace hippocore::storage
