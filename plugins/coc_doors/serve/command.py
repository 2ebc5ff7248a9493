"""`coc serve`: checkpoints behind an OpenAI-compatible interface."""

import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from attrs import frozen

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.errors import EXIT_SOLVED, UsageError
from coc_core.extras import needs_extra
from coc_core.options import MODEL, Option, PluginOptions, Several, Whole, option, shared

_HOST = "127.0.0.1"
_SECONDS = 60  # for requests in progress, after the server was told to stop


@frozen(kw_only=True, slots=False)
class ServeCommand(PluginOptions):
    """What `coc serve` takes."""

    models: tuple[str, ...] = option(
        Option(
            "Serve this checkpoint: a shipped one by name, or any by folder. Repeatable.",
            ("--model",),
            Several("NAME|DIR"),
            MODEL,
        )
    )
    port: int = option(
        Option("Listen on this port; 0 chooses a free port.", ("--port",), Whole(0, 65535), "Options"), 8000
    )
    device: str | None = option(shared.DEVICE, None)


@command(ServeCommand, reports=False)
def serve(options: ServeCommand) -> int:
    """Serve checkpoints behind an OpenAI-compatible interface.

    The server offers POST /v1/completions and /v1/chat/completions, GET /v1/models and /health to programs on this
    machine. Ctrl-C stops it after the requests in progress.

    Examples:
        coc serve --model hanoi-pda
        coc serve --model hanoi-pda --model my-checkpoint --port 9000
    """
    with needs_extra("serve", "`coc serve` needs starlette and uvicorn"):
        import uvicorn

        from coc_doors.serve.application import Service
        from coc_doors.serve.served import open_served
    with ExitStack() as stack:
        executor = stack.enter_context(ThreadPoolExecutor(1, thread_name_prefix="model"))
        with console.status("opening the checkpoints"):
            served = open_served(console.registry(options.plugins), options.models, executor)
        listener = stack.enter_context(_listener(options.port))
        config = uvicorn.Config(
            Service(served).application(),
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=_SECONDS,
        )
        port = listener.getsockname()[1]
        console.err().print(console.text(f"serving {', '.join(served)} at http://{_HOST}:{port}/v1"), soft_wrap=True)
        # The server stops at SIGTERM, and raises it again at its end.
        stack.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, signal.SIG_IGN))
        uvicorn.Server(config).run([listener])
    return EXIT_SOLVED


def _listener(port: int) -> socket.socket:
    """Return a socket that listens on a port of this machine alone; UsageError if it can't."""
    try:
        return socket.create_server((_HOST, port))
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise UsageError(f"can't listen on {_HOST}, port {port}: {reason}", remedy="choose another --port") from None
