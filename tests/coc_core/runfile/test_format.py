"""The bytes of the format, and the words of the manifest: what one version of coc writes, another one reads."""

import json
from math import inf, nan

import pytest
from attrs import asdict

from coc_core.errors import ArtefactError
from coc_core.plugin import CheckpointSpec, ModelSpec, Plugin, Registry
from coc_core.runfile import Manifest, chunk, database
from coc_core.runfile.manifest import facts, outcome_from_json, outcome_to_json, versions
from coc_core.runfile.resume import _check_model, _differences
from coc_core.setting import Setting
from coc_core.types import Fault, Outcome
from tests.support.for_each import for_each
from tests.support.recorded_runs import stage


@pytest.fixture
def packed():
    """Two steps of one transition each, and one that came before."""
    lines = [b'["a","b",[]]\n', b'["c","d",["e"]]\n']
    return chunk.pack(chunk.START, 5, 1, 2, lines, [1, 2, 3], [0, 3, -1], [b"[6,[1]]\n"])


def test_a_chunk_is_read_as_it_was_packed(packed):
    assert [tuple(each) for each in chunk.transitions(packed)] == [("a", "b", ()), ("c", "d", ("e",))]
    assert (chunk.ids(packed), chunk.pointers(packed)) == ((1, 2, 3), (0, 3, -1))
    assert chunk.numbers(packed) == {6: (1,)}


def test_digests_never_change():
    """A recording that was made with this format is accepted for as long as the format has this number."""
    one = chunk.pack(chunk.START, 5, 1, 2, [b'["a","b",[]]\n'], [1, 2, 2], [0, 3, -1], [b"[6,[1]]\n"])
    assert one.digest.hex() == "a041e9991c256376cacdf315e3625669de9e9b4237497b79860ea59cd7c2869c"
    open_, ended = (database.digest("{}", outcome, one.digest).hex() for outcome in (None, "[]"))
    assert open_ == "7b8c4a11bdb470f35f9596151c7ec2d4305ab26d5539c01a2deaee2997fb26c2"
    assert ended == "c6c6710589bea236b33236c2f8208c9b0a00406b194bc5f6c9fa5e936c356284"


@for_each(
    ("lines", "message"),
    [
        ([b"[5,[1]]\n"] * 2, "numbers are recorded twice for a step"),
        ([b"[4,[1]]\n"], "numbers are recorded for a step of another chunk"),
        ([b"[8,[1]]\n"], "numbers are recorded for a step of another chunk"),
        ([b"[5,[1]]\n"] * 4, "a chunk of 3 steps has 4 lines of numbers"),
        ([b"[5,[" + b"1" * (chunk._MAX_DIGITS + 1) + b"]]\n"], "a line of a chunk is not JSON"),
        ([b"what\n"], "a line of a chunk is not JSON"),
    ],
)
def test_numbers_belong_to_one_step_of_their_chunk(packed, lines, message):
    with pytest.raises(ArtefactError) as error:
        chunk.numbers(packed._replace(numbers=chunk.deflate(b"".join(lines))))
    assert error.value.message == message
    whole = packed._replace(numbers=chunk.deflate(b"[5,[1]]\n[6,[2,-3]]\n[7,[]]\n"))
    assert chunk.numbers(whole) == {5: (1,), 6: (2, -3), 7: ()}


def test_a_pointer_is_not_below_minus_one_or_beyond_every_memory():
    for pointer in (-1, (1 << 62) - 1):
        assert chunk.pointers(chunk.pack(chunk.START, 1, 0, 0, [], [0, 0], [0, pointer], [])) == (0, pointer)
    for pointer in (-2, 1 << 62):
        with pytest.raises(ArtefactError, match=r"^a pointer is out of range$"):
            chunk.pointers(chunk.pack(chunk.START, 1, 0, 0, [], [0, 0], [0, pointer], []))


def test_a_manifest_names_what_was_run_and_with_which_versions():
    setting, problem = stage("tape", "learned", n=3)
    subject = setting.model("reference")
    choices = {"model": "reference", "arith_model": "reference", "seed": 4}
    found = Manifest.of(setting, problem, subject, executor="cached", **choices)
    assert set(versions()) == {"coc", "python"}
    assert facts(subject) == {"name": "reference", "description": subject.describe()}
    assert (found.domain, found.memory, found.arith, found.notation) == ("hanoi", "tape", "learned", "symbolic")
    assert (found.executor, found.model, found.arith_model) == ("cached", "reference", "reference")
    assert (found.n, found.seed, found.problem) == (3, 4, "n=3 src=1 dst=3")
    assert found.records == {"model": facts(subject), "arith_model": facts(setting.arith_model)}
    assert set(found.plugins) == {"core", "hanoi", "learn"}
    assert Manifest.from_json(found.to_json()) == found
    assert found.with_choices() == found
    other = found.with_choices(7, "here", "there")
    assert (other.limits.steps, other.model, other.arith_model) == (7, "here", "there")
    changed = {"limits": 0, "model": 0, "arith_model": 0}
    assert asdict(other) | changed == asdict(found) | changed


