"""Why a request gets no completion, in the form that clients of the OpenAI interface expect."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from coc_core.text import escaped


class Refusal(Exception):
    """A request that is answered with an error.

    Args:
        status: The status of the response.
        message: What is wrong, in one line.
        param: The key of the request that is at fault.
        code: A word for programs.
        retry_after: Seconds after which the request may be repeated.
    """

    def __init__(
        self, status: int, message: str, *, param: str | None = None, code: str | None = None, retry_after: int = 0
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = escaped(message)
        self.param = param
        self.code = code
        self.retry_after = retry_after

    def document(self) -> dict[str, Any]:
        """The body of the response."""
        kind = "server_error" if self.status >= 500 else "invalid_request_error"
        kind = "rate_limit_error" if self.status == 429 else kind
        return {"error": {"message": self.message, "type": kind, "param": self.param, "code": self.code}}

    def headers(self) -> dict[str, str]:
        """The headers of the response. It ends the connection, since the rest of the request may never come."""
        return {"connection": "close"} | ({"retry-after": str(self.retry_after)} if self.retry_after else {})

    def response(self) -> Response:
        """The response."""
        return json_response(self.document(), self.status, self.headers())


def json_response(document: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A response in ASCII, so that no text of a model or of a client can't be sent."""
    return Response(json.dumps(document), status, headers, "application/json")
