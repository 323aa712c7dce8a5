"""Rerankers of two libraries, for `MemoryLayer(reranker=...)`: cross-encoders of sentence-transformers, and FlashRank.

Each takes the library's own object, or a model's name: then the library is imported here, and loads or downloads the
model as it does for everybody. Nothing else in hippocore imports them.
"""

from __future__ import annotations

from typing import Any

from hippocore.errors import MissingExtra


class CrossEncoderReranker:
    """Scores by a `sentence_transformers.CrossEncoder`, given or by its name. Raises MissingExtra for a name alone."""

    def __init__(self, model: Any, *, batch_size: int = 32) -> None:
        self._model = _cross_encoder(model) if isinstance(model, str) else model
        self._batch_size = batch_size

    def __call__(self, query: str, texts: list[str]) -> Any:
        """Return an array of one score for each text."""
        pairs = [(query, text) for text in texts]
        return self._model.predict(pairs, batch_size=self._batch_size, show_progress_bar=False)


class FlashRankReranker:
    """Scores by a `flashrank.Ranker`, given or by its model's name. Raises MissingExtra where there is no flashrank."""

    def __init__(self, ranker: Any) -> None:
        flashrank = _flashrank()
        self._request = flashrank.RerankRequest
        self._ranker = flashrank.Ranker(model_name=ranker) if isinstance(ranker, str) else ranker

    def __call__(self, query: str, texts: list[str]) -> list[float]:
        """Return one score for each text; the library gives its passages back in its own order."""
        passages = [{"id": i, "text": text} for i, text in enumerate(texts)]
        scores = {passage["id"]: passage["score"] for passage in self._ranker.rerank(self._request(query, passages))}
        return [float(scores[i]) for i in range(len(texts))]


def _cross_encoder(name: str) -> Any:
    try:
        from sentence_transformers import CrossEncoder
    except ImportError as error:
        raise MissingExtra(
            'a cross-encoder needs sentence-transformers: pip install "hippocore[cross-encoder]"'
        ) from error
    return CrossEncoder(name)


def _flashrank() -> Any:
    try:
        import flashrank
    except ImportError as error:
        raise MissingExtra('this reranker needs flashrank: pip install "hippocore[flashrank]"') from error
    return flashrank
