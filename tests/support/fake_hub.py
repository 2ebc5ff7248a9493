"""A small hub that keeps repositories, and answers as it is told: rightly, badly, slowly or not at all."""

import hashlib
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Hub:
    """Commits of repositories, by name, and what was asked for.

    `attack(handler)` is called first with each request; it returns whether it has answered.
    """

    def __init__(self, url):
        self.url = url
        self.repositories = {}
        self.requests = []
        self.attack = lambda handler: False

    def commit(self, repository, files):
        sha = hashlib.sha1(repr((repository, sorted(files.items()))).encode()).hexdigest()
        self.repositories.setdefault(repository, {})[sha] = files
        return sha

    def paths(self):
        return [path for _, path, _ in self.requests]

    def found(self, path):
        """What a GET gives: bytes, or None."""
        if path.startswith("/api/models/"):
            repository, _, revision = path.removeprefix("/api/models/").partition("/revision/")
            commits = self.repositories.get(repository, {})
            sha = list(commits)[-1] if commits and revision == "main" else revision
            if sha not in commits:
                return None
            return json.dumps(listing(sha, commits[sha], repository)).encode()
        repository, _, rest = path[1:].partition("/resolve/")
        sha, _, name = rest.partition("/")
        return self.repositories.get(repository, {}).get(sha, {}).get(name)


def listing(sha, names, repository="me/it"):
    """The document of a revision."""
    return {"id": repository, "private": False, "sha": sha, "siblings": [{"rfilename": name} for name in names]}


def answer(handler, status, body=b"", **headers):
    """Send a response."""
    handler.send_response(status)
    for name, value in {"content-length": str(len(body)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)
    return True


@contextmanager
def hub():
    """A hub in a thread."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments):
            pass

        def handle(self):
            try:
                super().handle()
            except OSError:  # the client has left
                self.close_connection = True

        def do_GET(self):
            self._seen()
            if not found.attack(self):
                body = found.found(self.path)
                answer(self, 404 if body is None else 200, body or b"")

        def _seen(self):
            found.requests.append((self.command, self.path, self.headers.get("authorization")))

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    found = Hub(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
