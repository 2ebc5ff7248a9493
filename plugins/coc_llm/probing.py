"""What an endpoint can do, found out with requests: what it supports, ignores and refuses."""

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from coc_core.errors import ServiceError, UsageError
from coc_core.text import counted
from coc_llm.endpoint import Endpoint, Refused
from coc_llm.framing import Framing


@frozen
class Finding:
    """What came of one request.

    Attributes:
        feature: What was asked for.
        verdict: `yes`, `ignored`, `refused`, `failed` or `unclear`.
        remark: What the server said, or why it is unclear.
    """

    feature: str
    verdict: str
    remark: str = ""


_Judge = Callable[[dict[str, Any]], bool | None]
"""Whether a response shows that the request had an effect; None if it can't show it."""


def probe(endpoint: Endpoint, framing: Framing, prompt: str) -> Iterator[Finding]:
    """Send a plain request, and then one for each feature of the interface.

    Unless the choice says which interface the endpoint has, the plain request is sent to both, and the rest goes to the
    first that answers.

    Args:
        endpoint: The endpoint.
        framing: What is sent for a prompt.
        prompt: A prompt of the setting.

    Raises:
        UsageError: The endpoint refuses each plain request, or the key.
        ServiceError: The endpoint has no response to the plain request.
    """
    documents = list[tuple[Framing, dict[str, Any]]]()
    failures = list[Refused | ServiceError]()
    findings = list[Finding]()
    for each in framing.possible:
        try:
            documents.append((each, endpoint.post(each.body(prompt))))
            findings.append(Finding(each.choice.api, "yes"))
        except (Refused, ServiceError) as error:
            if isinstance(error, ServiceError) and not findings:
                raise
            failures.append(error)
            findings.append(_failed(each.choice.api, error))
    if not documents:
        raise UsageError(f"{endpoint.url} refuses a plain request: {failures[0].message}")
    if len(findings) > 1:
        yield from findings
    framing, plain = documents[0]
    body = framing.body(prompt)
    yield _listing(endpoint, framing.choice.name)
    text = _text(plain) or ""
    usage = plain.get("usage")
    tokens = usage.get("prompt_tokens") if isinstance(usage, dict) else None
    yield Finding("a response", "yes", f"{counted(len(text), 'character')}")
    counts = type(tokens) is int and tokens > 0
    yield Finding("counts of tokens", "yes" if counts else "ignored", f"the prompt has {tokens:,}" if counts else "")
    middle = text[len(text) // 2 :][:3]
    wishes: list[tuple[str, dict[str, Any], _Judge]] = [
        ("max_tokens", {"max_tokens": 1}, lambda found: len(_text(found) or "") < len(text) if text[8:] else None),
        ("stop", {"stop": [middle]}, lambda found: middle not in (_text(found) or "") if middle else None),
        ("temperature", {"temperature": 1}, lambda found: None if _text(found) == text else True),
        ("n", {"n": 2}, lambda found: len(_choices(found)) == 2),
        ("logprobs", {"logprobs": True if "messages" in body else 1}, _has_logprobs),
        ("an unknown key", {"coc_unknown_key": 1}, lambda found: False),
    ]
    if "prompt" in body:
        wishes.append(("lists of prompts", {"prompt": [body["prompt"]] * 2}, lambda found: len(_choices(found)) == 2))
    for feature, wish, judge in wishes:
        yield _finding(endpoint, feature, body | wish, judge)


def _listing(endpoint: Endpoint, name: str) -> Finding:
    try:
        names = endpoint.models()
    except (Refused, ServiceError) as error:
        return _failed("a list of models", error)
    missing = "" if name in names else f"; {name} is not among them"
    return Finding("a list of models", "yes", f"{counted(len(names), 'model')}{missing}")


def _finding(endpoint: Endpoint, feature: str, body: dict[str, Any], judge: _Judge) -> Finding:
    try:
        supported = judge(endpoint.post(body))
    except (Refused, ServiceError) as error:
        return _failed(feature, error)
    if supported is None:
        return Finding(feature, "unclear", "accepted, but the response does not show whether it had an effect")
    return Finding(feature, "yes" if supported else "ignored")


def _failed(feature: str, error: Refused | ServiceError) -> Finding:
    return Finding(feature, "refused" if isinstance(error, Refused) else "failed", error.message)


def _choices(document: dict[str, Any]) -> list[dict[str, Any]]:
    choices = document.get("choices")
    return [each for each in choices if isinstance(each, dict)] if isinstance(choices, list) else []


def _text(document: dict[str, Any]) -> str | None:
    match _choices(document):
        case [{"text": str() as text}, *_] | [{"message": {"content": str() as text}}, *_]:
            return text
    return None


def _has_logprobs(document: dict[str, Any]) -> bool:
    return any(isinstance(each.get("logprobs"), dict) for each in _choices(document))
