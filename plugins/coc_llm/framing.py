"""What is sent for a prompt: the system text, the examples and the prompt, as a chat or as one text."""

from abc import ABC, abstractmethod
from typing import Any

from attrs import frozen

from coc_core.setting import Setting
from coc_llm.choice import Choice
from coc_llm.language import system_text
from coc_llm.shots import Shots

_PROMPT, _TARGET = "PROMPT\n", "\n\nTARGET\n"
_STOP = f"\n\n{_PROMPT}"


@frozen
class Framing:
    """The bodies of requests to the model of a choice; `system` is the system text, empty for none, `shots` the
    examples.
    """

    choice: Choice
    system: str
    shots: Shots

    @classmethod
    def of(cls, setting: Setting, choice: Choice) -> "Framing":
        """Return the framing of a setting's prompts; UsageError if there are too few examples."""
        system = system_text(setting.convention, choice.shots > 0) if choice.system else ""
        return cls(choice, system, Shots.of(setting, choice.shots))

    def body(self, prompt: str, temperature: float = 0) -> dict[str, Any]:
        """Return the body of the request for one response to a prompt."""
        choice = self.choice
        body: dict[str, Any] = {
            "model": choice.name,
            "temperature": temperature if choice.temperature is None else choice.temperature,
        }
        if choice.max_tokens:
            body["max_tokens"] = choice.max_tokens
        examples = self.shots.before(prompt)
        if choice.api == "chat":
            turns = [("system", self.system)] if self.system else []
            for pair in examples:
                turns += [("user", pair.prompt), ("assistant", pair.target)]
            turns.append(("user", prompt))
            return body | {"messages": [{"role": role, "content": content} for role, content in turns]}
        if not self.system and not examples:
            return body | {"prompt": prompt}
        parts = [self.system] if self.system else []
        parts += [f"{_PROMPT}{pair.prompt}{_TARGET}{pair.target}" for pair in examples]
        parts.append(f"{_PROMPT}{prompt}{_TARGET}")
        return body | {"prompt": "\n\n".join(parts), "stop": [_STOP]}


class ReadsText(ABC):
    """A model in this process, which reads a prompt with all that comes before it as one text."""

    @abstractmethod
    def text(self, prompt: str) -> str:
        """Return what the model reads for a prompt, before it is cut into tokens."""

    @abstractmethod
    def tokens(self, prompt: str) -> list[int]:
        """Return the tokens that the model reads for a prompt."""


def texts(body: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the texts of a body, each with its role."""
    if "messages" in body:
        return [(message["role"], message["content"]) for message in body["messages"]]
    return [("prompt", body["prompt"])]
