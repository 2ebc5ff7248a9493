"""The choice of a model behind an endpoint, or in a folder: its name and the options, all in one text."""

import os
import re
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.text import Decimal, Name, Switch, Whole, Word, quoted, read, setting

BASE_URL = "OPENAI_BASE_URL"
"""The environment variable with the address of the endpoint, unless the option `base_url` gives it."""

MODES = ("auto", "on", "off")

KEY = "OPENAI_API_KEY"
"""The environment variable with the key, unless the option `key` names another one."""

_NAME = re.compile("[!-+\\--~]{1,200}")  # printable ASCII, without spaces and commas
_VARIABLE = re.compile("[A-Za-z_][A-Za-z0-9_]{0,99}")


def _url(text: str) -> str:
    """Return an address that can be printed and recorded, without what might hold a key: name, password, query."""
    try:
        parts = urlsplit(text)
        right = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        right = False
    if not right or "@" in text or "?" in text or "#" in text or not text.isascii() or not text.isprintable():
        raise ValueError("it must be an address such as http://127.0.0.1:8000/v1, without a key in it")
    return text.rstrip("/")


def _variable(text: str) -> str:
    if not _VARIABLE.fullmatch(text):
        raise ValueError("it must be the name of an environment variable")
    return text


@frozen
class _Checked(Name):
    """Takes a text that a function allows."""

    checked: Callable[[str], str] = str

    def read(self, text: str) -> str:
        return self.checked(text)


@frozen
class Choice:
    """A model behind an endpoint.

    Attributes:
        name: The name by which the endpoint knows the model.
        base_url: Where the endpoint is, None for the client's own default.
        api: `chat` or `completions`.
        key: The environment variable with the key.
        temperature: The temperature of sampling, None for 0 where one response is needed and 1 in a vote.
        max_tokens: The largest number of tokens of a response, 0 for as many as the server gives.
        timeout: Seconds that a response may take.
        retries: How often a request is repeated that the server could not answer.
        concurrency: How many requests are under way at once.
        deterministic: Whether the user vouches that a prompt always gets the same response.
        system: Whether a text that explains the language of prompts and targets comes first.
        shots: How many examples come before the prompt.
        ledger: A file that keeps every response, so that none is paid for twice; None for none.
        max_calls: How many responses may be paid for, with those in the ledger; None for any number.
        price_in: The price of a million tokens that are sent, in any currency.
        price_out: The price of a million tokens of responses.
        constrain: Whether responses are held to the grammar of targets: `on`, `auto` if the server can, or `off`.
    """

    name: str
    base_url: str | None = setting(_Checked(checked=_url), None)
    api: str = setting(Word(words=("chat", "completions")), "chat")
    key: str = setting(_Checked(checked=_variable), KEY)
    temperature: float | None = setting(Decimal(0, 2), None)
    max_tokens: int = setting(Whole(0, 1_000_000), 1024)
    timeout: int = setting(Whole(1, 3600), 60)
    retries: int = setting(Whole(0, 100), 4)
    concurrency: int = setting(Whole(1, 1000), 8)
    deterministic: bool = setting(Switch(), False)
    system: bool = setting(Switch(), True)
    shots: int = setting(Whole(0, 100), 8)
    ledger: str | None = setting(Name(), None)
    max_calls: int | None = setting(Whole(1, 10**12), None)
    price_in: float | None = setting(Decimal(0, 1_000_000), None)
    price_out: float | None = setting(Decimal(0, 1_000_000), None)
    constrain: str = setting(Word(words=MODES), "off")

    @classmethod
    def parse(cls, text: str) -> "Choice":
        """Read a choice, such as `gpt-x,base_url=http://127.0.0.1:8000/v1,shots=4`: the name, and options after commas.

        With `api=completions` there are no system text and no examples unless the options ask for them, since a model
        that completes texts may have been trained on prompts as they are.

        Raises:
            UsageError: The name, an option or the address is malformed.
        """
        name, _, options = text.partition(",")
        if not _NAME.fullmatch(name):
            raise UsageError(f"{quoted(name, 40)} is not the name of a model", remedy="write --model openai:NAME")
        found = read(cls, options, f"the model openai:{name}")
        if "base_url" not in found and (address := os.environ.get(BASE_URL)):
            try:
                found["base_url"] = _url(address)
            except ValueError as error:
                raise UsageError(f"the variable {BASE_URL}: {error}") from None
        if found.get("api") == "completions":
            found = {"shots": 0, "system": bool(found.get("shots"))} | found
        return cls(name, **found)

    def secret(self) -> str:
        """Return the key; any text for a server on this machine; otherwise UsageError if there is none."""
        if key := os.environ.get(self.key):
            if not (key.isascii() and key.isprintable()) or key != key.strip():
                raise UsageError(f"the variable {self.key} holds something that is not a key")
            return key
        if self.base_url is None or not _is_here(self.base_url):
            raise UsageError(f"there is no key for openai:{self.name}", remedy=f"set the variable {self.key}")
        return "none"


def _is_here(url: str) -> bool:
    """Return whether an address is one of this machine alone."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@frozen
class FolderChoice:
    """A model in a folder.

    Attributes:
        folder: The folder, as the library transformers writes one.
        batch: How many responses are written at a time.
        chat: Whether prompts go through the tokenizer's chat template; None if it has one.
        dtype: The type of the weights, `auto` for that of the file.
        temperature: The temperature of a vote. Without one, decoding is greedy.
        max_tokens, shots, system, constrain: As for `Choice`, where they are given.
    """

    folder: Path
    batch: int = setting(Whole(1, 4096), 16)
    chat: bool | None = setting(Switch(), None)
    dtype: str = setting(Word(words=("auto", "float32", "bfloat16", "float16")), "auto")
    temperature: float = setting(Decimal(0.01, 2), 1.0)
    max_tokens: int | None = setting(Whole(1, 1_000_000), None)
    shots: int | None = setting(Whole(0, 100), None)
    system: bool | None = setting(Switch(), None)
    constrain: str = setting(Word(words=MODES), "off")

    @classmethod
    def parse(cls, text: str) -> "FolderChoice":
        """Read a choice such as `models/my-7b,shots=4`; UsageError for a malformed option or no such folder."""
        name, _, options = text.partition(",")
        found = read(cls, options, f"the model hf:{name}")
        folder = Path(name)
        if not name or "\0" in name or not folder.is_dir():
            raise UsageError(f"{quoted(name, 80)} is not a folder", remedy="write --model hf:FOLDER")
        return cls(folder, **found)

    def as_choice(self, template: bool) -> Choice:
        """Return what prompts look like, with endpoints' defaults; UsageError for a chat without a chat template."""
        if self.chat and not template:
            raise UsageError(f"the tokenizer in {self.folder} has no chat template", remedy="leave out chat=yes")
        chat = template if self.chat is None else self.chat
        chosen: dict[str, Any] = {"api": "chat"}
        if not chat:
            chosen = {"api": "completions", "shots": 0, "system": bool(self.shots)}
        for name in ("max_tokens", "shots", "system"):
            if getattr(self, name) is not None:
                chosen[name] = getattr(self, name)
        return Choice(str(self.folder), **chosen)
