"""`coc serve`: checkpoints behind an OpenAI-compatible interface."""

import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from importlib import import_module
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from attrs import frozen

from coc_core.cli import console
from coc_core.cli.interrupt import interruptible
from coc_core.cli.options import command
from coc_core.cli.progress import progress
from coc_core.errors import EXIT_INTERRUPTED, EXIT_SOLVED, UsageError
from coc_core.extras import needs_extra
from coc_core.options import MODEL, Name, Option, PluginOptions, Several, Whole, option, shared
from coc_core.text import counted
from coc_doors.serve.hosts import Address, Hosts
from coc_doors.serve.limits import Limits
from coc_doors.serve.served import open_served

if TYPE_CHECKING:
    from coc_doors.serve.server import Server

OPTIONS = "Options"
"""The panel of the options of the server."""

_LONGEST = 3600  # seconds
_MOST_WAITING = 1_000_000


@frozen(kw_only=True, slots=False)
class ServeCommand(PluginOptions):
    """What `coc serve` takes."""

    models: tuple[str, ...] = option(
        Option(
            "Serve this checkpoint: a shipped one by name, or any by folder. Repeatable.",
            ("--model",),
            Several("NAME|DIR"),
            MODEL,
            completes="checkpoints",
        )
    )
    port: int = option(
        Option("Listen on this port; 0 chooses a free port.", ("--port",), Whole(0, 65535), OPTIONS), 8000
    )
    host: str = option(
        Option(
            "Listen on this IP address; 0.0.0.0 or :: means all addresses of this machine.",
            ("--host",),
            Name("ADDRESS"),
            OPTIONS,
        ),
        "127.0.0.1",
    )
    allow_host: tuple[str, ...] = option(
        Option(
            "Also accept requests whose Host header has this name. Repeatable.", ("--allow-host",), Several(), OPTIONS
        ),
        (),
    )
    max_waiting: int = option(
        Option(
            "Refuse requests while more than N prompts are waiting.",
            ("--max-waiting",),
            Whole(1, _MOST_WAITING),
            shown=f"{Limits().waiting:,}",
        ),
        Limits().waiting,
    )
    timeout: int = option(
        Option(
            "Give up on a request after this many seconds.",
            ("--timeout",),
            Whole(1, _LONGEST, "SECONDS"),
            shown=f"{Limits().seconds:g}",
        ),
        round(Limits().seconds),
    )
    device: str | None = option(shared.DEVICE, None)


@command(ServeCommand)
def serve(options: ServeCommand) -> int:
    """Serve checkpoints behind an OpenAI-compatible interface.

    The server offers POST /v1/completions and /v1/chat/completions, GET /v1/models and /health. It has no key and no
    encryption, so be careful with --host. Ctrl-C stops it after the requests in progress.

    Examples:
        coc serve --model hanoi-pda
        coc serve --model hanoi-pda --model my-checkpoint --port 9000
    """
    server_module = _server_module()
    address = _address(options.host)
    patience = min(Limits().patience, options.timeout / 2)
    limits = Limits(waiting=options.max_waiting, seconds=options.timeout, patience=patience)
    with ExitStack() as stack:
        executor = stack.enter_context(ThreadPoolExecutor(1, thread_name_prefix="model"))
        with console.status("opening the checkpoints"):
            served = open_served(console.registry(options.plugins), options.models, executor)
        listener = stack.enter_context(server_module.listen(address, options.port))
        service = server_module.Service(served, limits)
        names = frozenset(name.lower() for name in options.allow_host)
        server = server_module.Server.of(service, listener, Hosts(address, names), console.warn)
        if not address.is_loopback:
            console.warn(f"anyone who can reach {options.host} can use this server: there is no key and no encryption")
        console.err().print(console.text(f"serving {', '.join(served)} at {server.url}/v1"), soft_wrap=True)
        with _progress(server), interruptible(server), _stopped_by_sigterm(server):
            server.run()
    console.warn(f"stopped after {counted(service.answered, 'request')}")
    return EXIT_INTERRUPTED if server.interrupted else EXIT_SOLVED


def _server_module() -> Any:
    """The module `coc_doors.serve.server`; UsageError if what it needs is not installed."""
    with needs_extra("serve", "`coc serve` needs starlette and uvicorn"):
        return import_module("coc_doors.serve.server")


def _address(host: str) -> Address:
    try:
        return ip_address(host)
    except ValueError:
        raise UsageError(f"--host {host!r:.80} is not an IP address", remedy="give one such as 127.0.0.1") from None


@contextmanager
def _progress(server: "Server") -> Iterator[None]:
    """Show on a terminal how many requests were answered."""
    console_ = console.err()
    if not console_.is_terminal:
        yield
        return
    service = server.service
    with progress(
        console_,
        "serving",
        lambda: None,
        lambda: service.answered,
        lambda: f"answered, {service.waiting:,} prompts wait",
    ):
        yield


@contextmanager
def _stopped_by_sigterm(server: "Server") -> Iterator[None]:
    """While the block runs, SIGTERM stops the server."""
    previous = signal.signal(signal.SIGTERM, lambda *_: server.stop())
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)
