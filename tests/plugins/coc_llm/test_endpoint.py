"""What befalls requests: each failure is one clear line with an exit code, and the key is in none of them."""

import gzip
import json
import re
import time

import httpx2
import pytest

from coc_core.errors import CocError, ServiceError, UsageError
from coc_core.extras import install_command
from coc_llm.choice import Choice
from coc_llm.endpoint import Endpoint, Refused
from coc_llm.mask import Mask
from coc_llm.transport import Transport
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
    with endpoint(*script) as fake, pytest.raises((CocError, Refused)) as found:
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


@pytest.mark.parametrize(
    "trouble",
    [(429, refusal("slow down"), AT_ONCE), (500, refusal("oh"), AT_ONCE), (503, b"", AT_ONCE), (408, {}, AT_ONCE)],
)
def test_what_fails_for_a_time_is_tried_again(trouble):
    with endpoint(trouble, trouble) as fake:
        assert post(fake) == completion("yes")
    assert len(fake.seen) == 3


@pytest.mark.slow
@pytest.mark.parametrize("trouble", [cut, hang_up, slow(3)])
def test_a_lost_connection_is_made_again(trouble):
    with endpoint(trouble) as fake:
        assert post(fake, timeout=1) == completion("yes")
    assert len(fake.seen) == 2


@pytest.mark.slow
def test_the_server_says_how_long_to_wait():
    with endpoint((429, refusal("slow down"), {"retry-after": "2"})) as fake:
        began = time.monotonic()
        post(fake)
    assert time.monotonic() - began >= 2


def test_a_server_that_asks_for_too_long_a_wait_is_given_up():
    error, words = failure((429, refusal("come back tomorrow"), {"retry-after": "86400"}))
    assert (type(error), words) == (
        ServiceError,
        "URL answered with status 429 after 1 try and asks to wait (Retry-After: 86400): come back tomorrow",
    )


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
    for status in (400, 500):
        assert failure((status, document, {}), retries=0)[1].endswith("no")
    assert failure((500, b"no", {"content-type": "text/plain"}), retries=0)[1] == "URL answered with status 500: no"


def test_too_many_requests_end_after_all_tries():
    error, words = failure(*[(429, refusal("slow down"), AT_ONCE)] * 3)
    assert (type(error), words) == (ServiceError, "URL answered with status 429 after 3 tries: slow down")
    error, words = failure((500, b"<html>oops</html>", {"content-type": "text/html"}), retries=0)
    assert (type(error), words) == (ServiceError, "URL answered with status 500")


@pytest.mark.slow
def test_a_server_that_is_silent_is_given_up():
    error, words = failure(slow(2), timeout=1, retries=0)
    assert (type(error), words) == (ServiceError, "URL sent no whole response within 1 second")


def test_a_server_that_is_not_there():
    with pytest.raises(ServiceError, match=r"http://127\.0\.0\.1:9/v1 can't be reached: .*; check the option base_url"):
        opened("http://127.0.0.1:9/v1", retries=0).post({"model": "m", "prompt": "p"})


def test_a_host_that_cannot_be_one():
    with pytest.raises(ServiceError, match=r"http://a\.\.b/v1 can't be reached: "):
        opened("http://a..b/v1", retries=0).post({"model": "m", "prompt": "p"})


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


def test_a_connection_that_is_cut():
    error, words = failure(cut, retries=0)
    assert isinstance(error, ServiceError)
    assert words.startswith("URL can't be reached: ")


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_refused(status):
    error, words = failure((status, refusal(f"Incorrect key {KEY}\nprovided"), {}))
    assert (type(error), words) == (
        UsageError,
        "URL refuses the key in OPENAI_API_KEY: Incorrect key [API key] provided",
    )


def test_a_page_in_place_of_a_response():
    error, words = failure((200, b"<html>Welcome</html>", {"content-type": "text/html"}))
    assert isinstance(error, ServiceError)
    assert words == "URL sent text/html instead of JSON; check the option base_url, which usually ends in /v1"


