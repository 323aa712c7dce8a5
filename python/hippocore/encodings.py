"""Exact token counts by tiktoken's encodings, from the files this machine already has."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

_LOADING: Final = threading.Lock()


def encoding_counter(name: str) -> Callable[[str], int]:
    """Return a function that counts a text's tokens in the encoding of that name.

    Raises ValueError, naming the remedy, when tiktoken is not installed, does not know the name, or would have to
    download the encoding's file: nothing here touches the network.
    """
    encode = _load(name).encode_ordinary
    return lambda text: len(encode(text))


def _load(name: str) -> Any:
    try:
        tiktoken, load = import_module("tiktoken"), import_module("tiktoken.load")
    except ImportError:
        raise ValueError(
            f"tokens={name!r} needs the package tiktoken: pip install tiktoken, or use tokens='estimate'"
        ) from None
    if name not in tiktoken.list_encoding_names():
        raise ValueError(f"tokens={name!r}: known are 'estimate' and {', '.join(tiktoken.list_encoding_names())}")
    with _LOADING, _without_network(load):
        return tiktoken.get_encoding(name)


@contextmanager
def _without_network(load: Any) -> Iterator[None]:
    """Make tiktoken's one function that downloads raise instead, for the time of the block."""

    def refuse(path: str) -> bytes:
        raise _NotCachedError(path)

    read_file, load.read_file = load.read_file, refuse
    try:
        yield
    except _NotCachedError as error:
        raise ValueError(
            f"the encoding's file {error} is not on this machine: run tiktoken.get_encoding once where there is a "
            "network and set TIKTOKEN_CACHE_DIR to the folder it was kept in, or use tokens='estimate'"
        ) from None
    finally:
        load.read_file = read_file


class _NotCachedError(Exception):
    pass
