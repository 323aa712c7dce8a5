"""The HTTP embedder against a server on this machine that answers as badly as servers do."""

import socket
import time

import numpy as np
import pytest

from hippocore.embedders import OpenAICompatible
from hippocore.errors import EmbedderError
from tests.misbehaving_server import Time, answer, cut_off, dripping, hang_up, refusing, running, silent

KEY = "sk-very-secret-key"
TEXT = "my private memory"


def vector_of(text):
    return [float(len(text)), 1.0, 0.5]


def good(handler, asked):
    items = [{"index": i, "embedding": vector_of(text)} for i, text in enumerate(asked["input"])]
    answer(handler, 200, {"data": items, "model": asked["model"]})


def status(code, **headers):
    return refusing(code, f"{TEXT} {KEY}", **headers)


def data(make_items):
    return lambda handler, asked: answer(handler, 200, {"data": make_items(asked["input"])})


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with running(good) as server:
        yield server


@pytest.fixture
def fake_time():
    return Time()


@pytest.fixture
def embed(server, fake_time):
    return client(server.url, fake_time)


def client(url, fake_time, **options):
    return OpenAICompatible(
        url, "small", api_key=KEY, sleep=fake_time.sleep, clock=fake_time.clock, chance=lambda: 0.0, **options
    )


def failure(embed):
    """The message of the error that embedding raises, in which nothing secret may be."""
    with pytest.raises(EmbedderError) as caught:
        embed([TEXT, TEXT + "!"])
    shown = f"{caught.value} {caught.value!r} {caught.value.__cause__!r} {embed!r}"
    assert TEXT not in shown
    assert KEY not in shown
    return str(caught.value)


def test_the_request_is_openais(server, embed):
    np.testing.assert_array_equal(embed(["a", "bbb"]), [[1, 1, 0.5], [3, 1, 0.5]])
    [(path, headers, asked)] = server.requests
    assert path == "/v1/embeddings"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert headers["Content-Type"] == "application/json"
    assert asked == {"model": "small", "input": ["a", "bbb"]}


def test_the_name_and_the_dimension_are_the_models(server, embed):
    assert embed.name == "openai/small"
    assert embed(["a"]).dtype == np.float32
    assert embed.dim == 3
    assert len(server.requests) == 1


def test_texts_go_in_batches_and_come_back_in_order(server, fake_time):
    texts = ["x" * length for length in (5, 1, 4, 2, 3)]
    vectors = client(server.url, fake_time, batch_size=2)(texts)
    assert vectors[:, 0].tolist() == [5, 1, 4, 2, 3]
    assert [len(asked["input"]) for _, _, asked in server.requests] == [2, 2, 1]


def test_no_texts_make_no_request_when_the_dimension_is_known(server, fake_time):
    assert client(server.url, fake_time, dim=3)([]).shape == (0, 3)
    assert not server.requests


def test_the_order_is_that_of_index_not_of_arrival(server, embed):
    server.script = [data(lambda texts: [{"index": i, "embedding": vector_of(t)} for i, t in enumerate(texts)][::-1])]
    assert embed(["a", "bb", "ccc"])[:, 0].tolist() == [1, 2, 3]


def test_no_key_no_header_and_extra_headers_are_sent(server):
    OpenAICompatible(server.url + "/?version=2", "small", headers={"X-Team": "memory"})(["a"])
    [(path, headers, _)] = server.requests
    assert path == "/v1/embeddings?version=2"
    assert headers["Authorization"] is None
    assert headers["X-Team"] == "memory"


def test_a_url_that_names_the_endpoint_is_used_as_it_is(server, fake_time):
    client(server.url + "/embeddings/", fake_time)(["a"])
    assert server.requests[0][0] == "/v1/embeddings"


def test_the_dimension_is_asked_of_the_server_only_on_demand(server, fake_time):
    client(server.url, fake_time, dim=3)(["a"])
    client(server.url, fake_time, dim=3, send_dim=True)(["a"])
    assert [asked.get("dimensions") for _, _, asked in server.requests] == [None, 3]


def test_a_429_waits_as_long_as_the_server_says(server, embed, fake_time):
    server.script = [status(429, Retry_After="7")]
    assert embed(["a"]).shape == (1, 3)
    assert fake_time.waits == [7.0]


def test_a_500_is_asked_again_after_growing_waits(server, embed, fake_time):
    server.script = [status(500), status(503), status(502)]
    assert embed(["a"]).shape == (1, 3)
    assert fake_time.waits == [0.5, 1.0, 2.0]


@pytest.mark.parametrize("behaviour", [cut_off, hang_up])
def test_a_cut_answer_is_asked_again(server, embed, behaviour):
    server.script = [behaviour, behaviour]
    assert embed(["a"]).shape == (1, 3)
    assert len(server.requests) == 3


def test_retries_end_and_the_error_names_server_status_and_remedy(server, fake_time):
    server.script = [status(429)] * 9
    said = failure(client(server.url, fake_time, retries=2))
    assert f"{server.url}/embeddings answered 429 (Too Many Requests)" in said
    assert "smaller batch_size; gave up after 3 attempts" in said
    assert len(server.requests) == 3


def test_a_wait_longer_than_the_total_time_is_not_begun(server, fake_time):
    server.script = [status(429, Retry_After="3600")]
    said = failure(client(server.url, fake_time, total_timeout=60))
    assert "waiting 3600.0 s more would pass the time limit of 60 s" in said
    assert fake_time.waits == []


