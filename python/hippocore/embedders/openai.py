"""Embeddings from a server that speaks OpenAI's `/embeddings`, with the standard library alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from hippocore.embedders.protocol import DEFAULT_DUPLICATE_THRESHOLD, Vectors
from hippocore.embedders.vectors import checked_texts, checked_vectors
from hippocore.errors import EmbedderError
from hippocore.http.client import JsonClient

NAME_PREFIX = "openai/"
_LONGEST_ANSWER: Final = 256 * 1024 * 1024
_REMEDIES: Final = {
    413: "use a smaller batch_size",
    429: "the rate limit or quota is used up: try later, or use a smaller batch_size",
}


class OpenAICompatible:
    """Embeds by POST {url}/embeddings, `batch_size` texts a request.

    `url` is the server's base, such as "https://api.openai.com/v1" or "http://localhost:11434/v1". The name is
    "openai/<model>". `dim` is the dimension to expect, else what the first answer has; asked for before any,
    one request with a word of its own finds it. `send_dim=True` also asks the server for that dimension
    (`dimensions`, which not every server knows). `headers` are sent beside the key.

    A 429, a 5xx and a failed or cut connection are tried again, `retries` times, after growing waits and no
    sooner than Retry-After says. `timeout` bounds one request, `total_timeout` one batch with its waits, in
    seconds. Redirects are refused, since they could take the key elsewhere. Vectors come back as the server
    made them, not normalised. The call may come from any thread.

    Raises EmbedderError, which names the server, the status and the remedy, never the key or a text.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        dim: int | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        send_dim: bool = False,
        batch_size: int = 64,
        timeout: float = 30.0,
        total_timeout: float = 120.0,
        retries: int = 4,
        duplicate_threshold: float = DEFAULT_DUPLICATE_THRESHOLD,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] | None = None,
    ) -> None:
        if not model:
            raise ValueError("model must be the name of the server's embedding model")
        if dim is None and send_dim:
            raise ValueError("send_dim=True needs dim=")
        for argument, value in (("dim", dim or 1), ("batch_size", batch_size)):
            if value < 1:
                raise ValueError(f"{argument} must be at least 1, not {value}")
        self.name = NAME_PREFIX + model
        self.duplicate_threshold = duplicate_threshold
        self._model, self._dim, self._send_dim, self._batch_size = model, dim, send_dim, batch_size
        self._client = JsonClient(
            url, "/embeddings", error=EmbedderError, longest_answer=_LONGEST_ANSWER, remedies=_REMEDIES,
            api_key=api_key, headers=headers, timeout=timeout, total_timeout=total_timeout, retries=retries,
            sleep=sleep, clock=clock, chance=chance,
        )  # fmt: skip

    @property
    def dim(self) -> int:
        """The length of a vector; the first question may make one request, which is not repeated if it fails."""
        if self._dim is None:
            self._dim = self._embed(["dimension"], retries=0).shape[1]
        return self._dim

    def __call__(self, texts: Sequence[str], /) -> Vectors:
        """Return float32 vectors of shape (len(texts), dim). Raises EmbedderError."""
        asked = checked_texts(texts)
        batches = [asked[start : start + self._batch_size] for start in range(0, len(asked), self._batch_size)]
        if not batches:
            return np.zeros((0, self.dim), np.float32)
        return np.concatenate([self._embed(batch) for batch in batches])

    def __repr__(self) -> str:
        return f"OpenAICompatible(url={self._client.shown_url!r}, model={self._model!r})"

    def _embed(self, batch: list[str], *, retries: int | None = None) -> Vectors:
        import json

        asked: dict[str, Any] = {"model": self._model, "input": batch}
        if self._send_dim:
            asked["dimensions"] = self._dim
        answer = self._client.ask(json.dumps(asked).encode(), retries=retries)
        rows = _rows_in_order(answer, len(batch), self._client.shown_url)
        vectors = checked_vectors(rows, rows=len(batch), dim=self._dim, name=self.name)
        self._dim = vectors.shape[1]
        return vectors


def _rows_in_order(answer: bytes, count: int, url: str) -> list[Any]:
    """Return the `embedding` of each item of the answer's `data`, sorted by `index`."""
    import json

    try:
        rows = {item["index"]: item["embedding"] for item in json.loads(answer)["data"]}
        received = len(rows)
        complete = sorted(rows) == list(range(count))
    except (ValueError, TypeError, KeyError, RecursionError):
        # No cause: a decoder's exception holds the whole answer, which may repeat the texts.
        raise EmbedderError(
            f"{url} did not answer with embeddings (JSON with data, index, embedding): is it the right URL?"
        ) from None
    if not complete:
        raise EmbedderError(f"{url} answered with {received} embeddings or wrong indexes for {count} texts")
    return [rows[index] for index in range(count)]
