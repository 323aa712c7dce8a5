"""What an agent may see and change."""

from __future__ import annotations

from tests.mutating import Mutation

MUTATIONS = (
    Mutation(
        "an id out of sight is found",
        "python/hippocore/agent_store.py",
        "return row if self._rights.may_read(row[_SCOPE]) else None",
        "return row",
        "tests/python/agents/test_policy.py::test_an_id_out_of_sight_is_like_one_that_does_not_exist",
    ),
    Mutation(
        "ALL is everything for an agent too",
        "python/hippocore/agent_store.py",
        "scopes=list(self._rights.read), subtree=True, **conditions",
        "scopes=None, **conditions",
        "tests/python/agents/test_policy.py::test_all_is_what_an_agent_may_read",
    ),
    Mutation(
        "a named scope is not asked about",
        "python/hippocore/agent_store.py",
        "        self._rights.require_read(scopes)\n",
        "",
        "tests/python/agents/test_policy.py::test_naming_a_scope_without_the_right_is_denied_by_every_reading_verb",
    ),
    Mutation(
        "rights compared as text",
        "python/hippocore/rights.py",
        'scope == root or scope.startswith(f"{root}/")',
        "scope.startswith(root)",
        "tests/python/agents/test_policy.py::test_a_right_to_a_scope_is_a_right_to_what_lies_below_it_label_by_label",
    ),
    Mutation(
        "merging where one may not read",
        "python/hippocore/plan.py",
        "not draft.places_itself and self._handle.may_read(draft.scope)",
        "not draft.places_itself",
        "tests/python/agents/test_agent_ids.py::test_remembering_where_one_may_not_read_tells_nothing_of_what_is_there",
    ),
    Mutation(
        "a given id that is taken out of sight is refused",
        "python/hippocore/names.py",
        "        return list(self._names_of(self._viewer, name))[-1]",
        "        return key_of(name)",
        "tests/python/agents/test_agent_ids.py::test_a_given_id_that_is_taken_out_of_sight_is_free",
    ),
    Mutation(
        "an agent writes where it may only read",
        "python/hippocore/agent_store.py",
        "            self._rights.require_write(rows[i][_SCOPE] for i in range(len(rows)))\n",
        "            pass\n",
        "tests/python/agents/test_policy.py::test_what_is_readable_and_not_writable_is_not_changed",
    ),
    Mutation(
        "a superseded memory out of sight is named",
        "python/hippocore/names.py",
        "        if not self._store.contains(key):\n            return None\n        return self.id_of",
        "        if not self._store.contains(key):\n            return supersedes\n        return self.id_of",
        "tests/python/agents/test_policy.py::test_a_history_leaves_out_what_is_out_of_sight",
    ),
    Mutation(
        "an agent exports everything",
        "python/hippocore/agent_store.py",
        "return self._readable(rows, vectors=vectors), following",
        "return rows, following",
        "tests/python/agents/test_agent_views.py::test_an_export_holds_what_may_be_read_and_counts_nothing_else",
    ),
    Mutation(
        "an agent asks for another one's rights",
        "python/hippocore/handle.py",
        "            if name != self.rights.agent:\n",
        "            if False:\n",
        "tests/python/agents/test_agent_views.py::test_an_agent_stays_who_it_is",
    ),
    Mutation(
        "closing an agent's layer closes the store",
        "python/hippocore/session.py",
        "return self._closed or self._owner.closed",
        "return self._closed",
        "tests/python/agents/test_agent_views.py::test_closing_an_agents_layer_closes_nothing_else",
    ),
    Mutation(
        "scopes out of sight are counted",
        "python/hippocore/agent_store.py",
        "for scope, count in self._beneath.scopes(now) if self._rights.may_read(scope)]",
        "for scope, count in self._beneath.scopes(now)]",
        "tests/model/test_agents.py::TestAgents",
    ),
)
