"""The chat client against a server on this machine that answers as badly as servers do."""

import json

import pytest

from hippocore import ChatError, HippocoreError, HippocoreWarning
from hippocore.chat import ChatClient
from hippocore.patient_llm import PatientLlm
from tests.misbehaving_server import Time, answer, cut_off, dripping, endless, hang_up, refusing, running, silent

KEY = "sk-very-secret-key"
PROMPT = "where is my private milk?"
SAID = "in the old fridge"


def completion(text):
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return lambda handler, asked: answer(handler, 200, {"object": "chat.completion", "choices": [choice]})


def status(code, **headers):
    return refusing(code, f"{PROMPT} {KEY}", **headers)


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.delenv("HIPPOCORE_LLM_API_KEY", raising=False)
    with running(completion(SAID)) as server:
        yield server


@pytest.fixture
def fake_time():
    return Time()


@pytest.fixture
def chat(server, fake_time):
    return client(server.url, fake_time)


def client(url, fake_time, **options):
    return ChatClient(
        url, "small", api_key=KEY, sleep=fake_time.sleep, clock=fake_time.clock, chance=lambda: 0.0, **options
    )


def failure(chat):
    """The message of the error that asking raises, in which nothing secret may be."""
    with pytest.raises(ChatError) as caught:
        chat(PROMPT)
    shown = f"{caught.value} {caught.value!r} {caught.value.__cause__!r} {caught.value.__context__!r} {chat!r}"
    assert not any(secret in shown for secret in (PROMPT, KEY, SAID, "milk"))
    assert isinstance(caught.value, HippocoreError)
    return str(caught.value)


def test_the_request_is_openais_and_the_text_is_the_first_choices(server, chat):
    assert chat(PROMPT) == SAID
    [(path, headers, asked)] = server.requests
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert headers["Content-Type"] == "application/json"
    assert asked == {"model": "small", "temperature": 0, "messages": [{"role": "user", "content": PROMPT}]}


def test_what_the_request_says_beside_can_be_chosen(server, fake_time):
    client(server.url + "/chat/completions/", fake_time, temperature=None, headers={"X-Team": "memory"})(PROMPT)
    client(server.url, fake_time, temperature=0.5, max_tokens=20)(PROMPT)
    first, second = server.requests
    assert first[0] == "/v1/chat/completions"
    assert first[1]["X-Team"] == "memory"
    assert set(first[2]) == {"model", "messages"}
    assert (second[2]["temperature"], second[2]["max_tokens"]) == (0.5, 20)


def test_the_key_is_the_environments_unless_it_is_given(server, monkeypatch):
    ChatClient(server.url, "small")(PROMPT)
    monkeypatch.setenv("HIPPOCORE_LLM_API_KEY", "from-outside")
    ChatClient(server.url, "small")(PROMPT)
    ChatClient(server.url, "small", api_key=KEY)(PROMPT)
    sent = [headers["Authorization"] for _, headers, _ in server.requests]
    assert sent == [None, "Bearer from-outside", f"Bearer {KEY}"]
    assert "from-outside" not in repr(ChatClient(server.url, "small"))


def test_a_429_waits_as_long_as_the_server_says(server, chat, fake_time):
    server.script = [status(429, Retry_After="7")]
    assert chat(PROMPT) == SAID
    assert fake_time.waits == [7.0]


def test_a_500_is_asked_again_after_growing_waits(server, chat, fake_time):
    server.script = [status(500), status(503), status(502)]
    assert chat(PROMPT) == SAID
    assert fake_time.waits == [0.5, 1.0, 2.0]


@pytest.mark.parametrize("behaviour", [cut_off, hang_up])
def test_a_cut_answer_is_asked_again(server, chat, behaviour):
    server.script = [behaviour, behaviour]
    assert chat(PROMPT) == SAID
    assert len(server.requests) == 3


def test_retries_end_and_the_error_names_server_status_and_remedy(server, fake_time):
    server.script = [status(429)] * 9
    said = failure(client(server.url, fake_time, retries=2))
    assert f"{server.url}/chat/completions answered 429 (Too Many Requests)" in said
    assert "try later; gave up after 3 attempts" in said
    assert len(server.requests) == 3


def test_a_wait_longer_than_the_time_is_not_begun(server, fake_time):
    server.script = [status(429, Retry_After="3600")]
    assert "waiting 3600.0 s more would pass the time limit of 60 s" in failure(
        client(server.url, fake_time, seconds=60)
    )
    assert fake_time.waits == []


