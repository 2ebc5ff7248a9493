"""An OpenAI-compatible endpoint: requests that are repeated where that helps, and responses that are read strictly.

The client repeats what fails for a time (408, 409, 429, 5xx, lost connections, responses that take too long), waits
longer each time, and as long as the server asks for with Retry-After, up to two minutes.
"""

import weakref
from importlib import import_module
from typing import Any

from coc_core.errors import ServiceError, UsageError
from coc_core.extras import needs_extra
from coc_core.text import counted
from coc_llm.choice import Choice
from coc_llm.reading import Mask, words_of


class Refused(Exception):
    """The server refuses a request as it is: `status` and `message` are the response's, `param` is the key of the
    request that is at fault, `code` its word for programs, if it has them.
    """

    def __init__(self, status: int, message: str, param: str = "", code: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.param = param
        self.code = code


class Endpoint:
    """An endpoint with one model; UsageError if there is no key or client, or a proxy that can't be used."""

    def __init__(self, choice: Choice) -> None:
        self._openai, httpx, transport = _libraries()
        self._choice = choice
        secret = choice.secret()
        self._mask = Mask(secret)
        alone = httpx.Client(trust_env=False)  # sends nothing
        with self._openai.OpenAI(api_key=secret, base_url=choice.base_url, http_client=alone) as client:
            self.url = str(client.base_url).rstrip("/")
        self._client = self._openai.OpenAI(
            api_key=secret,
            base_url=self.url,
            max_retries=choice.retries,
            http_client=httpx.Client(
                transport=transport.Transport(self.url, choice.timeout, self._mask), follow_redirects=False
            ),
        )
        weakref.finalize(self, self._client.close)

    def __repr__(self) -> str:
        return f"Endpoint({self.url})"

    def post(self, body: dict[str, Any]) -> dict[str, Any]:
        """Send a request, for a chat if it has messages, and return the document of the response. Refused if the server
        refuses the request as it is, ServiceError if after all retries there is no JSON object, UsageError if it
        refuses the key.
        """
        api = self._client.chat.completions if "messages" in body else self._client.completions
        return self._read(lambda: api.with_raw_response.create(**{"extra_body": body, **_required(body)}))

    def _read(self, call: Any) -> dict[str, Any]:
        try:
            document: dict[str, Any] = call().http_response.extensions["document"]
        except self._openai.APITimeoutError as error:
            seconds = counted(self._choice.timeout, "second")
            raise self.failure(f"sent no whole response within {seconds}{self._tries(error)}") from None
        except self._openai.APIStatusError as error:
            raise self._refusal(error) from None
        except self._openai.APIConnectionError as error:
            what = f"can't be reached{self._tries(error)}"
            raise self.failure(what, str(error.__cause__ or error), remedy="check the option base_url") from None
        return document

    def _refusal(self, error: Any) -> Exception:
        status, document = error.status_code, error.response.extensions["document"]
        said = words_of(document)
        location = error.response.extensions["location"]
        if 300 <= status < 400 and location:
            return self.failure(
                f"redirects to {self._mask.line(location)}, which is not followed", remedy="check the option base_url"
            )
        words = self._mask.line(said or f"status {status}")
        if status in (401, 403):
            return UsageError(f"{self.url} refuses the key in {self._choice.key}: {words}")
        if status == 429 or status >= 500 or status in (408, 409):
            wait = error.response.headers.get("retry-after")
            asked = f" and asks to wait (Retry-After: {self._mask.line(wait)[:40]})" if wait else ""
            return self.failure(f"answered with status {status}{self._tries(error)}{asked}", said)
        if isinstance(document.get("error"), dict):
            document = document["error"]
        param, code = (value if isinstance(value := document.get(key), str) else "" for key in ("param", "code"))
        return Refused(status, words, param, code)

    def failure(self, what: str, words: str = "", remedy: str = "") -> ServiceError:
        """Return the error for what the endpoint did, with its words, which are untrusted."""
        return ServiceError(f"{self.url} {what}" + (f": {self._mask.line(words)}" if words else ""), remedy=remedy)

    def _tries(self, error: Any) -> str:
        """Return how often a request was sent that ended in an error, if it could have been sent again."""
        made = int(error.request.headers.get("x-stainless-retry-count", 0)) + 1  # the client counts them there
        return f" after {counted(made, 'try', 'tries')}" if self._choice.retries else ""


def _required(body: dict[str, Any]) -> dict[str, Any]:
    """Return what the client's functions must have as arguments; all else goes as it is."""
    return {key: body[key] for key in ("model", "messages", "prompt") if key in body}


def _libraries() -> tuple[Any, Any, Any]:
    """Return the client, the library that it sends requests with, and our part of that."""
    with needs_extra("llm", "models behind an endpoint need the package openai"):
        return import_module("openai"), import_module("httpx2"), import_module("coc_llm.transport")
