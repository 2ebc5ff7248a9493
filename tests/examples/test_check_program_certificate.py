"""The checker of certificates of programs: it lists the prompts that coc lists, and refuses what has been changed."""

import json
import re
from pathlib import Path

import pytest

from coc_certify.certify import prove
from coc_problems import ManyProblems, Problems
from tests.support.bare_python import run_bare
from tests.support.cells_program import Cells, setting_of
from tests.support.known_margins import Stated
from tests.support.program_checker import imported_checker

ROOT = Path(__file__).parents[2]
CHECKER = ROOT / "examples" / "check_program_certificate.py"


@pytest.fixture(scope="module")
def checker():
    with imported_checker() as found:
        yield found


@pytest.fixture(scope="module")
def made(checker):
    """The certificate of the program as a text."""
    setting = setting_of(Cells())
    problems = Problems.of(setting.domain, ManyProblems(sizes=range(1, 6)))
    document = json.loads(prove(setting, Stated(setting.convention), problems).format())
    return json.dumps(document | {"assumptions": checker.ASSUMPTIONS})


@pytest.fixture
def explored(checker, made):
    """What the checker says of a document up to where a model is needed: the steps, or why it is refused."""

    def explore(document=None):
        from certificate.strict import Refused

        try:
            found = checker.ProgramChecker(document or json.loads(made))
            found.explore()
            found.all_reached()
        except Refused as error:
            return str(error)
        return found.closure.steps

    return explore


def test_it_lists_the_prompts_that_coc_lists(explored, made):
    rules = json.loads(made)["rules"]
    assert explored() == {rule["prompt"]: rule["target"] for rule in rules}
    assert len(rules) == 31


def test_it_says_from_which_kinds_and_where_the_program_goes_wrong(checker, made):
    for first, kinds in ((None, "all 5 kinds"), (RING, "the 3 kinds")):
        found = checker.ProgramChecker(json.loads(made) | {"first": first})
        found.explore()
        who = "its types allow" if first is None else "the program states"
        stated = f"31 prompts from {kinds} of first records and instructions that {who}"
        wrong = "at 6 more the program itself goes wrong"
        assert found.subject == f"every step of 3 procedures, {stated}; {wrong}"


def test_it_lists_no_more_kinds_than_it_can(checker, made, monkeypatch):
    from certificate.strict import Refused

    monkeypatch.setattr(checker, "MOST_WINDOWS", 3)
    with pytest.raises(Refused, match="its types allow more kinds than this checker lists"):
        checker.ProgramChecker(json.loads(made)).explore()


def procedure(document, name):
    return next(each for each in document["procedures"] if each["name"] == name)


def at(*path, put):
    def change(document):
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = put(document[path[-1]])

    return change


RING = ["CALL both first=C1 last=C2", "C1: next=C2 colour=green", "C1: next=C2 colour=red"]


def stating(*kinds):
    """States the kinds that runs begin with."""
    return at("first", put=lambda first: [*kinds])


def more_texts(text):
    """Adds a text to the first action of the second procedure."""
    return at("procedures", 1, "operations", 1, 1, put=lambda parts: [*parts, text])


