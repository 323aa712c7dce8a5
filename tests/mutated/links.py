"""What links lead to, and what they must not lead through."""

from __future__ import annotations

from tests.mutating import Mutation

_WALK = "python/hippocore/linked_recall.py"
_LINKS = "tests/python/layer/test_links.py"
_KEPT = "tests/python/policies/test_links.py"

MUTATIONS = (
    Mutation(
        "a walk goes through what the recall leaves out",
        _WALK,
        "recall_filter(store, self._handle.now(), self._asked, **more)",
        "store.new_filter(now=self._handle.now(), **more)",
        f"{_LINKS}::test_what_a_recall_leaves_out_is_neither_reached_nor_walked_through",
    ),
    Mutation(
        "an agent walks through what it may not read",
        "python/hippocore/agent_store.py",
        "scopes=list(self._rights.read), subtree=True, **conditions",
        "scopes=None, **conditions",
        f"{_LINKS}::test_no_agent_walks_through_what_it_may_not_read",
    ),
    Mutation(
        "links are walked one way",
        _WALK,
        "(*self._along_links(), *self._against_links())",
        "self._along_links()",
        f"{_LINKS}::test_a_link_is_walked_both_ways",
    ),
    Mutation(
        "the last way counts, not the best",
        _WALK,
        "if place.relevance > (known.relevance if known else 0.0):",
        "if place.relevance > 0.0:",
        f"{_LINKS}::test_a_walk_is_the_best_of_all_ways",
    ),
    Mutation(
        "a walk starts from as many as are asked for",
        _WALK,
        "limit=how.limit and max(how.limit, STARTS)",
        "limit=how.limit",
        f"{_LINKS}::test_what_comes_first_does_not_depend_on_how_many_are_asked_for",
    ),
    Mutation(
        "what is relevant by itself loses by a link",
        _WALK,
        " or self.relevance <= self.hit.relevance:",
        ":",
        f"{_LINKS}::test_a_walk_is_the_best_of_all_ways",
    ),
    Mutation(
        "a least relevance is not of the outcome",
        _WALK,
        "self._best.items() if place.relevance >= least}",
        "self._best.items()}",
        f"{_LINKS}::test_a_least_relevance_is_of_what_links_make_of_it",
    ),
    Mutation(
        "a walk reaches everything",
        _WALK,
        "place.key not in self._best and len(self._best) >= self._most",
        "False",
        f"{_LINKS}::test_a_walk_reaches_so_many_the_most_relevant_first",
    ),
    Mutation(
        "conditions are read up by the first step",
        _WALK,
        "_checked_steps(question.expand_links), repeatable(asked)",
        "_checked_steps(question.expand_links), asked",
        f"{_LINKS}::test_conditions_that_can_be_read_once_hold_at_every_step",
    ),
    Mutation(
        "an update has no facets for its links",
        "python/hippocore/records.py",
        "facets_of(record.extra.tags, record.extra.metadata, record.extra.links),",
        "facets_of(record.extra.tags, record.extra.metadata, ()),",
        f"{_LINKS}::test_links_are_those_of_the_time_that_is_asked_of",
    ),
    Mutation(
        "the weaker of two links stays",
        "python/hippocore/links.py",
        "if link.weight > known.weight:",
        "if link.weight < known.weight:",
        f"{_LINKS}::test_merging_unites_links_and_the_stronger_one_stays",
    ),
    Mutation(
        "links of one id are equal whatever their type and weight",
        "python/hippocore/links.py",
        "return same and (self._type, self._weight) == (other._type, other._weight)",
        "return same",
        f"{_LINKS}::test_an_update_of_a_weight_alone_is_a_change",
    ),
    Mutation(
        "a plain link kept as a list is read",
        "python/hippocore/extra.py",
        "    if link.is_plain and value != str(link):\n",
        "    if False:\n",
        f"{_KEPT}::test_what_no_release_keeps_as_a_link_is_refused",
    ),
    Mutation(
        "a new memory is linked to what it ends",
        "python/hippocore/plan.py",
        "        self._ended.add(ended.key)\n",
        "",
        f"{_LINKS}::test_only_what_is_live_in_the_scope_is_linked_to",
    ),
    Mutation(
        "a new memory is linked where its writer cannot read",
        "python/hippocore/plan.py",
        "        if self._handle.may_read(draft.scope):\n            found",
        "        if True:\n            found",
        f"{_LINKS}::test_nothing_is_linked_in_a_scope_that_its_writer_cannot_read",
    ),
    Mutation(
        "a condition on links is none beside ids",
        "cpp/memory/eligible.cpp",
        "  if (filter.any_links) masks.keep_only(slots_of_facets(root, filter, *filter.any_links));\n",
        "",
        "memory_recall_with_any_filter",
    ),
    Mutation(
        "of ids only the newest versions take part in the past",
        "cpp/memory/eligible.cpp",
        "    if (filter.as_of || filter.ended_by) {\n      for (const std::uint32_t slot : root.versions",
        "    if (filter.ended_by) {\n      for (const std::uint32_t slot : root.versions",
        "memory_recall_with_any_filter",
    ),
)
