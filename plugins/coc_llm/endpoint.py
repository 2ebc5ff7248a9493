"""An OpenAI-compatible endpoint: requests that are repeated where that helps, and responses that are read strictly.

The client repeats what fails for a time (408, 409, 429, 5xx, lost connections, responses that take too long), waits
longer each time, and as long as the server asks for with Retry-After, up to two minutes.
"""

import weakref
from concurrent.futures import Future
from contextlib import closing
from importlib.util import find_spec
from threading import Thread
from typing import Any
from urllib.request import getproxies, proxy_bypass

from coc_core.errors import ArtefactError, LimitFault, ServiceError, UsageError
from coc_core.extras import needs_extra
from coc_core.storage import parse_json_object
from coc_core.text import counted, quoted
from coc_llm.choice import Choice
from coc_llm.constraint import RefusedError
from coc_llm.reading import Mask, words_of

with needs_extra("llm", "models behind an endpoint need the package openai"):
    import httpx2
    import openai


_OPENAI = "https://api.openai.com/v1"


class Endpoint:
    """An endpoint with one model; UsageError if there is no key or client, or a proxy that can't be used."""

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        secret = choice.secret()
        self._mask = Mask(secret)
        self.url = (choice.base_url or _OPENAI).rstrip("/")
        http = httpx2.Client(transport=Transport(self.url, choice.timeout, self._mask), follow_redirects=False)
        self._client: Any = openai.OpenAI(
            api_key=secret, base_url=self.url, max_retries=choice.retries, http_client=http
        )
        weakref.finalize(self, self._client.close)

    def post(self, body: dict[str, Any]) -> dict[str, Any]:
        """Send a request, for a chat if it has messages, and return the document of the response. ServiceError if after
        all retries there is no JSON object, LimitFault if the server can't read the prompt, UsageError if it refuses
        the key or the request.
        """
        api = self._client.chat.completions if "messages" in body else self._client.completions
        required = {key: body[key] for key in ("model", "messages", "prompt") if key in body}  # all else goes as it is
        try:
            response = api.with_raw_response.create(extra_body=body, **required)
        except openai.APITimeoutError as error:
            seconds = counted(self._choice.timeout, "second")
            raise self.failure(f"sent no whole response within {seconds}{self._tries(error)}") from None
        except openai.APIStatusError as error:
            raise self._refusal(error) from None
        except openai.APIConnectionError as error:
            what = f"can't be reached{self._tries(error)}"
            raise self.failure(what, str(error.__cause__ or error), remedy="check the option base_url") from None
        return response.http_response.extensions["document"]  # type: ignore[no-any-return]

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
        if param == "prompt" or "context_length" in code:
            return LimitFault(f"the endpoint can't read the prompt: {words}")
        if status in (404, 405):
            choice = self._choice
            return UsageError(
                f"{self.url} has no model {quoted(choice.name, 80)} for {choice.api}: {words}",
                remedy="check the name, base_url and api",
            )
        return RefusedError(f"{self.url} refuses the request: {words}")

    def failure(self, what: str, words: str = "", remedy: str = "") -> ServiceError:
        """Return the error for what the endpoint did, with its words, which are untrusted."""
        return ServiceError(f"{self.url} {what}" + (f": {self._mask.line(words)}" if words else ""), remedy=remedy)

    def _tries(self, error: Any) -> str:
        """Return how often a request was sent that ended in an error, if it could have been sent again."""
        made = int(error.request.headers.get("x-stainless-retry-count", 0)) + 1  # the client counts them there
        return f" after {counted(made, 'try', 'tries')}" if self._choice.retries else ""


_MOST_BYTES = 1 << 24
_LIMITS = httpx2.Limits(max_connections=None, max_keepalive_connections=100, keepalive_expiry=5)
_HEADERS = (b"retry-after", b"retry-after-ms", b"x-should-retry")
"""What the client reads of the head of a response."""


