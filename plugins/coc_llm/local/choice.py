"""The choice of a model in a folder: the folder and the options, all in one text."""

from pathlib import Path
from typing import Any

from attrs import Factory, frozen

from coc_core.errors import UsageError
from coc_core.text import one_of, parse_options, quoted, whole_from
from coc_llm.choice import Choice, decimal_from

_READERS = {
    "batch": whole_from(1, 4096),
    "chat": one_of("yes", "no"),
    "dtype": one_of("auto", "float32", "bfloat16", "float16"),
    "max_tokens": whole_from(1, 1_000_000),
    "shots": whole_from(0, 100),
    "system": one_of("yes", "no"),
    "temperature": decimal_from(0.01, 2),
}


@frozen
class FolderChoice:
    """A model in a folder.

    Attributes:
        folder: The folder, as the library transformers writes one.
        batch: How many responses are written at a time.
        chat: Whether prompts go through the tokenizer's chat template; None if it has one.
        dtype: The type of the weights, `auto` for that of the file.
        temperature: The temperature of a vote. Without one, decoding is greedy.
        framing: What else was chosen of the options of `Choice`.
    """

    folder: Path
    batch: int = 16
    chat: bool | None = None
    dtype: str = "auto"
    temperature: float = 1.0
    framing: dict[str, Any] = Factory(dict)

    @classmethod
    def parse(cls, text: str) -> "FolderChoice":
        """Read a choice, such as `models/my-7b,shots=4`.

        Raises:
            UsageError: An option is malformed, or there is no such folder.
        """
        name, _, options = text.partition(",")
        found = parse_options(options, _READERS, f"the model hf:{name}")
        folder = Path(name)
        if not name or "\0" in name or not folder.is_dir():
            raise UsageError(f"{quoted(name, 80)} is not a folder", remedy="write --model hf:FOLDER")
        chat = {None: None, "yes": True, "no": False}[found.pop("chat", None)]
        own = {key: found.pop(key) for key in ("batch", "dtype", "temperature") if key in found}
        return cls(folder, chat=chat, framing=found, **own)

    def as_choice(self, template: bool) -> Choice:
        """The choice of what prompts look like, with the defaults of endpoints.

        Args:
            template: Whether the tokenizer has a chat template.

        Raises:
            UsageError: A chat is wanted, and there is no template.
        """
        if self.chat and not template:
            raise UsageError(f"the tokenizer in {self.folder} has no chat template", remedy="leave out chat=yes")
        chat = template if self.chat is None else self.chat
        defaults: dict[str, Any] = {"api": "chat"}
        if not chat:
            defaults = {"api": "completions", "shots": 0, "system": bool(self.framing.get("shots"))}
        chosen = dict(self.framing)
        if "system" in chosen:
            chosen["system"] = chosen["system"] == "yes"
        return Choice(str(self.folder), **(defaults | chosen))
