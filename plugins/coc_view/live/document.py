"""What a page needs to run the checkpoint of a recorded run: its files, the convention, and the recording."""

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product, zip_longest
from pathlib import Path
from typing import Any

from coc_core.domain import StoresRecords
from coc_core.errors import ArtefactError, UsageError
from coc_core.memories import Convention
from coc_core.plugin import CheckpointSpec
from coc_core.setting import Setting, checkpoint_folder, open_checkpoint
from coc_core.storage import read_bytes, read_json
from coc_core.text import INTEGER, POSITIVE, Form, Forms, escaped
from coc_problems.prompts import every_prompt, has_few_kinds
from coc_programs import Record
from coc_view.page import build_timeline, check_length
from coc_view.recorded_run import RecordedRun, facts_of

_MEMORIES = {("pda", "stack"), ("heap", "heap"), ("tape", "linked"), ("tape", "chain")}
"""The memories that the page has, each with a convention."""

_MODEL = {"positions": ("fields", "absolute"), "token_shift": (0, 1), "rotary": (0,)}
"""Which networks the page runs, by keys of `config.json`."""

_FIELD = re.compile(r"\{[A-Za-z_][A-Za-z0-9_]*\}")
_WORDS = re.compile(r"\(\?:(\w+(?:\|\w+)+)\)")

_SHOWN_RECORD = re.compile(r"\(\?:: .*\)\?$")  # which a prompt has after the name, and a response never

_LARGEST_WEIGHTS = 1 << 24  # bytes
_REMEDY = "leave out --live to show the recording"


def read_checkpoint(folder: Path) -> dict[str, Any]:
    """Return the parts of a checkpoint that the page reads; UsageError for a network that it can't run."""
    config, tokenizer = read_json(folder / "config.json"), read_json(folder / "tokenizer.json")
    model, dialects = config["model"], config["dialects"]
    for key, known in _MODEL.items():
        if model.get(key, 0) not in known:
            raise UsageError(f"a page can't run the network of {folder.name}: {key} is {model[key]}", remedy=_REMEDY)
    weights = read_bytes(folder / "model.safetensors", _LARGEST_WEIGHTS)
    encoded = base64.b64encode(weights).decode("ascii")
    return {"config": model, "tokenizer": tokenizer, "dialects": dialects, "weights": encoded}


def find_checkpoint(recorded: RecordedRun) -> Path:
    """Return the folder of the checkpoint that a run was recorded with, by its fingerprint; UsageError without one."""
    registry, manifest = recorded.setting.registry, recorded.runfile.manifest
    dialect, facts = recorded.setting.convention.dialect, manifest.records["model"]
    folders = [checkpoint_folder(registry, manifest.model, dialect)]
    folders += [registry.folder(spec) for spec in registry.specs(CheckpointSpec) if dialect in spec.dialects]
    for folder in filter(None, folders):
        try:
            model = open_checkpoint(registry, folder, dialect, "numpy")
        except (ArtefactError, UsageError):  # another backend's, or none any more
            continue
        if model.record.get("fingerprint") == facts.get("fingerprint"):
            return folder
    name = facts.get("name", "another model")
    raise UsageError(f"a page can't run {recorded.runfile.path}: no checkpoint here is its {name}", remedy=_REMEDY)


def check_runs_live(recorded: RecordedRun) -> None:
    """Raise UsageError for a run that the page can't run, whatever its network is."""
    setting, manifest, why = recorded.setting, recorded.runfile.manifest, ""
    if manifest.arith not in ("symbolic", "inline"):
        why = f"it has {manifest.arith} arithmetic"
    elif manifest.executor.startswith("vote"):
        why = "its responses were chosen by votes"
    elif (setting.memory.name, setting.convention.name) not in _MEMORIES:
        why = f"it does not have the memory {setting.memory.name}"
    if why:
        raise UsageError(f"a page can't run {recorded.runfile.path}: {why}", remedy=_REMEDY)