@pytest.mark.parametrize(
    ("code", "remedy"),
    [(400, "400 (Bad Request)"), (401, "check api_key"), (404, "check the URL"), (413, "shorter"), (307, "redirects")],
)
def test_what_will_not_change_is_not_asked_again(server, chat, code, remedy):
    server.script = [status(code, Location="/elsewhere")]
    assert remedy in failure(chat)
    assert len(server.requests) == 1


@pytest.mark.parametrize("behaviour", [silent, dripping])
def test_a_server_that_never_finishes_is_left_in_time(server, behaviour):
    server.script = [behaviour] * 2
    assert "could not be asked (timed out)" in failure(ChatClient(server.url, "small", api_key=KEY, seconds=0.15))


def test_a_server_that_is_not_there_is_said(fake_time, server):
    with running(completion(SAID)) as gone:
        url = gone.url
    assert "could not be asked (Connection refused); gave up after 4 attempts" in failure(client(url, fake_time))


@pytest.mark.parametrize("behaviour", [completion("x" * 5000), endless])
def test_a_huge_answer_is_not_read_to_its_end_and_not_asked_for_again(server, fake_time, behaviour):
    server.script = [behaviour]
    assert "answered with more than 4000 bytes" in failure(client(server.url, fake_time, longest_answer=4000))
    assert len(server.requests) == 1


def test_the_longest_answer_is_read(server, fake_time):
    body = json.dumps({"choices": [{"message": {"content": SAID}}]}).encode()
    server.good = lambda handler, asked: answer(handler, 200, body)
    assert client(server.url, fake_time, longest_answer=len(body))(PROMPT) == SAID
    assert "more than" in failure(client(server.url, fake_time, longest_answer=len(body) - 1))


def test_the_body_of_an_error_is_not_read(server, fake_time):
    server.script = [refusing(500, "x" * 5000)]
    assert client(server.url, fake_time, longest_answer=4000)(PROMPT) == SAID


NO_TEXT = [
    b"<html>",
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"choices": [{"message": {"content": "\\ud800"}}]}',
    [],
    SAID,
    {"choices": None},
    {"choices": []},
    {"choices": {"0": SAID}},
    {"choices": [SAID]},
    {"choices": [{"message": {}}]},
    {"choices": [{"message": {"content": None}}]},
    {"choices": [{"message": {"content": [{"text": SAID}]}}]},
]


@pytest.mark.parametrize("content", NO_TEXT, ids=range(len(NO_TEXT)))
def test_an_answer_without_a_text_is_said_at_once(server, chat, content):
    server.script = [lambda handler, asked: answer(handler, 200, content)]
    assert "did not answer with a text" in failure(chat)
    assert len(server.requests) == 1


def test_it_serves_as_a_layers_llm_which_shows_nothing_where_it_fails(server, fake_time):
    llm = PatientLlm(client(server.url, fake_time), 60)
    assert llm.answer(PROMPT) == SAID
    server.script = [status(401)]
    with pytest.warns(HippocoreWarning, match="the llm raised ChatError") as warned:
        assert llm.answer(PROMPT) is None
    assert KEY not in str(warned[0].message)


@pytest.mark.parametrize("prompt", ["", " \n", "\ud800"])
def test_a_prompt_that_is_no_text_is_refused(server, chat, prompt):
    with pytest.raises(ValueError, match="prompt"):
        chat(prompt)
    assert server.requests == []


@pytest.mark.parametrize("url", ["localhost:80", "ftp://host/v1", "http://", "", f"http://me:{KEY}@host/v1"])
def test_what_is_no_address_is_refused_without_showing_it(url):
    with pytest.raises(ValueError, match="url must") as caught:
        ChatClient(url, "small", api_key=KEY)
    assert KEY not in str(caught.value)


def test_a_key_is_not_shown():
    assert KEY not in repr(ChatClient(f"http://host/v1?key={KEY}", "small", api_key=KEY))
    with pytest.raises(ValueError, match="api_key holds a line break") as caught:
        ChatClient("http://host/v1", "small", api_key=KEY + "\n")
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("seconds", value) for value in (0, -1, float("nan"))),
        *(("temperature", value) for value in (-1, float("nan"), float("inf"))),
        ("retries", -1),
        ("longest_answer", 0),
        ("max_tokens", 0),
    ],
)
def test_impossible_options_are_refused(option, value):
    with pytest.raises(ValueError, match=option):
        ChatClient("http://host/v1", "small", **{option: value})
