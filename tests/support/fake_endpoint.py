"""A small endpoint that answers as it is told: rightly, badly, slowly or not at all."""

import json
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

JSON = {"content-type": "application/json"}


def completion(text, reason="stop", **more):
    """The document of a completion."""
    return {"choices": [{"text": text, "finish_reason": reason}], **more}


def chat(text, reason="stop"):
    """The document of a response in a chat."""
    return {"choices": [{"message": {"content": text}, "finish_reason": reason}]}


def refusal(message, **more):
    """The document of an error."""
    return {"error": {"message": message, **more}}


def cut(handler):
    """Ends the connection in the middle of a response."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.close_connection = True


def hang_up(handler):
    """Ends the connection without a word."""
    handler.close_connection = True


def slow(seconds):
    """Says nothing for a while, and then nothing at all."""

    def respond(handler):
        time.sleep(seconds)
        handler.close_connection = True

    return respond


def endless(head, piece, seconds=0):
    """Sends the beginning of a response, and then a piece of it for ever, with a pause after each."""

    def respond(handler):
        handler.close_connection = True
        handler.wfile.write(head)
        while True:  # until the client has gone
            handler.wfile.write(piece)
            time.sleep(seconds)

    return respond


class FakeEndpoint:
    """Gives one scripted response after the other, and then those of `then`, a function of the request's body.

    A response is a function of the handler, or a tuple of the status, the body and the headers. A body that is a
    dictionary becomes JSON. `seen` has the method, path, headers and body of each request.
    """

    def __init__(self, script, then):
        self.script, self.then = list(script), then
        self.seen, self.busy, self.most_busy = [], 0, 0
        self.lock = threading.Lock()
        self.url = ""

    @property
    def bodies(self):
        return [body for *_, body in self.seen]

    def respond(self, handler):
        length = int(handler.headers.get("content-length", 0))
        content = handler.rfile.read(length)
        if len(content) < length:
            raise ConnectionAbortedError("the client has gone")
        body = json.loads(content) if content else None
        with self.lock:
            headers = {name.lower(): value for name, value in handler.headers.items()}
            self.seen.append((handler.command, handler.path, headers, body))
            self.busy += 1
            self.most_busy = max(self.busy, self.most_busy)
            response = self.script.pop(0) if self.script else None
        try:
            if response is None:
                response = self.then(body)
            if callable(response):
                response(handler)
                return
            self.send(handler, *response)
        finally:
            with self.lock:
                self.busy -= 1

    @staticmethod
    def send(handler, status, body, headers):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in (JSON | headers | {"content-length": str(len(content))}).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)


class Server(ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        if not isinstance(sys.exception(), ConnectionError):  # a client may be killed
            super().handle_error(request, client_address)


@contextmanager
def endpoint(*script, then=lambda body: (200, completion("yes"), {})):
    """Runs a FakeEndpoint on a free port while the block runs."""
    fake = FakeEndpoint(script, then)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # or each response waits for the client to acknowledge its head

        def do_POST(self):
            fake.respond(self)

        do_GET = do_POST

        def log_message(self, *_):
            pass

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    fake.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
