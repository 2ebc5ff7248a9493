"""The ledger: nothing is paid for twice, whatever happens, and no more is paid than allowed."""

import json
from collections import Counter
from contextlib import suppress

import pytest

from coc_core.errors import ArtefactError, ServiceError, StorageError
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_llm.choice import Choice
from coc_llm.ledger import Ledger
from coc_llm.vote import Vote, VoteOptions, votes_of
from tests.support.fake_endpoint import completion, endpoint, hang_up, refusal
from tests.support.for_each import for_each

SETTING = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic")
USAGE = {"usage": {"prompt_tokens": 1000, "completion_tokens": 100}}
LINE = b'{"key": "k", "prompt": "p", "text": "t", "reason": null, "input_tokens": 1, "output_tokens": null, "seconds": 0.5, "cost": null}\n'


def opened(fake, path, options=""):
    return SETTING.model(f"openai:m,base_url={fake.url},retries=0,api=completions,ledger={path}{options}")


def policy(body):
    return 200, completion(SETTING.convention.target_for(body["prompt"]), **USAGE), {}


def ledger(path):
    return Ledger(Choice.parse(f"m,ledger={path}"))


def test_a_response_is_paid_for_once(tmp_path):
    with endpoint() as fake:
        model = opened(fake, tmp_path / "l")
        assert model.complete(["p", "q"]) == ["yes", "yes"]
        del model
        again = opened(fake, tmp_path / "l")
        assert again.complete(["q", "p", "r"]) == ["yes"] * 3
        assert again.describe().endswith("; 3 calls, 2 responses from the ledger")
    assert Counter(body["prompt"] for body in fake.bodies) == {"p": 1, "q": 1, "r": 1}


def test_each_response_to_a_prompt_is_used_once(tmp_path):
    texts = iter("abcdef")
    with endpoint(then=lambda _: (200, completion(next(texts)), {})) as fake:
        assert opened(fake, tmp_path / "l", ",concurrency=1").sample(["p"] * 3, [1, 2, 3]) == ["a", "b", "c"]
        assert opened(fake, tmp_path / "l", ",concurrency=1").sample(["p"] * 4, [1, 2, 3, 4]) == ["a", "b", "c", "d"]


def test_another_request_is_another_matter(tmp_path):
    with endpoint() as fake:
        for options in ("", ",max_tokens=5", ",temperature=0.5"):
            opened(fake, tmp_path / "l", options).complete(["p"])
        assert len(fake.bodies) == 3


def test_every_call_is_in_it(tmp_path):
    with endpoint(then=policy) as fake:
        done = opened(fake, tmp_path / "l", ",price_in=2,price_out=10")
        done.complete(["INSTR MOVE d=1 src=1 dst=2"])
    (entry,) = map(json.loads, (tmp_path / "l").read_text().splitlines())
    assert (entry["prompt"], entry["text"]) == ("INSTR MOVE d=1 src=1 dst=2", "OUTPUT Move disk 1 from 1 to 2")
    assert done.describe().endswith("; 1 call, 1,100 tokens, cost 0.0030")
    assert (entry["input_tokens"], entry["output_tokens"], entry["cost"]) == (1000, 100, 0.003)
    assert entry["seconds"] >= 0


def test_a_run_that_breaks_anywhere_goes_on_without_paying_twice(tmp_path):
    """A vote of three at each of nine prompts; the endpoint hangs up at every third call."""
    served = Counter()

    def breaks(body):
        calls.append(body)
        if len(calls) == 3:
            return hang_up
        served[body["prompt"]] += 1
        return policy(body)

    ended, paid = None, -1
    while ended is None:
        assert served.total() > paid  # or it would never end
        calls, paid = [], served.total()
        with endpoint(then=breaks) as fake:
            model = opened(fake, tmp_path / "l", ",concurrency=1")
            model._endpoint.url = "the same address"
            with suppress(ServiceError):
                (ended,) = Vote(VoteOptions(k=3)).run([SETTING.machine(SETTING.domain.problem(3))], model)
            del model
    assert ended.status == "solved"
    assert set(served.values()) == {3}
    assert len(served) == votes_of(ended.report).decisions


