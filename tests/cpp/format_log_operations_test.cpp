#include <cmath>
#include <cstring>
#include <limits>

#include "base/bytes.h"
#include "damage.h"
#include "format/chunk.h"
#include "format/log_entry.h"
#include "harness.h"

namespace hippocore::format {
namespace {

constexpr std::size_t kDimension = 3;

std::vector<Operation> decode_operations(std::span<const std::byte> body, std::size_t dimension) {
  OperationReader reader(body, dimension);
  std::vector<Operation> operations;
  while (auto operation = reader.next()) operations.push_back(std::move(*operation));
  return operations;
}

struct Sample {
  std::vector<float> vector = {0.5F, -1.0F, 1e-20F};
  std::vector<std::byte> code = testing::patterned_bytes(code_bytes(kDimension));
  std::vector<std::byte> payload = testing::patterned_bytes(21);
  Id id;
  WriteVersion version;

  Sample() {
    id.bytes.fill(0xA7);
    version.id = id;
    version.scope = "user:alice/agent:coder";
    version.kind = "fact";
    version.source = "chat";
    version.created_at = 1'700'000'000'000'000;
    version.valid_from = -4;
    version.event_time = 11;
    version.text_key = 12;
    version.merge_key = 13;
    version.tokens = 14;
    version.version = 15;
    version.state = {.importance = 1, .use_count = 3, .flags = kWritten | kArchived, .trust = Trust::kUnverified};
    version.norm = 1.25;
    version.code_scale = 0.5F;
    version.code_error = 0.01F;
    version.coarse_scale = 0.25F;
    version.coarse_error = 0.02F;
    version.code = code;
    version.vector = std::as_bytes(std::span(vector));
    version.payload = payload;
  }
};

std::vector<std::byte> encoded(const std::vector<Operation>& operations) {
  std::vector<std::byte> body;
  for (const Operation& operation : operations) encode_operation(operation, body);
  return body;
}

bool same_bytes(std::span<const std::byte> left, std::span<const std::byte> right) {
  return as_text(left) == as_text(right);
}

void check_same(const WriteVersion& left, const WriteVersion& right) {
  CHECK(left.id == right.id);
  CHECK_EQUAL(left.scope, right.scope);
  CHECK_EQUAL(left.kind, right.kind);
  CHECK_EQUAL(left.source, right.source);
  CHECK_EQUAL(left.created_at, right.created_at);
  CHECK_EQUAL(left.valid_from, right.valid_from);
  CHECK_EQUAL(left.event_time, right.event_time);
  CHECK_EQUAL(left.text_key, right.text_key);
  CHECK_EQUAL(left.merge_key, right.merge_key);
  CHECK_EQUAL(left.tokens, right.tokens);
  CHECK_EQUAL(left.version, right.version);
  CHECK(left.state == right.state);
  CHECK_EQUAL(left.norm, right.norm);
  CHECK_EQUAL(left.code_scale, right.code_scale);
  CHECK_EQUAL(left.code_error, right.code_error);
  CHECK_EQUAL(left.coarse_scale, right.coarse_scale);
  CHECK_EQUAL(left.coarse_error, right.coarse_error);
  CHECK(same_bytes(left.code, right.code));
  CHECK(same_bytes(left.vector, right.vector));
  CHECK(same_bytes(left.payload, right.payload));
}

// Encodes what `change` made of the sample, which decoding must refuse.
template <typename Change>
void check_refused(Change&& change) {
  Sample sample;
  change(sample);
  const auto body = encoded({sample.version});
  CHECK_THROWS(ErrorCode::kCorruptStore, decode_operations(body, kDimension));
}

void check_state_refused(State state) {
  check_refused([&state](Sample& sample) { sample.version.state = state; });
  const auto body = encoded({ChangeState{Id{}, state}});
  CHECK_THROWS(ErrorCode::kCorruptStore, decode_operations(body, kDimension));
}

}  // namespace

TEST(format_operations_come_back_as_they_were) {
  const Sample sample;
  const State state{.importance = 0, .flags = kWritten | kSuperseded, .valid_until = 5};
  const auto body =
      encoded({Forget{sample.id}, sample.version, ChangeState{Id{}, state}, Forget{Id{}}, ForgetEnded{sample.id, -7}});
  const auto operations = decode_operations(body, kDimension);
  CHECK_EQUAL(operations.size(), 5U);
  CHECK(std::get<Forget>(operations[0]).id == sample.id);
  check_same(std::get<WriteVersion>(operations[1]), sample.version);
  CHECK(std::get<ChangeState>(operations[2]).id == Id{});
  CHECK(std::get<ChangeState>(operations[2]).state == state);
  CHECK(std::get<Forget>(operations[3]).id == Id{});
  CHECK(std::get<ForgetEnded>(operations[4]).id == sample.id);
  CHECK_EQUAL(std::get<ForgetEnded>(operations[4]).moment, -7);
  CHECK(decode_operations({}, kDimension).empty());
}

TEST(format_operations_cut_anywhere_are_refused_or_whole_ones) {
  const Sample sample;
  const auto first = encoded({sample.version});
  const auto body = encoded({sample.version, ForgetEnded{sample.id, 1}});
  testing::for_each_truncation(body, [&](std::span<const std::byte> shorter) {
    if (shorter.empty() || shorter.size() == first.size()) {
      CHECK_EQUAL(decode_operations(shorter, kDimension).size(), shorter.empty() ? 0U : 1U);
    } else {
      CHECK_THROWS(ErrorCode::kCorruptStore, decode_operations(shorter, kDimension));
    }
  });
}

// The chained checksum of the entry finds these; here, what gets through must be well-formed and nothing else may
// happen.
TEST(format_operations_with_any_flipped_bit_are_refused_or_well_formed) {
  const Sample sample;
  const auto body =
      encoded({sample.version, ChangeState{sample.id, State{}}, Forget{sample.id}, ForgetEnded{sample.id, 1}});
  testing::for_each_flipped_bit(body, [](std::span<const std::byte> damaged) {
    try {
      CHECK_EQUAL(encoded(decode_operations(damaged, kDimension)).size(), damaged.size());
    } catch (const Error& error) {
      CHECK_EQUAL(error.code(), ErrorCode::kCorruptStore);
    }
  });
}

TEST(format_operations_with_huge_lengths_are_refused_without_allocating) {
  const Sample sample;
  const auto body = encoded({sample.version});
  for (std::size_t offset = 0; offset + 4 <= body.size(); ++offset) {
    auto hostile = body;
    std::memset(hostile.data() + offset, 0xFF, 4);
    try {
      CHECK(decode_operations(hostile, kDimension).size() <= body.size());
    } catch (const Error& error) {
      CHECK_EQUAL(error.code(), ErrorCode::kCorruptStore);
    }
  }
}

TEST(format_operations_of_another_dimension_are_refused) {
  const Sample sample;
  const auto body = encoded({sample.version});
  CHECK_THROWS(ErrorCode::kCorruptStore, decode_operations(body, kDimension + 1));
  CHECK_THROWS(ErrorCode::kCorruptStore, decode_operations(body, 129));
  check_refused([](Sample& sample_) { sample_.version.code = sample_.version.code.first(63); });
  check_refused([](Sample& sample_) { sample_.version.vector = sample_.version.vector.first(11); });
  check_refused([](Sample& sample_) { sample_.version.vector = {}; });
}

TEST(format_operations_with_a_vector_that_is_not_finite_are_refused) {
  for (const float value : {std::nanf(""), -std::nanf(""), INFINITY, -INFINITY}) {
    for (std::size_t place = 0; place < kDimension; ++place) {
      check_refused([&](Sample& sample) { sample.vector[place] = value; });
    }
  }
  Sample largest;
  largest.vector = {std::numeric_limits<float>::max(), -std::numeric_limits<float>::max(), -0.0F};
  const auto body = encoded({largest.version});
  check_same(std::get<WriteVersion>(decode_operations(body, kDimension).at(0)), largest.version);
}

TEST(format_operations_with_impossible_measures_are_refused) {
  for (const double value : {std::nan(""), double{INFINITY}, -1.0}) {
    check_refused([value](Sample& sample) { sample.version.norm = value; });
    check_refused([value](Sample& sample) { sample.version.code_scale = static_cast<float>(value); });
    check_refused([value](Sample& sample) { sample.version.code_error = static_cast<float>(value); });
    check_refused([value](Sample& sample) { sample.version.coarse_scale = static_cast<float>(value); });
    check_refused([value](Sample& sample) { sample.version.coarse_error = static_cast<float>(value); });
  }
}

TEST(format_operations_with_an_impossible_state_are_refused) {
  for (const double importance : {-0.001, 1.001, std::nan(""), double{INFINITY}}) {
    check_state_refused({.importance = importance});
  }
  for (const float value : {std::nanf(""), INFINITY, -1.0F}) {
    check_state_refused({.confidence = value});
    check_state_refused({.stability = value});
  }
  check_state_refused({.flags = 128});
  check_state_refused({.trust = static_cast<Trust>(3)});
}

TEST(format_operations_without_scope_or_kind_are_refused) {
  check_refused([](Sample& sample) { sample.version.scope = ""; });
  check_refused([](Sample& sample) { sample.version.kind = ""; });
}

TEST(format_operations_of_unknown_type_or_with_trailing_bytes_are_refused) {
  for (int type = 0; type < 256; ++type) {
    if (type >= 1 && type <= 4) continue;
    std::vector<std::byte> body(17, static_cast<std::byte>(type));
    CHECK_THROWS(ErrorCode::kCorruptStore, decode_operations(body, kDimension));
  }
  auto body = encoded({Forget{Id{}}});
  body.push_back(std::byte{0});
  CHECK_THROWS(ErrorCode::kCorruptStore, decode_operations(body, kDimension));
}

}  // namespace hippocore::format
