"""The choice of a model in a folder: the folder and the options, all in one text."""

from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.text import Decimal, Switch, Whole, Word, quoted, read, setting
from coc_llm.choice import Choice


@frozen
class FolderChoice:
    """A model in a folder.

    Attributes:
        folder: The folder, as the library transformers writes one.
        batch: How many responses are written at a time.
        chat: Whether prompts go through the tokenizer's chat template; None if it has one.
        dtype: The type of the weights, `auto` for that of the file.
        temperature: The temperature of a vote. Without one, decoding is greedy.
        max_tokens, shots, system: As for `Choice`, where they are given.
    """

    folder: Path
    batch: int = setting(Whole(1, 4096), 16)
    chat: bool | None = setting(Switch(), None)
    dtype: str = setting(Word(words=("auto", "float32", "bfloat16", "float16")), "auto")
    temperature: float = setting(Decimal(0.01, 2), 1.0)
    max_tokens: int | None = setting(Whole(1, 1_000_000), None)
    shots: int | None = setting(Whole(0, 100), None)
    system: bool | None = setting(Switch(), None)

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
