"""What befalls requests: each failure is one clear line with an exit code, and the key is in none of them."""

import gzip
import json
import re
import sys
from importlib import import_module

import httpx2
import pytest

from coc_core.errors import CocError, LimitFault, ServiceError, UsageError
from coc_core.extras import install_command
from coc_llm.choice import Choice
from coc_llm.constraint import RefusedError
from coc_llm.endpoint import Endpoint, Transport
from coc_llm.reading import Mask
from tests.support.fake_endpoint import completion, cut, endless, endpoint, hang_up, refusal, slow
from tests.support.for_each import for_each

KEY = "sk-very-secret-0123456789"
AT_ONCE = {"retry-after-ms": "1"}


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def opened(url, **options):
    text = "".join(f",{name}={value}" for name, value in {"retries": 2, **options}.items())
    return Endpoint(Choice.parse(f"m,base_url={url},api=completions{text}"))


def post(fake, **options):
    return opened(fake.url, **options).post({"model": "m", "prompt": "p", "odd": 1})


def failure(*script, **options):
    """The error that a script of responses ends in."""
    with endpoint(*script) as fake, pytest.raises((CocError, LimitFault)) as found:
        post(fake, **options)
    words = str(found.value)
    assert KEY not in words
    assert "\n" not in words
    return found.value, words.replace(fake.url, "URL")


def test_a_request_is_sent_as_it_is():
    with endpoint() as fake:
        assert post(fake) == completion("yes")
    ((method, path, headers, body),) = fake.seen
    assert (method, path, body) == ("POST", "/v1/completions", {"model": "m", "prompt": "p", "odd": 1})
    assert headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.slow
@pytest.mark.parametrize("trouble", [cut, hang_up, slow(3)])
def test_a_lost_connection_is_made_again(trouble):
    with endpoint(trouble) as fake:
        assert post(fake, timeout=1) == completion("yes")
    assert len(fake.seen) == 2


@for_each(
    ("made", "script"),
    [
        (1, [(503, refusal("no"), {"x-should-retry": "false"})]),
        (2, [(500, refusal("oh"), AT_ONCE), (429, refusal("no"), {"retry-after": "999"})]),
        (3, [(500, refusal("oh"), AT_ONCE)] * 2 + [(500, refusal("no"), {})]),
        (2, [(200, refusal("oh", code=502), AT_ONCE), (200, refusal("no", code=429), {"retry-after": "999"})]),
    ],
)
def test_as_many_tries_are_reported_as_were_made(made, script):
    with (
        endpoint(*script) as fake,
        pytest.raises(ServiceError, match=r"status \d+ after (\d) tr(y|ies).*: no$") as found,
    ):
        post(fake)
    assert len(fake.seen) == made
    assert f" after {made} tr" in str(found.value)


@for_each(
    "document",
    [
        {"error": "no"},
        {"error": {"message": "no"}},
        {"error": [{"message": "no"}]},
        {"object": "error", "message": "no"},
        {"detail": "no"},
        {"detail": [{"msg": "no"}]},
        {"error": None, "message": "no"},
    ],
)
def test_the_words_of_a_server_are_found_wherever_they_are(document):
    assert failure((500, document, {}), retries=0)[1].endswith("no")


HTML = {"content-type": "text/html"}


@for_each(
    ("kind", "response", "words"),
    [
        (
            ServiceError,
            (500, b"<html>oops</html>", HTML | {"x-should-retry": "false"}),
            "answered with status 500 after 1 try",
        ),
        (
            ServiceError,
            (429, refusal("come back tomorrow"), {"retry-after": "86400"}),
            "answered with status 429 after 1 try and asks to wait (Retry-After: 86400): come back tomorrow",
        ),
        (
            UsageError,
            (401, refusal(f"Incorrect key {KEY}\nprovided"), {}),
            "refuses the key in OPENAI_API_KEY: Incorrect key [API key] provided",
        ),
        (
            ServiceError,
            (200, b"<html>Welcome</html>", HTML),
            "sent text/html instead of JSON; check the option base_url, which usually ends in /v1",
        ),
        (ServiceError, (200, b" " * ((1 << 24) + 1), {}), "sent more than 16,777,216 bytes"),
        (
            ServiceError,
            (200, gzip.compress(b"{}"), {"content-encoding": "gzip"}),
            "compressed its response (gzip), which was not asked for",
        ),
        (ServiceError, (200, b"[]", {}), "sent a malformed response: the response is not a JSON object"),
    ],
)
def test_what_ends_a_request(kind, response, words):
    error, found = failure(response)
    assert (type(error), found) == (kind, f"URL {words}")


def test_a_server_that_is_not_there():
    with pytest.raises(ServiceError, match=r"http://127\.0\.0\.1:9/v1 can't be reached: .*; check the option base_url"):
        opened("http://127.0.0.1:9/v1", retries=0).post({"model": "m", "prompt": "p"})


