"""What is outdated: what a context says of it, and who may say that something is."""

from __future__ import annotations

from tests.mutating import Mutation

MUTATIONS = (
    Mutation(
        "a context shows what a newer memory outdates",
        "python/hippocore/outdated.py",
        "{key for newer, keys in named for key in keys if key in rows and _may_outdate(newer, rows[key])}",
        "set()",
        "tests/python/layer/test_outdated.py::test_a_context_leaves_the_older_one_out_and_says_why",
    ),
    Mutation(
        "what is trusted less hides what is trusted more",
        "python/hippocore/outdated.py",
        "and state[5] >= its_state[5]",
        "",
        "tests/python/agents/test_outdated.py::test_no_untrusted_link_hides_what_its_scope_shares",
    ),
)
