"""A language model behind a server that speaks OpenAI's `/chat/completions`, with the standard library alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from hippocore.arguments import checked_content, checked_count, checked_number, checked_text, refuse_surrogates
from hippocore.errors import ChatError
from hippocore.http.client import JsonClient

KEY_VARIABLE: Final = "HIPPOCORE_LLM_API_KEY"
"""The environment variable whose key is sent where none is given."""

_REMEDIES: Final = {413: "use a shorter prompt"}


class ChatClient:
    """A callable str -> str, for `MemoryLayer(llm=...)`: POST {base_url}/chat/completions with one user message.

    `base_url` is the server's base, such as "https://api.openai.com/v1" or "http://localhost:11434/v1". `api_key` is
    the environment's HIPPOCORE_LLM_API_KEY where it is None, read once; it is sent to that server only. `temperature`
    and `max_tokens` are the request's; one that is None is not sent. `headers` are sent beside the key.

    A 429, a 5xx and a failed or cut connection are tried again, `retries` times, after growing waits and no sooner
    than Retry-After says; all within `seconds`, which bound one call. Redirects are refused, since they could take the
    key elsewhere. An answer of more than `longest_answer` bytes, JSON included, is refused. The call may come from any
    thread.

    Raises ChatError, which names the server, the status and the remedy, never the key, the prompt or the answer.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        temperature: float | None = 0.0,
        max_tokens: int | None = None,
        headers: Mapping[str, str] | None = None,
        seconds: float = 30.0,
        retries: int = 3,
        longest_answer: int = 4 * 1024 * 1024,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] | None = None,
    ) -> None:
        limit = _above_zero(checked_number(seconds, "seconds"), "seconds")
        longest = _above_zero(checked_count(longest_answer, "longest_answer"), "longest_answer")
        self._asked = {"model": checked_text(model, "model"), **_options(temperature, max_tokens)}
        self._client = JsonClient(
            checked_text(base_url, "base_url"), "/chat/completions", error=ChatError,
            longest_answer=int(longest), remedies=_REMEDIES, api_key=_key(api_key), headers=headers,
            timeout=limit, total_timeout=limit, retries=checked_count(retries, "retries"),
            sleep=sleep, clock=clock, chance=chance,
        )  # fmt: skip

    def __call__(self, prompt: str, /) -> str:
        """Return what the model answers to a prompt. Raises ChatError; ValueError for a prompt that is blank."""
        import json

        message = {"role": "user", "content": checked_content(prompt, "prompt")}
        body = json.dumps({**self._asked, "messages": [message]}).encode()
        return _text_of(self._client.ask(body), self._client.shown_url)

    def __repr__(self) -> str:
        return f"ChatClient(base_url={self._client.shown_url!r}, model={self._asked['model']!r})"


def _options(temperature: float | None, max_tokens: int | None) -> dict[str, Any]:
    said: dict[str, Any] = {}
    if temperature is not None:
        said["temperature"] = checked_number(temperature, "temperature")
        if not 0 <= said["temperature"] < float("inf"):
            raise ValueError(f"temperature must be 0 or more, not {temperature!r}")
    if max_tokens is not None:
        said["max_tokens"] = _above_zero(checked_count(max_tokens, "max_tokens"), "max_tokens")
    return said


def _above_zero(value: Any, name: str) -> Any:
    if not value > 0:
        raise ValueError(f"{name} must be more than 0, not {value!r}")
    return value


def _key(given: str | None) -> str | None:
    import os

    return given if given is not None else os.environ.get(KEY_VARIABLE) or None


def _text_of(answer: bytes, url: str) -> str:
    """Return the text of the first choice of a chat completion."""
    import json

    try:
        text = json.loads(answer)["choices"][0]["message"]["content"]
        if isinstance(text, str):
            refuse_surrogates(text, "it")
            return text
    except (ValueError, TypeError, LookupError, RecursionError):
        pass  # nothing of a decoder's exception is kept: it holds the whole answer
    raise ChatError(f"{url} did not answer with a text (JSON with choices, message, content): is it the right URL?")
