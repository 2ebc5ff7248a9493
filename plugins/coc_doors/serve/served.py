"""The models that are served, each a checkpoint in one of its dialects."""

from asyncio import Future, Lock, get_running_loop
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from itertools import islice
from pathlib import Path

from attrs import define, field, frozen

from coc_core.errors import StepFault, UsageError
from coc_core.models import Model, TokenModel, TokenScore, call_each, read_config
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.setting import checkpoint_folder, open_checkpoint, unknown_model
from coc_core.text import escaped


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
    """A model that is served: its checkpoint's name, its dialect, and the one thread in which it is called."""

    checkpoint: str
    dialect: str
    model: Model
    executor: Executor
    _waiting: list[tuple[Sequence[str], Future[list[Outcome]]]] = field(factory=list, init=False)
    _turn: Lock = field(factory=Lock, init=False)

    def __repr__(self) -> str:
        return f"Served({self.checkpoint}, {self.dialect})"

    async def completions(self, prompts: Sequence[str]) -> list[Outcome]:
        """Complete prompts, in one call with those of all requests that came while another call was under way."""
        loop = get_running_loop()
        mine: Future[list[Outcome]] = loop.create_future()
        self._waiting.append((prompts, mine))
        async with self._turn:
            if not mine.done():
                batch, self._waiting = self._waiting, []
                every = [prompt for some, _ in batch for prompt in some]
                try:
                    found = iter(await loop.run_in_executor(self.executor, self._complete, every))
                    for some, waiting in batch:
                        waiting.set_result(list(islice(found, len(some))))
                except Exception as error:
                    for _, waiting in batch:
                        waiting.set_exception(error)
        return await mine

    async def scores(self, prompts: Sequence[str], targets: Sequence[str], top: int) -> Sequence[Sequence[TokenScore]]:
        """Score the tokens of completions, with so many of the likeliest tokens at each place."""
        assert isinstance(self.model, TokenModel)
        return await get_running_loop().run_in_executor(self.executor, self.model.score, prompts, targets, top)

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


def open_served(registry: Registry, choices: Iterable[str], executor: Executor) -> dict[str, Served]:
    """Open the models of checkpoints, shipped ones or folders, by their ids: `NAME:DIALECT`, and also `NAME` for one
    with one dialect. UsageError if there is no such checkpoint or two have a name, ArtefactError if one is broken.
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
