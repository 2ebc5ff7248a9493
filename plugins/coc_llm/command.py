"""`coc prompt`: what a model is sent."""

import json
from enum import StrEnum

from attrs import frozen

from coc_core.api import choose_problem
from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.errors import EXIT_SOLVED, UsageError
from coc_core.execution import Machine
from coc_core.models import TokenModel
from coc_core.options import (
    OUTPUT,
    Choice as OneOf,
    OneProblem,
    Option,
    PluginOptions,
    SettingOptions,
    Whole,
    given,
    option,
    shared,
)
from coc_core.setting import Setting, configured_backend
from coc_core.text import counted
from coc_learn.grammar import KINDS, Grammar
from coc_llm.choice import Choice
from coc_llm.framing import Framing, ReadsText, texts


@frozen(kw_only=True, slots=False)
class PromptCommand(PluginOptions, OneProblem, SettingOptions):
    """What `coc prompt` takes."""

    model: str | None = option(shared.CHECKPOINT, None)
    step: int = option(
        Option("Show the prompt at this step of a correct run.", ("--step",), Whole(metavar="K"), OUTPUT), 1
    )
    grammar: str | None = option(
        Option(
            "Print the grammar of the dialect's targets instead or, with --step, of those that this prompt can have:"
            " gbnf, lark, regex or json (a schema).",
            ("--grammar",),
            OneOf(annotation=StrEnum("Kind", KINDS)),
            OUTPUT,
        ),
        None,
    )


@command(PromptCommand)
def prompt(options: PromptCommand) -> int:
    """Show what a model is sent at a step.

    For a model behind an endpoint, print the body of the request, with the system text and the examples; nothing is
    sent, and no key is needed. For a model in a folder, print the text that its tokenizer reads. The last line counts
    characters, and tokens if the model has a tokenizer here.

    Examples:
        coc prompt -d hanoi --model hanoi-pda
        coc prompt -d pancake -n 12 --step 5 --model openai:gpt-x,shots=4
        coc prompt -d hanoi --grammar gbnf
    """
    registry, step, model = console.registry(options.plugins), options.step, options.model
    setting = Setting.of(registry, str(options.domain), options.memory, options.arith)
    machine = setting.machine(choose_problem(setting.domain, options))
    text = _prompt_at(machine, step)
    if options.grammar:
        printed = Grammar.of(setting, text if "step" in given(options) else None).printed(options.grammar)
        console.report({"dialect": setting.convention.dialect, "grammar": printed}, printed.removesuffix("\n"))
        return EXIT_SOLVED
    configured, body, tokens = configured_backend(registry, model), None, None
    if configured is not None and configured[0].name == "openai":
        body = Framing.of(setting, Choice.parse(configured[2])).body(text)
        shown = texts(body)
    else:
        subject = setting.model(model)
        if isinstance(subject, ReadsText):
            shown, tokens = [("prompt", subject.text(text))], len(subject.tokens(text))
        else:
            shown = [("prompt", text)]
            tokens = len(subject.encode(text)) if isinstance(subject, TokenModel) else None
    characters = sum(len(content) for _, content in shown)
    rest = {key: value for key, value in (body or {}).items() if key not in ("messages", "prompt")}
    size = f"{counted(len(shown), 'text')}, {counted(characters, 'character')}"
    size += "" if tokens is None else f", {counted(tokens, 'token')}"
    console.report(
        {"step": step, "prompt": text, "request": body, "characters": characters, "tokens": tokens},
        *(f"[{role}]\n{content}\n" for role, content in shown),
        f"{size}, {json.dumps(rest)}" if rest else size,
    )
    return EXIT_SOLVED


def _prompt_at(machine: Machine, step: int) -> str:
    """Return the prompt of a step, if the policy takes those before it; UsageError if the run has no such step."""
    if step < 1:
        raise UsageError(f"there is no step {step:,}", remedy="steps are counted from 1")
    convention = machine.convention
    while (prompt := machine.peek()) is not None:
        if machine.steps == step - 1:
            return prompt
        machine.step(convention.target_for(prompt))
    raise UsageError(f"the run ends after {counted(machine.steps, 'step')}", remedy="choose an earlier one")