FAULTS = {
    "a rule left out": (lambda document: document["rules"].pop(), "can be reached, and has no rule"),
    "one more rule": (
        lambda document: document["rules"].append(document["rules"][0] | {"prompt": "CALL both.1"}),
        "nothing leads to",
    ),
    "a rule twice": (lambda document: document["rules"].append(document["rules"][0]), "a prompt has two rules"),
    "no rules": (at("rules", put=lambda rules: []), "it has no rules or too many"),
    "another target": (at("rules", 3, "target", put=lambda target: target + "x"), "the program does something else"),
    "no margin": (at("rules", 3, "margin", put=lambda margin: 0.0), "rule 3 has no margin"),
    "another memory": (at("memory", put=lambda memory: "pda"), "does not know the setting"),
    "numbers for names": (at("arithmetic", put=lambda name: "inline"), "does not know the setting"),
    "another dialect": (at("dialect", put=lambda name: "cells/heap"), "does not know the setting"),
    "other assumptions": (at("assumptions", put=lambda assumptions: {}), "assumptions are not those"),
    "one more key": (lambda document: document.update(note="trust me"), "a certificate must have"),
    "a record of no kind": (stating(*RING, "C1: next=C2 colour=blue"), "is no record"),
    "a record of no class": (stating(*RING, "D1: next=- colour=red"), "is no record"),
    "a record with fewer fields": (stating(*RING, "C1: next=C2"), "is no record"),
    "a record without a name": (stating(*RING, "red: next=C1 colour=red"), "is no record"),
    "a name that is not by place": (stating(*RING, "C1: next=C3 colour=red"), "is no record"),
    "no instruction": (stating(*RING, "CALL nothing"), "is no instruction"),
    "an instruction that begins no run": (stating(*RING, "CALL turn at=C1 last=C2 beat=0"), "begins no run"),
    "a kind twice": (stating(*RING, RING[0]), "no texts, or stand there twice"),
    "a kind that is no text": (stating(*RING, 1), "no texts, or stand there twice"),
    "kinds by name": (at("first", put=lambda first: {"records": [], "instructions": []}), "'first' of a certificate"),
    "kinds left out": (stating(RING[0]), "calls ['turn', 'copy']"),
    "other kinds": (stating(RING[0], "C1: next=- colour=red"), "nothing leads to"),
    "a kind more than the types allow": (
        at("classes", "C", "next", "words", put=lambda words: []),
        "kind|nothing|step",
    ),
    "a procedure that nobody calls": (
        lambda document: document["procedures"].append(document["procedures"][1] | {"name": "idle"}),
        "calls ['idle']",
    ),
    "another operation": (at("procedures", 1, "operations", 2, 0, put=lambda name: "jump"), "is no operation"),
    "a jump out of it": (at("procedures", 1, "operations", 3, 2, put=lambda to: 99), "goes on after its end"),
    "no end": (at("procedures", 1, "operations", put=lambda some: some[:-1]), "has no end"),
    "an unknown variable": (
        at("procedures", 1, "operations", 3, 1, 1, 1, put=lambda name: "other"),
        "the variable 'other' has no value",
    ),
    "a variable left out": (at("procedures", 1, "operations", 0, 2, put=lambda shown: {}), "has no value|no rule"),
    "a call of nothing": (at("procedures", 0, "operations", 0, 3, put=lambda name: "walk"), "there is no procedure"),
    "fewer arguments": (at("procedures", 0, "operations", 0, 4, put=lambda some: some[:1]), "has other arguments"),
    "a procedure twice": (lambda document: document["procedures"].append(document["procedures"][0]), "have one name"),
    "a class of no fields": (at("classes", put=lambda classes: classes | {"D": {}}), "classes without fields"),
    "a field of no class": (at("classes", "C", "next", "records", put=lambda names: ["D"]), "a kind of no class"),
    "a variable like a name": (
        lambda document: procedure(document, "both")["arguments"].update(
            C1=procedure(document, "both")["arguments"]["first"]
        ),
        "is no name of a variable",
    ),
    "a procedure of two words": (at("procedures", 0, "name", put=lambda name: "both all"), "is no name of a variable"),
    "a hidden record": (more_texts("\nWRITE C1: colour=red"), "has several parts"),
    "a hidden result": (more_texts(" RETURN C1"), "has several parts"),
    "a word that is a name": (at("procedures", 1, "operations", 4, 4, 2, 1, 0, 1, put=lambda n: "C1"), "is no value"),
    "a number with a point": (at("procedures", 1, "operations", 4, 4, 2, 1, 0, 1, put=float), "is no value"),
    "an endless loop": (
        at("procedures", 1, "operations", put=lambda some: [["jump", 0], *some]),
        "does something else",
    ),
    "a cast to no class": (at("procedures", 1, "operations", 4, 4, 0, 2, put=lambda some: []), "nothing leads to"),
    "an unknown expression": (at("procedures", 1, "operations", 3, 1, 0, put=lambda name: "eval"), "is no expression"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_it_refuses_a_change(explored, made, fault):
    change, reason = FAULTS[fault]
    document = json.loads(made)
    change(document)
    told = explored(document)
    told = told if isinstance(told, str) else "steps"
    assert any(each in told for each in reason.split("|")), told


def paths(data, path=()):
    """The path of each value in a document."""
    for key, each in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield (*path, key)
        yield from paths(each, (*path, key))


OTHERS = {
    bool: (lambda value: not value, lambda value: 1),
    int: (lambda value: value + 1, lambda value: value - 1, lambda value: 10**30, bool),
    str: (lambda value: value + "x", lambda value: "", lambda value: None),
    list: (lambda value: value[:-1], lambda value: {}),
    dict: (lambda value: {}, lambda value: value | {"other": 1}),
    type(None): (lambda value: 0,),
}


def test_whatever_is_changed_in_the_program_it_is_refused_or_means_the_same(explored, made):
    steps, refused, same = explored(), 0, 0
    genuine = json.loads(made) | {"first": RING}
    assert explored(genuine) == steps
    for part in ("classes", "first", "procedures"):
        for path in paths(genuine[part], (part,)):
            value = genuine
            for key in path:
                value = value[key]
            for other in OTHERS[type(value)]:
                document = json.loads(json.dumps(genuine))
                at(*path, put=other)(document)
                told = explored(document)
                refused += isinstance(told, str)
                same += told == steps
                assert isinstance(told, str) or told == steps, path
    assert refused > 600
    assert same < refused / 8, (same, refused)


def expression(checker, data, **variables):
    from certificate.expressions import Scope, expression

    return expression(data)(Scope(variables))


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (["and", ["variable", "n"], ["value", "red"]], "red"),
        (["or", ["variable", "n"], ["value", "red"]], 2),
        (["if", ["value", False], ["value", 1], ["value", 2]], 2),
        (["-", ["value", 0], ["variable", "n"]], -2),
        (["%", ["-", ["value", 0], ["variable", "n"]], ["value", 5]], 3),
        (["|", ["value", True], ["value", False]], True),
        (["compare", ["value", 1], ["<", ["variable", "n"]], ["<=", ["value", 2]]], True),
        (["compare", ["value", 1], [">", ["variable", "n"]], ["<", ["variable", "unknown"]]], False),
        (["compare", ["variable", "n"], ["in", [["value", 3], ["value", 2]]]], True),
        (["compare", ["variable", "n"], ["not in", []]], True),
        (["compare", ["value", None], ["is", ["value", None]]], True),
        (["table", [[1, "a", 5], [2, "a", 6]], ["variable", "n"], ["value", "a"]], 6),
        (["max", ["variable", "n"], ["value", 7]], 7),
        (["abs", ["value", -7]], 7),
    ],
)
def test_expressions(checker, data, value):
    found = expression(checker, data, n=2)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    "data",
    [
        ["+", ["value", 1], ["value", None]],
        ["//", ["value", 1], ["value", 0]],
        ["compare", ["value", 1], ["<", ["value", "red"]]],
        ["table", [[1, 2]], ["value", 3]],
        ["min", ["value", 1], ["value", None]],
    ],
)
def test_what_goes_wrong_is_in_no_run(checker, data):
    from certificate.expressions import Fault

    with pytest.raises(Fault):
        expression(checker, data)


