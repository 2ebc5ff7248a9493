"""A causal language model in a folder: any that the library transformers opens."""

from collections.abc import Callable, Sequence
from hashlib import file_digest, sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from coc_core.errors import ArtefactError, LimitFault, NumericFault, StepFault, UsageError
from coc_core.extras import needs_extra
from coc_core.models import Response, Sampler, requested_device
from coc_core.setting import Setting
from coc_core.storage import read_json
from coc_core.text import counted
from coc_llm.choice import FolderChoice
from coc_llm.framing import Framing, ReadsText
from coc_llm.reading import without_reasoning
from coc_transformer.quiet import quiet

with needs_extra("transformers", "models in a folder need the package transformers"):
    import torch
    from jinja2 import TemplateError

    transformers: Any = import_module("transformers")  # of which parts are untyped

_Chooser = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""Gets the tokens so far and the logits, and returns logits whose largest is that of the next token."""


class FolderModel(Sampler, ReadsText):
    """Writes responses to many prompts at a time, greedily, or sampled in a vote.

    Each prompt of a vote has random numbers of its own, so that a response does not depend on the others, up to
    rounding. Nothing else changes the model's probabilities: no penalty and no limit that its folder asks for.
    """

    name = "hf"

    def __init__(self, choice: FolderChoice, framing: Framing, model: Any, tokenizer: Any) -> None:
        super().__init__()
        self._choice = choice
        self._framing = framing
        self._model = model
        self._tokenizer = tokenizer
        self._ends = _ends(model, tokenizer)
        self._masks = _masks(choice.constrain)
        self._matcher = self._masks and self._masks.matcher(
            framing.grammar, tokenizer, model.config.vocab_size, self._ends
        )
        self._context = int(getattr(model.config, "max_position_embeddings", None) or 1 << 40)
        model.generation_config = transformers.GenerationConfig()

    def text(self, prompt: str) -> str:
        body = self._framing.body(prompt)
        if "prompt" in body:
            return str(body["prompt"])
        try:
            return str(
                self._tokenizer.apply_chat_template(body["messages"], tokenize=False, add_generation_prompt=True)
            )
        except TemplateError as error:
            raise UsageError(
                f"the chat template in {self._choice.folder} refuses the prompt: {error}",
                remedy="try system=no or chat=no",
            ) from None

    def tokens(self, prompt: str) -> list[int]:
        special = self._framing.choice.api == "completions"  # a template writes its own ones
        return list(self._tokenizer(self.text(prompt), add_special_tokens=special)["input_ids"])

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        responses = self._responses(prompts, None)
        for response in responses:
            if isinstance(response, StepFault):
                raise response
        return [str(response) for response in responses]

    def _sample(self, prompts: Sequence[str], seeds: Sequence[int]) -> list[Response]:
        return self._responses(prompts, seeds)

    def _responses(self, prompts: Sequence[str], seeds: Sequence[int] | None) -> list[Response]:
        """Return the response to each prompt; those of equal length are written together, as far as possible."""
        rows = [self.tokens(prompt) for prompt in prompts]
        found: dict[int, Response] = {}
        order = sorted(range(len(rows)), key=lambda index: len(rows[index]))
        fitting = [index for index in order if len(rows[index]) < self._context]
        for start in range(0, len(fitting), self._choice.batch):
            chosen = fitting[start : start + self._choice.batch]
            some = None if seeds is None else [seeds[index] for index in chosen]
            found.update(zip(chosen, self._batch([rows[index] for index in chosen], some), strict=True))
        full = f"the prompt leaves no room in the model's context of {counted(self._context, 'token')}"
        return [found[index] if index in found else LimitFault(full, text=prompts[index]) for index in range(len(rows))]

    def _batch(self, rows: Sequence[list[int]], seeds: Sequence[int] | None) -> list[Response]:
        """Return the responses to a few prompts, all of which leave room for one."""
        longest, stop = max(map(len, rows)), self._framing.body("").get("stop")
        room = min(self._framing.choice.max_tokens, self._context - longest)
        pad = self._ends[0]
        device = self._model.device
        ids = torch.tensor([[pad] * (longest - len(row)) + row for row in rows], device=device)
        masks = self._masks and self._masks.Masks(self._matcher, len(rows))
        mask = torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in rows], device=device)
        with torch.inference_mode():
            written = self._model.generate(
                ids,
                attention_mask=mask,
                generation_config=transformers.GenerationConfig(
                    do_sample=False, max_new_tokens=room, eos_token_id=self._ends, pad_token_id=pad, stop_strings=stop
                ),
                logits_processor=[_chooser(seeds, self._choice.temperature, masks)],
                tokenizer=self._tokenizer,
            )[:, longest:].tolist()
        responses = [self._response(row, stop) for row in written]
        for index, row in enumerate(rows):
            if len(rows) > 1 and isinstance(responses[index], StepFault) and len(row) < longest:
                # A longer prompt may have taken its room.
                (responses[index],) = self._batch([row], None if seeds is None else [seeds[index]])
        return responses

    def _response(self, written: Sequence[int], stop: Sequence[str] | None) -> Response:
        """Return the text of some tokens, if it has an end."""
        end = next((index for index, token in enumerate(written) if token in self._ends), None)
        text = str(self._tokenizer.decode(written[:end], skip_special_tokens=True, clean_up_tokenization_spaces=False))
        for mark in stop or ():
            if mark in text:
                return text.partition(mark)[0]
        if end is None:
            return LimitFault(f"the response was cut off after {counted(len(written), 'token')}", text=text)
        return without_reasoning(text) if self._framing.choice.api == "chat" else text

    def describe(self) -> str:
        choice = self._framing.choice
        shown = f", {counted(choice.shots, 'example')}" if choice.shots else ""
        shown += f", grammar by {self._masks.VERSION}" if self._masks else ""
        return f"{super().describe()} ({choice.api}{shown})"

    @property
    def grammar(self) -> str:
        """By what responses are held to the grammar, for a run file."""
        if self._masks:
            return str(self._masks.VERSION)
        return "off" if self._choice.constrain == "off" else "none: llguidance is not installed"


def open_model(setting: Setting, text: str) -> FolderModel:
    """Open the model that `hf:TEXT` chooses. UsageError if the choice is malformed, a library or device is missing, or
    there are too few examples; ArtefactError if the library can't open the folder.
    """
    choice = FolderChoice.parse(text)
    device = _device()
    model, tokenizer = _opened(choice.folder, choice.dtype)
    framing = Framing.of(setting, choice.as_choice(bool(getattr(tokenizer, "chat_template", None))))
    found = FolderModel(choice, framing, model.to(device), tokenizer)
    found.record = {
        "fingerprint": _fingerprint(choice.folder, framing, found.grammar),
        "torch": torch.__version__,
        "transformers": str(transformers.__version__),
        "grammar": found.grammar,
        "dtype": str(model.dtype).removeprefix("torch."),
        **({"device": str(device)} if device.type != "cpu" else {}),
    }
    return found


def _opened(folder: Path, dtype: str) -> tuple[Any, Any]:
    """Return the model, of that type of weights, and the tokenizer in a folder, of which no code is run and no pickle
    read. ArtefactError if the library can't open it or a tensor is missing or misshapen.
    """
    try:
        with quiet(transformers):
            model, found = transformers.AutoModelForCausalLM.from_pretrained(
                folder,
                local_files_only=True,
                use_safetensors=True,
                dtype=dtype,
                output_loading_info=True,
                ignore_mismatched_sizes=True,  # which are told below
            )
            tokenizer = _reader(folder).from_pretrained(folder, local_files_only=True)
    except Exception as error:  # an OSError among them would be reported as a full disk
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise ArtefactError(f"transformers can't open {folder}: {reason:.200}") from error
    for trouble in ("missing_keys", "mismatched_keys"):
        if found.get(trouble):
            names = str(sorted(found[trouble], key=str))
            raise ArtefactError(f"transformers opens {folder} with {trouble}: {names:.120}")
    return model.eval(), tokenizer


def _reader(folder: Path) -> Any:
    """Return what reads the tokenizer: `tokenizer.json` as it stands, if the folder says so.

    AutoTokenizer does not believe that of Qwen2 and some others, and splits texts in their way.
    """
    path = folder / "tokenizer_config.json"
    declared = read_json(path).get("tokenizer_class") if path.is_file() else None
    return transformers.PreTrainedTokenizerFast if declared == "PreTrainedTokenizerFast" else transformers.AutoTokenizer


def _ends(model: Any, tokenizer: Any) -> list[int]:
    """Return the tokens that end a response."""
    for found in (model.generation_config.eos_token_id, tokenizer.eos_token_id):
        if found is not None:
            return [found] if isinstance(found, int) else list(found)
    raise ArtefactError("neither the model nor its tokenizer says which token ends a response")


def _masks(mode: str) -> Any:
    """Return the module that holds models to grammars; None if that is off, or not installed where it need not be."""
    if mode == "off" or (mode == "auto" and find_spec("llguidance") is None):
        return None
    return import_module("coc_llm.masks")


def _chooser(seeds: Sequence[int] | None, temperature: float, masks: Any = None) -> _Chooser:
    """Return what chooses the next token of each prompt, of those left by masks: the likeliest, or a drawn one."""
    numbers = [Random(seed) for seed in seeds or ()]

    def choose(ids: torch.Tensor, logits: torch.Tensor) -> torch.Tensor:
        if bool(logits.isnan().any()):
            raise NumericFault("a logit is not a number")
        if masks:
            masks.apply(ids, logits)
        if not numbers:
            return logits
        cumulative = torch.softmax(logits.double() / temperature, -1).cumsum(-1)
        draws = torch.tensor([[each.random()] for each in numbers], dtype=torch.float64, device=logits.device)
        drawn = torch.searchsorted(cumulative, draws * cumulative[:, -1:], right=True).clamp(max=logits.shape[1] - 1)
        return torch.full_like(logits, -torch.inf).scatter(1, drawn, 0.0)

    return choose


def _device() -> torch.device:
    """Return the device that is asked for, by default the processor; UsageError if there is none such."""
    asked = requested_device()
    if asked is None:
        return torch.device("cpu")
    try:
        device = torch.device(asked[0])
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError):
        raise UsageError(f"this machine can't use {asked[1]}") from None
    return device


def _fingerprint(folder: Path, framing: Framing, grammar: str) -> str:
    """Return the SHA-256 of what is in a folder, of what prompts look like, and of a grammar that is kept to."""
    whole = sha256()
    for path in sorted(folder.iterdir()):  # no folders within
        if path.is_file() and not path.name.startswith("."):
            with path.open("rb") as file:
                whole.update(f"{path.name} {file_digest(file, 'sha256').hexdigest()}\n".encode())
    choice = framing.choice
    whole.update(repr((choice.api, choice.max_tokens, framing.system, list(framing.shots.pairs))).encode())
    whole.update(f"{grammar} {framing.grammar.pattern}".encode() if grammar.startswith("llguidance") else b"")
    return whole.hexdigest()