def test_the_environment_may_name_a_proxy(monkeypatch):
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with endpoint() as fake:
        monkeypatch.setenv("http_proxy", fake.url.removesuffix("/v1"))
        opened("http://elsewhere.invalid/v1").post({"model": "m", "prompt": "p"})
        assert fake.seen[0][1] == "http://elsewhere.invalid/v1/completions"
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert post(fake) == completion("yes")
    for proxy, complaint in (
        ("socks5://127.0.0.1:9", "needs the package socksio"),
        ("foo://x:secret@y", "names a pro"),
    ):
        monkeypatch.setenv("http_proxy", proxy)
        with pytest.raises(UsageError, match=complaint) as found:
            opened("http://elsewhere.invalid/v1")
        assert "secret" not in str(found.value)


CHUNKED = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
PIECES = {
    "body": (CHUNKED, b"10000\r\n" + b" " * 0x10000 + b"\r\n"),
    "body of an error": (CHUNKED.replace(b"200", b"500"), b"10000\r\n" + b" " * 0x10000 + b"\r\n"),
    "trailer": (CHUNKED + b"0\r\n", b"a: b\r\n" * 10_000),
    "head": (CHUNKED[:-2], b"a: b\r\n" * 10_000),
    "row of early responses": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000),
}


@for_each(
    ("part", "words"),
    [
        ("body", "sent more than 16,777,216 bytes"),
        ("body of an error", "sent more than 16,777,216 bytes"),
        ("trailer", "can't be reached: Receive buffer too long; check the option base_url"),
        ("head", "can't be reached: Receive buffer too long; check the option base_url"),
        ("row of early responses", "sent no whole response within 1 second"),
    ],
)
def test_no_part_of_a_response_is_endless(part, words):
    error, found = failure(endless(*PIECES[part]), retries=0, timeout=1 if part == "row of early responses" else 60)
    assert (type(error), found) == (ServiceError, f"URL {words}")


@for_each("part", PIECES)
def test_a_response_that_drips_is_given_up(part):
    head, piece = PIECES[part]
    with endpoint(endless(head, piece[:27], 0.05)) as fake:
        transport = Transport(fake.url, 0.3, Mask(KEY))
        with httpx2.Client(transport=transport) as client, pytest.raises((httpx2.ReadTimeout, httpx2.TransportError)):
            client.get(fake.url)


@for_each("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(status):
    with endpoint() as other, endpoint((status, b"", {"location": f"{other.url}?{KEY}"})) as fake:
        with pytest.raises(ServiceError) as found:
            post(fake)
        assert str(found.value) == (
            f"{fake.url} redirects to {other.url}?[API key], which is not followed; check the option base_url"
        )
        assert (other.seen, len(fake.seen)) == ([], 1)


@for_each(
    ("status", "document", "kind", "words"),
    [
        (
            400,
            refusal("no \x1b[31mstop", param="temperature", code="no"),
            RefusedError,
            r"refuses the request: no \x1b[31mstop",
        ),
        (400, refusal("too long", param="prompt"), LimitFault, "the endpoint can't read the prompt: too long"),
        (400, refusal("x", code="context_length_exceeded"), LimitFault, "the endpoint can't read the prompt: x"),
        (
            405,
            {"error": {}},
            UsageError,
            "has no model 'm' for completions: status 405; check the name, base_url and api",
        ),
    ],
)
def test_a_request_that_is_refused(status, document, kind, words):
    error, found = failure((status, document, {}))
    assert (type(error), found.removeprefix("URL ")) == (kind, words)


def test_what_a_server_says_is_cut_short():
    assert len(failure((400, refusal("x" * 400), {}))[1]) < 350


ECHOES = {
    "type": (200, b"", {"content-type": f"text/{KEY}"}),
    "coding": (200, b"", {"content-encoding": KEY}),
    "name in JSON": (200, json.dumps({KEY: {}})[:-1].encode() + b"}", {}),
    "error": (400, refusal(KEY, param=KEY, code=KEY), {}),
    "error for a time": (500, refusal(f"x{KEY}x"), {"x-should-retry": "false"}),
    "error in JSON": (404, refusal(json.dumps(json.dumps(KEY))), {}),
    "line of the head": endless(f"HTTP/1.1 200 OK\r\n{KEY}\r\n\r\n".encode(), b" ", 0.1),
    "status": endless(f"HTTP/1.1 {KEY}\r\n\r\n".encode(), b" ", 0.1),
    "size of a chunk": endless(f"{CHUNKED.decode()}{KEY}\r\n".encode(), b" ", 0.1),
}


@for_each("place", ECHOES)
def test_the_key_is_in_no_error(place):
    if place == "name in JSON":
        with endpoint(ECHOES[place]) as fake:
            assert post(fake) == {"[API key]": {}}
        return
    error, words = failure(ECHOES[place], retries=0)
    assert KEY not in f"{words} {vars(error)}"
    assert "[API key]" in words


def test_the_package_may_be_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    monkeypatch.delitem(sys.modules, "coc_llm.endpoint")
    with pytest.raises(UsageError, match=rf"need the package openai .*; {re.escape(install_command('llm'))}"):
        import_module("coc_llm.endpoint")
