"""`coc serve`: checkpoints behind an OpenAI-compatible interface."""

import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from importlib import import_module
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated, Any

import typer

from coc_core.cli import complete, console, options
from coc_core.cli.interrupt import interruptible
from coc_core.cli.progress import progress
from coc_core.errors import EXIT_INTERRUPTED, EXIT_SOLVED, UsageError
from coc_core.extras import needs_extra
from coc_core.text import counted
from coc_serve.hosts import Address, Hosts
from coc_serve.limits import Limits
from coc_serve.served import open_served

if TYPE_CHECKING:
    from coc_serve.server import Server

_LONGEST = 3600  # seconds
_MOST_WAITING = 1_000_000


def serve(
    models: Annotated[
        list[str],
        typer.Option(
            "--model",
            metavar="NAME|DIR",
            help="Serve this checkpoint: a shipped one by name, or any by folder. Repeatable.",
            autocompletion=complete.checkpoints,
            rich_help_panel=options.MODEL,
        ),
    ],
    port: Annotated[
        int,
        typer.Option(
            "--port",
            parser=options.whole(0, 65535),
            metavar="N",
            help="Listen on this port; 0 chooses a free port.",
        ),
    ] = 8000,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="Listen on this IP address; 0.0.0.0 or :: means all addresses of this machine.",
        ),
    ] = "127.0.0.1",
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            metavar="NAME",
            help="Also accept requests whose Host header has this name. Repeatable.",
        ),
    ] = None,
    max_waiting: Annotated[
        int,
        typer.Option(
            "--max-waiting",
            parser=options.whole(1, _MOST_WAITING),
            metavar="N",
            help="Refuse requests while more than N prompts are waiting.",
            show_default=f"{Limits().waiting:,}",
            rich_help_panel=options.ADVANCED,
        ),
    ] = Limits().waiting,
    timeout: Annotated[
        int,
        typer.Option(
            "--timeout",
            parser=options.whole(1, _LONGEST),
            metavar="SECONDS",
            help="Give up on a request after this many seconds.",
            show_default=f"{Limits().seconds:g}",
            rich_help_panel=options.ADVANCED,
        ),
    ] = round(Limits().seconds),
    plugins: options.Plugins = None,
    device: options.Device = None,
) -> int:
    """Serve checkpoints behind an OpenAI-compatible interface.

    The server offers POST /v1/completions and /v1/chat/completions, GET /v1/models and /health. It has no key and no
    encryption, so be careful with --host. Ctrl-C stops it after the requests in progress.

    Examples:
        coc serve --model hanoi-pda
        coc serve --model hanoi-pda --model my-checkpoint --port 9000
    """
    server_module = _server_module()
    address = _address(host)
    limits = Limits(waiting=max_waiting, seconds=timeout, patience=min(Limits().patience, timeout / 2))
    with ExitStack() as stack:
        executor = stack.enter_context(ThreadPoolExecutor(1, thread_name_prefix="model"))
        with console.status("opening the checkpoints"):
            served = open_served(console.registry(plugins), models, executor)
        listener = stack.enter_context(server_module.listen(address, port))
        service = server_module.Service(served, limits)
        names = frozenset(name.lower() for name in allow_host or ())
        server = server_module.Server.of(service, listener, Hosts(address, names), console.warn)
        if not address.is_loopback:
            console.warn(f"anyone who can reach {host} can use this server: there is no key and no encryption")
        console.err().print(console.text(f"serving {', '.join(served)} at {server.url}/v1"), soft_wrap=True)
        with _progress(server), interruptible(server), _stopped_by_sigterm(server):
            server.run()
    console.warn(f"stopped after {counted(service.answered, 'request')}")
    return EXIT_INTERRUPTED if server.interrupted else EXIT_SOLVED


def _server_module() -> Any:
    """The module `coc_serve.server`; UsageError if what it needs is not installed."""
    with needs_extra("serve", "`coc serve` needs starlette and uvicorn"):
        return import_module("coc_serve.server")


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
