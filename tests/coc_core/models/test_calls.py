import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys import Scripted

from coc_core.errors import LimitFault, NumericFault, PluginError, UsageError
from coc_core.models import WrongTarget, attributing_errors, call_each, in_halves

KINDS = [LimitFault, NumericFault]


@given(st.lists(st.sampled_from([None, *KINDS]), min_size=1, max_size=40))
def test_a_fault_of_one_prompt_leaves_the_others_their_answers(faults):
    prompts = [str(place) for place in range(len(faults))]
    trouble = {prompt: kind(f"not {prompt}") for prompt, kind in zip(prompts, faults, strict=True) if kind}
    model = Scripted(then=lambda prompt: trouble.get(prompt) or f"{prompt}!")
    assert call_each(model, prompts, prompts) == [trouble.get(prompt) or f"{prompt}!" for prompt in prompts]


def test_each_half_is_asked_with_its_own_drafts():
    asked = []

    def complete(part):
        asked.append((part.start, part.stop))
        if part.start <= 3 < part.stop:
            raise NumericFault("not 3")
        return "abcdefg"[part]

    found = in_halves(7, complete)
    assert [answer if isinstance(answer, str) else answer.message for answer in found] == [*"abc", "not 3", *"efg"]
    assert asked == [(0, 7), (0, 3), (3, 7), (3, 5), (3, 4), (4, 5), (5, 7)]


def test_without_a_fault_all_are_asked_at_once():
    parts = []
    assert in_halves(3, lambda part: parts.append(part) or ("a", "b", "c")) == ["a", "b", "c"]
    assert parts == [slice(0, 3)]


def test_a_wrong_answer_is_recorded_with_its_fault():
    assert WrongTarget.of("1+1", "2", "3") == WrongTarget("1+1", "2", "3", None)
    fault = NumericFault("no finite logits", text="x")
    assert WrongTarget.of("1+1", "2", fault) == WrongTarget("1+1", "2", "x", "no finite logits")


@pytest.mark.parametrize("error", [UsageError("not today"), NumericFault("no finite logits"), KeyboardInterrupt()])
def test_what_a_model_may_raise_comes_out_as_it_is(error):
    with pytest.raises(type(error)) as found, attributing_errors(Scripted()):
        raise error
    assert found.value is error


def test_a_model_that_raises_anything_else_is_named():
    message = "the model 'scripted' raised ZeroDivisionError: no zero"
    with pytest.raises(PluginError, match=message), attributing_errors(Scripted()):
        raise ZeroDivisionError("no zero")
