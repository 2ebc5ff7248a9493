"""The paths of the server and what each of them answers."""

import json
import time
from collections.abc import Mapping
from typing import Any

from attrs import Factory, frozen
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Host, Route, Router
from starlette.types import Receive, Scope, Send

from coc_core.cli import console
from coc_core.errors import ArtefactError
from coc_core.storage import parse_json_object
from coc_core.text import described, quoted
from coc_doors.serve.requests import CompletionRequest, Refusal, json_response, parse_chat
from coc_doors.serve.served import Served, answer, in_chat

_NAMES = ("localhost", "127.0.0.1")
"""The names of the server. A page in a browser can make a name of its own lead to 127.0.0.1 and then read what a server
there answers (DNS rebinding). Its requests have that name in the Host header."""

_PATHS = "there are /v1/completions, /v1/chat/completions, /v1/models and /health"


@frozen
class Service:
    """What the server does: the models by their ids, and when it was made, in seconds since 1970."""

    served: Mapping[str, Served]
    started: int = Factory(lambda: int(time.time()))

    def application(self) -> Starlette:
        """Return the application that answers requests."""
        routes = [
            Route("/v1/completions", self._completions, methods=["POST"]),
            Route("/v1/chat/completions", self._chat, methods=["POST"]),
            Route("/v1/models", self._models, methods=["GET"]),
            Route("/v1/models/{id:path}", self._model, methods=["GET"]),
            Route("/health", self._health, methods=["GET"]),
        ]
        paths = Router(routes, redirect_slashes=False)
        app = Starlette(
            routes=[Host(name, paths) for name in _NAMES],
            exception_handlers={HTTPException: _refused, Exception: _failed},
        )
        app.router.default = _other_name
        return app

    async def _completions(self, request: Request) -> Response:
        wanted = CompletionRequest.parse(await _document(request))
        return json_response(await answer(self._find(wanted.model), wanted))

    async def _chat(self, request: Request) -> Response:
        wanted, stream = parse_chat(await _document(request))
        document = in_chat(await answer(self._find(wanted.model), wanted), stream)
        if not stream:
            return json_response(document)
        return Response(f"data: {json.dumps(document)}\n\ndata: [DONE]\n\n", media_type="text/event-stream")

    async def _models(self, _request: Request) -> Response:
        return json_response({"object": "list", "data": [self._described(id) for id in self.served]})

    async def _model(self, request: Request) -> Response:
        name = request.path_params["id"]
        self._find(name)
        return json_response(self._described(name))

    async def _health(self, _request: Request) -> Response:
        return json_response({"status": "ok"})

    def _described(self, id: str) -> dict[str, Any]:
        served = self.served[id]
        about = {"checkpoint": served.checkpoint, "dialect": served.dialect, "description": served.model.describe()}
        return {"id": id, "object": "model", "created": self.started, "owned_by": "coc", **about}

    def _find(self, id: str) -> Served:
        if id not in self.served:
            message = f"there is no model {quoted(id, 80)}; GET /v1/models lists {', '.join(self.served)}"
            raise Refusal(404, message, param="model", code="model_not_found")
        return self.served[id]


async def _document(request: Request) -> dict[str, Any]:
    """Return the JSON object in the body of a request."""
    # Pages of other sites can send texts and forms to us, but not JSON.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "the Content-Type must be application/json")
    try:
        return parse_json_object(await request.body(), "the body")
    except ArtefactError as error:
        raise Refusal(400, error.message, code="invalid_json") from None
    except ClientDisconnect:
        raise Refusal(400, "the body is cut off") from None


async def _other_name(scope: Scope, _receive: Receive, _send: Send) -> None:
    name = Request(scope).headers.get("host", "")
    raise Refusal(421, f"this server is not called {quoted(name, 80)}", code="unknown_host")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if not isinstance(error, Refusal):
        where = f"{request.method:.20} {quoted(request.url.path, 80)}"
        error = Refusal(error.status_code, f"{where}: {error.detail}; {_PATHS}")
    return error.response()


async def _failed(_request: Request, error: Exception) -> Response:
    console.warn(f"a request failed: {described(error)}")
    return Refusal(500, "the server failed at this request, and goes on").response()
