"""Rolling summaries: the oldest is folded when a scope is over its budget, the recent tail and hard rules never."""

import pytest

import hippocore
from hippocore import ALL, AccessDenied, AsyncMemoryLayer, Policy, ReadOnlyStore, StoreClosed
from hippocore.lifecycle.centrality import sentences
from hippocore.tokens import estimate

TOPICS = ["billing", "search", "login", "invoice", "mobile", "report"]


def diary(count, first=0):
    """Entries of two sentences and 24 or 25 tokens each."""
    return [
        f"Day {day} was about the {topic} service. The {topic} tests ran and the team fixed ticket {day}."
        for day in range(first, first + count)
        for topic in [TOPICS[day % 6]]
    ]


def level(memory):
    return memory.metadata.get("level")


def test_within_the_budget_nothing_is_done(layer, remember):
    remember(layer, diary(20))
    assert layer.summarize(budget_tokens=600) == hippocore.Compression((), (), False)
    assert layer.count() == 20


def test_the_oldest_are_folded_and_the_recent_tail_stays(layer, remember):
    ids = remember(layer, diary(30))
    done = layer.summarize(budget_tokens=500, keep_recent=10)
    assert done.archived == tuple(ids[: len(done.archived)])
    assert 3 <= len(done.archived) <= 20
    assert [one.id for one in layer.list(archived=True, order="oldest")] == list(done.archived)
    left = layer.list(kinds=["episode"], order="oldest")
    assert [one.id for one in left] == ids[len(done.archived) :]
    assert sum(one.tokens for one in left) <= 500


def test_a_summary_says_in_order_what_its_members_say_and_no_other_words(layer, remember):
    texts = diary(30)
    remember(layer, texts, source="diary", tags=["work"])
    (made,) = layer.summarize(budget_tokens=500, keep_recent=10).made
    summary = layer.get(made.id)
    assert (summary.kind, summary.source, summary.tags, summary.links) == ("summary", "diary", ("work",), made.members)
    assert (level(summary), summary.metadata["of"]["members"]) == (1, len(made.members))
    said = [sentence for text in texts[: len(made.members)] for sentence in sentences(text)]
    positions = [said.index(sentence) for sentence in sentences(summary.content)]
    assert positions == sorted(positions)
    assert len(positions) >= 3
    assert summary.tokens <= 50
    assert summary.event_time == layer.get(made.members[0]).created_at


def test_a_sentence_stands_under_the_name_of_who_said_it(layer, remember):
    remember(layer, ["Ada: Hi there! The deploy is on Friday at noon. I move the old database tomorrow."])
    remember(layer, ["Bob: Fine with me! I take the web server and the load balancer."])
    remember(layer, ["Ada: Do you have the keys? The keys are in the safe downstairs."])
    (made,) = layer.summarize(budget_tokens=0, keep_recent=0, summary_tokens=200).made
    assert layer.get(made.id).content == (
        "Ada: The deploy is on Friday at noon. I move the old database tomorrow. "
        "Bob: I take the web server and the load balancer. Ada: The keys are in the safe downstairs."
    )


def test_running_again_goes_on_where_it_stopped(layer, remember):
    remember(layer, diary(30))
    first = layer.summarize(budget_tokens=500, keep_recent=10)
    assert not layer.summarize(budget_tokens=500, keep_recent=10).made
    remember(layer, diary(30, 30))
    second = layer.summarize(budget_tokens=500, keep_recent=10)
    assert second.made
    assert not set(first.archived) & set(second.archived)
    assert sum(one.tokens for one in layer.list(kinds=["episode"])) <= 500


def test_summaries_that_are_too_many_become_summaries_of_summaries(layer):
    layer.remember_many([{"content": text} for text in diary(300)], merge=False)
    done = layer.summarize(budget_tokens=200, keep_recent=4)
    of_first = [made for made in done.made if layer.get(made.id).metadata["level"] == 1]
    of_second = [made for made in done.made if layer.get(made.id).metadata["level"] == 2]
    assert of_first
    assert of_second
    assert set(of_second[0].members) <= {made.id for made in of_first}
    for number in (1, 2):
        live = [one for one in layer.list(kinds=["summary"]) if level(one) == number]
        assert sum(one.tokens for one in live) <= 200
    assert {hit.memory.id for hit in layer.recall("tests", metadata={"level": 2})} == {made.id for made in of_second}


def test_hard_rules_are_never_folded(layer, remember):
    (rule,) = remember(layer, ["Never push to main."], importance=0.95)
    remember(layer, diary(40))
    layer.summarize(budget_tokens=300, keep_recent=5)
    assert layer.get(rule).archived_at is None
    assert layer.summarize(budget_tokens=0, keep_recent=0, protect_importance=1.0).archived[0] == rule


@pytest.mark.parametrize("clock_moves", [True, False])
def test_the_tail_is_what_was_written_last_also_when_no_time_passes(layer, clock, clock_moves):
    ids = []
    for text in diary(30):
        clock.pass_by(60 if clock_moves else 0)
        ids.append(layer.remember(text, merge=False).id)
    layer.summarize(budget_tokens=100, keep_recent=6)
    assert {one.id for one in layer.list(kinds=["episode"])} == set(ids[-6:])