def describe_convention(setting: Setting, problem: Any, prompts: Iterable[str]) -> dict[str, Any]:
    """Return what `memory.js` needs to know of a setting, given the prompts of the recorded run."""
    domain, convention, surface = setting.domain, setting.convention, setting.convention.surface
    letters = domain.interchangeable_names if convention.local_names else ()
    stored = "records" in convention.offers and isinstance(domain, StoresRecords)
    return {
        "first": convention.first_window(problem),
        "surface": {
            "prompt": surface.prompt.text,
            "write": surface.write.text,
            "registers": surface.registers and surface.registers.text,
            "join": surface.join,
            "close": surface.close,
        },
        "addresses": "address" in surface.write.fields,
        "symbolic": convention.notation == "symbolic",
        "mostWrites": convention.max_writes,
        "results": any(domain.results),
        "records": stored,
        "letters": sorted(letters),
        "any": Record.letters if Record.letters in letters else None,
        "compared": _compared(convention, prompts) if letters else {},
        "grammar": {
            name: list(_patterns(forms))
            for name, forms in (
                ("actions", domain.actions),
                ("instructions", domain.instructions),
                ("notes", domain.notes),
                ("results", domain.results),
            )
        },
    }


def describe_run(recorded: RecordedRun) -> dict[str, Any]:
    """Return what the page shows of a recorded run. ArtefactError if the file does not replay, UsageError if it is far
    too long.
    """
    check_length(recorded.steps)
    setting, problem = recorded.setting, recorded.problem
    domain, layout = setting.domain, setting.convention.layout
    timeline = build_timeline(domain, layout, map(recorded.record, range(recorded.steps + 1)))
    target, picture, prompt = map(timeline["columns"].index, ("target", "picture", "prompt"))
    rows, texts = timeline["rows"], timeline["texts"]
    prompts = dict.fromkeys(texts[row[prompt]] for row in rows[1:])
    pictures = [row[picture] for row in rows]
    kept = list(dict.fromkeys([row[target] for row in rows[1:]] + [each for each in pictures if isinstance(each, int)]))
    number = {old: new for new, old in enumerate(kept)}
    return {
        "title": escaped(f"{domain.name}, n={domain.size(problem)}, {setting.memory.name}, {setting.arithmetic.name}"),
        "problem": escaped(domain.problems.format(problem)),
        "memory": {
            "name": escaped(setting.memory.name),
            "newest_first": layout.newest_first,
            "registers": [*map(escaped, layout.registers)],
        },
        "facts": [(escaped(name), escaped(value)) for name, value in facts_of(recorded.runfile.manifest).items()],
        "convention": describe_convention(setting, problem, prompts),
        "texts": [texts[each] for each in kept],
        "targets": [number[row[target]] for row in rows[1:]],
        "pictures": [number[each] if isinstance(each, int) else each for each in pictures],
        "items": timeline["items"],
        "posts": timeline["posts"],
    }


def _compared(convention: Convention[Any, Any], prompts: Iterable[str]) -> Mapping[str, list[tuple[int, int]]]:
    """Return the numbers of the names that a step compares, by the text with its names numbered by place."""
    if has_few_kinds(convention):
        prompts = [pair.prompt for pair in every_prompt(convention).pairs]
    texts = dict.fromkeys(text for prompt in prompts for text in convention.prompts_like(prompt))
    return {text: found for text in texts if (found := [*convention.compared(text)])}


def _patterns(forms: Forms[Any]) -> Iterator[str]:
    """Yield regular expressions of the texts of some forms, in which № is a number from 1, and § this or `+1`."""
    for form in forms:
        names, codecs = form.template.names, {name: form.codecs.get(name, INTEGER) for name in form.template.names}
        literals = [re.sub(r"([\\^$.*+?()\[\]{}|/])", r"\\\1", part) for part in _FIELD.split(form.template.text)]
        # Where a few fields have a few words each, which of these go together is asked of the form itself.
        words = [found[1].split("|") if (found := _WORDS.fullmatch(codecs[name].pattern)) else [] for name in names]
        together = (
            [*product(*(each or [""] for each in words))] if 1 < sum(map(bool, words)) < 5 else [("",) * len(names)]
        )
        numbers = {name: "1" for name in names if codecs[name] == INTEGER}
        for chosen in together:
            texts = {name: word or numbers.get(name, "") for name, word in zip(names, chosen, strict=True)}
            if not all(texts.values()) or _is_parsed(form, form.template.format(**texts)):
                patterns = [word or codecs[name].pattern for name, word in zip(names, chosen, strict=True)]
                text = "".join(map("".join, zip_longest(literals, patterns, fillvalue="")))
                yield _SHOWN_RECORD.sub("", text).replace(POSITIVE, "№").replace(r"(?:\+1|№)", "§")


def _is_parsed(form: Form[Any], text: str) -> bool:
    try:
        return form.parse(text) is not None
    except ValueError:
        return False
