"""The page on which checkpoints run: what it needs of each, and of the recorded runs that it takes again."""

import base64
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from coc_core.domain import StoresRecords
from coc_core.errors import ArtefactError, UsageError
from coc_core.memories import Convention
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.runfile import RunFile
from coc_core.setting import Setting, checkpoint_folder, open_checkpoint
from coc_core.storage import read_bytes, read_json
from coc_core.text import POSITIVE, UNSTATED, Form, escaped
from coc_problems.patterns import form_patterns
from coc_problems.prompts import every_prompt, has_few_kinds
from coc_programs import Record
from coc_view.page import fill
from coc_view.recorded_run import RecordedRun

ENGINE = ("tokenizer.js", "network.js", "targets.js", "names.js", "stack.js", "tape.js", "memory.js")
"""What runs a checkpoint, without the page."""

_MEMORIES = {("pda", "stack"), ("heap", "heap"), ("tape", "linked"), ("tape", "chain")}
"""The memories that the page has, each with a convention."""

_MODEL = {"positions": ("fields", "absolute"), "token_shift": (0, 1), "rotary": (0,), "list_attention": (True,)}
"""Which networks the page runs, by keys of `config.json`, of which a later one may be missing."""

_SHOWN_RECORD = re.compile(r"\(\?:: .*\)\?$")  # which a prompt has after the name, and a response never

_LARGEST_WEIGHTS = 1 << 24  # bytes


def _refused(what: str, why: str) -> UsageError:
    return UsageError(f"a page can't run {what}: {why}", remedy="leave out --live to show the recording")


def render_live(registry: Registry, runfiles: Sequence[RunFile]) -> str:
    """Render the page on which the checkpoints of recorded runs take these runs again.

    Raises:
        UsageError: One of the runs has something that the page can't run, or no checkpoint here.
        ArtefactError: A file does not replay, or the checkpoint is broken.
    """
    checkpoints: dict[Path, dict[str, Any]] = {}
    runs = []
    for recorded in [RecordedRun(registry, runfile) for runfile in runfiles]:
        check_runs_live(recorded)
        folder, setting = find_checkpoint(recorded), recorded.setting
        checkpoint = checkpoints.setdefault(folder, read_checkpoint(folder))
        run = recorded.document(0, recorded.steps)
        prompts = {run["texts"][row[0]] for row in run["rows"][1:]}
        run["title"] += escaped(f", {setting.memory.name}, {setting.arithmetic.name}")
        run["convention"] = describe_convention(setting, recorded.problem, prompts)
        run["checkpoint"] = [*checkpoints].index(folder)
        run["dialect"] = checkpoint["dialects"].index(setting.convention.dialect)
        runs.append(run)
    document = {"runs": runs, "checkpoints": [*checkpoints.values()]}
    scripts = [f"live/{name}" for name in (*ENGINE, "live.js")]
    return fill("live/live.html", f"{runs[0]['title']}, live", document, ["live/live.css"], scripts)


def read_checkpoint(folder: Path) -> dict[str, Any]:
    """Return the parts of a checkpoint that the page reads; UsageError for a network that it can't run."""
    config, tokenizer = read_json(folder / "config.json"), read_json(folder / "tokenizer.json")
    model, dialects = config["model"], config["dialects"]
    for key, known in _MODEL.items():
        if model.get(key, known[0]) not in known:
            raise _refused(f"the network of {folder.name}", f"{key} is {model[key]}")
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
        with suppress(ArtefactError, UsageError):  # another backend's, or none any more
            record = open_checkpoint(registry, folder, dialect, "numpy").record
            if record.get("fingerprint") == facts.get("fingerprint"):
                return folder
    raise _refused(str(recorded.runfile.path), f"no checkpoint here is its {facts.get('name', 'another model')}")


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
        raise _refused(str(recorded.runfile.path), why)


def describe_convention(setting: Setting, problem: Any, prompts: Iterable[str]) -> dict[str, Any]:
    """Return what `memory.js` needs to know of a setting, given the prompts of the recorded run. UsageError where the
    page could not tell which responses coc accepts.
    """
    domain, convention, surface = setting.domain, setting.convention, setting.convention.surface
    letters = domain.interchangeable_names if convention.local_names else ()
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
        "records": "records" in convention.offers and isinstance(domain, StoresRecords),
        "letters": sorted(letters),
        "any": Record.letters if Record.letters in letters else None,
        "compared": _compared(convention, prompts) if letters else {},
        "grammar": {
            kind: [pattern for form in getattr(domain, kind) for pattern in _patterns(domain.name, form)]
            for kind in ("actions", "instructions", "notes", "results")
        },
    }


def _compared(convention: Convention[Any, Any], prompts: Iterable[str]) -> Mapping[str, list[tuple[int, int]]]:
    """Return the numbers of the names that a step compares, by the text with its names numbered by place."""
    if has_few_kinds(convention):
        prompts = [pair.prompt for pair in every_prompt(convention).pairs]
    texts = dict.fromkeys(text for prompt in prompts for text in convention.prompts_like(prompt))
    return {text: found for text in texts if (found := [*convention.compared(text)])}


def _patterns(domain: str, form: Form[Any]) -> Iterator[str]:
    """Yield regular expressions that match the texts of a form and no others; in these, № is a number from 1."""
    for pattern in form_patterns(form):
        if UNSTATED in pattern:
            raise _refused(domain, f"the page can't check the values of {form.template.text!r}")
        yield _SHOWN_RECORD.sub("", pattern).replace(POSITIVE, "№")