# ── what may be spent ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_no_more_calls_are_made_than_allowed(coc, tmp_path):
    with endpoint(then=policy) as fake:
        model = f"openai:m,base_url={fake.url},api=completions,ledger={tmp_path / 'l'}"
        run = ("run", "-d", "hanoi", "-n", 3, "--save", tmp_path / "run", "--model")
        done = coc(*run, f"{model},max_calls=4")
        assert (done.code, len(fake.bodies)) == (8, 4)
        assert done.err == "coc: error: max_calls=4 allows no further call; raise max_calls to go on\n"
        done = coc("run", "--resume", tmp_path / "run", "--model", f"{model},max_calls=100")
        assert done.code == 0, done.err
        assert "9 calls, " in done.out


def test_a_call_that_fails_does_not_count(tmp_path):
    with endpoint((500, refusal("oh"), {}), (400, refusal("too long", param="prompt"), {})) as fake:
        model = opened(fake, tmp_path / "l", ",max_calls=1")
        with pytest.raises(ServiceError, match="status 500"):
            model.complete(["p"])
        (fault,) = model.sample(["p"], [1])
        assert (fault.kind, fault.text) == ("limit", "p")
        assert model.complete(["p"]) == ["yes"]
        with pytest.raises(ServiceError, match="allows no further call"):
            model.complete(["p"])


# ── the file ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kept", [1, 20, len(LINE) - 1])
def test_a_line_that_was_cut_off_is_removed(tmp_path, kept):
    (tmp_path / "l").write_bytes(LINE + LINE[:kept])
    assert ledger(tmp_path / "l").summary() == "1 call, 1 token"
    assert (tmp_path / "l").read_bytes() == LINE
    (tmp_path / "m").write_bytes(LINE[:kept])
    assert ledger(tmp_path / "m").summary() == ""


@for_each(
    "line", [b"{}\n", b"[]\n", b"\n", b"\xff\n", LINE.replace(b'"t"', b"1"), LINE.replace(b'"k"', b'"k", "more": 1')]
)
def test_a_broken_file_is_refused(tmp_path, line):
    (tmp_path / "l").write_bytes(LINE + line + LINE)
    with pytest.raises(ArtefactError, match=r"the ledger .*/l is broken in line 2: "):
        ledger(tmp_path / "l")
    assert (tmp_path / "l").read_bytes() == LINE + line + LINE
    (tmp_path / "l").write_bytes(b"my notes")
    with pytest.raises(ArtefactError, match="l is not a ledger"):
        ledger(tmp_path / "l")
    assert (tmp_path / "l").read_bytes() == b"my notes"


def test_a_second_process_is_refused(tmp_path):
    first = ledger(tmp_path / "l")
    with pytest.raises(StorageError, match="another process writes to the ledger"):
        ledger(tmp_path / "l")
    del first
    ledger(tmp_path / "l")


def test_a_place_that_is_no_file_is_refused(tmp_path):
    with pytest.raises(StorageError, match="is not a regular file"):
        ledger(tmp_path)
    with pytest.raises(StorageError, match="can't write the ledger"):
        ledger(tmp_path / "nowhere" / "l")
    with pytest.raises(StorageError, match="is not a regular file"):
        ledger("/dev/null")


def test_a_full_disk_is_one_line_and_spoils_no_other(tmp_path):
    subject = ledger(tmp_path / "l")
    whole = subject._file

    class Full:
        fileno = whole.fileno

        def write(self, line):
            return whole.write(line[:3])

    subject._file = Full()
    with pytest.raises(StorageError, match=r"can't write the ledger .*: No space left on device"):
        subject.record("k", "p", "t", None, None, 0.1)
    subject._file = whole  # there is room again for the response that another thread has got
    entry = subject.record("k", "p", "t", None, None, 0.1)
    whole.close()
    assert ledger(tmp_path / "l").reuse("k") == entry
