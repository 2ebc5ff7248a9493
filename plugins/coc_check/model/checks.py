"""What every model has to get right: one target for each prompt, whatever else it is called with, and however."""

import random
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from math import isfinite

from coc_check import hostile
from coc_check.check import require
from coc_check.hostile import mutated
from coc_check.model.subject import ModelSubject
from coc_core.errors import LimitFault, NumericFault, StepFault
from coc_core.models import Model, Pair, StatesMargins, TokenModel, call_each
from coc_core.storage import SUMS, check_sums
from coc_core.text import counted, quoted

LONG = 20_000  # characters of a prompt that nobody should send
LARGE = 300  # prompts of a batch
MUTATED = 2  # prompts in which something is wrong, of each dialect of a trained model

DRAFTS: Mapping[str, Callable[[list[str], int], str]] = {
    "right": lambda targets, place: targets[place],
    "cut off": lambda targets, place: targets[place][: len(targets[place]) // 2],
    "too long": lambda targets, place: f"{targets[place]}\n{targets[place]}",
    "those of others": lambda targets, place: targets[place - 1],
    "wrong by a character": lambda targets, place: targets[place][:-1] + "01"[targets[place][-1:] == "0"],
    "empty": lambda targets, place: "",
    "hostile": lambda targets, place: hostile.TEXTS[place % len(hostile.TEXTS)],
}
"""The draft that each prompt of a batch gets, from the targets of all of them."""


def every_prompt_gets_a_target(subject: ModelSubject) -> None:
    """There are as many targets as prompts, each is a text, and each is counted; `record` holds texts, always the same.

    A batch may have any size. Leave `calls` to `Model`, and make a list of your own to sort or pad. A run file keeps
    the record, and what the model says in one line of itself; a run is resumed only with a model of the same
    `fingerprint`.
    """
    for each in subject.each():
        model, prompts, drafts, record = each.model, each.prompts, list(each.targets.values()), dict(each.model.record)
        for count in (0, 1, len(prompts)):
            before = model.calls
            model.complete(prompts[:count])  # which checks what it returns
            require(model.calls - before == count, f"{count} targets are counted as {model.calls - before}")
        model.complete(prompts, drafts)
        model.verify(prompts, drafts)
        same = list(zip(prompts, drafts, strict=True)) == list(each.targets.items())
        require(same, "the prompts or drafts are others after a call")
        texts = all(isinstance(item, str) for pair in record.items() for item in pair)
        require(texts, f"`record` holds something else than texts: {record!r}")
        after = dict(model.record)
        require(after == record, f"calls made of the record {record!r} this: {after!r}")
        said = model.describe()
        require(bool(said) and "\n" not in said, f"the description is not one line: {said!r}")


def targets_are_always_the_same(subject: ModelSubject) -> None:
    """A deterministic model gives a prompt one target: again, alone, in any batch and order, with any draft, made anew.

    Look for padding that is attended to, and for what one prompt leaves behind for the next. A model that sorts its
    prompts has to put the targets back. A draft may be checked, and never be trusted; `verify` may stop after the first
    wrong one, and not before. A run is resumed with another object of the class, so neither its targets nor its
    `fingerprint` are random. A model that may change its mind sets `deterministic = False`.
    """
    for each in subject.each(deterministic=True):
        model, prompts, record = each.model, each.prompts, dict(each.model.record)
        targets = {prompt: model.complete([prompt])[0] for prompt in prompts}
        _agree("called again", targets, prompts, [model.complete([prompt])[0] for prompt in prompts])
        _agree("called with a batch", targets, prompts, model.complete(each.prompts))
        _agree("called in reverse order", targets, prompts[::-1], model.complete(prompts[::-1]))
        before, model.unbatched = model.unbatched, True
        try:
            found = model.complete(each.prompts, [*each.targets.values()])
        finally:
            model.unbatched = before
        _agree("called with `unbatched`", targets, prompts, found)
        batch = random.Random("large batch").choices(prompts, k=2 * len(targets) if each.pairs else LARGE)
        _agree(f"in a batch of {len(batch)}", targets, batch, model.complete(list(batch)))
        for what, draft in DRAFTS.items():
            _drafted(model, targets, what, [draft([*targets.values()], place) for place in range(len(targets))])
        other = each.made()
        found = [other.complete([prompt])[0] for prompt in prompts[::-1]]
        _agree("made anew and called in reverse order", targets, prompts[::-1], found)
        same = dict(other.record) == record
        require(same, f"its record is {dict(other.record)!r}, made anew, and was {record!r}")


def _agree(how: str, targets: Mapping[str, str], prompts: Sequence[str], found: Sequence[str]) -> None:
    """Nonconforming unless the prompts have the targets that they had before."""
    require(len(found) == len(prompts), f"{how}, {len(prompts)} prompts have {len(found)} targets")
    for prompt, other in zip(prompts, found, strict=True):
        require(other == targets[prompt], f"{how}, {prompt!r} gets {other!r}, before it got {targets[prompt]!r}")


def _drafted(model: Model, targets: Mapping[str, str], what: str, drafts: list[str]) -> None:
    """Nonconforming if a draft changes a target, or if `verify` stops before one is wrong."""
    prompts = [*targets]
    _agree(f"with drafts that are {what}", targets, prompts, model.complete([*prompts], [*drafts]))
    found = model.verify([*prompts], [*drafts])
    _agree(f"verifying drafts that are {what}", targets, prompts[: len(found)], found)
    right = [draft == target for draft, target in zip(drafts, targets.values(), strict=True)]
    least = (right.index(False) if False in right else len(right) - 1) + 1
    complaint = f"with drafts that are {what}, `verify` stops after {len(found)} targets, {least} are sure"
    require(len(found) >= least, complaint)


def hostile_prompts_are_handled(subject: ModelSubject) -> None:
    """Any prompt, even an empty one or one that is not ASCII, gets a text or is a NumericFault; too long, a LimitFault.

    A model that is made for a convention may also say, with a ValueError, that a text is not a prompt of it.
    """
    for index, each in enumerate(subject.each()):
        rng, model = random.Random("hostile prompts"), each.model
        before = dict(zip(each.prompts, model.complete(each.prompts), strict=True)) if model.deterministic else {}
        texts = [*hostile.TEXTS, "x" * LONG]
        if each.pairs:  # then it answers most of them as far as its context goes, which takes time
            texts = texts[index :: len(subject.dialects)]
            texts += [mutated(prompt, rng) for prompt in each.prompts[:MUTATED]]
        for text in texts:
            try:
                model.complete([text])
            except (NumericFault, LimitFault):
                continue
            except Exception as error:
                may = not each.pairs and type(error) is ValueError
                require(may, f"the prompt {quoted(text)} raises {type(error).__name__}: {error}")
        if before:
            _agree("called after hostile prompts", before, each.prompts, model.complete(each.prompts))


def files_are_whole(subject: ModelSubject) -> None:
    """All that a checkpoint's folder holds is regular files, no links; each has the sum in SHA256SUMS, if it is there.

    Remove what no backend reads, and write the folder with `coc_core.storage.write_folder`.
    """
    for folder in subject.folders:
        sums = dict[str, str]()
        for path in sorted(folder.iterdir()):
            kind = "it is a link" if path.is_symlink() else "it is no file"
            require(path.is_file() and not path.is_symlink(), f"{quoted(str(path))} is not a regular file: {kind}")
            sums[path.name] = sha256(path.read_bytes()).hexdigest()
        if sums.pop(SUMS, None):
            missing = dict.fromkeys((line[66:] for line in (folder / SUMS).read_text("ascii").splitlines()), "")
            check_sums(folder, missing | sums)


def dialects_are_known(subject: ModelSubject) -> None:
    """Each dialect of a checkpoint is one of an installed domain or arithmetic.

    Install the plugin that has the domain, or name its file with --plugin.
    """
    known = {each.dialect for each in subject.dialects}
    for choice, dialects in subject.spoken.items():
        for dialect in dialects:
            require(dialect in known, f"nothing that is installed has the dialect {quoted(dialect, 80)}", choice)


def tokens_stand_for_the_texts(subject: ModelSubject) -> None:
    """A model with tokens can encode each prompt and target, and decodes the tokens to the same text.

    Train the tokenizer on pairs of every dialect, with all characters that they have.
    """
    for each in subject.each():
        if isinstance(each.model, TokenModel):
            for text in dict.fromkeys(text for pair in each.pairs for text in pair):
                unknown = each.model.unknown_character(text)
                require(unknown is None, f"no token stands for {unknown!r} in {quoted(text)}")
                again = each.model.decode(each.model.encode(text))
                require(again == text, f"{quoted(text)} is decoded as {quoted(again)}")


def targets_are_the_policys(subject: ModelSubject) -> None:
    """A checkpoint responds as the policy does: to all prompts of its dialects that can be listed, else to a sample.

    Train it for longer, or do not ship it.
    """
    for each in subject.each():
        responses = call_each(each.model, [pair.prompt for pair in each.pairs], [pair.target for pair in each.pairs])
        found = zip(each.pairs, responses, strict=True)
        wrong = [(pair, response) for pair, response in found if response != pair.target]
        for pair, response in wrong[:1]:
            got = response.message if isinstance(response, StepFault) else f"the target {response!r}"
            many = f"{len(wrong):,} of {counted(len(each.pairs), 'pair')} are wrong: "
            require(False, f"{many}{pair.prompt!r} gets {got}, not {pair.target!r}")


def margins_are_positive(subject: ModelSubject) -> None:
    """The logit margin of each of these targets is positive and finite, where a model states margins.

    A margin of 0 is a tie of two tokens, which rounding decides. `coc eval --exactness` has the smallest margin.
    """
    for each in subject.each():
        if isinstance(each.model, StatesMargins):
            found = zip(each.pairs, each.model.margins(each.pairs, bounded=False), strict=True)
            smallest, pair = min(((margin.margin, pair) for pair, margin in found), default=(1.0, Pair("", "")))
            is_clear = isfinite(smallest) and smallest > 0
            require(is_clear, f"the margin of the target for {pair.prompt!r} is {smallest}")
            subject.tried[f"{each.dialect}, smallest logit margin"] = f"{smallest:.2f}"