def test_a_manifest_names_the_plugin_of_each_part_and_no_other():
    apart = [
        Plugin(f"{spec.name} of {plugin.name}", "module", f"dist {spec.name}", "1.5", (spec,))
        for plugin in Registry.installed().plugins
        for spec in plugin.specs
        if not isinstance(spec, CheckpointSpec)
    ]
    parrot = ModelSpec("parrot", "repeats", factory="coc_core.memories:Reference")
    registry = Registry.of([*apart, Plugin("theirs", "module", "parrots", "", (parrot,))])
    setting = Setting.of(registry, "hanoi", "tape", "learned", arith_model="reference")
    subject = setting.model("parrot")
    subject.name = "parrot"
    found = Manifest.of(setting, setting.domain.problem(2), subject, executor="sequential")
    assert found.plugins == {
        "hanoi of hanoi": "dist hanoi 1.5",
        "tape of core": "dist tape 1.5",
        "learned of learn": "dist learned 1.5",
        "sequential of core": "dist sequential 1.5",
        "reference of core": "dist reference 1.5",
        "theirs": "parrots",
    }


def test_a_model_that_was_called_for_one_prompt_at_a_time_is_recorded_so():
    setting, _ = stage()
    subject = setting.model("reference")
    assert "calls" not in facts(subject)
    subject.unbatched = True
    assert facts(subject)["calls"] == "unbatched"
    subject.record = {"note": "x" * 10**6, "layers": 12}
    assert facts(subject)["note"] == "x" * 65_536
    assert facts(subject)["layers"] == "12"


OUTCOME = {"status": "solved", "steps": 2, "actions": 1, "model_calls": 0, "seconds": 0.5, "margins": {}, "fault": None}


FAULT = {"step": 3, "kind": "loop", "message": "", "text": "", "offset": None}
FAULTY = OUTCOME | {"status": "fault"}
NOT_WRITTEN = "^the outcome is not one that coc writes$"


@for_each(
    ("document", "reason"),
    [
        ({}, "^the outcome lacks 'status'$"),
        *(
            (OUTCOME | {"seconds": value}, f"seconds is {value:,}, not from 0 to below")
            for value in (-1e-9, 10**10 + 1)
        ),
        *(
            (OUTCOME | {name: value}, f"^the outcome: {name} is {value:,}, not from 0 to below ")
            for name in ("actions", "model_calls")
            for value in (-1, (1 << 64) + 1)
        ),
        *((OUTCOME | changes, NOT_WRITTEN) for changes in ({"status": "fault"}, {"fault": FAULT})),
        *((OUTCOME | changes, NOT_WRITTEN) for changes in ({"status": "unsolvable"}, {"reason": "so"})),
        *(
            (FAULTY | {"fault": FAULT | changes}, "^the outcome(: fault| is not one that coc writes)")
            for changes in ({"kind": "odd"}, {"offset": -1}, {"step": 2}, {"step": 3.0}, {"more": 1})
        ),
        *((FAULTY | {"fault": FAULT | {name: "x" * 65_537}}, "^the outcome: fault") for name in ("message", "text")),
        (OUTCOME | {"status": "unsolvable", "reason": "z" * 65_537}, "reason is of length 65,537, not from 0 to below"),
        *(
            (OUTCOME | {"votes": report}, "^the outcome: report")
            for report in (None, [], 1, {"k": "1"}, {"k": True}, {"k": -1}, {"k": 2**65}, {"k": {}})
        ),
        (OUTCOME | {str(name): {} for name in range(9)}, "the outcome: report is of length 9, not from 0 to below 9"),
    ],
)
def test_an_outcome_that_coc_does_not_write_is_refused(document, reason):
    with pytest.raises(ArtefactError, match=reason):
        outcome_from_json(json.dumps(document))


