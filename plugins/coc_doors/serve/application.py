"""The paths of the server and what each of them answers."""

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

from attrs import Factory, define
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from coc_core.errors import ArtefactError
from coc_core.storage import parse_json_object
from coc_core.text import quoted
from coc_doors.serve.answer import answer, in_chat
from coc_doors.serve.limits import Limits
from coc_doors.serve.refusal import Refusal, json_response
from coc_doors.serve.requests import ChatRequest, CompletionRequest
from coc_doors.serve.served import Served

_MOST_DISCARDED = 16
"""How many times a body may exceed its limit and still be read to its end, so that the client gets to our answer."""


_PATHS = "there are /v1/completions, /v1/chat/completions, /v1/models and /health"

FAILED = "the server failed at this request, and goes on"


@define
class Service:
    """What the server does.

    Attributes:
        served: The models by their ids.
        limits: Caps on requests.
        answered: How many requests got completions.
        started: When it was made, in seconds since 1970.
    """

    served: Mapping[str, Served]
    limits: Limits
    answered: int = 0
    started: int = Factory(lambda: int(time.time()))

    def application(self) -> Starlette:
        """The application that answers requests."""
        app = Starlette(
            routes=[
                Route("/v1/completions", self._completions, methods=["POST"]),
                Route("/v1/chat/completions", self._chat, methods=["POST"]),
                Route("/v1/models", self._models, methods=["GET"]),
                Route("/v1/models/{id:path}", self._model, methods=["GET"]),
                Route("/health", self._health, methods=["GET"]),
            ],
            exception_handlers={Refusal: _refused, HTTPException: _no_such_page, Exception: _failed},
        )
        app.router.redirect_slashes = False  # a redirection would repeat the Host header of the client
        return app

    @property
    def waiting(self) -> int:
        """How many prompts wait for a model."""
        distinct = {id(each): each for each in self.served.values()}.values()
        return sum(len(each.completions) + len(each.scores) for each in distinct)

    async def _completions(self, request: Request) -> Response:
        document = await self._document(request)
        return json_response(await self._completed(CompletionRequest.parse(document, self.limits)))

    async def _chat(self, request: Request) -> Response:
        wanted = ChatRequest.parse(await self._document(request), self.limits)
        document = in_chat(await self._completed(wanted.completions), wanted.stream)
        if not wanted.stream:
            return json_response(document)
        return Response(f"data: {json.dumps(document)}\n\ndata: [DONE]\n\n", media_type="text/event-stream")

    async def _completed(self, wanted: CompletionRequest) -> dict[str, Any]:
        served = self._find(wanted.model)
        if self.waiting + len(wanted.prompts) > self.limits.waiting:
            raise Refusal(429, f"{self.waiting:,} prompts wait already", code="too_many_prompts_waiting", retry_after=1)
        answered = await answer(served, wanted)
        self.answered += 1
        return answered

    async def _models(self, _request: Request) -> Response:
        return json_response({"object": "list", "data": [self._described(id) for id in self.served]})

    async def _model(self, request: Request) -> Response:
        name = request.path_params["id"]
        self._find(name)
        return json_response(self._described(name))

    async def _health(self, _request: Request) -> Response:
        return json_response({"status": "ok", "answered": self.answered, "waiting": self.waiting})

    def _described(self, id: str) -> dict[str, Any]:
        served = self.served[id]
        about = {"checkpoint": served.checkpoint, "dialect": served.dialect, "description": served.model.describe()}
        return {"id": id, "object": "model", "created": self.started, "owned_by": "coc", **about}

    def _find(self, id: str) -> Served:
        if id not in self.served:
            raise Refusal(
                404,
                f"there is no model {quoted(id, 80)}; GET /v1/models lists {', '.join(self.served)}",
                param="model",
                code="model_not_found",
            )
        return self.served[id]

    async def _document(self, request: Request) -> dict[str, Any]:
        """The JSON object in the body of a request."""
        # Pages of other sites can send texts and forms to us, but not JSON.
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refusal(415, "the Content-Type must be application/json")
        try:
            async with asyncio.timeout(self.limits.patience):
                body = await self._body(request)
        except TimeoutError:
            raise Refusal(408, f"the body did not arrive within {self.limits.patience:g} s") from None
        try:
            return parse_json_object(body, "the body")
        except ArtefactError as error:
            raise Refusal(400, error.message, code="invalid_json") from None

    async def _body(self, request: Request) -> bytes:
        most, length = self.limits.body_bytes, 0
        parts = []
        # `receive` asks a client that waits for our consent to send its body, so a length that is stated comes first.
        if int(request.headers.get("content-length", 0)) > most * _MOST_DISCARDED:
            raise _too_large(most)
        async for part in request.stream():
            length += len(part)
            if length > most * _MOST_DISCARDED:
                break
            if length <= most:
                parts.append(part)
        if length > most:
            raise _too_large(most)
        return b"".join(parts)


def _too_large(most: int) -> Refusal:
    return Refusal(413, f"the body has more than {most:,} bytes", code="request_too_large")


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return error.response()


async def _no_such_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    where = f"{request.method:.20} {quoted(request.url.path, 80)}"
    response = Refusal(error.status_code, f"{where}: {error.detail}; {_PATHS}").response()
    response.headers.update(error.headers or {})
    return response


async def _failed(_request: Request, _error: Exception) -> Response:
    return Refusal(500, FAILED).response()
