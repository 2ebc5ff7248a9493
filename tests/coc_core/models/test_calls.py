from contextlib import contextmanager, nullcontext

import pytest
from hypothesis import given, strategies as st

from coc_core.errors import LimitFault, NumericFault, PluginError, ServiceError, UsageError
from coc_core.models import ResponseCache, call_each
from coc_core.models.calls import _size, attributing_errors
from tests.support.toy_parts import Scripted

KINDS = [LimitFault, NumericFault]


@given(st.lists(st.sampled_from([None, *KINDS]), min_size=1, max_size=40))
def test_a_fault_of_one_prompt_does_not_affect_the_others(faults):
    prompts = [str(place) for place in range(len(faults))]
    trouble = {prompt: kind(f"not {prompt}") for prompt, kind in zip(prompts, faults, strict=True) if kind}
    model = Scripted(then=lambda prompt: trouble.get(prompt) or f"{prompt}!")
    assert call_each(model, prompts, prompts) == [trouble.get(prompt) or f"{prompt}!" for prompt in prompts]


class Counting(Scripted):
    """Remembers the drafts of its calls, and fails on some prompts."""

    def __init__(self, trouble):
        super().__init__(then=str.upper)
        self.trouble, self.batches = trouble, []

    def _complete(self, prompts, drafts):
        self.batches.append("".join(drafts or ()))
        for prompt in prompts:
            if prompt in self.trouble:
                raise self.trouble[prompt]
        return super()._complete(prompts, None)

    def _verify(self, prompts, drafts):
        return self._complete(prompts, drafts)


def test_each_half_is_called_with_its_own_drafts():
    model = Counting({"d": NumericFault("not d")})
    found = call_each(model, list("abcdefg"), list("ABCDEFG"))
    assert [each if isinstance(each, str) else each.message for each in found] == [*"ABC", "not d", *"EFG"]
    assert model.batches == ["ABCDEFG", "ABC", "DEFG", "DE", "D", "E", "FG"]
    model = Counting({})
    assert call_each(model, list("abc"), list("xyz")) == list("ABC")
    assert model.batches == ["xyz"]
    fault = NumericFault("no")
    assert call_each(Counting({"a": fault}), list("abcd"), list("ABCD"), stop_early=True) == [fault]


@pytest.mark.parametrize("trouble", [NumericFault("no"), UsageError("not today")])
def test_where_only_the_first_matter_the_second_half_is_not_called_again(trouble):
    model = Counting({"c": trouble})
    assert call_each(model, list("abcd"), list("ABCD"), lambda _: nullcontext(), stop_early=True) == list("AB")
    assert model.batches == ["ABCD", "AB"]


@pytest.mark.parametrize(("stop_early", "batches"), [(False, ["ABCD"]), (True, ["ABCD", "A"])])
def test_a_service_that_fails_is_not_called_for_each_half(stop_early, batches):
    model = Counting({"a": ServiceError("no response")})
    with pytest.raises(ServiceError, match="no response"):
        call_each(model, list("abcd"), list("ABCD"), lambda _: nullcontext(), stop_early=stop_early)
    assert model.batches == batches


def test_an_error_is_raised_in_the_call_of_the_prompt_that_causes_it():
    model, entered = Counting({"c": ZeroDivisionError("no zero")}), []

    @contextmanager
    def within(first):
        entered.append(first)
        with attributing_errors(model):
            yield

    with pytest.raises(PluginError, match="no zero"):
        call_each(model, list("abcd"), within=within)
    assert entered == [0, 0, 2, 2]


def test_an_error_of_a_batch_alone_is_raised_all_the_same():
    class Crowded(Counting):
        def _complete(self, prompts, drafts):
            if len(prompts) > 1:
                raise UsageError("too many")
            return super()._complete(prompts, drafts)

    with pytest.raises(UsageError, match="too many"):
        call_each(Crowded({}), list("ab"), within=lambda _: nullcontext())


def test_an_error_that_a_model_may_raise_is_unchanged_and_any_other_names_it():
    for error in (UsageError("not today"), NumericFault("no finite logits"), KeyboardInterrupt()):
        with pytest.raises(type(error)) as found, attributing_errors(Scripted()):
            raise error
        assert found.value is error
    message = "the model 'scripted' raised ZeroDivisionError: no zero"
    with pytest.raises(PluginError, match=message), attributing_errors(Scripted()):
        raise ZeroDivisionError("no zero")


TEXTS = st.sampled_from(["", "a", "b", "cc", "c" * 300, "é", "\N{PANCAKES}" * 9])


@given(st.integers(0, 3_000), st.lists(st.tuples(TEXTS, TEXTS), max_size=40))
def test_the_oldest_responses_are_dropped_first(max_bytes, pairs):
    cache, expected, dropped = ResponseCache(max_bytes), [], False
    for place, (prompt, response) in enumerate(pairs):
        found = next((pair for pair in expected if pair[0] == prompt), None)
        assert cache.get(prompt) == (found and found[1])
        if not found:
            cache.add(prompt, response)
            expected.append((prompt, response))
            while sum(_size(*pair) for pair in expected) > max_bytes:
                expected.pop(0)
        assert list(cache) == [prompt for prompt, _ in expected]
        assert len(cache) == len(expected)
        dropped = dropped or len(expected) < len(dict(pairs[: place + 1]))
        assert cache.complete != dropped
