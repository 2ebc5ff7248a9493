"""What comes from a server: without the key, the one response without the reasoning before it, or what went wrong."""

import json
from typing import Any

from attrs import field, frozen

from coc_core.errors import ProtocolFault
from coc_core.models import Response
from coc_core.text import escaped

MARKER = "[API key]"
"""What is in the place of the key."""

_LONGEST = 300  # characters of what is shown in an error
_SHORTEST = 8  # "none", "EMPTY" and "x" are no secrets, and may be a part of a target


@frozen
class Mask:
    """Replaces the key, which is printable ASCII. One of fewer than 8 characters is no secret, and is not replaced."""

    key: str = field(repr=False)

    def text(self, text: str) -> str:
        """Return a text without the key, also as JSON writes it."""
        if len(self.key) < _SHORTEST:
            return text
        return text.replace(json.dumps(self.key)[1:-1], MARKER).replace(self.key, MARKER)

    def line(self, words: object) -> str:
        """Return what a server says, without the key, in one line of printable ASCII."""
        text = escaped(" ".join(self.text(str(words)).split()))
        return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."

    def document(self, document: dict[str, Any]) -> dict[str, Any]:
        """Return a JSON object without the key in any text, name or number; ValueError if it was a part of a number,
        RecursionError if the object is nested too deeply.
        """
        found: dict[str, Any] = json.loads(self.text(json.dumps(document)))
        return found


_BEGIN, _END = "<think>", "</think>"
_REASONING = ("reasoning", "thinking")
"""The types of parts that hold what a model wrote for itself."""


def only_choice(document: dict[str, Any]) -> tuple[str, str | None] | None:
    """Return the text of a document's one response, and why it ended; None if the document hasn't got one."""
    match document:
        case {"choices": [{"message": {"content": str() | list() | None as content}} as choice]}:
            text = content if isinstance(content, str) else _joined(content or [])
        case {"choices": [{"text": str() as text} as choice]}:
            pass
        case _:
            return None
    if text is None or choice.get("error"):
        return None
    reason = choice.get("finish_reason")
    return text, None if reason is None else str(reason)


def _joined(parts: list[Any]) -> str | None:
    """Return the text in the parts of a response; None if one is something else than text."""
    said = [each for each in parts if not (isinstance(each, dict) and each.get("type") in _REASONING)]
    texts: list[Any] = [each.get("text") if isinstance(each, dict) else each for each in said]
    return "".join(texts) if all(isinstance(each, str) for each in texts) else None


def words_of(document: Any) -> str:
    """Return what a server says of an error, wherever it has put it: empty if it says nothing."""
    for _ in range(5):
        if isinstance(document, list):
            document = next(iter(document), None)
        elif isinstance(document, dict):
            names = ("error", "message", "detail", "msg", "choices")
            document = next((document[name] for name in names if document.get(name)), None)
    return document if isinstance(document, str) else ""


def without_reasoning(text: str) -> Response:
    """Return what follows the reasoning of a response but for line breaks before it; a fault if nothing can. The mark
    that begins the reasoning may be in what the server puts before a response.
    """
    if only_reasons(text):
        return ProtocolFault(f"the response begins with {_BEGIN} and has no {_END}", text=text)
    _, end, rest = text.partition(_END)
    return rest.lstrip("\r\n") if end else text


def only_reasons(text: str) -> bool:
    """Return whether the response ends before the reasoning does that it begins with."""
    return text.lstrip().startswith(_BEGIN) and _END not in text