@for_each(
    "changes",
    [
        {"seconds": 0},
        {"seconds": 1e10},
        {"actions": 0},
        {"actions": 1 << 64},
        {"model_calls": 1 << 64},
        {"status": "fault", "fault": FAULT},
        {"status": "unsolvable", "reason": "so"},
    ],
)
def test_an_outcome_may_reach_its_bounds_and_has_what_belongs_to_its_status(changes):
    found = outcome_from_json(json.dumps(OUTCOME | changes))
    assert {name: getattr(found, name) for name in changes} == changes | (
        {"fault": Fault(**FAULT)} if "fault" in changes else {}
    )


@for_each(
    "outcome",
    [
        Outcome("unsolved", 2, 1, None, 9, 0.25),
        Outcome("fault", 2, 1, Fault(3, "protocol", "so", "text", 5), 9, 0.25),
        Outcome("fault", 2, 1, Fault(3, "limit", "", "", None), 9, 0.25),
        Outcome("solved", 2, 1, None, 9, 0.25, report={"votes": {"k": 2, "error": None, "achieved": 0.5}}),
    ],
)
def test_an_outcome_is_read_as_it_was_written(outcome):
    assert outcome_from_json(outcome_to_json(outcome, {})) == outcome


def test_an_outcome_is_written_with_finite_margins_and_a_short_text():
    fault = Fault(3, "protocol", "y" * 10**6, "x" * 10**6, 5)
    margins = {"model": 0.5, "b": inf, "c": nan, "a": None}
    text = outcome_to_json(Outcome("fault", 2, 1, fault, 9, 0.25), margins)
    found = json.loads(text)
    assert found["margins"] == {"a": None, "b": None, "c": None, "model": 0.5}
    assert list(found) == sorted(found)
    assert len(text) < 2 * 10**5
    assert found["fault"]["text"] == "x" * len(found["fault"]["text"])
    again = outcome_from_json(text)
    assert (again.status, again.steps, again.actions, again.model_calls, again.seconds) == ("fault", 2, 1, 9, 0.25)
    assert (again.fault.step, again.fault.offset) == (3, 5)
    assert (fault.message.startswith(again.fault.message), len(again.fault.message)) == (True, 65_536)
    long = Outcome("unsolvable", 0, 0, None, 0, 0.25, reason="z" * 10**6)
    assert len(outcome_from_json(outcome_to_json(long, {})).reason) == 65_536


@for_each(
    ("read", "what", "key"), [(outcome_from_json, "outcome", "status"), (Manifest.from_json, "manifest", "domain")]
)
def test_a_refusal_names_what_is_refused(read, what, key):
    for text, message in (("{}", f"lacks '{key}'"), ("[]", "is not a JSON object")):
        with pytest.raises(ArtefactError, match=f"^the {what} {message}$"):
            read(text)
    with pytest.raises(ArtefactError, match="is not strict JSON"):
        read('"\ud800')


@pytest.mark.parametrize("name", ["model", "arith_model"])
def test_another_model_is_refused_by_its_name_or_its_fingerprint(name):
    recorded = {"name": "a", "description": "model a", "fingerprint": "1"}
    _check_model(name, recorded, dict(recorded, description="moved", torch="9"))
    words = name.replace("_", " ")
    remedy = f"give the recorded one with --{name.replace('_', '-')}, or start a new run with --save"
    for other, key, old, new in (({"name": "b"}, "name", "a", "b"), ({"fingerprint": "2"}, "fingerprint", "1", "2")):
        with pytest.raises(ArtefactError) as error:
            _check_model(name, recorded, recorded | other)
        assert str(error.value) == (
            f"the run was recorded with another {words}: 'model a' ({key} '{old}'); this one is 'model a'"
            f" ({key} '{new}'); {remedy}"
        )
    with pytest.raises(ArtefactError, match=r"this one is '' \(name 'none'\)"):
        _check_model(name, recorded, {})


def test_what_differs_is_told_but_not_what_identifies_a_model():
    before = {"": {"python": "3.11", "coc": "1"}, "arith_model": {"name": "a", "threads": "1"}}
    now = {
        "": {"python": "3.12", "coc": "1"},
        "arith_model": {"name": "b", "description": "d", "fingerprint": "f", "torch": "2"},
        "model": {"dtype": "float32"},
    }
    assert list(_differences(before, now)) == [
        "the run was recorded with python '3.11', and continues with '3.12'",
        "the run was recorded with threads '1' of the arith model, and continues with 'none'",
        "the run was recorded with torch 'none' of the arith model, and continues with '2'",
        "the run was recorded with dtype 'none' of the model, and continues with 'float32'",
    ]
