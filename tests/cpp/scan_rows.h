// Memories as recall sees them, made by tests: columns they own, in chunks of any count, on which every kernel can run.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "kernels/kernels.h"
#include "ranking/quantize.h"
#include "ranking/recall.h"

namespace hippocore::testing {

// Runs the body once on each kernel of this machine, then puts the first choice back.
template <typename Body>
void on_every_kernel(Body&& body) {
  const kernels::Kernels& before = kernels::kernels();
  for (const kernels::Kernels* each : kernels::available_kernels()) {
    kernels::use_kernels(*each);
    body();
  }
  kernels::use_kernels(before);
}

// One memory.
struct ScanRow {
  std::vector<float> vector;
  std::int64_t time = 0;
  std::int64_t valid_from = 0;
  double importance = 0.5;
  std::uint32_t use_count = 0;
  std::uint16_t kind = 0;
  Id id;
  bool eligible = true;
};

// The columns of one chunk. Each is exactly as long as its rows, so that the sanitizer sees a read behind them.
class ScanColumns {
 public:
  ScanColumns(std::span<const ScanRow> rows, std::size_t dimension, std::uint32_t first_slot) {
    const std::size_t width = format::code_bytes(dimension);
    codes_.resize(rows.size() * width);
    scan_.first_slot = first_slot;
    scan_.count = static_cast<std::uint32_t>(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) add(rows[i], i, std::span(codes_).subspan(i * width, width));
  }

  [[nodiscard]] ranking::ScanChunk scan() const {
    ranking::ScanChunk scan = scan_;
    scan.coarse_codes = coarse_codes_.data();
    scan.coarse_scales = coarse_scales_.data();
    scan.coarse_errors = coarse_errors_.data();
    scan.codes = codes_.data();
    scan.code_scales = scales_.data();
    scan.code_errors = errors_.data();
    scan.times = times_.data();
    scan.importance = importance_.data();
    scan.log_uses = log_uses_.data();
    scan.use_counts = use_counts_.data();
    scan.kinds = kinds_.data();
    scan.vectors = vectors_.data();
    scan.norms = norms_.data();
    scan.valid_from = valid_from_.data();
    scan.ids = ids_.data();
    return scan;
  }

 private:
  void add(const ScanRow& row, std::size_t i, std::span<std::byte> code) {
    const auto bounds = ranking::quantize(row.vector, code);
    const std::size_t width = code.size() / 2;
    coarse_codes_.resize((i + 1) * width);
    ranking::coarsen(code, std::span(coarse_codes_).subspan(i * width, width));
    coarse_scales_.push_back(bounds.coarse_scale);
    coarse_errors_.push_back(bounds.coarse_error);
    norms_.push_back(bounds.norm);
    scales_.push_back(bounds.scale);
    errors_.push_back(bounds.error);
    vectors_.insert(vectors_.end(), row.vector.begin(), row.vector.end());
    times_.push_back(row.time);
    valid_from_.push_back(row.valid_from);
    importance_.push_back(row.importance);
    use_counts_.push_back(row.use_count);
    log_uses_.push_back(static_cast<float>(std::log1p(static_cast<double>(row.use_count))));
    kinds_.push_back(row.kind);
    ids_.push_back(row.id);
    if (row.eligible) scan_.eligible[i / 64] |= std::uint64_t{1} << i % 64;
  }

  ranking::ScanChunk scan_;
  std::vector<std::byte> codes_, coarse_codes_;
  std::vector<float> coarse_scales_, coarse_errors_;
  std::vector<float> scales_, errors_, log_uses_, vectors_;
  std::vector<std::int64_t> times_, valid_from_;
  std::vector<double> importance_, norms_;
  std::vector<std::uint32_t> use_counts_;
  std::vector<std::uint16_t> kinds_;
  std::vector<Id> ids_;
};

}  // namespace hippocore::testing
