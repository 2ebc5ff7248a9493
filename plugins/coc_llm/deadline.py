"""Connections whose every wait ends at one deadline, and that read no more than a response may have.

The library's timeouts are for one wait each, so a server that sends a byte at a time would never reach one.
"""

import ssl
import time
from collections.abc import Iterable
from typing import Any

import httpcore2


class TooLarge(Exception):
    """A response has too many bytes."""


class DeadlineBackend(httpcore2.NetworkBackend):
    """Makes connections. What the library takes for a timeout is a deadline here: a moment of `time.monotonic`.

    Args:
        most_bytes: The largest size of a response with its head, in bytes.
    """

    def __init__(self, most_bytes: int) -> None:
        self._system = httpcore2.SyncBackend()
        self._most_bytes = most_bytes

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        stream = self._system.connect_tcp(host, port, _left(timeout), local_address, socket_options)
        return _Stream(stream, self._most_bytes)


class _Stream(httpcore2.NetworkStream):
    def __init__(self, stream: httpcore2.NetworkStream, most_bytes: int) -> None:
        self._stream = stream
        self._most_bytes = most_bytes
        self._received = 0  # since something was sent

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._stream.read(max_bytes, _left(timeout))
        self._received += len(data)
        if self._received > self._most_bytes:
            raise TooLarge
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._received = 0
        self._stream.write(buffer, _left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, _left(timeout)), self._most_bytes)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(deadline: float | None) -> float | None:
    """The seconds until a deadline; ReadTimeout if it is over."""
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the time for the response is over")
    return left
