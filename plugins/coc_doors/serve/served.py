"""The models that are served, each a checkpoint in one of its dialects."""

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from pathlib import Path

from attrs import define, field, frozen

from coc_core.errors import StepFault, UsageError
from coc_core.models import Model, TokenModel, TokenScore, call_each, read_config
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.setting import checkpoint_folder, open_checkpoint, unknown_model
from coc_core.text import escaped
from coc_doors.serve.batches import Batcher

MOST_PROMPTS = 256
"""How many prompts are completed in one call."""


@frozen
class Completed:
    """A prompt's target, and the number of the prompt's tokens and the target's token ids if the model has tokens."""

    text: str
    prompt_tokens: int = 0
    ids: Sequence[int] = ()


@frozen
class Unreadable:
    """Why a prompt has no target: something is wrong with the prompt."""

    reason: str


Outcome = Completed | Unreadable | StepFault
"""A StepFault is the model's own: it could not write a target."""


@define
class Served:
    """A model that is served.

    Attributes:
        checkpoint: What its checkpoint is called.
        dialect: The dialect that it answers in.
        model: The model.
        executor: Where it is called; it has one thread, since a model is not made for several.
        completions: Completes prompts.
        scores: Scores the tokens of completions: prompt, target and how many of the likeliest tokens are given.
    """

    checkpoint: str
    dialect: str
    model: Model
    executor: Executor
    completions: Batcher[str, Outcome] = field(init=False)
    scores: Batcher[tuple[str, str, int], list[TokenScore]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.completions = Batcher(self._complete, self.executor, MOST_PROMPTS)
        self.scores = Batcher(self._score, self.executor, MOST_PROMPTS)

    def __repr__(self) -> str:
        return f"Served({self.checkpoint}, {self.dialect})"

    def _complete(self, prompts: Sequence[str]) -> list[Outcome]:
        distinct = list(dict.fromkeys(prompts)) if self.model.deterministic else list(prompts)
        outcomes = list(map(self._outcome, distinct, call_each(self.model, distinct)))
        if len(distinct) == len(prompts):
            return outcomes
        by_prompt = dict(zip(distinct, outcomes, strict=True))
        return [by_prompt[prompt] for prompt in prompts]

    def _outcome(self, prompt: str, response: str | StepFault) -> Outcome:
        if isinstance(response, StepFault):
            return Unreadable(response.message) if response.kind == "limit" else response
        if not isinstance(self.model, TokenModel):
            return Completed(response)
        unknown = self.model.unknown_character(prompt)
        if unknown is not None:
            return Unreadable(f"the prompt has the character {unknown!a}, which {self.checkpoint} has no token for")
        return Completed(response, len(self.model.encode(prompt)), self.model.encode(response))

    def _score(self, items: Sequence[tuple[str, str, int]]) -> list[list[TokenScore]]:
        assert isinstance(self.model, TokenModel)
        prompts, targets, tops = zip(*items, strict=True)
        scores = self.model.score(prompts, targets, max(tops))
        return [
            [TokenScore(each.token, each.logprob, dict(list(each.top.items())[:top])) for each in target]
            for target, top in zip(scores, tops, strict=True)
        ]


def open_served(registry: Registry, choices: Iterable[str], executor: Executor) -> dict[str, Served]:
    """Open the models of checkpoints, by their ids.

    The id is `NAME:DIALECT`, and also `NAME` for a checkpoint with one dialect. The name is that of a shipped
    checkpoint or of a folder.

    Args:
        registry: Where shipped checkpoints are found.
        choices: Names of shipped checkpoints, and folders of others.
        executor: Where the models are called.

    Raises:
        UsageError: There is no such checkpoint, or two have the same name.
        ArtefactError: A checkpoint is broken.
    """
    served: dict[str, Served] = {}
    for choice in choices:
        folder = checkpoint_folder(registry, choice)
        if folder is None:
            raise unknown_model(choice, [spec.name for spec in registry.specs(CheckpointSpec)])
        shipped = any(spec.name == choice for spec in registry.specs(CheckpointSpec))
        name = choice if shipped else escaped(Path(choice).resolve().name)
        dialects = read_config(folder)[0].dialects
        models = {
            dialect: Served(name, dialect, open_checkpoint(registry, folder, dialect), executor) for dialect in dialects
        }
        found = {f"{name}:{dialect}": model for dialect, model in models.items()}
        if len(dialects) == 1:
            found = {name: models[dialects[0]]} | found
        if found.keys() & served.keys():
            raise UsageError(
                f"two checkpoints are called {name!r:.80}", remedy="give each of them once, by its own name"
            )
        served |= found
    return served
