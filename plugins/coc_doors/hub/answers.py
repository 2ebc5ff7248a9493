"""Requests to the Hub: with a deadline, a size limit, and no token sent to other hosts."""

import time
from concurrent.futures import Future
from threading import Thread

from coc_core.errors import ArtefactError, ServiceError
from coc_core.extras import needs_extra
from coc_core.text import message_of

with needs_extra("hub", "the Hub needs the packages huggingface_hub and httpx2"):
    import httpx2
    from huggingface_hub import constants, get_session, get_token

__all__ = ["constants", "get"]

_WAIT = 20  # seconds, for the next bytes
_MOST_REDIRECTS = 5


def get(path: str, most: int, deadline: float) -> bytes:
    """Return what the Hub has at a path, by a deadline of `time.monotonic`. ServiceError if it can't be reached or
    refuses the request, ArtefactError if that is more than `most` bytes.
    """
    url, answer = f"{constants.ENDPOINT}/{path}", Future[bytes]()

    def fetch() -> None:
        try:
            answer.set_result(_followed(httpx2.URL(url), most, deadline))
        except BaseException as error:
            answer.set_exception(error)

    # The client's timeouts are for one wait each, so a server that sends a byte at a time would reach none.
    Thread(target=fetch, daemon=True).start()
    try:
        return answer.result(deadline - time.monotonic())
    except (TimeoutError, httpx2.TimeoutException):
        raise ServiceError(f"{url} sent no whole answer in time", remedy="try again later") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
        raise ServiceError(f"{url} can't be used: {message_of(error)}") from None


def _followed(url: httpx2.URL, most: int, deadline: float) -> bytes:
    """Return the answer, after any redirects."""
    # Not those of the client, which downloads a list without a bound to find out who uses it.
    headers = {"user-agent": "coc", "accept-encoding": "identity"}
    if not constants.HF_HUB_DISABLE_IMPLICIT_TOKEN and (token := get_token()):
        headers["authorization"] = f"Bearer {token}"
    for _ in range(_MOST_REDIRECTS + 1):
        request = get_session().stream("GET", url, headers=headers, follow_redirects=False, timeout=_WAIT)
        with request as response:
            if not response.has_redirect_location:
                return _body(response, most, deadline)
            target = url.join(response.headers["location"])
        if url.scheme == "https" != target.scheme:
            raise ServiceError(f"{url} redirects to an address without encryption, which is not followed")
        if (target.scheme, target.host, target.port) != (url.scheme, url.host, url.port):
            headers.pop("authorization", None)
        url = target
    raise ServiceError(f"{url} is one redirect too many")


def _body(response: httpx2.Response, most: int, deadline: float) -> bytes:
    status, data = response.status_code, bytearray()
    if status != httpx2.codes.OK:
        remedy = "check the name; a private repository needs `hf auth login`" if status in (401, 403, 404) else ""
        raise ServiceError(f"{response.url} answered with status {status}", remedy=remedy)
    for part in response.iter_raw():
        data += part
        if len(data) > most:
            raise ArtefactError(f"{response.url} has more than {most:,} bytes")
        if time.monotonic() > deadline:
            raise TimeoutError
    return bytes(data)
