#include "storage/chunk.h"

#include <cstring>
#include <new>

#include "base/error.h"

namespace hippocore::storage {

namespace {

constexpr std::align_val_t kAlignment{4096};

[[noreturn]] void damaged(const char* what, std::size_t chunk_number) {
  const std::size_t first = chunk_number * format::kChunkSlots;
  throw Error(ErrorCode::kCorruptStore, std::string(what) + " of slots " + std::to_string(first) + " to " +
                                            std::to_string(first + format::kChunkSlots - 1) +
                                            " are damaged; run verify to see which memories, and restore a backup");
}

}  // namespace

void Chunk::Free::operator()(std::byte* bytes) const noexcept {
  ::operator delete(bytes, kAlignment);
}

Chunk::Chunk(std::shared_ptr<const format::ChunkLayout> layout, const std::byte* bytes,
             std::shared_ptr<const void> owner, std::uint32_t count)
    : layout_(std::move(layout)), owner_(std::move(owner)), view_(layout_.get(), bytes), committed_(count) {}

Chunk::Chunk(std::shared_ptr<const format::ChunkLayout> layout) : layout_(std::move(layout)) {
  memory_.reset(static_cast<std::byte*>(::operator new(layout_->size(), kAlignment)));
  std::memset(memory_.get(), 0, layout_->size());
  view_ = format::ChunkView(layout_.get(), memory_.get());
}

Chunk::Chunk(std::shared_ptr<const format::ChunkLayout> layout, const Chunk& tail) : Chunk(std::move(layout)) {
  committed_ = tail.committed_;
  format::copy_rows(tail.rows(), committed_, filling());
  filling().columns_crc() = tail.rows().columns_crc();
}

void Chunk::check_columns(std::size_t chunk_number, std::size_t kind_count, std::uint32_t label_count) const {
  if (committed_ == 0 || columns_checked_.load(std::memory_order_acquire)) return;
  bool good = format::columns_crc(view_, committed_) == view_.columns_crc();
  for (std::size_t row = 0; good && row < committed_; ++row) {
    good = view_.kinds()[row] < kind_count && view_.scopes()[row] < label_count;
  }
  if (!good) damaged("the columns", chunk_number);
  columns_checked_.store(true, std::memory_order_release);
}

bool Chunk::row_is_intact(std::size_t index) const {
  return index >= committed_ ||
         (format::row_crc(view_, index) == view_.row_crcs()[index] && format::row_is_sound(view_, index));
}

StateChunk::StateChunk(const format::StateBlock* block, std::shared_ptr<const void> owner, std::uint32_t count)
    : owner_(std::move(owner)), block_(block), committed_(count) {}

StateChunk::StateChunk() : memory_(std::make_unique<format::StateBlock>()), block_(memory_.get()) {}

StateChunk::StateChunk(const StateChunk& copied)
    : memory_(std::make_unique_for_overwrite<format::StateBlock>()),
      block_(memory_.get()),
      copied_damage_(!copied.checked_.load(std::memory_order_acquire) && !copied.is_intact()) {
  std::memcpy(memory_.get(), copied.block_, sizeof(*block_));
}

bool StateChunk::is_intact() const {
  if (in_memory()) return !copied_damage_;
  return format::state_crc(*block_) == block_->crc && format::states_are_sound(*block_, committed_);
}

void StateChunk::check(std::size_t chunk_number) const {
  if (checked_.load(std::memory_order_acquire)) return;
  if (!is_intact()) damaged("the states", chunk_number);
  checked_.store(true, std::memory_order_release);
}

}  // namespace hippocore::storage
