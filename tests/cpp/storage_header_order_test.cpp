// A header that fills several sectors can be torn, so that the slot that the store stands on is written last.
#include "faulty_directory.h"
#include "harness.h"
#include "storage/commit.h"
#include "store_fixture.h"

namespace hippocore::storage {

TEST(storage_header_order_writes_the_only_good_slot_last) {
  format::Header header;
  header.store_id = testing::id_of(1);
  header.dimension = 4;
  header.epoch = 5;
  header.embedder = std::string(format::kMaximumNameLength, 'e');
  header.tokenizer = std::string(format::kMaximumNameLength, 't');
  for (const std::size_t damaged : {std::size_t{0}, std::size_t{1}}) {
    const auto disk = std::make_shared<testing::FaultyDisk>();
    const auto file = disk->open()->create("header");
    file->allocate(format::kHeaderSize);
    commit_header(*file, header);
    disk->open()->sync();
    auto bytes = disk->bytes("header");
    bytes[damaged * format::kHeaderSlotSize + 100] ^= std::byte{1};
    disk->replace("header", bytes);
    disk->watch = [&](const testing::FaultyDisk::Call& call) {
      for (std::uint32_t seed = 0; seed < 50; ++seed) {
        const auto left = disk->crashed(testing::Loss::kSome, seed, &call);
        CHECK(read_header(*left->open()).value().epoch >= 5);
      }
    };
    format::Header next = header;
    next.epoch = 6;
    next.embedder.back() = 'x';
    next.tokenizer.back() = 'x';
    commit_header(*disk->open()->open("header", os::Access::kReadWrite), next);
    disk->watch = nullptr;
    CHECK_EQUAL(read_header(*disk->open()).value().epoch, 6U);
  }
}

}  // namespace hippocore::storage
