"""Connections whose every wait ends at one deadline, and that read no more than a response may have. The library's
timeouts are for one wait each, so a server that sends a byte at a time would never reach one. It limits one head, but
not how many a server sends before the one that counts (status 100 to 199).
"""

import ssl
import time
from collections.abc import Iterable
from typing import Any

import httpcore2

_MOST_BYTES = 1 << 24


class TooLarge(Exception):
    """A response has too many bytes."""


class DeadlineBackend(httpcore2.NetworkBackend):
    """Makes connections. What the library takes for a timeout is a deadline here: a moment of `time.monotonic`."""

    def __init__(self) -> None:
        self._system = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        return LimitedStream(self._system.connect_tcp(host, port, _left(timeout), local_address, socket_options))


class LimitedStream(httpcore2.NetworkStream):
    """A connection that reads no more than a response may have, until something is sent."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream
        self._allowed = _MOST_BYTES

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._stream.read(max_bytes, _left(timeout))
        self._allowed -= len(data)
        if self._allowed < 0:
            raise TooLarge(f"more than {_MOST_BYTES:,} bytes")
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._allowed = _MOST_BYTES
        self._stream.write(buffer, _left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return LimitedStream(self._stream.start_tls(ssl_context, server_hostname, _left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(deadline: float | None) -> float | None:
    """Return the seconds until a deadline; ReadTimeout if it is over."""
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the time for the response is over")
    return left