@for_each("body", [b"", b"[]", b'{"a": NaN}', b'{"a": 1, "a": 2}', b"\xff", b'{"choices": ['])
def test_a_response_is_read_strictly(body):
    error, words = failure((200, body, {}))
    assert isinstance(error, ServiceError)
    assert words.startswith("URL sent a malformed response: the response is not ")


def test_a_response_that_is_too_large():
    error, words = failure((200, b" " * ((1 << 24) + 1), {}))
    assert isinstance(error, ServiceError)
    assert words == "URL sent more than 16,777,216 bytes"


CHUNKED = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
PIECES = {
    "body": (CHUNKED, b"10000\r\n" + b" " * 0x10000 + b"\r\n"),
    "body of an error": (CHUNKED.replace(b"200", b"500"), b"10000\r\n" + b" " * 0x10000 + b"\r\n"),
    "trailer": (CHUNKED + b"0\r\n", b"a: b\r\n" * 10_000),
    "head": (CHUNKED[:-2], b"a: b\r\n" * 10_000),
    "row of early responses": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000),
}


@for_each("part", PIECES)
def test_no_part_of_a_response_is_endless(part):
    error, words = failure(endless(*PIECES[part]), retries=0)
    assert isinstance(error, ServiceError)
    least = "1,048,576" if part == "row of early responses" else "16,777,216"
    long = "URL can't be reached: Receive buffer too long; check the option base_url"
    assert words == (long if part in ("head", "trailer") else f"URL sent more than {least} bytes")


@for_each("part", PIECES)
def test_a_response_that_drips_is_given_up(part):
    head, piece = PIECES[part]
    with endpoint(endless(head, piece[:27], 0.05)) as fake:
        transport = Transport(fake.url, 0.3, Mask(KEY))
        with httpx2.Client(transport=transport) as client, pytest.raises((httpx2.ReadTimeout, httpx2.TransportError)):
            client.get(fake.url)


@pytest.mark.slow
def test_the_time_is_that_of_the_whole_response():
    error, words = failure(endless(CHUNKED, b"1\r\n \r\n", 0.3), timeout=1, retries=0)
    assert (type(error), words) == (ServiceError, "URL sent no whole response within 1 second")


def test_a_response_that_is_compressed_is_not_unpacked():
    bomb = gzip.compress(json.dumps(completion(" " * 10**7)).encode())
    error, words = failure((200, bomb, {"content-encoding": "gzip"}))
    assert isinstance(error, ServiceError)
    assert words == "URL compressed its response (gzip), which was not asked for"


@for_each("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(status):
    with endpoint() as other, endpoint((status, b"", {"location": f"{other.url}?{KEY}"})) as fake:
        with pytest.raises(ServiceError) as found:
            post(fake)
        assert str(found.value) == (
            f"{fake.url} redirects to {other.url}?[API key], which is not followed; check the option base_url"
        )
        assert (other.seen, len(fake.seen)) == ([], 1)


def test_a_request_goes_to_no_other_origin():
    transport = Transport("https://here.example/v1", 1, Mask(KEY))
    for url in ("http://here.example/v1", "https://there.example/v1", "https://here.example:444/v1"):
        with httpx2.Client(transport=transport) as client, pytest.raises(ServiceError, match="is not where"):
            client.get(url)


def test_a_request_that_is_refused():
    error, _ = failure((400, refusal("no \x1b[31mtemperature " + "x" * 400, param="temperature", code="no"), {}))
    assert (error.status, error.param, error.code) == (400, "temperature", "no")
    assert error.message.startswith(r"no \x1b[31mtemperature xxx")
    assert len(error.message) < 310
    error, _ = failure((404, {"error": {}}, {}))
    assert (error.status, error.message, error.param, error.code) == (404, "status 404", "", "")


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
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    with pytest.raises(UsageError, match=rf"need the package openai .*; {re.escape(install_command('llm'))}"):
        opened("http://127.0.0.1:9/v1")


def test_nothing_shows_the_key():
    shown = opened("http://127.0.0.1:9/v1")
    assert repr(shown) == "Endpoint(http://127.0.0.1:9/v1)"
