"""What a language model is asked for, and what of its answer may not be trusted or told."""

from __future__ import annotations

from tests.mutating import Mutation

_EXPANDED = "python/hippocore/expanded_recall.py"
_PATIENT = "python/hippocore/patient_call.py"
_CLIENT = "python/hippocore/http/client.py"
_EXPAND = "tests/python/layer/test_expand.py"
_LLM = "tests/python/layer/test_llm.py"
_CHAT = "tests/python/http/test_chat.py"

MUTATIONS = (
    Mutation(
        "another wording takes the place of the question's own score",
        _EXPANDED,
        "kept is None or hit.score > kept.score",
        "kept is None or hit.score < kept.score",
        f"{_EXPAND}::test_what_the_question_finds_is_never_lost_and_never_falls",
    ),
    Mutation(
        "confidence is told by another wording",
        _EXPANDED,
        "[:limit], own.confidence)",
        "[:limit], found[-1].confidence)",
        f"{_EXPAND}::test_a_context_is_of_what_is_united_and_its_confidence_the_questions_own",
    ),
    Mutation(
        "a model is asked for a recall of nothing",
        _EXPANDED,
        "    if not how.limit:\n        return [[] for _ in subjects]\n",
        "",
        f"{_EXPAND}::test_what_asks_for_nothing_or_wrongly_asks_no_model",
    ),
    Mutation(
        "the question comes back as its own paraphrase",
        "python/hippocore/expansions.py",
        'found = {_folded(query): ""}',
        "found: dict[str, str] = {'': ''}",
        f"{_EXPAND}::test_wordings_are_lines_without_their_ornaments",
    ),
    Mutation(
        "a model that is late is asked again before it has ended",
        _PATIENT,
        "return bool(self._given_up)",
        "return False",
        f"{_LLM}::test_an_llm_that_takes_too_long_is_given_up_and_not_asked_until_it_has_ended",
    ),
    Mutation(
        "a warning says what the model's own error says",
        _PATIENT,
        "raised {type(call.error).__name__}{place_of(call.error)}",
        "raised {type(call.error).__name__}{place_of(call.error)}: {call.error.args}",
        f"{_LLM}::test_an_llm_that_fails_says_so_once_and_shows_nothing",
    ),
    Mutation(
        "a redirect or a refusal is asked again",
        "python/hippocore/http/retry.py",
        "return status in (408, 429) or 500 <= status <= 599",
        "return status != 200",
        f"{_CHAT}::test_what_will_not_change_is_not_asked_again",
    ),
    Mutation(
        "Retry-After is not heard",
        _CLIENT,
        "asked=failed.asked",
        "asked=None",
        f"{_CHAT}::test_a_429_waits_as_long_as_the_server_says",
    ),
    Mutation(
        "a huge answer is read to its end",
        "python/hippocore/http/post.py",
        "            raise AnswerTooLongError\n",
        "            pass\n",
        f"{_CHAT}::test_a_huge_answer_is_not_read_to_its_end_and_not_asked_for_again",
    ),
    Mutation(
        "the ranking's k1 does not reach the store",
        "python/hippocore/ranking.py",
        '"k1": float(self.k1)',
        '"k1": 0.9',
        "tests/python/layer/test_modes.py::test_words_count_as_bm25_says_with_the_rankings_k1_and_b",
    ),
)