@pytest.mark.parametrize(
    "data",
    [
        [],
        "variable",
        ["variable", 1],
        ["value", 1.5],
        ["value", "two words"],
        ["value", 10**18 + 1],
        ["*", ["value", 10**10], ["value", 10**10]],
        ["+", ["value", "red"], ["value", "green"]],
        ["**", ["value", 2], ["value", 2]],
        ["compare", ["value", 1], ["~", ["value", 1]]],
        ["compare", ["value", 1], "<"],
        ["table", [[1]], ["value", 1]],
        ["and", ["value", True]],
    ],
)
def test_other_expressions_are_refused(checker, data):
    from certificate.strict import Refused

    with pytest.raises(Refused):
        expression(checker, data)


@pytest.mark.slow
def test_it_accepts_what_coc_writes_of_a_trained_model(coc, tmp_path):
    """From training to the check, which needs no coc."""
    plugin = ["--plugin", ROOT / "tests/support/cells_program.py", "-d", "cells"]
    options = ["--n", "1-5", "--holdout", "0", "--preset", "exact-numbers", "--set", "name_permutation=0"]
    assert coc("train", *plugin, *options, "--set", "steps=200", "--out", tmp_path / "model").code == 0
    done = coc("certify", *plugin, "--n", "1-5", "--model", tmp_path / "model", "--out", tmp_path / "certificate")
    assert done.out.startswith("certified  3 procedures of cells, 31 prompts from all 5 kinds of first records and ")
    assert "\n  goes wrong at " in done.out
    checked = run_bare([CHECKER, tmp_path / "certificate", tmp_path / "model"])
    assert checked.stdout.startswith("certified: every step of 3 procedures, 31 prompts from all 5 kinds of first ")
    assert " at 6 more the program itself goes wrong; computed again: 31 margins" in checked.stdout
    text = (tmp_path / "certificate").read_text()
    (tmp_path / "certificate").write_text(re.sub('"margin": [0-9.]+', '"margin": 0.5', text, count=1))
    assert "the margin of" in run_bare([CHECKER, tmp_path / "certificate", tmp_path / "model"]).stderr
