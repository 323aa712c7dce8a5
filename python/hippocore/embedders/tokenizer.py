"""Tokenizers read from a `tokenizer.json`, without padding, truncation or network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hippocore.errors import EmbedderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer


def load_tokenizer(path: Path, *, max_length: int | None = None) -> Tokenizer:
    """Return the tokenizer of a file, cutting at `max_length` tokens if given; raises EmbedderError."""
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises bare Exception for a file it cannot parse
        raise EmbedderError(f"{path} is no tokenizer file that `tokenizers` can read") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    if max_length is not None:
        tokenizer.enable_truncation(max_length)
    return tokenizer
