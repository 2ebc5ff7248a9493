"""`coc certify`: what a checkpoint does on some problems, proved."""

from pathlib import Path
from typing import Annotated

import typer

from coc_certify.certificate import Certificate
from coc_certify.proofs import Refutation
from coc_certify.prove import problems_to_certify, prove, setting_to_certify
from coc_core.cli import console, options
from coc_core.cli.progress import progress
from coc_core.cli.solve.show import LONGEST
from coc_core.errors import EXIT_NOT_SOLVED, EXIT_SOLVED
from coc_core.setting import Setting
from coc_core.storage import check_file, write_file
from coc_core.text import counted, escaped, shortened

KIND = "certificate"


def certificate(
    domain: options.Domain,
    out: Annotated[Path, options.out("FILE", "Write the certificate to this file.")],
    memory: options.Memory = None,
    arith: options.Arith = "symbolic",
    sizes: Annotated[str | None, options.sizes(show_default="8")] = None,
    instances: Annotated[int | None, options.instances(50)] = None,
    exhaustive: Annotated[
        bool,
        typer.Option("--exhaustive", help="Certify every problem of each size.", rich_help_panel=options.PROBLEM),
    ] = False,
    given: Annotated[
        str | None,
        typer.Option(
            "--problems",
            metavar="FILE|DIR|PATTERN",
            help="Certify your own problems instead, from the files that `coc eval --problems` reads.",
            rich_help_panel=options.PROBLEM,
        ),
    ] = None,
    seed: options.Seeds = 0,
    model: options.Model = None,
    no_bounds: Annotated[
        bool,
        typer.Option(
            "--no-bounds",
            help="Leave out the bounds on rounding errors, which take most of the time.",
            rich_help_panel=options.ADVANCED,
        ),
    ] = False,
    device: options.Device = None,
    plugins: options.Plugins = None,
    as_json: options.Json = False,
) -> int:
    """Prove what a checkpoint does on some problems.

    The certificate lists every prompt that runs of these problems reach, the model's target for each with its logit
    margin, and a bound on rounding. If each margin exceeds its bound, the verdict is `certified`: on every machine that
    meets the hypotheses in docs/explanation/certificates.md, these runs take legal actions and reach their goals.
    Otherwise it is `exact on this machine`. A short program that shares no code with coc can check the file. The exit
    code is 1 if the model does not solve a problem; then no file is written.

    Examples:
        coc certify -d hanoi -n 1-64 -o hanoi.certificate
        coc certify -d hanoi --memory tape -n 1-8 -o tape.certificate
        coc certify -d pancake -n 4 --exhaustive --no-bounds -o 4.certificate
    """
    check_file(out, KIND)
    setting = setting_to_certify(Setting.of(console.registry(plugins), domain, memory, arith))
    problems = problems_to_certify(setting, given, sizes, instances=instances, exhaustive=exhaustive, seed=seed)
    subject = setting.model(model)
    counts = [0, 0]

    def count(done: int, total: int) -> None:
        counts[:] = done, total

    with progress(console.err(), "margins", lambda: counts[1] or None, lambda: counts[0], lambda: ""):
        found = prove(setting, subject, problems, bounded=not no_bounds, count=count)
    if isinstance(found, Refutation):
        _refute(found, as_json)
        return EXIT_NOT_SOLVED
    write_file(out, found.format().encode(), KIND)
    _show(found, out, as_json)
    return EXIT_SOLVED


def _refute(refutation: Refutation, as_json: bool) -> None:
    if as_json:
        console.document({"verdict": "refuted", "about": refutation.about, "reason": refutation.reason})
    else:
        told = f"  {shortened(escaped(refutation.about), LONGEST)}: {refutation.reason}"
        console.out().print(console.text(("not certified", "bold red"), told), soft_wrap=True)


def _show(certificate: Certificate, out: Path, as_json: bool) -> None:
    problems, prompts = len(certificate.claims), len(certificate.rules)
    if as_json:
        counts = {"problems": problems, "prompts": prompts, "composed": certificate.composed}
        sizes = {"margin": certificate.margin, "ratio": certificate.ratio}
        console.document({"certificate": str(out), "verdict": certificate.verdict, **counts, **sizes})
        return
    colour = "green" if certificate.certified else "yellow"
    head = f"  {counted(problems, 'problem')} of {certificate.setting['domain']}, {counted(prompts, 'prompt')}"
    tail = f"; smallest logit margin {certificate.margin:.2f}"
    if certificate.ratio:
        tail += f"; every margin at least {certificate.ratio:,.1f} times its bound"
    console.out().print(console.text((certificate.verdict, f"bold {colour}"), head + tail), soft_wrap=True)
