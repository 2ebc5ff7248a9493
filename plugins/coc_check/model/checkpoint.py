"""Checks of a checkpoint: its files, what it says of itself, its tokenizer, and what it has learned."""

from hashlib import file_digest
from math import isfinite

from coc_check.check import Nonconforming, require
from coc_check.model.subject import ModelSubject
from coc_core.errors import ArtefactError, StepFault
from coc_core.models import Pair, StatesMargins, TokenModel, call_each
from coc_core.storage import SUMS, check_sums, open_regular
from coc_core.text import counted, quoted

_LARGEST = 1 << 40  # bytes of a file


def files_are_whole(subject: ModelSubject) -> None:
    """All that a checkpoint's folder holds is regular files, no links; each has the sum in SHA256SUMS, if it is there.

    Remove what no backend reads, and write the folder with `coc_core.storage.write_folder`.
    """
    for folder in subject.folders:
        sums = dict[str, str]()
        for path in sorted(folder.iterdir()):
            try:
                with open_regular(path, _LARGEST, links=False) as file:
                    sums[path.name] = file_digest(file, "sha256").hexdigest()
            except OSError as error:
                kind = "it is a link" if path.is_symlink() else error.strerror
                require(False, f"{quoted(str(path))} is not a regular file: {kind}")
        if sums.pop(SUMS, None):
            missing = dict.fromkeys((line[66:] for line in (folder / SUMS).read_text("ascii").splitlines()), "")
            try:
                check_sums(folder, missing | sums)
            except ArtefactError as error:
                raise Nonconforming(error.message) from None


def identity_is_right(subject: ModelSubject) -> None:
    """Each dialect of a checkpoint is one of an installed domain or arithmetic, and its trained sizes are the domain's.

    Install the plugin that has the domain, or name its file with --plugin. Look at `sizes` of `Identity`.
    """
    known = {each.dialect for each in subject.dialects}
    for choice, dialects in subject.spoken.items():
        for dialect in dialects:
            require(dialect in known, f"nothing that is installed has the dialect {quoted(dialect, 80)}", choice)
    for each in subject.each():
        sizes, allowed = each.model.trained_sizes, each.convention and each.convention.domain.sizes
        if sizes and allowed:
            inside = sizes[0] in allowed and sizes[-1] in allowed
            found = f"{sizes[0]:,} to {sizes[-1]:,}, and the domain has {allowed[0]:,} to {allowed[-1]:,}"
            require(inside, f"it says it was trained on the sizes {found}")


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
        prompts, targets = map(list, zip(*each.pairs, strict=True))
        found = zip(each.pairs, call_each(each.model, prompts, targets), strict=True)
        wrong = [(pair, response) for pair, response in found if response != pair.target]
        for pair, response in wrong[:1]:
            got = response.message if isinstance(response, StepFault) else f"the target {response!r}"
            many = f"{len(wrong):,} of {counted(len(prompts), 'pair')} are wrong: "
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
