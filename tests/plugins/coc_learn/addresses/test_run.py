import json
from functools import partial
from pathlib import Path

import pytest

from coc_core.errors import UsageError
from coc_core.plugin import ArithmeticSpec, CheckpointSpec, Plugin, Registry, installed, load
from coc_core.setting import Setting
from coc_learn.addresses.dialect import ADDRESS_DIALECT, AddressReference, address_training_set
from tests.support import fake_plugin
from tests.support.for_each import for_each

LEARNED = ("--memory", "tape", "--arith", "learned")
CHAINS = ("blocksworld", "blocksworld-extended", "blocks", "pancake")


pytestmark = pytest.mark.usefixtures("fakes")


@pytest.fixture
def checkpoint(tmp_path):
    """Makes a checkpoint that knows the sums of addresses up to 127 by heart, some of them wrongly."""

    def make(*dialects, **wrong):
        lines = [("NEXT_ID", f"NEXT_ID+{k}" if k else "NEXT_ID") for k in range(4)] + [("prev", "prev")]
        asked = ["prev=-1 prev", *(f"{name}={v} {text}" for name, text in lines for v in range(128))]
        answers = dict(zip(asked, AddressReference().complete(asked), strict=True))
        answers |= {f"NEXT_ID={name[1:]} NEXT_ID+1": text for name, text in wrong.items()}
        folder = tmp_path / "sums"
        folder.mkdir()
        (folder / "config.json").write_text(
            json.dumps({"backend": "parrot", "dialects": dialects or [ADDRESS_DIALECT]})
        )
        (folder / "answers.json").write_text(json.dumps(dict.fromkeys(dialects or [ADDRESS_DIALECT], answers)))
        return str(folder)

    return make


HANOI = ("run", "--domain", "hanoi", *LEARNED, "--model", "reference", "--n", 5)


def test_a_second_model_does_the_sums(coc, checkpoint):
    folder = checkpoint()
    done = coc(*HANOI, "--arith-model", folder)
    assert (done.code, done.err, "solved  hanoi · n=5 src=1 dst=3 · tape · learned" in done.out) == (0, "", True)
    assert f"calls to the arithmetic model {folder}\n" in done.out


@for_each("domain", ["hanoi", *CHAINS])
@for_each("executor", ["sequential", "cached", "lockstep"])
def test_the_reference_for_sums_is_always_right(coc, domain, executor):
    choice = ("--arith-model", "reference", "--model", "reference", "-x", executor, "--json")
    document = json.loads(coc("run", "-d", domain, *LEARNED, "-n", 6, *choice).out)
    assert (document["outcome"], document["arith"], document["arith_model"]) == ("solved", "learned", "reference")
    assert document["arith_calls"] > 0
    assert document["arith_mistakes"] == []


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ("9", "the arithmetic model wrote 9 for 'NEXT_ID=4 NEXT_ID+1', not 5: wrote to address 9"),
        ("five", "the arithmetic model's response to 'NEXT_ID=4 NEXT_ID+1' is not a number"),
    ],
)
def test_a_fault_of_arithmetic_says_so(coc, checkpoint, response, reason):
    done = coc(*HANOI, "--arith-model", checkpoint(_4=response))
    assert done.code == 1
    assert f"arithmetic fault at step 2: {reason}" in done.out


def test_a_trace_is_that_of_symbolic_arithmetic(coc):
    learned = coc("trace", "-d", "hanoi", *LEARNED, "--arith-model", "reference", "-n", 3)
    assert learned.code == 0
    assert learned.out == coc("trace", "-d", "hanoi", "-m", "tape", "-n", 3).out


def test_a_checkpoint_for_another_dialect_is_refused(refused, checkpoint):
    folder = checkpoint("hanoi/stack")
    line = refused(3, "run", "-d", "hanoi", *LEARNED, "--arith-model", folder)
    assert line.endswith("was trained for hanoi/stack, and this run needs arithmetic\n")


def registry(entry_point, *specs):
    core = load([point for point in installed() if point.name in ("core", "hanoi", "learn")])
    fakes = load([entry_point("fake", "tests.support.fake_plugin")])
    return Registry.of([*core, *fakes, Plugin("guest", "guest", "guest", "1", specs)])


