import numpy as np
import pytest

from coc_core.errors import LimitFault
from coc_core.models import DraftVerifier, Model, Sampler
from tests.support.for_each import for_each
from tests.support.toy_parts import Scripted


def test_model_calls_are_counted_and_drafts_change_nothing():
    model = Scripted("a", "b", "c")
    assert model.complete(["1", "2"]) == ["a", "b"]
    assert model.complete(["3"], drafts=["x"]) == ["c"]
    assert (model.calls, model.describe()) == (3, "scripted")
    plain = Plain(lambda prompts: ["abc"[int(prompt) - 1] for prompt in prompts])  # checks no drafts
    assert plain.verify(["1", "2", "3"], ["a", "x", "c"]) == ["a", "b", "c"]
    assert plain.calls == 3


class Plain(Sampler):
    """Returns what a function makes of the prompts."""

    name = "plain"

    def __init__(self, made):
        self.made = made

    def _complete(self, prompts, drafts):
        return self.made(prompts)

    def _sample(self, prompts, seeds):
        return self.made(prompts)


class PlainVerifier(Plain, DraftVerifier):
    def _verify(self, prompts, drafts):
        return self.made(prompts)


@for_each(
    ("found", "error", "reason"),
    [
        *(([each], TypeError, f"must return texts, not {type(each).__name__}") for each in (None, b"a", 1)),
        *(
            (each, TypeError, f"must return a list of responses, not {type(each).__name__}")
            for each in (None, ("a",), "a", iter("a"), {"1": "a"})
        ),
        *((["a"] * count, ValueError, f"one response for each prompt, not {count} for 1") for count in (0, 3)),
    ],
)
def test_what_is_no_response_to_each_prompt_is_caught(found, error, reason):
    for model, call in (
        (Plain(lambda _: found), lambda model: model.complete(["1"])),
        (Plain(lambda _: found), lambda model: model.sample(["1"], [0])),
        (PlainVerifier(lambda _: found), lambda model: model.verify(["1"], ["a"])),
    ):
        with pytest.raises(error, match=f"{type(model).__name__} must return .*{reason}|{reason}"):
            call(model)
        assert model.calls == 0


def test_there_is_a_draft_or_a_seed_for_each_prompt():
    for verb, what in (("complete", "drafts"), ("verify", "drafts"), ("sample", "seeds")):
        with pytest.raises(ValueError, match=f"1 {what} for 2 prompts"):
            getattr(PlainVerifier(list), verb)(["1", "2"], ["x"])


def test_samples_are_drawn_by_seed_and_counted():
    class Dice(Plain):
        def _sample(self, prompts, seeds):
            return [faces[seed] for seed in seeds]

    faces = ["1", "2", LimitFault("too long")]
    dice = Dice(list)
    assert dice.sample(["p"] * 4, [1, 0, 2, 1]) == [faces[seed] for seed in (1, 0, 2, 1)]
    assert dice.calls == 4


@pytest.mark.parametrize(("base", "name"), [(Model, "complete"), (Scripted, "verify"), (Sampler, "sample")])
def test_what_checks_and_counts_responses_is_final(base, name):
    with pytest.raises(TypeError, match=f"the model Own overrides {name}, which is final; define _{name}"):
        type("Own", (base,), {name: None})


def test_a_constructor_need_not_call_that_of_the_base_class():
    class Own(Model):
        name = "own"

        def __init__(self):
            self.answers = ["a"]

        def _complete(self, prompts, drafts):
            return self.answers

    model = Own()
    assert model.complete(["1"]) == ["a"]
    assert (model.calls, Own().calls) == (1, 0)


def test_the_margin_is_the_smallest_so_far():
    class Leading(Scripted):
        def _complete(self, prompts, drafts):
            self._note_margin(np.float32(prompts[0]))
            return ["a"]

    model = Leading()
    seen = []
    for lead in ("inf", "3", "5", "2.5", "inf"):
        model.complete([lead])
        seen.append(model.margin)
    assert seen == [None, 3.0, 3.0, 2.5, 2.5]
    assert type(model.margin) is float


@pytest.mark.parametrize(("drafts", "given"), [("abc", "abc"), ("abx", "abc"), ("axc", "ab"), ("xbc", "a")])
def test_a_model_may_stop_after_a_wrong_draft(drafts, given):
    model = Scripted("a", "b", "c")
    assert model.verify(["1", "2", "3"], list(drafts)) == list(given)
    assert model.calls == len(model.prompts) == len(given)


@pytest.mark.parametrize("verb", ["complete", "verify"])
def test_an_unbatched_model_gets_one_prompt_at_a_time_and_no_draft(monkeypatch, verb):
    model, asked = Scripted("a", "b"), []
    answer = model._complete

    def complete(prompts, drafts):
        asked.append((list(prompts), drafts))
        return answer(prompts, drafts)

    monkeypatch.setattr(model, "_complete", complete)
    model.unbatched = True
    assert getattr(model, verb)(["1", "2"], ["x", "x"]) == ["a", "b"]
    assert asked == [(["1"], None), (["2"], None)]
    assert model.calls == 2
