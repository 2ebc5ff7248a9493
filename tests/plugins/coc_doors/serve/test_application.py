"""What each path answers, to requests that are right and to others."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient

from coc_doors.serve.application import Service
from coc_doors.serve.served import Served
from tests.support.sleepy_backend import Sleepy


@pytest.fixture
def client():
    with ThreadPoolExecutor(1) as executor:
        served = Served("mine", "toy/stack", Sleepy(), executor)
        application = Service({"mine": served, "mine:toy/stack": served}).application()
        yield TestClient(application, "http://127.0.0.1:8000", raise_server_exceptions=False)


LEAST = {"model": "mine", "prompt": "a"}


def test_it_lists_its_models(client):
    found = client.get("/v1/models").json()
    assert [each["id"] for each in found["data"]] == ["mine", "mine:toy/stack"]
    assert client.get("/v1/models/mine:toy/stack").json() == found["data"][1]
    assert client.get("/health", headers={"host": "localhost:1"}).json() == {"status": "ok"}


def test_completions_and_chats(client):
    assert client.post("/v1/completions", json=LEAST).json()["choices"][0]["text"] == "A"
    found = client.post("/v1/chat/completions", json={"model": "mine", "messages": [{"role": "user", "content": "a"}]})
    assert found.json()["object"] == "chat.completion"
    assert found.json()["choices"][0]["message"] == {"role": "assistant", "content": "A"}


def test_a_stream_has_one_event(client):
    chat = {"model": "mine", "messages": [{"role": "user", "content": "a"}], "stream": True}
    found = client.post("/v1/chat/completions", json=chat)
    assert found.headers["content-type"].startswith("text/event-stream")
    event, done = found.text.removesuffix("\n\n").split("\n\n")
    assert json.loads(event.removeprefix("data: "))["choices"][0]["delta"]["content"] == "A"
    assert done == "data: [DONE]"


def test_texts_that_are_no_unicode_come_back(client):
    found = client.post("/v1/completions", content=rb'{"model": "mine", "prompt": "\ud800 \u001b"}', headers=JSON)
    assert found.json()["choices"][0]["text"] == "\ud800 \x1b"


JSON = {"content-type": "application/json"}
FORM = {"content-type": "text/plain"}  # which pages of other sites can send


@pytest.mark.parametrize(
    ("path", "body", "headers", "status"),
    [
        ("completions", b"hello", JSON, 400),
        ("completions", b"", JSON, 400),
        ("completions", b"[]", JSON, 400),
        ("completions", b'{"model": "mine", "prompt": "a', JSON, 400),
        ("completions", b'{"model": "\xff\xfe"}', JSON, 400),
        ("completions", b'{"model": "mine", "prompt": "a", "n": NaN}', JSON, 400),
        ("completions", b'{"model": "mine", "prompt": "a", "n": ' + b"9" * 100_000 + b"}", JSON, 400),
        ("completions", b'{"model": "mine", "prompt": "a", "prompt": "b"}', JSON, 400),
        ("completions", b'{"model": "mine", "stop": ' + b"[" * 200_000 + b"]" * 200_000 + b"}", JSON, 400),
        ("completions", b'{"model": "mine", "prompt": "a", "__class__": "x"}', JSON, 400),
        ("completions", b'{"model": "mine", "prompt": "long"}', JSON, 400),
        ("completions", b'{"model": "' + b"m" * 100_000 + b'", "prompt": "a"}', JSON, 404),
        ("completions", b'{"model": "\\u001b[2J\\n", "prompt": "a"}', JSON, 404),
        ("completions", b'{"model": "mine", "prompt": "a"}', FORM, 415),
        ("completions", b'{"model": "mine", "prompt": "a"}', JSON | {"host": "evil.example"}, 421),
        ("completions", b'{"model": "mine", "prompt": "a"}', JSON | {"host": "localhost.evil.example:8000"}, 421),
        ("completions", b'{"model": "mine", "prompt": "a"}', JSON | {"host": ""}, 421),
        ("completions", b'{"model": "mine", "prompt": "fault"}', JSON, 500),
        ("completions", b'{"model": "mine", "prompt": "raise"}', JSON, 500),
        ("completions/", b"{}", JSON, 404),
        ("models", b"{}", JSON, 405),
        ("chat/completions", b'{"model": "mine", "messages": []}', JSON, 400),
        ("chat/completions", b"model=mine", FORM, 415),
        ("models/%2e%2e%2fetc%2fpasswd", None, {}, 404),
        ("models/%00", None, {}, 404),
    ],
)
def test_what_is_refused_is_answered_in_json(client, path, body, headers, status):
    found = client.request("GET" if body is None else "POST", f"/v1/{path}", content=body, headers=headers)
    assert (found.status_code, found.headers["content-type"]) == (status, "application/json")
    error = found.json()["error"]
    assert error.keys() == {"message", "type", "param", "code"}
    assert error["type"] == ("server_error" if status == 500 else "invalid_request_error")
    assert error["message"].isprintable()
    assert len(error["message"]) < 300
    assert client.post("/v1/completions", json=LEAST).status_code == 200


def test_a_bug_is_mentioned_where_the_server_runs(client, capsys):
    client.post("/v1/completions", json=LEAST | {"prompt": "raise"})
    assert "a request failed: PluginError: the model 'sleepy' raised" in capsys.readouterr().err
