"""A headless browser, spoken to through a pipe, for tests of pages; there may be none on a machine."""

import json
import os
import shutil
import subprocess
from contextlib import contextmanager

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PROGRAM = next(filter(None, map(shutil.which, NAMES)), None)

_OFF = ("gpu", "dev-shm-usage", "extensions", "background-networking", "component-update", "sync")
_ARGUMENTS = ["--headless", "--no-sandbox", "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe"]
_ARGUMENTS += [f"--disable-{each}" for each in _OFF]


class Tab:
    """One page. `said` are the errors and refusals that it has printed or thrown, `asked` the addresses it wanted."""

    def __init__(self, pipe, session):
        self._pipe, self._session = pipe, session
        self.said, self.asked = [], []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.tell(f"{domain}.enable")

    def tell(self, method, **parameters):
        """One command of the DevTools protocol; gives its result."""
        number = self._pipe.send(method, parameters, self._session)
        while (message := self._pipe.receive()).get("id") != number:
            self._note(message)
        assert "error" not in message, message
        return message["result"]

    def open(self, address):
        self.tell("Page.navigate", url=address)
        while self.run("document.readyState") != "complete":
            pass

    def run(self, script):
        """The value of an expression in the page; a promise is waited for."""
        found = self.tell("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def text(self, name):
        return self.run(f"document.getElementById({name!r}).textContent")

    def press(self, key, text="", shift=False):
        for kind in ("keyDown", "keyUp"):
            typed = {"text": text} if text and kind == "keyDown" else {}
            self.tell("Input.dispatchKeyEvent", type=kind, key=key, modifiers=8 * shift, **typed)

    def _note(self, message):
        about = message.get("params", {})
        match message.get("method"):
            case "Runtime.exceptionThrown":
                self.said.append(about["exceptionDetails"])
            case "Log.entryAdded":
                self.said.append(about["entry"]["text"])
            case "Runtime.consoleAPICalled":
                self.said.append(about["args"])
            case "Network.requestWillBeSent":
                self.asked.append(about["request"]["url"])


class _Pipe:
    def __init__(self, source, sink):
        self._source, self._sink, self._number, self._rest = source, sink, 0, b""

    def send(self, method, parameters, session=None):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._sink, json.dumps(message).encode() + b"\0")
        return self._number

    def receive(self):
        while b"\0" not in self._rest:
            found = os.read(self._source, 1 << 16)
            assert found, "the browser has gone"
            self._rest += found
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def ask(self, method, **parameters):
        number = self.send(method, parameters)
        while (message := self.receive()).get("id") != number:
            pass
        return message["result"]


@contextmanager
def browser(folder):
    """A function that opens a new tab of a browser whose files are in `folder`."""
    ours_in, theirs_out = os.pipe()
    theirs_in, ours_out = os.pipe()
    # The browser reads from its descriptor 3 and writes to its descriptor 4.
    line = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
    command = ["bash", "-c", line, PROGRAM, *_ARGUMENTS, f"--user-data-dir={folder}"]
    process = subprocess.Popen(command, pass_fds=(theirs_in, theirs_out), stderr=subprocess.DEVNULL)
    os.close(theirs_in)
    os.close(theirs_out)
    pipe = _Pipe(ours_in, ours_out)

    def tab():
        target = pipe.ask("Target.createTarget", url="about:blank")["targetId"]
        return Tab(pipe, pipe.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])

    try:
        yield tab
    finally:
        process.terminate()
        process.wait(30)
        os.close(ours_in)
        os.close(ours_out)
