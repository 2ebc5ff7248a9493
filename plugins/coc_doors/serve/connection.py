"""A connection of a client: as uvicorn has it, with limits on what a client may leave open."""

import asyncio
import json
from functools import partial
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from coc_doors.serve.limits import Limits
from coc_doors.serve.refusal import Refusal


class Connection(H11Protocol):
    """Ends if the head of a request does not arrive in time, or if its client does not read.

    Args:
        limits: Caps on requests.
    """

    def __init__(self, *arguments: Any, limits: Limits, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._limits = limits
        self._head_due: asyncio.TimerHandle | None = None
        self._read_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self._limits.connections:
            transport.abort()
        self._watch_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._head_due, self._read_due):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        self._read_due = self.loop.call_later(self._limits.patience, self.transport.abort)
        super().pause_writing()

    def resume_writing(self) -> None:
        if self._read_due is not None:
            self._read_due.cancel()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, as other requests that are refused."""
        refusal = Refusal(400, "this is not a request of HTTP/1.1")
        body = json.dumps(refusal.document()).encode()
        headers = {"content-type": "application/json", "content-length": str(len(body)), **refusal.headers()}
        events = [h11.Response(status_code=400, headers=list(headers.items())), h11.Data(data=body), h11.EndOfMessage()]
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            for event in events:
                self.transport.write(self.conn.send(event) or b"")
        if self.cycle:  # the head was well-formed; what the application answers comes too late
            self.cycle.disconnected = True
        self.transport.close()

    def _watch_head(self) -> None:
        """Wait for the head of a request, as long as none has arrived."""
        waits = self.conn.their_state is h11.IDLE
        if waits and self._head_due is None:
            self._head_due = self.loop.call_later(self._limits.patience, self.transport.abort)
        elif not waits and self._head_due is not None:
            self._head_due.cancel()
            self._head_due = None


def connections(limits: Limits) -> Any:
    """What makes the connections of a server."""
    return partial(Connection, limits=limits)
