"""An OpenAI-compatible endpoint: requests that are repeated where that helps, and responses that are read strictly.

The client repeats what fails for a time (408, 409, 429, 5xx, lost connections, silence), waits longer each time, and as
long as the server asks for with Retry-After, up to two minutes.
"""

import weakref
from importlib import import_module
from typing import Any

from coc_core.errors import ArtefactError, ServiceError, UsageError
from coc_core.extras import needs_extra
from coc_core.storage import parse_json_object
from coc_core.text import counted, escaped
from coc_llm.choice import Choice

PATHS = {"chat": "chat/completions", "completions": "completions"}

_MOST_BYTES = 1 << 24
_LONGEST = 300  # characters of what a server says about an error


class Refused(Exception):
    """The server refuses a request as it is.

    Args:
        status: The status of the response.
        message: What the server says.
        param: The key of the request that is at fault, if it says so.
        code: Its word for programs, if it has one.
    """

    def __init__(self, status: int, message: str, param: str = "", code: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.param = param
        self.code = code


class Endpoint:
    """An endpoint with one model.

    Args:
        choice: The model.

    Raises:
        UsageError: There is no key, or the client is not installed.
    """

    def __init__(self, choice: Choice) -> None:
        self._openai = _client_module()
        self._choice = choice
        self._secret = choice.secret()
        self._client = self._openai.OpenAI(
            api_key=self._secret, base_url=choice.base_url, timeout=choice.timeout, max_retries=choice.retries
        )
        self.url = str(self._client.base_url).rstrip("/")
        weakref.finalize(self, self._client.close)

    def __repr__(self) -> str:
        return f"Endpoint({self.url})"

    def post(self, body: dict[str, Any]) -> dict[str, Any]:
        """Send a request for completions and return the document of the response.

        Raises:
            Refused: The server refuses the request as it is.
            ServiceError: There is no response after all retries, or it is something else than a JSON object.
            UsageError: The server refuses the key.
        """
        api = self._client.chat.completions if self._choice.api == "chat" else self._client.completions
        return self._read(lambda: api.with_raw_response.create(**{"extra_body": body, **_required(body)}))

    def models(self) -> list[str]:
        """The names of the models that the server lists; errors as for `post`."""
        listed = self._read(self._client.models.with_raw_response.list).get("data")
        names = [each.get("id") for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
        return [name for name in names if isinstance(name, str)]

    def _read(self, call: Any) -> dict[str, Any]:
        try:
            response = call().http_response
        except self._openai.APITimeoutError:
            raise self._failure(f"sent nothing for {counted(self._choice.timeout, 'second')}{self._tries()}") from None
        except self._openai.APIStatusError as error:
            raise self._refusal(error) from None
        except self._openai.APIConnectionError as error:
            raise self._failure(
                f"can't be reached{self._tries()}: {self._clean(error.__cause__ or error)}",
                remedy="check the option base_url",
            ) from None
        kind = response.headers.get("content-type", "")
        if len(response.content) > _MOST_BYTES:
            raise self._failure(f"sent {len(response.content):,} bytes, the limit is {_MOST_BYTES:,}")
        if "json" not in kind:
            raise self._failure(
                f"sent {self._clean(kind)[:40] or 'no type'} instead of JSON",
                remedy="check the option base_url, which usually ends in /v1",
            )
        try:
            return parse_json_object(response.content, "the response")
        except ArtefactError as error:
            raise self._failure(f"sent a malformed response: {self._clean(error)}") from None

    def _refusal(self, error: Any) -> Exception:
        status, document = error.status_code, error.body if isinstance(error.body, dict) else {}
        told = document.get("message")
        words = self._clean(told if isinstance(told, str) else f"status {status}")
        if status in (401, 403):
            return UsageError(f"{self.url} refuses the key in {self._choice.key}: {words}")
        if status == 429 or status >= 500 or status in (408, 409):
            return self._failure(f"answered with status {status}{self._tries()}: {words}")
        param, code = (value if isinstance(value := document.get(key), str) else "" for key in ("param", "code"))
        return Refused(status, words, param, code)

    def _failure(self, what: str, remedy: str = "") -> ServiceError:
        return ServiceError(f"{self.url} {what}", remedy=remedy)

    def _tries(self) -> str:
        return f" after {counted(self._choice.retries + 1, 'try', 'tries')}" if self._choice.retries else ""

    def _clean(self, words: object) -> str:
        """What a server says, without the key, in one line of printable ASCII."""
        text = str(words).replace(self._secret, "[key]") if self._secret != "none" else str(words)
        text = escaped(" ".join(text.split()))
        return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _required(body: dict[str, Any]) -> dict[str, Any]:
    """What the client's functions must have as arguments; all else goes as it is."""
    return {key: body[key] for key in ("model", "messages", "prompt") if key in body}


def _client_module() -> Any:
    with needs_extra("llm", "models behind an endpoint need the package openai"):
        return import_module("openai")
