"""Answers of the Hub that are huge, slow, endless, redirected or none: one line, and the token stays at home."""

import time

import httpx2
import pytest
from huggingface_hub import close_session, constants

from coc_core.errors import ArtefactError, ServiceError
from coc_doors.hub import fetch
from tests.support import fake_hub
from tests.support.fake_hub import answer

SECRET = "hf_secret"


def got(most=100, seconds=20.0):
    return fetch.get("me/it/x", most, time.monotonic() + seconds)


def trickle(handler, endless=b"1\r\nx\r\n", head=b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"):
    handler.wfile.write(head)
    for _ in range(200):
        handler.wfile.write(endless)
        time.sleep(0.02)
    return handler.close_connection


def flood(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
    while True:
        handler.wfile.write(b"ffff\r\n" + b"x" * 0xFFFF + b"\r\n")


def cut(handler):
    handler.close_connection = True
    return answer(handler, 200, b"abc", content_length="5")


def hang_up(handler):
    handler.close_connection = True
    return True


def status(number):
    return lambda handler: answer(handler, number)


LATE, BROKEN = "sent no whole answer in time; try again later", "can't be used: "
ANSWERS = {
    "endless": (flood, ArtefactError, "has more than 1,000 bytes"),
    "slow": (trickle, ServiceError, LATE),
    "slow, with a size that never ends": (lambda handler: trickle(handler, b"0"), ServiceError, LATE),
    "a slow head": (lambda handler: trickle(handler, b"x", b"HTTP/1.1 200 OK\r\n"), ServiceError, LATE),
    "early": (lambda handler: trickle(handler, b"HTTP/1.1 102 Processing\r\n\r\n", b""), ServiceError, LATE),
    "silent": (lambda handler: time.sleep(2), ServiceError, LATE),
    "cut": (cut, ServiceError, BROKEN),
    "none": (hang_up, ServiceError, BROKEN),
    "nonsense": (lambda handler: handler.wfile.write(b"nonsense\r\n\r\n"), ServiceError, BROKEN),
    "of another": (status(401), ServiceError, "answered with status 401; .*needs `hf auth login`"),
    "missing": (status(404), ServiceError, "answered with status 404; check the name"),
    "out of order": (status(500), ServiceError, "answered with status 500$"),
    "empty": (status(204), ServiceError, "answered with status 204$"),
    "a redirect to nowhere": (status(302), ServiceError, "answered with status 302$"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_no_answer_is_one_line_in_time(hub, name):
    hub.attack, error, words = ANSWERS[name]
    start = time.monotonic()
    with pytest.raises(error, match=f"/me/it/x {words}"):
        got(1000, 0.3 if words == LATE else 20)
    assert words != LATE or time.monotonic() - start < 1.5


@pytest.mark.parametrize(
    "endpoint", ["nonsense", "ftp://127.0.0.1", "http://[::1", "http://127.0.0.1:x", "http://127.0.0.1:1"]
)
def test_an_endpoint_that_is_none(hub, monkeypatch, endpoint):
    monkeypatch.setattr(constants, "ENDPOINT", endpoint)
    with pytest.raises(ServiceError, match="can't be used: "):
        got()


def test_without_a_network_nothing_is_asked(hub, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ServiceError, match="offline mode is enabled"):
        got()
    assert hub.requests == []


def test_redirects_are_followed_and_the_token_stays_at_home(hub, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", SECRET)
    with fake_hub.hub() as other:
        other.attack = lambda handler: answer(handler, 200, b"there")
        targets = {"/me/it/x": "/me/it/y", "/me/it/y": f"{other.url}/z"}
        hub.attack = lambda handler: answer(handler, 307, location=targets[handler.path])
        assert got() == b"there"
        close_session()
    assert [token for _, _, token in hub.requests] == [f"Bearer {SECRET}"] * 2
    assert other.requests == [("GET", "/z", None)]


def test_redirects_without_end(hub):
    hub.attack = lambda handler: answer(handler, 302, location=handler.path)
    with pytest.raises(ServiceError, match="can't be used: Exceeded maximum allowed redirects"):
        got()


def test_encryption_is_not_given_up(monkeypatch):
    def reply(request):
        if request.url.scheme == "http":
            return httpx2.Response(200, content=b"plain")
        return httpx2.Response(302, headers={"location": "http://hub.test/plain"})

    monkeypatch.setattr(constants, "ENDPOINT", "https://hub.test")
    monkeypatch.setattr(fetch, "get_session", lambda: httpx2.Client(transport=httpx2.MockTransport(reply)))
    with pytest.raises(ServiceError, match="redirects to an address without encryption"):
        got()


def test_the_deadline_holds_for_all_files_together(hub, files, refused, monkeypatch, tmp_path):
    hub.commit("me/it", files)
    monkeypatch.setattr(fetch, "SECONDS", 0.5)

    def slow(handler):
        time.sleep(0.2)
        return False

    hub.attack = slow
    assert "sent no whole answer in time" in refused(8, "run", "-d", "hanoi", "--model", "hub:me/it")
    assert not (tmp_path / "home").exists()
