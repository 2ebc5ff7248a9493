"""What every request passes first: is it meant for this server, and is it answered in time?"""

import asyncio
from collections.abc import Callable

from attrs import frozen
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coc_core.text import described, quoted
from coc_doors.serve.application import FAILED
from coc_doors.serve.hosts import Hosts
from coc_doors.serve.limits import Limits
from coc_doors.serve.refusal import Refusal


@frozen
class RequestGuard:
    """An ASGI application in front of another one.

    Attributes:
        app: The other one.
        hosts: The names of the server.
        limits: Caps on requests.
        complain: Tells the user of the server that a request failed, in one line.
    """

    app: ASGIApp
    hosts: Hosts
    limits: Limits
    complain: Callable[[str], None]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            async with asyncio.timeout(self.limits.seconds):
                refusal = self._refusal(scope)
                if refusal is None:
                    await self.app(scope, receive, sending)
        except TimeoutError:
            refusal = Refusal(504, f"there was no completion within {self.limits.seconds:g} s", code="timeout")
        except ClientDisconnect:
            return
        except Exception as error:
            self.complain(f"a request failed: {described(error)}")
            refusal = Refusal(500, FAILED)
        if refusal is not None and not started:
            await refusal.response()(scope, receive, send)

    def _refusal(self, scope: Scope) -> Refusal | None:
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) == 1 and hosts[0] in self.hosts:
            return None
        called = quoted(", ".join(hosts), 80) if hosts else "nothing"
        return Refusal(421, f"this server is not called {called}", code="unknown_host")
