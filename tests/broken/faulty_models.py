"""A model that keeps every promise, and models that break one each: the check that finds it, and what it says."""

import re
from itertools import count

from coc_check.scripted import until_wrong
from coc_core.errors import NumericFault
from coc_core.models import DraftVerifier, StatesMargins, TargetMargin, TokenModel
from coc_core.plugin import Registry
from coc_core.setting import Setting


class Sound(DraftVerifier):
    """Answers as the policy does, knows when a draft is wrong, and refuses what it can't read."""

    name = "faulty"

    def __init__(self, convention):
        super().__init__()
        self.convention = convention
        self.record = {"fingerprint": "of a policy"}

    def _complete(self, prompts, drafts):
        return [self.answer(prompt) for prompt in prompts]

    def answer(self, prompt):
        try:
            return self.convention.target_for(prompt)
        except ValueError:
            raise NumericFault("that is no prompt") from None

    def _verify(self, prompts, drafts):
        return until_wrong(map(self.answer, prompts), drafts)


class Nondeterministic(Sound):
    """Sound: it does not say that it is deterministic."""

    deterministic = False
    asked = 0

    def answer(self, prompt):
        self.asked += 1
        return f"{super().answer(prompt)}{self.asked}"


class SortsInPlace(Sound):
    def _complete(self, prompts, drafts):
        found = dict(zip(prompts, super()._complete(prompts, drafts), strict=True))
        asked = list(prompts)
        prompts.sort() if isinstance(prompts, list) else None
        return [found[prompt] for prompt in asked]


class KnowsBeginnings(Sound):
    """Keeps what it has answered by the first letters of the prompt."""

    def __init__(self, convention):
        super().__init__(convention)
        self.known = {}

    def answer(self, prompt):
        return self.known.setdefault(prompt[:20], super().answer(prompt))


class RecordsTheHour(Sound):
    made = count()

    def __init__(self, convention):
        super().__init__(convention)
        self.record = {"fingerprint": f"number {next(self.made)}"}


class TakesOffence(Sound):
    """After what is no prompt, it answers less."""

    offended = False

    def answer(self, prompt):
        try:
            return super().answer(prompt)[: -1 if self.offended else None]
        except NumericFault:
            self.offended = True
            raise


class Yields(Sound):
    def _complete(self, prompts, drafts):
        yield from super()._complete(prompts, drafts)


class RecordsItsWork(Sound):
    def answer(self, prompt):
        self.record = {"fingerprint": str(self.calls)}
        return super().answer(prompt)


class CountsTwice(Sound):
    def _complete(self, prompts, drafts):
        self.calls += 1
        return super()._complete(prompts, drafts)


class RaisesOnHostileText(Sound):
    def answer(self, prompt):
        prompt.encode("ascii")
        return super().answer(prompt)


class Garbles(Sound, TokenModel):
    """A checkpoint whose tokens are letters; it reads a 2 as a 3 where it is the last one."""

    def encode(self, text):
        return [*map(ord, text)]

    def decode(self, ids):
        return re.sub("2$", "3", "".join(map(chr, ids)))

    def unknown_character(self, text):
        return None

    def score(self, prompts, targets, top):
        raise NotImplementedError


class Ties(Sound, StatesMargins):
    assumptions = {}

    def margins(self, pairs, *, bounded):
        return (TargetMargin(0.0 if "n=1 " in pair.prompt else 1.0) for pair in pairs)


def answering(change):
    """The sound answers to a batch, but for what is changed in them, given the model and the drafts."""
    return lambda self, prompts, drafts: change(Sound._complete(self, prompts, drafts), self, drafts)


VARIANTS = {
    "ChangesItsMind": (Nondeterministic, {"deterministic": True}),
    "LooksAside": (
        Sound,
        {"_complete": answering(lambda found, *_: [*found[:1], *found[:1], *found[2:]][: len(found)])},
    ),
    "ForgetsToBeAlone": (
        Sound,
        {"_complete": answering(lambda found, model, _: [each[: -1 if model.unbatched else None] for each in found])},
    ),
    "ObeysDrafts": (Sound, {"_complete": answering(lambda found, model, drafts: list(drafts or found))}),
    "ThirtyTwoAtATime": (Sound, {"_complete": answering(lambda found, *_: found[:32] + [""] * (len(found) - 32))}),
    "ConfirmsOne": (Sound, {"_verify": lambda self, prompts, drafts: Sound._verify(self, prompts, drafts)[:1]}),
    "DescribesAtLength": (Sound, {"describe": lambda self: "a model\nof a policy"}),
    "Untaught": (Sound, {"answer": lambda self, prompt: Sound.answer(self, prompt).lower()}),  # it learned another
    "LacksALetter": (Garbles, {"unknown_character": lambda self, text: "x" if "x" in text else None}),
}
globals().update({name: type(name, (base,), changes) for name, (base, changes) in VARIANTS.items()})


def open_shipped(folder, config, identity, dialect):
    """Opens a checkpoint whose `config` says which of the models here it is, and speaks a stack's dialect."""
    convention = Setting.of(Registry.installed(), dialect.partition("/")[0], "pda", "symbolic").convention
    return globals()[config["model"]](convention)


FAULTS = [
    ("Yields", "every_prompt_gets_a_target", "`_complete` returned a value of type generator, not a list"),
    ("ThirtyTwoAtATime", "targets_are_always_the_same", "in a batch of 300, '"),
    ("KnowsBeginnings", "targets_are_always_the_same", "made anew and called in reverse order, '"),
    ("RecordsTheHour", "targets_are_always_the_same", "its record is"),
    ("TakesOffence", "hostile_prompts_are_handled", "called after hostile prompts, '"),
    ("CountsTwice", "every_prompt_gets_a_target", "targets are counted as"),
    ("ChangesItsMind", "targets_are_always_the_same", "called again, '"),
    ("LooksAside", "targets_are_always_the_same", "called with a batch, '"),
    ("ForgetsToBeAlone", "targets_are_always_the_same", "called with `unbatched`, '"),
    ("ObeysDrafts", "targets_are_always_the_same", "with drafts that are cut off, '"),
    ("ConfirmsOne", "targets_are_always_the_same", "with drafts that are right, `verify` stops after 1 targets"),
    ("SortsInPlace", "every_prompt_gets_a_target", "the prompts or drafts are others after a call"),
    ("RaisesOnHostileText", "hostile_prompts_are_handled", "raises UnicodeEncodeError"),
    ("RecordsItsWork", "every_prompt_gets_a_target", "calls made of the record"),
    ("DescribesAtLength", "every_prompt_gets_a_target", "the description is not one line"),
]
FAULTS = [(globals()[part], check, complaint) for part, check, complaint in FAULTS]
