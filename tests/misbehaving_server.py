"""A server on this machine that answers POSTs of JSON as badly as servers do, and a clock that only sleeping moves."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[[Any, Any], None]
"""Answers a request: the handler, and the JSON that was asked."""


def answer(handler: Any, status: int, content: Any, headers: Iterable[tuple[str, str]] = (), cut: int = 0) -> None:
    """Send a body that is `cut` bytes shorter than its header says."""
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body) + cut))
    for name, value in headers:
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def refusing(code: int, said: str, **headers: str) -> Behaviour:
    """An error that repeats what nobody may show."""
    pairs = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return lambda handler, asked: answer(handler, code, {"error": {"message": said}}, pairs)


def cut_off(handler: Any, asked: Any) -> None:
    """The beginning of an answer."""
    answer(handler, 200, b'{"data": [', cut=100)


def hang_up(handler: Any, asked: Any) -> None:
    """No answer at all."""
    handler.close_connection = True


def silent(handler: Any, asked: Any) -> None:
    """No answer until the server ends."""
    handler.server.released.wait(30)


def dripping(handler: Any, asked: Any) -> None:
    """A byte now and then until the server ends."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.server.released.wait(0.02):
        handler.wfile.write(b" ")


def endless(handler: Any, asked: Any) -> None:
    """Bytes without a length until nobody reads them or the server ends."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.released.is_set():
        handler.wfile.write(b" " * 4096)


class MisbehavingServer(ThreadingHTTPServer):
    """Keeps what it was asked in `requests`; answers by `script`, first to last, then by `good`."""

    def __init__(self, good: Behaviour) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.good = good
        self.requests: list[tuple[str, Any, Any]] = []
        self.script: list[Behaviour] = []
        self.lock, self.released = threading.Lock(), threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: MisbehavingServer

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.requests.append((self.path, self.headers, asked))
            behaviour = self.server.script.pop(0) if self.server.script else self.server.good
        with suppress(OSError):
            behaviour(self, asked)

    def log_message(self, *args: Any) -> None:
        pass


@contextmanager
def running(good: Behaviour) -> Iterator[MisbehavingServer]:
    """Run a server on a port of its own."""
    server = MisbehavingServer(good)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        """Pass the time."""
        self.waits.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        """Return the seconds that were slept."""
        return self.now
