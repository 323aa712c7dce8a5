#include <thread>

#include "faulty_directory.h"
#include "harness.h"
#include "store_fixture.h"
#include "temporary_directory.h"

namespace hippocore::storage {
namespace {

using testing::FaultyDisk;
using testing::id_of;
using testing::Note;
using testing::open_store;

constexpr std::uint32_t kWider = 16;

void reembed(Store& store) {
  std::vector<float> vector;
  store.reembed(kWider, "wider", [&](std::size_t survivor) {
    vector = testing::vector_of(static_cast<std::uint32_t>(survivor), kWider);
    return std::span<const float>(vector);
  });
}

std::unique_ptr<Store> make_store(const std::string& path) {
  auto store = open_store(path);
  for (std::uint32_t number = 0; number < 30; ++number) testing::write(*store, Note{id_of(number), "text"});
  testing::write(*store, Note{id_of(7), "again", 2});
  testing::forget(*store, id_of(3));
  return store;
}

}  // namespace

TEST(storage_reembed_gives_each_surviving_version_its_new_vector_and_keeps_the_rest) {
  const testing::TemporaryDirectory place;
  const auto store = make_store(place / "a");
  const auto before = testing::contents_of(*store);
  store->begin();
  reembed(*store);
  store->end();
  const auto root = store->snapshot();
  CHECK_EQUAL(root->header->dimension, kWider);
  CHECK_EQUAL(root->header->embedder, "wider");
  CHECK_EQUAL(root->count, 30U);
  for (std::uint32_t slot = 0; slot < root->count; ++slot) {
    CHECK(testing::see(*root, slot).vector == testing::vector_of(slot, kWider));
  }
  auto after = testing::contents_of(*root);
  CHECK_EQUAL(after.size(), before.size());
  for (auto& [id, versions] : after) {
    for (std::size_t at = 0; at < versions.size(); ++at) versions[at].vector = before.at(id)[at].vector;
  }
  CHECK(after == before);
}

TEST(storage_reembed_ends_other_handles_with_the_remedy_and_they_close_quietly) {
  const testing::TemporaryDirectory place;
  const auto store = make_store(place / "a");
  const auto other = open_store(place / "a");
  other->touch(std::array{id_of(1)}, 5'000);
  const auto held = other->snapshot();
  store->begin();
  reembed(*store);
  store->end();
  CHECK_THROWS(ErrorCode::kEmbedderMismatch, other->snapshot());
  CHECK_THROWS(ErrorCode::kEmbedderMismatch, testing::write(*other, Note{id_of(50), "text"}));
  CHECK_THROWS(ErrorCode::kEmbedderMismatch, other->compact());
  CHECK_EQUAL(testing::contents_of(*held).size(), 29U);  // what it held it still holds
  other->close();
  CHECK_EQUAL(testing::contents_of(*store).size(), 29U);
}

// The write was made for the dimension that was; it waits for the lock while the store changes over.
TEST(storage_reembed_refuses_a_write_of_the_same_handle_that_waited_with_the_old_dimension) {
  const testing::TemporaryDirectory place;
  const auto store = make_store(place / "a");
  std::vector<std::byte> body;
  testing::encode({id_of(60), "narrow"}, body);
  std::atomic<bool> refused = false;
  store->begin();
  std::thread waiting([&] {
    try {
      store->write(body);
    } catch (const Error& error) {
      refused = error.code() == ErrorCode::kInvalidArgument;
    }
  });
  reembed(*store);
  store->end();
  waiting.join();
  CHECK(refused);
  CHECK_EQUAL(testing::contents_of(*store).size(), 29U);
  CHECK_EQUAL(testing::contents_of(*open_store(place / "a", {})).size(), 29U);
}

TEST(storage_reembed_and_compaction_at_once_keep_every_vector_at_its_dimension) {
  const testing::TemporaryDirectory place;
  const auto store = make_store(place / "a");
  std::thread compacting([&] {
    for (int round = 0; round < 10; ++round) store->compact();
  });
  store->begin();
  reembed(*store);
  store->end();
  compacting.join();
  CHECK_EQUAL(store->snapshot()->header->dimension, kWider);
  CHECK_EQUAL(testing::contents_of(*store).size(), 29U);
}

TEST(storage_reembed_that_fails_leaves_everything_as_it_was) {
  const testing::TemporaryDirectory place;
  const auto store = make_store(place / "a");
  const auto before = testing::contents_of(*store);
  const std::vector<float> vector(kWider);
  CHECK_THROWS(ErrorCode::kInvalidArgument, store->reembed(kWider, "wider", [&](std::size_t) { return vector; }));
  store->begin();
  CHECK_THROWS(ErrorCode::kInvalidArgument, store->reembed(kWider, "wider", [&](std::size_t survivor) {
    if (survivor == 20) throw Error(ErrorCode::kInvalidArgument, "too few");
    return std::span(vector);
  }));
  CHECK_THROWS(ErrorCode::kInvalidArgument, store->reembed(0, "none", [&](std::size_t) { return vector; }));
  CHECK_THROWS(ErrorCode::kInvalidArgument, store->reembed(65'537, "vast", [&](std::size_t) { return vector; }));
  CHECK_THROWS(ErrorCode::kInvalidArgument,
               store->reembed(kWider, std::string(513, 'x'), [&](std::size_t) { return vector; }));
  store->end();
  CHECK(testing::contents_of(*store) == before);
  CHECK(testing::contents_of(*open_store(place / "a")) == before);
}

}  // namespace hippocore::storage