def test_a_piece_ends_with_its_source_where_it_can(layer, remember):
    first = remember(layer, diary(13), source="monday")
    second = remember(layer, diary(13, 13), source="tuesday")
    done = layer.summarize(budget_tokens=0, keep_recent=0, summary_tokens=50)
    assert [made.members for made in done.made] == [tuple(first), tuple(second)]


def test_what_is_long_does_not_stop_the_rest(layer, remember):
    remember(layer, [" ".join([text] * 40) for text in diary(8)])
    done = layer.summarize(budget_tokens=1_000, keep_recent=2)
    assert len(done.archived) == 6
    assert all(layer.get(made.id).tokens <= 100 for made in done.made)


def test_a_sentence_longer_than_a_summary_is_cut(layer, remember):
    remember(layer, ["word " * 2_000] * 3)
    (made,) = layer.summarize(budget_tokens=100, keep_recent=0, summary_tokens=20).made
    assert layer.get(made.id).tokens <= 20
    assert set(layer.get(made.id).content.split()) == {"word"}


def test_a_dry_run_says_what_would_be_folded(layer, remember):
    remember(layer, diary(30))
    would = layer.summarize(budget_tokens=500, keep_recent=10, dry_run=True)
    assert (layer.count(), layer.count(archived=True)) == (30, 0)
    assert would.archived == layer.summarize(budget_tokens=500, keep_recent=10).archived


def test_trusts_are_kept_apart_and_the_oldest_goes_first(layer, remember):
    for day in range(0, 30, 2):
        remember(layer, diary(1, day))
        remember(layer, diary(1, day + 1), trust="unverified")
    done = layer.summarize(budget_tokens=0, keep_recent=0)
    assert {layer.get(made.id).trust for made in done.made} == {"trusted", "unverified"}
    for made in done.made:
        assert {layer.get(member).trust for member in made.members} == {layer.get(made.id).trust}


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("The team fixed the billing tickets.", True),
        ("The team fixed the billing tickets.\n\nThe tests ran.", True),
        ("Bob fixed the billing tickets.", False),
        ("The team fixed 999 billing tickets.", False),
        ("The team fixed the billing tickets. " * 30, False),
        ("", False),
    ],
)
def test_a_models_summary_is_taken_where_it_is_short_and_says_what_the_notes_say(opened, remember, answer, kept):
    layer = opened(llm=lambda prompt: answer)
    remember(layer, diary(30))
    (made,) = layer.summarize(budget_tokens=500, keep_recent=10).made
    assert (layer.get(made.id).content == " ".join(answer.split())) is kept
    assert estimate(layer.get(made.id).content) <= 50


def test_a_write_that_fails_leaves_everything_and_the_next_run_goes_on(layer, remember, monkeypatch):
    remember(layer, diary(60))
    store = layer._session.handle().store
    whole, calls = store.write, []

    def fails_later(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise OSError("no")
        whole(*arguments)

    monkeypatch.setattr(store, "write", fails_later)
    with pytest.raises(OSError, match="no"):
        layer.summarize(budget_tokens=300, keep_recent=5)
    monkeypatch.undo()
    (before,) = layer.list(kinds=["summary"])
    assert layer.count(archived=True) == len(before.links)
    done = layer.summarize(budget_tokens=300, keep_recent=5)
    assert not set(before.links) & set(done.archived)
    members = [link for one in layer.list(kinds=["summary"]) for link in one.links]
    assert len(members) == len(set(members)) == layer.count(archived=True)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"budget_tokens": -1}, ValueError),
        ({"budget_tokens": 1.5}, TypeError),
        ({"keep_recent": -1}, ValueError),
        ({"summary_tokens": 0}, ValueError),
        ({"protect_importance": 2}, ValueError),
        ({"kinds": ["summary"]}, ValueError),
        ({"dry_run": None}, TypeError),
    ],
)
def test_wrong_arguments_are_refused(layer, wrong, error):
    with pytest.raises(error):
        layer.summarize(**wrong)


def test_rights_and_closed_and_read_only_handles(opened, remember):
    owner = opened(policy=Policy({"ann": {"read": ["ann", "rules"], "write": ["ann"]}}))
    for scope in ("ann", "rules"):
        remember(owner, diary(10), scope=scope)
    ann = owner.as_agent("ann")
    with pytest.raises(AccessDenied):
        ann.summarize(scope="rules", budget_tokens=0, keep_recent=0)
    ann.summarize(scope=ALL, budget_tokens=0, keep_recent=0, summary_tokens=50)
    assert (owner.count(scope="ann"), owner.count(scope="rules")) == (1, 10)
    with pytest.raises(ReadOnlyStore):
        opened(read_only=True).summarize()
    owner.close()
    with pytest.raises(StoreClosed):
        owner.summarize()


def test_an_async_layer_has_the_verb():
    assert AsyncMemoryLayer.summarize.__doc__ == hippocore.MemoryLayer.summarize.__doc__
