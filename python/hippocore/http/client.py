"""Requests to one server, repeated as `retry` says, within time limits, with errors that hold no secret."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import urlsplit, urlunsplit

from hippocore.errors import HippocoreError
from hippocore.http.retry import passes, retry_after, wait_before

_REMEDIES = {
    401: "check api_key",
    403: "check api_key and its rights",
    404: "check the URL (with /v1 where the server wants it) and the model",
    429: "the rate limit or quota is used up: try later",
}


class _PassingError(Exception):
    """One attempt that may be repeated: what happened, and the wait that the server asked for."""

    def __init__(self, what: str, asked: float | None = None) -> None:
        super().__init__(what)
        self.what, self.asked = what, asked


class JsonClient:
    """POSTs JSON bodies to `{url}{endpoint}` and returns the body of a 200.

    Every attempt makes a connection of its own, so that threads and forks share nothing. `timeout` bounds one attempt,
    `total_timeout` all of them with the waits between, in seconds; `longest_answer` a body, in bytes. What fails is
    raised as `error`; `remedies` says what to do about a status where this module does not know.
    """

    def __init__(
        self,
        url: str,
        endpoint: str,
        *,
        error: type[HippocoreError],
        longest_answer: int,
        remedies: Mapping[int, str],
        api_key: str | None,
        headers: Mapping[str, str] | None,
        timeout: float,
        total_timeout: float,
        retries: int,
        sleep: Callable[[float], None],
        clock: Callable[[], float],
        chance: Callable[[], float] | None,
    ) -> None:
        if not (timeout > 0 and total_timeout > 0):
            raise ValueError("timeout and total_timeout must be more than 0 seconds")
        if retries < 0:
            raise ValueError(f"retries must not be negative, not {retries}")
        self._url, self.shown_url = _endpoint(url, endpoint)
        self._headers = _headers(api_key, headers or {})
        self._timeout, self._total_timeout, self._retries = timeout, total_timeout, retries
        self._error, self._longest_answer, self._remedies = error, longest_answer, {**_REMEDIES, **remedies}
        self._sleep, self._clock, self._chance = sleep, clock, chance or _random_chance

    def ask(self, body: bytes, *, retries: int | None = None) -> bytes:
        """Return the answer's body; `retries` overrides the client's own number. Raises the client's error."""
        end = self._clock() + self._total_timeout
        repeats = self._retries if retries is None else retries
        attempt = 0
        while True:
            try:
                return self._attempt(body, end)
            except _PassingError as failed:
                wait = wait_before(attempt, asked=failed.asked, chance=self._chance())
                reason = self._reason_to_stop(attempt, repeats, wait, end)
                if reason:
                    raise self._error(f"{self.shown_url} {failed.what}; {reason}") from None
            self._sleep(wait)
            attempt += 1

    def _reason_to_stop(self, attempt: int, repeats: int, wait: float, end: float) -> str | None:
        if attempt >= repeats:
            return f"gave up after {attempt + 1} attempts"
        if self._clock() + wait >= end:
            return f"waiting {wait:.1f} s more would pass the time limit of {self._total_timeout:g} s"
        return None

    def _attempt(self, body: bytes, end: float) -> bytes:
        from http.client import HTTPException

        from hippocore.http.post import AnswerTooLongError, post

        end = min(end, self._clock() + self._timeout)
        try:
            remaining = partial(self._remaining, end)
            answer = post(self._url, body, self._headers, longest_answer=self._longest_answer, remaining=remaining)
        except AnswerTooLongError:
            raise self._error(f"{self.shown_url} answered with more than {self._longest_answer} bytes") from None
        except (OSError, HTTPException) as error:
            raise _PassingError(f"could not be asked ({_kind(error)})") from None
        if answer.status == 200:
            return answer.body
        what = f"answered {answer.status} {_phrase(answer.status, self._remedies)}"
        if not passes(answer.status):
            raise self._error(f"{self.shown_url} {what}")
        raise _PassingError(what, retry_after(answer.retry_after, now=time.time()))

    def _remaining(self, end: float) -> float:
        left = end - self._clock()
        if left <= 0:
            raise TimeoutError
        return left


def _endpoint(url: str, endpoint: str) -> tuple[str, str]:
    """Return the URL to ask and the one to show, which has no query (some servers take keys there)."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError("url must begin with http:// or https:// and name a host")
    if not (url.isascii() and url.isprintable()) or " " in url:
        raise ValueError("url must be ASCII without spaces or control characters")
    if "@" in parts.netloc:
        raise ValueError("url must not hold a user or password: use api_key= or headers=")
    path = parts.path.rstrip("/").removesuffix(endpoint) + endpoint
    shown = urlunsplit((parts.scheme, parts.netloc, path, "", ""))
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, "")), shown


def _headers(api_key: str | None, extra: Mapping[str, str]) -> dict[str, str]:
    """Return the headers; ones that HTTP cannot carry are refused here, where no message shows their value."""
    headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "hippocore", **extra}
    if api_key is not None:
        headers["Authorization"] = f"Bearer {api_key}"
    for name, value in headers.items():
        if not (value.isascii() and value.isprintable()):
            what = "api_key" if name == "Authorization" else f"the header {name}"
            raise ValueError(f"{what} holds a line break or a letter that HTTP cannot carry")
    return headers


def _kind(error: Exception) -> str:
    """Return what went wrong: the system's text for an errno, else the name of the class."""
    reason = getattr(error, "reason", error)  # urllib wraps what happened while connecting
    if isinstance(reason, OSError) and reason.strerror and not isinstance(reason, TimeoutError):
        return str(reason.strerror)
    return "timed out" if isinstance(reason, TimeoutError) else type(reason).__name__


def _phrase(status: int, remedies: Mapping[int, str]) -> str:
    from http.client import responses

    phrase = responses.get(status, "unknown")
    remedy = remedies.get(status, "it redirects: give the URL it points to" if 300 <= status < 400 else "")
    return f"({phrase}): {remedy}" if remedy else f"({phrase})"


def _random_chance() -> float:
    import random

    return random.random()