class Transport(httpx2.HTTPTransport):
    """Sends requests to an endpoint at `url`, in so many seconds from the first attempt to connect to the last byte.
    Everything that comes from there goes through here, and the mask replaces the key in it. It raises ServiceError for
    what is not tried again: a response that is too large, or something else than JSON.

    A response of this has no content. Its extensions have the `document`, the JSON object of the endpoint's response,
    empty for an error that is not one; and the `location` of a redirect, or None; nothing follows it.
    """

    def __init__(self, url: str, seconds: float, mask: Mask) -> None:
        super().__init__(proxy=_proxy(httpx2.URL(url)), limits=_LIMITS)
        self._url = url
        self._seconds = seconds
        self._mask = mask

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers["accept-encoding"] = "identity"
        request.extensions["timeout"] = httpx2.Timeout(self._seconds).as_dict()
        answer = Future[tuple[httpx2.Response, bytes]]()

        def send() -> None:
            try:
                answer.set_result(self._sent(request))
            except BaseException as error:
                answer.set_exception(error)

        # The library's timeouts are for one wait each, so a server that sends a byte at a time would reach none.
        Thread(target=send, daemon=True).start()
        try:
            response, content = answer.result(self._seconds)
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise httpx2.ReadTimeout(self._mask.line(error)) from None
        except (httpx2.TransportError, UnicodeError) as error:
            raise httpx2.TransportError(self._mask.line(error) or type(error).__name__) from None
        head = {name.lower(): self._mask.text(value.decode("latin-1")) for name, value in response.headers.raw}
        document = self._document(response.status_code, head, content)
        return httpx2.Response(
            _status(response.status_code, document),
            headers=[(name, head[name].encode("latin-1")) for name in _HEADERS if name in head],
            extensions={"document": document, "location": head.get(b"location")},
        )

    def _sent(self, request: httpx2.Request) -> tuple[httpx2.Response, bytes]:
        content = bytearray()
        with closing(super().handle_request(request)) as response:
            for part in response.iter_raw():
                content += part
                if len(content) > _MOST_BYTES:
                    raise self._failure(f"sent more than {_MOST_BYTES:,} bytes")
        return response, bytes(content)

    def _document(self, status: int, head: dict[bytes, str], content: bytes) -> dict[str, object]:
        good = 200 <= status < 300
        coding, kind = head.get(b"content-encoding", "identity"), head.get(b"content-type", "")
        if good and coding.lower() != "identity":
            raise self._failure(f"compressed its response ({self._mask.line(coding)[:40]}), which was not asked for")
        if good and "json" not in kind:
            raise self._failure(
                f"sent {self._mask.line(kind)[:40] or 'no type'} instead of JSON",
                remedy="check the option base_url, which usually ends in /v1",
            )
        try:
            return self._mask.document(parse_json_object(content, "the response"))
        except (ArtefactError, ValueError, RecursionError) as error:
            if not good:
                words = content[:1000].decode("utf-8", "replace") if "text/plain" in kind else ""
                return {"message": self._mask.text(words)}
            raise self._failure(f"sent a malformed response: {self._mask.line(error)}") from None

    def _failure(self, what: str, remedy: str = "") -> ServiceError:
        return ServiceError(f"{self._url} {what}", remedy=remedy)


def _status(status: int, document: dict[str, Any]) -> int:
    """Return the status of a response; that of the error that its document has in its place, where it says one."""
    match document:
        case {"error": {"code": int() as code}} if status < 300 and "choices" not in document and 400 <= code < 600:
            return code
    return status


def _proxy(url: httpx2.URL) -> httpx2.Proxy | None:
    """Return the proxy that the environment names for an address; UsageError for one that can't be used."""
    proxies = getproxies()
    address = proxies.get(url.scheme) or proxies.get("all")
    if not address or proxy_bypass(url.host):
        return None
    try:
        proxy = httpx2.Proxy(address if "://" in address else f"http://{address}")
    except (ValueError, httpx2.InvalidURL):
        raise UsageError("the environment names a proxy that is not the address of one") from None
    if proxy.url.scheme.startswith("socks") and find_spec("socksio") is None:
        raise UsageError("a SOCKS proxy needs the package socksio", remedy="pip install socksio")
    return proxy