@pytest.mark.parametrize(
    ("code", "remedy"), [(400, "400 (Bad Request)"), (401, "check api_key"), (404, "check the URL"), (307, "redirects")]
)
def test_what_will_not_change_is_not_asked_again(server, embed, code, remedy):
    server.script = [status(code, Location="/elsewhere")]
    assert remedy in failure(embed)
    assert len(server.requests) == 1


@pytest.mark.parametrize("behaviour", [silent, dripping])
def test_a_server_that_never_finishes_is_left_at_the_timeout(server, behaviour):
    server.script = [behaviour, behaviour]
    embed = OpenAICompatible(server.url, "small", api_key=KEY, timeout=0.15, retries=1, sleep=lambda seconds: None)
    assert "could not be asked (timed out); gave up after 2 attempts" in failure(embed)


def test_a_server_that_accepts_but_never_shakes_hands_is_left_at_the_timeout(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        embed = OpenAICompatible(f"https://127.0.0.1:{deaf.getsockname()[1]}", "small", timeout=0.15, retries=0)
        begun = time.monotonic()
        assert "could not be asked (timed out)" in failure(embed)
        assert time.monotonic() - begun < 10


def test_a_slow_attempt_is_followed_by_a_good_one(server):
    server.script = [silent]
    embed = OpenAICompatible(server.url, "small", timeout=0.5, retries=1, sleep=lambda seconds: None)
    assert embed(["a"]).shape == (1, 3)


def test_a_server_that_is_not_there_is_said(fake_time, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with running(good) as gone:
        url = gone.url
    assert "could not be asked (Connection refused); gave up after 5 attempts" in failure(client(url, fake_time))
    assert len(fake_time.waits) == 4


def test_asking_for_the_dimension_of_a_missing_server_fails_without_waiting(fake_time, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with running(good) as gone:
        embed = client(gone.url, fake_time)
    with pytest.raises(EmbedderError, match="gave up after 1 attempts"):
        _ = embed.dim
    assert fake_time.waits == []


NOT_EMBEDDINGS = [
    b"<html>",
    b"\xff\xfe",
    b"[" * 100_000,
    [],
    {"data": None},
    {"data": [1, 2]},
    {"data": [{"embedding": [1.0]}, {"embedding": [1.0]}]},
    {"data": [{"index": "0", "embedding": [1.0]}, {"index": 1, "embedding": [1.0]}]},
]


@pytest.mark.parametrize("content", NOT_EMBEDDINGS, ids=range(len(NOT_EMBEDDINGS)))
def test_an_answer_that_is_not_embeddings_is_said_at_once(server, embed, content):
    server.script = [lambda handler, asked: answer(handler, 200, content)]
    assert "did not answer with embeddings" in failure(embed)
    assert len(server.requests) == 1


@pytest.mark.parametrize("indexes", [[0], [0, 1, 2], [0, 0], [0, 2], [1, 2], [-1, 0]])
def test_a_wrong_count_or_index_is_said(server, embed, indexes):
    server.script = [data(lambda texts: [{"index": i, "embedding": [1.0, 2.0]} for i in indexes])]
    assert "wrong indexes for 2 texts" in failure(embed)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([[1.0, 2.0, float("nan")], [1.0, 2.0, 3.0]], "NaN or infinity for 1 texts, first at 0"),
        ([[1.0, 2.0, 1e300], [1.0, 2.0, 3.0]], "NaN or infinity"),
        ([[1.0], [1.0, 2.0]], "unequal length"),
        ([[], []], "shape (2, 0)"),
        ([TEXT, TEXT], "array of floats"),
        ([None, None], "array of floats"),
        ([[1.0, 2.0], [1.0, 2.0]], "shape (2, 2), expected (2, 3)"),
    ],
)
def test_embeddings_that_are_no_vectors_of_the_dimension_are_said(server, fake_time, rows, said):
    server.script = [data(lambda texts: [{"index": i, "embedding": row} for i, row in enumerate(rows)])]
    assert said in failure(client(server.url, fake_time, dim=3))


@pytest.mark.parametrize("url", ["localhost:80", "ftp://host/v1", "http://", "http://a b/", "http://host:99999/"])
def test_what_is_no_web_address_is_refused(url):
    with pytest.raises(ValueError, match=r"url must|[Pp]ort"):
        OpenAICompatible(url, "small")


def test_secrets_in_the_url_are_refused_or_not_shown():
    with pytest.raises(ValueError, match="must not hold a user or password") as caught:
        OpenAICompatible(f"http://me:{KEY}@host/v1", "small")
    assert KEY not in str(caught.value)
    assert KEY not in repr(OpenAICompatible(f"http://host/v1?key={KEY}", "small"))


@pytest.mark.parametrize("key", [KEY + "\n", KEY + "é"])
def test_a_key_that_http_cannot_carry_is_refused_without_showing_it(key):
    with pytest.raises(ValueError, match="api_key holds a line break") as caught:
        OpenAICompatible("http://host/v1", "small", api_key=key)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [{"batch_size": 0}, {"dim": -1}, {"timeout": 0}, {"total_timeout": -1}, {"retries": -1}, {"send_dim": True}],
)
def test_impossible_options_are_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        OpenAICompatible("http://host/v1", "small", **options)
