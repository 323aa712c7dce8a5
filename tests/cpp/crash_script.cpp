#include "crash_script.h"

#include <algorithm>
#include <iterator>

namespace hippocore::testing {

using storage::Store;
using storage::Sync;

std::unique_ptr<Store> open_quietly(FaultyDisk& disk, Sync sync, bool create) {
  storage::OpenOptions options = options_of(sync);
  options.busy_timeout = std::chrono::milliseconds{0};
  options.background_delay = std::chrono::hours{1};
  options.create = create;
  return Store::open(disk.open(), options);
}

std::vector<Note> notes_from(std::uint32_t first, std::uint32_t count) {
  std::vector<Note> notes;
  for (std::uint32_t number = first; number < first + count; ++number) {
    notes.push_back({id_of(number),
                     "note " + std::to_string(number),
                     1,
                     "scope " + std::to_string(number % 3),
                     number % 2 == 0 ? "fact" : "episode",
                     number % 4 == 0 ? "source" : "",
                     {"tag", "odd"},
                     100});
  }
  return notes;
}

template <typename Call>
void CrashScript::issue(Call&& call) {
  states.push_back(model_.contents());
  call();
  acknowledged = states.size() - 1;
  if (sync_ == Sync::kFull) synced = acknowledged;
}

void CrashScript::open() {
  store_ = open_quietly(*disk, sync_);
  created = true;
}

void CrashScript::close() {
  store_->close();
  store_.reset();
  synced = acknowledged = states.size() - 1;
}

void CrashScript::sync() {
  store_->sync();
  synced = acknowledged;
}

void CrashScript::checkpoint() {
  store_->checkpoint();
  synced = acknowledged;
}

void CrashScript::compact() {
  store_->compact();
  synced = acknowledged;
}

void CrashScript::round() {
  store_->write({});
  acknowledged = states.size() - 1;
  sync();
}

void CrashScript::write(const std::vector<Note>& notes) {
  for (const Note& note : notes) model_.write(note);
  issue([&] { testing::write(*store_, notes); });
}

// What is written was decided from a state that no queued touch can still change.
void CrashScript::change(std::uint32_t id, double importance) {
  model_.change(id_of(id), importance);
  issue([&] {
    store_->begin();
    testing::change(*store_, id_of(id), importance);
    store_->end();
  });
}

void CrashScript::forget(std::uint32_t id) {
  model_.forget(id_of(id));
  issue([&] { testing::forget(*store_, id_of(id)); });
}

void CrashScript::forget_ended(std::uint32_t id, std::int64_t moment) {
  model_.forget_ended(id_of(id), moment);
  issue([&] { testing::forget_ended(*store_, id_of(id), moment); });
}

void CrashScript::touch(std::uint32_t id) {
  model_.touch(id_of(id));
  states.push_back(model_.contents());
  store_->touch(std::array{id_of(id)}, 5'000);
}

bool CrashScript::may_be_left(const Contents& contents, Loss loss) const {
  const auto from = states.begin() + static_cast<std::ptrdiff_t>(least(loss));
  return std::find(from, states.end(), contents) != states.end();
}

std::uint32_t CrashScript::any_alive(Dice& dice) const {
  const auto& contents = model_.contents();
  const Id& id = std::next(contents.begin(), dice.below(contents.size()))->first;
  return id.bytes[0] + 256U * id.bytes[1];
}

void CrashScript::remember(std::uint32_t count) {
  write(notes_from(next_, count));
  next_ += count;
}

void CrashScript::play_one(Dice& dice) {
  const std::uint32_t drawn = dice.below(100);
  const bool many = model_.contents().size() > 40;
  if (model_.contents().size() < 3 || (drawn < 35 && !many)) return remember(drawn % 9 == 0 ? 5 : 1);
  const std::uint32_t id = any_alive(dice);
  const auto& versions = model_.contents().at(id_of(id));
  const std::int64_t time = versions.back().valid_from + 100;
  if (drawn < 50) {
    const std::uint32_t version = versions.back().version + 1;
    return write({{id_of(id), "note " + std::to_string(id) + " again", version, "scope 0", "fact", "", {}, time}});
  }
  if (drawn < 60) return change(id, dice.below(100) / 100.0);
  if (drawn < 70) return touch(id);
  if (drawn < 75) return forget_ended(id, time - 100 * dice.below(3));  // all old versions, or but the last or two
  if (drawn < 83) return forget(id);
  if (drawn < 88) return checkpoint();
  if (drawn < 91) return compact();
  if (drawn < 95) {
    forget(id);
    return compact();  // a purge
  }
  if (drawn < 97) return sync();
  close();
  open();
}

void CrashScript::play(std::uint32_t operations, std::uint32_t seed) {
  Dice dice(seed);
  open();
  for (std::uint32_t operation = 1; operation <= operations; ++operation) {
    play_one(dice);
    if (sync_ == Sync::kNormal && operation % 8 == 0) round();
  }
  close();
}

}  // namespace hippocore::testing
