"""The choice of a model behind an endpoint: its name and the options, all in one text."""

import os
import re
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.text import one_of, parse_options, quoted, whole_from

BASE_URL = "OPENAI_BASE_URL"
"""The environment variable with the address of the endpoint, unless the option `base_url` gives it."""

KEY = "OPENAI_API_KEY"
"""The environment variable with the key, unless the option `key` names another one."""

_NAME = re.compile("[!-+\\--~]{1,200}")  # printable ASCII, without spaces and commas
_VARIABLE = re.compile("[A-Za-z_][A-Za-z0-9_]{0,99}")


def decimal_from(least: float, most: float) -> Callable[[str], float]:
    """Reads a number from `least` to `most` in plain decimal notation."""

    def read(text: str) -> float:
        if not re.fullmatch(r"(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?", text) or not least <= float(text) <= most:
            raise ValueError(f"a number from {least:g} to {most:g}, such as 0.5")
        return float(text)

    return read


def _url(text: str) -> str:
    """An address that can be printed and recorded: without a name, a password or a query, which might hold a key."""
    try:
        parts = urlsplit(text)
        right = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        right = False
    if not right or "@" in text or "?" in text or "#" in text or not text.isascii() or not text.isprintable():
        raise ValueError("an address such as http://127.0.0.1:8000/v1, without a key in it")
    return text.rstrip("/")


def _variable(text: str) -> str:
    if not _VARIABLE.fullmatch(text):
        raise ValueError("the name of an environment variable")
    return text


def _path(text: str) -> str:
    if not text or "\0" in text:
        raise ValueError("the name of a file")
    return text


_READERS = {
    "api": one_of("chat", "completions"),
    "base_url": _url,
    "concurrency": whole_from(1, 1000),
    "deterministic": one_of("yes", "no"),
    "key": _variable,
    "ledger": _path,
    "max_calls": whole_from(1, 10**12),
    "max_tokens": whole_from(0, 1_000_000),
    "price_in": decimal_from(0, 1_000_000),
    "price_out": decimal_from(0, 1_000_000),
    "retries": whole_from(0, 100),
    "shots": whole_from(0, 100),
    "system": one_of("yes", "no"),
    "temperature": decimal_from(0, 2),
    "timeout": whole_from(1, 3600),
}


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
    """

    name: str
    base_url: str | None = None
    api: str = "chat"
    key: str = KEY
    temperature: float | None = None
    max_tokens: int = 1024
    timeout: int = 60
    retries: int = 4
    concurrency: int = 8
    deterministic: bool = False
    system: bool = True
    shots: int = 8
    ledger: str | None = None
    max_calls: int | None = None
    price_in: float | None = None
    price_out: float | None = None

    @classmethod
    def parse(cls, text: str, environment: Mapping[str, str] | None = None) -> "Choice":
        """Read a choice, such as `gpt-x,base_url=http://127.0.0.1:8000/v1,shots=4`.

        With `api=completions` there are no system text and no examples unless the options ask for them, since a model
        that completes texts may have been trained on prompts as they are.

        Args:
            text: The name, and options after commas.
            environment: Where the address is found if no option gives it; by default that of the process.

        Raises:
            UsageError: The name, an option or the address is malformed.
        """
        name, _, options = text.partition(",")
        if not _NAME.fullmatch(name):
            raise UsageError(f"{quoted(name, 40)} is not the name of a model", remedy="write --model openai:NAME")
        found = parse_options(options, _READERS, f"the model openai:{name}")
        variables = os.environ if environment is None else environment
        if "base_url" not in found and variables.get(BASE_URL):
            try:
                found["base_url"] = _url(variables[BASE_URL])
            except ValueError as error:
                raise UsageError(f"the variable {BASE_URL} must be {error}") from None
        for switch in ("deterministic", "system"):
            if switch in found:
                found[switch] = found[switch] == "yes"
        if found.get("api") == "completions":
            found = {"shots": 0, "system": bool(found.get("shots"))} | found
        return cls(name, **found)

    def secret(self, environment: Mapping[str, str] | None = None) -> str:
        """The key; any text for a server on this machine, which may need none.

        Raises:
            UsageError: There is no key.
        """
        key = (os.environ if environment is None else environment).get(self.key)
        if key:
            if not (key.isascii() and key.isprintable()) or key != key.strip():
                raise UsageError(f"the variable {self.key} holds something that is not a key")
            return key
        if self.base_url is None or not _is_here(self.base_url):
            raise UsageError(f"there is no key for openai:{self.name}", remedy=f"set the variable {self.key}")
        return "none"


def _is_here(url: str) -> bool:
    """Whether an address is one of this machine alone."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
