import numpy as np
import pytest

from coc_core.errors import LimitFault
from coc_core.models import Model, Sampler
from tests.support.toy_parts import Scripted


def test_model_calls_are_counted():
    model = Scripted("a", "b", "c")
    assert model.complete(["1", "2"]) == ["a", "b"]
    assert model.complete(["3"], drafts=["x"]) == ["c"]
    assert model.calls == 3
    assert model.describe() == "scripted"


@pytest.mark.parametrize("verb", ["complete", "verify"])
def test_there_is_a_draft_for_each_prompt(verb):
    with pytest.raises(ValueError, match="1 drafts for 2 prompts"):
        getattr(Scripted(), verb)(["1", "2"], ["x"])


def test_too_few_targets_are_caught(monkeypatch):
    monkeypatch.setattr(Scripted, "_complete", lambda *_: ["a"])
    with pytest.raises(ValueError, match="Scripted must return one response for each prompt, not 1 for 2"):
        Scripted().complete(["1", "2"])


@pytest.mark.parametrize("answer", [None, b"a", 1])
@pytest.mark.parametrize("verb", ["complete", "verify"])
def test_a_target_that_is_not_a_text_is_caught(answer, verb):
    model = Scripted(answer)
    with pytest.raises(TypeError, match=f"Scripted must return texts, not {type(answer).__name__}"):
        getattr(model, verb)(["1"], ["a"])
    assert model.calls == 0


@pytest.mark.parametrize("answers", [None, ("a",), "a", iter("a"), {"1": "a"}])
def test_what_is_not_a_list_is_caught(monkeypatch, answers):
    monkeypatch.setattr(Scripted, "_complete", lambda *_: answers)
    with pytest.raises(TypeError, match=f"must return a list of responses, not {type(answers).__name__}"):
        Scripted().complete(["1"])


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


def test_a_model_that_checks_no_drafts_completes_all_prompts():
    class Plain(Model):
        name = "plain"

        def _complete(self, prompts, drafts):
            return ["abc"[int(prompt) - 1] for prompt in prompts]

    model = Plain()
    assert model.verify(["1", "2", "3"], ["a", "x", "c"]) == ["a", "b", "c"]
    assert model.calls == 3


@pytest.mark.parametrize(("drafts", "given"), [("abc", "abc"), ("abx", "abc"), ("axc", "ab"), ("xbc", "a")])
def test_a_model_may_stop_after_a_wrong_draft(drafts, given):
    model = Scripted("a", "b", "c")
    assert model.verify(["1", "2", "3"], list(drafts)) == list(given)
    assert model.calls == len(model.prompts) == len(given)


@pytest.mark.parametrize("count", [0, 3])
def test_too_few_or_too_many_verified_targets_are_caught(count):
    model = Scripted()
    model._verify = lambda prompts, drafts: ["a"] * count
    with pytest.raises(ValueError, match=f"Scripted must return one response for each prompt, not {count} for 2"):
        model.verify(["1", "2"], ["a", "a"])


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


class Dice(Sampler):
    name = "dice"

    def __init__(self, *faces):
        super().__init__()
        self.faces = faces

    def _complete(self, prompts, drafts):
        return ["1"] * len(prompts)

    def _sample(self, prompts, seeds):
        return [self.faces[seed] for seed in seeds]


def test_samples_are_drawn_by_seed_and_counted():
    fault = LimitFault("too long")
    dice = Dice("1", "2", fault)
    assert dice.sample(["p", "p", "p", "p"], [1, 0, 2, 1]) == ["2", "1", fault, "2"]
    assert dice.calls == 4


def test_there_is_a_seed_for_each_prompt():
    with pytest.raises(ValueError, match="1 seeds for 2 prompts"):
        Dice("1").sample(["p", "q"], [0])


def test_wrong_samples_are_caught(monkeypatch):
    with pytest.raises(TypeError, match="Dice must return texts, not NoneType"):
        Dice(None).sample(["p"], [0])
    monkeypatch.setattr(Dice, "_sample", lambda *_: ["1"])
    with pytest.raises(ValueError, match="Dice must return one response for each prompt, not 1 for 2"):
        Dice().sample(["p", "q"], [0, 0])
