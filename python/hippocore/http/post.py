"""One HTTP POST that ends by a deadline. Imported only where a request is made: it pulls in urllib and ssl."""

from __future__ import annotations

import http.client
import io
import socket
import urllib.request
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

Remaining = Callable[[], float]
"""Returns the seconds left, or raises TimeoutError when there are none."""


class Answer(NamedTuple):
    """What came back: any status, redirects included, which are not followed. Only a 200 has its body."""

    status: int
    retry_after: str | None
    body: bytes


class AnswerTooLongError(http.client.HTTPException):
    """The server answers with more bytes than are read."""


def post(url: str, body: bytes, headers: Mapping[str, str], *, longest_answer: int, remaining: Remaining) -> Answer:
    """Send the body and return the answer, whatever its status; raises AnswerTooLongError where it has more bytes.

    The proxies of the environment are used. Raises OSError (TimeoutError included) or
    http.client.HTTPException when no whole answer comes in time: the seconds left bound the connection to
    each address, the sending, and every read, so that a server that drips bytes is left too. The look-up of
    the host's name is the system's and keeps the system's time limit.
    """
    request = urllib.request.Request(url, data=body, headers=dict(headers), method="POST")
    with _opener(remaining).open(request, timeout=remaining()) as response:
        if response.status != 200:
            return Answer(response.status, response.headers.get("Retry-After"), b"")
        content = b"" if (response.length or 0) > longest_answer else response.read(longest_answer + 1)
        if len(content) + (response.length or 0) > longest_answer:
            raise AnswerTooLongError
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)
        return Answer(200, None, content)


def _opener(remaining: Remaining) -> urllib.request.OpenerDirector:
    response_class = partial(_response_by_deadline, remaining)
    return urllib.request.build_opener(_Http(response_class), _Https(response_class), _AnyStatus())


class _AnyStatus(urllib.request.HTTPErrorProcessor):
    """Hands every status to the caller: nothing is raised and no redirect takes the key to another host."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


class _Http(urllib.request.HTTPHandler):
    def __init__(self, response_class: Callable[..., Any]) -> None:
        super().__init__()
        self._response_class = response_class

    def http_open(self, req: Any) -> Any:
        return self.do_open(partial(_connection, http.client.HTTPConnection, self._response_class), req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, response_class: Callable[..., Any]) -> None:
        super().__init__()
        self._response_class = response_class

    def https_open(self, req: Any) -> Any:
        return self.do_open(partial(_connection, http.client.HTTPSConnection, self._response_class), req)


def _connection(kind: type[Any], response_class: Callable[..., Any], host: str, **options: Any) -> Any:
    connection = kind(host, **options)
    connection.response_class = response_class
    return connection


def _response_by_deadline(remaining: Remaining, sock: Any, *args: Any, **options: Any) -> http.client.HTTPResponse:
    return http.client.HTTPResponse(_DeadlineSocket(sock, remaining), *args, **options)  # type: ignore[arg-type]


class _DeadlineSocket:
    """The one method of a socket that a response uses."""

    def __init__(self, sock: socket.socket, remaining: Remaining) -> None:
        self._socket, self._remaining = sock, remaining

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_DeadlineReader(self._socket, self._remaining))


class _DeadlineReader(io.RawIOBase):
    """A socket's bytes, each read waiting only for the time that is left."""

    def __init__(self, sock: socket.socket, remaining: Remaining) -> None:
        self._socket, self._remaining = sock, remaining
        self._stream: Any = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._socket.settimeout(self._remaining())
        count: int | None = self._stream.readinto(buffer)
        return count

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()