@for_each(
    ("arith", "model", "reason"),
    [
        ("learned", None, "no trained model ships for learned arithmetic; train one with `coc train --p"),
        ("guess", "reference", "unknown model 'reference', and no folder of that name; none is installed"),
    ],
)
def test_without_a_shipped_model_or_a_reference_it_says_what_to_do(entry_point, arith, model, reason):
    guess = ArithmeticSpec("guess", "coc_learn.addresses.learned:Learned", "guesses", dialect="guesses")
    with pytest.raises(UsageError, match=reason):
        Setting.of(registry(entry_point, guess), "hanoi", "tape", arith, arith_model=model)


def test_the_shipped_model_is_the_default(entry_point, checkpoint, monkeypatch):
    folder = checkpoint()
    shipped = CheckpointSpec("sums", "guest:sums", (ADDRESS_DIALECT,), "sums by heart")
    monkeypatch.setattr(Registry, "folder", lambda registry, spec: Path(folder) if spec == shipped else None)
    for choice in (None, "sums"):
        setting = Setting.of(registry(entry_point, shipped), "hanoi", "tape", "learned", arith_model=choice)
        assert setting.arith_model.complete(["prev=-1 prev"]) == ["-1"]
    with pytest.raises(UsageError, match="unknown model 'x', and no folder of that name; choose from reference, sums"):
        Setting.of(registry(entry_point, shipped), "hanoi", "tape", "learned", arith_model="x")


# ── every address ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def check(coc, checkpoint):
    """Checks a model that writes some sums wrongly on addresses."""

    def run(addresses, *more, **wrong):
        folder = checkpoint(**wrong)
        done = coc("eval", "-d", "hanoi", *LEARNED, "--arith-model", folder, "--addresses", addresses, *more)
        return done.code, done.out.replace(folder, "SUMS"), done.err

    return run


def test_every_address_is_checked(check):
    code, out, err = check("0-127")
    assert (code, err) == (0, "")
    assert out.startswith("641 of 641 pairs exact; step error 0 (95% interval 0 – 0.006); smallest logit margin –; ")
    assert "model: SUMS\n  prev=-1: 1 of 1, step error 0 " in out


def test_wrong_targets_are_shown(check):
    code, out, _ = check("0-99", _3="9", _50="[red]", **{f"_{v}": "1" for v in range(60, 70)})
    assert code == 1
    assert "489 of 501 pairs exact" in out
    assert "  by shape: wrong in 2 of " in out
    assert "  prompt 'NEXT_ID=50 NEXT_ID+1'\n  wanted '51'\n  got    '[red]'\n" in out
    assert "and 7 more; --json lists them" in out


def test_the_check_may_be_a_document(check):
    code, out, _ = check("3", "--instances", 1, "--json", _3="9")
    document = json.loads(out)
    found = document["exactness"]
    assert (code, document["model"], document["addresses"], found["pairs"], found["wrong"]) == (1, "SUMS", "3", 6, 1)
    assert [each["name"] for each in found["subsets"]] == [
        "prev=-1",
        "NEXT_ID",
        *(f"NEXT_ID+{k}" for k in "123"),
        "prev",
    ]


# ── training ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def train(coc, tmp_path, monkeypatch):
    monkeypatch.setattr(fake_plugin.ParrotTrainer, "presets", lambda trainer: {"small": "", "arithmetic": ""})
    monkeypatch.setattr("coc_learn.sources.address_training_set", partial(address_training_set, count=1_300))
    return partial(coc, "train", "--model", "parrot", "--preset", "arithmetic", "-o", tmp_path / "new")


def test_sums_are_learned_without_a_domain(train, coc, tmp_path):
    done = train("--holdout", 0)
    assert (done.code, done.err) == (0, "")
    assert "1,300 of 1,300 training pairs" in done.out
    choice = ("--arith-model", tmp_path / "new", "--addresses", "0-99")
    assert coc("eval", "-d", "hanoi", *LEARNED, *choice).code == 0
    assert json.loads((tmp_path / "new" / "config.json").read_text())["dialects"] == ["arithmetic"]
