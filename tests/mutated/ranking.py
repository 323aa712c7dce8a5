"""What decides who takes part, and in which order: kernels, bounds, filters, packing."""

from __future__ import annotations

from tests.mutating import Mutation

_FILTERS = "tests/python/layer/test_recall.py::test_a_filter_lets_pass_exactly_what_it_says"

MUTATIONS = (
    Mutation(
        "a sign in the AVX2 product of codes",
        "cpp/kernels/avx2.cpp",
        "products = _mm256_add_epi16(products, _mm256_maddubs_epi16(high,",
        "products = _mm256_sub_epi16(products, _mm256_maddubs_epi16(high,",
        "kernels_give_the_same_code_dot",
    ),
    Mutation(
        "a lane of the AVX2 exact product",
        "cpp/kernels/avx2.cpp",
        "high = _mm256_fmadd_pd(upper_half(left), upper_half(right), high);",
        "high = _mm256_fmadd_pd(upper_half(left), lower_half(right), high);",
        "kernels_give_the_same_exact_dot",
    ),
    Mutation(
        "the scalar kernel's upper bound without slack",
        "cpp/kernels/scalar.cpp",
        "query.relevance * interval.upper + metadata + query.slack;",
        "query.relevance * interval.upper + metadata - query.slack;",
        "bounds_enclose_the_exact_score",
    ),
    Mutation(
        "a bound rounded the wrong way",
        "cpp/ranking/rounding.h",
        "if (static_cast<double>(nearest) >= value) return nearest;",
        "if (static_cast<double>(nearest) <= value) return nearest;",
        "quantize_bounds_the_error_from_above",
    ),
    Mutation(
        "half of a code's error",
        "cpp/ranking/quantize.cpp",
        "bounds.error = round_up(std::sqrt(",
        "bounds.error = round_up(0.5 * std::sqrt(",
        "quantize_bounds_the_error_from_above",
    ),
    Mutation(
        "half of a query's error",
        "cpp/ranking/query_code.cpp",
        "std::sqrt(squared_error) * 1.001",
        "std::sqrt(squared_error) * 0.5",
        "query_codes_bound_their_error",
    ),
    Mutation(
        "rows that are not eligible raise the threshold",
        "cpp/ranking/scan.cpp",
        "for_each_bit(bounds_.raising & eligible,",
        "for_each_bit(bounds_.raising | (eligible & 0),",
        "recall_agrees_with_the_oracle",
    ),
    Mutation(
        "min_relevance ignored",
        "cpp/ranking/exact.cpp",
        "if (hit.hit.relevance >= query.query.min_relevance) top.add(hit);",
        "top.add(hit);",
        "recall_agrees_with_the_oracle",
    ),
    Mutation(
        "oldest first among equal scores",
        "cpp/ranking/top_k.cpp",
        "return a.valid_from > b.valid_from;",
        "return a.valid_from < b.valid_from;",
        "recall_orders_equal_scores",
    ),
    Mutation(
        "recency by e instead of by halves",
        "cpp/ranking/score.cpp",
        "return std::exp2(-",
        "return std::exp(-",
        "recency_halves",
    ),
    Mutation(
        "the packer stops at the first that does not fit",
        "cpp/ranking/packer.cpp",
        "if (tokens[position] > budget) continue;",
        "if (tokens[position] > budget) break;",
        "pack_by_score_skips",
    ),
    Mutation(
        "forgotten memories take part",
        "cpp/memory/eligible.cpp",
        "return (flags & format::kForgotten) == 0 && archived",
        "return archived",
        "tests/python/layer/test_forget.py::test_forget_takes_one_id_or_several_and_says_how_many",
    ),
    Mutation(
        "superseded versions take part",
        "cpp/memory/eligible.cpp",
        "return (flags & format::kSuperseded) == 0 && state_fits(flags)",
        "return state_fits(flags)",
        "tests/python/layer/test_update.py::test_recall_never_shows_old_and_new_and_history_has_both",
    ),
    Mutation(
        "expired memories take part",
        "cpp/memory/eligible.cpp",
        "return filter_.expired || states.expires_at[row] > filter_.moment();",
        "return filter_.expired || states.expires_at[row] > 0;",
        "tests/python/layer/test_times.py::test_an_expired_memory_is_hidden_from_the_moment_it_expires",
    ),
    Mutation(
        "a version is valid when the next one begins",
        "cpp/memory/eligible.cpp",
        "moment < states.valid_until[row]",
        "moment <= states.valid_until[row]",
        "tests/python/layer/test_times.py::test_as_of_sees_the_store_as_it_was",
    ),
    Mutation(
        "the filter by scope ignored",
        "cpp/memory/eligible.cpp",
        "if (scopes_ != nullptr) keep_scopes(",
        "if (scopes_ != nullptr && scopes_->empty()) keep_scopes(",
        "tests/python/layer/test_scopes.py::test_every_label_is_kept_apart_and_compared_exactly",
    ),
    Mutation(
        "a subtree as a prefix of the text",
        "cpp/memory/eligible.cpp",
        "scope.size() > above.size() && scope[above.size()] == '/' &&",
        "scope.size() > above.size() &&",
        "tests/python/layer/test_scopes.py::test_a_subtree_is_read_label_by_label",
    ),
    Mutation(
        "the filter by kind ignored",
        "cpp/memory/eligible.cpp",
        "kinds_[kind] =\n",
        "kinds_[kind] = true ||\n",
        _FILTERS,
    ),
    Mutation(
        "the filter by facets takes every slot",
        "cpp/memory/eligible.cpp",
        "  return slots_of(root, filter, labels);\n}\n\nbool are_few",
        "  static_cast<void>(filter);\n  return SlotMasks::all(root.count);\n}\n\nbool are_few",
        _FILTERS,
    ),
    Mutation(
        "until includes its own moment",
        "cpp/memory/eligible.cpp",
        "happened_at(rows, row) < *filter_.until",
        "happened_at(rows, row) <= *filter_.until",
        _FILTERS,
    ),
)
