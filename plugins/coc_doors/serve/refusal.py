"""Why a request gets no completion, in the form that clients of the OpenAI interface expect."""

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from coc_core.text import escaped


class Refusal(HTTPException):
    """A request answered with an error: status, message, the key of the request at fault, and a word for programs."""

    def __init__(self, status: int, message: str, *, param: str | None = None, code: str | None = None) -> None:
        super().__init__(status, escaped(message))
        self.param = param
        self.code = code

    def response(self) -> Response:
        """Return the response."""
        kind = "server_error" if self.status_code >= 500 else "invalid_request_error"
        error = {"message": self.detail, "type": kind, "param": self.param, "code": self.code}
        return json_response({"error": error}, self.status_code)


def json_response(document: Any, status: int = 200) -> Response:
    """Return a response in ASCII, so that no text of a model or of a client can't be sent."""
    return Response(json.dumps(document), status, media_type="application/json")
