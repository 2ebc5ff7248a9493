"""The server: it listens on one address, and ends when it is told to, after the requests under way."""

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from attrs import define, field

from coc_core.errors import UsageError
from coc_doors.serve.application import Service
from coc_doors.serve.connection import connections
from coc_doors.serve.hosts import Address, Hosts
from coc_doors.serve.middleware import RequestGuard

_KEEP_ALIVE = 30
"""Seconds for which a connection stays open between two requests."""


class _Uvicorn(uvicorn.Server):
    """Leaves signals to the command."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@define
class Server:
    """A server that `run` runs.

    Attributes:
        service: What it does.
        listener: The socket that it listens on.
        complain: Tells its user that something failed, in one line.
        interrupted: Whether Ctrl-C ended it.
    """

    service: Service
    listener: socket.socket
    complain: Callable[[str], None]
    _uvicorn: _Uvicorn
    interrupted: bool = field(default=False, init=False)

    @classmethod
    def of(cls, service: Service, listener: socket.socket, hosts: Hosts, complain: Callable[[str], None]) -> "Server":
        """A server for a service.

        Args:
            service: What it does.
            listener: The socket that it listens on.
            hosts: The names of the server.
            complain: Tells its user that something failed, in one line.
        """
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL + 1)
        config = uvicorn.Config(
            RequestGuard(service.application(), hosts, service.limits, complain),
            http=connections(service.limits),
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=_KEEP_ALIVE,
            timeout_graceful_shutdown=round(service.limits.seconds),
        )
        return cls(service, listener, complain, _Uvicorn(config))

    def __repr__(self) -> str:
        return f"Server({self.url})"

    @property
    def url(self) -> str:
        """Where it listens."""
        host, port = self.listener.getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def run(self) -> None:
        """Answer requests until the server is ended."""
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: self.complain(context["message"]))
        await self._uvicorn.serve(sockets=[self.listener])

    def stop(self) -> None:
        """Answer the requests under way and end; new ones are refused."""
        self._uvicorn.should_exit = True

    def interrupt(self) -> None:
        """End because of Ctrl-C."""
        self.interrupted = True
        self.stop()


def listen(address: Address, port: int) -> socket.socket:
    """A socket that listens on an address; UsageError if it can't."""
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    try:
        return socket.create_server((str(address), port), family=family)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise UsageError(
            f"can't listen on {address}, port {port}: {reason}", remedy="choose another --port or --host"
        ) from None
