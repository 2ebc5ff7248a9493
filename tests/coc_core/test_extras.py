import pytest

from coc_core.errors import UsageError
from coc_core.extras import needs_extra


def test_what_is_missing_is_named_with_the_command_that_installs_it():
    said = r"a picture needs paint \(No module named 'paint'\)"
    with pytest.raises(UsageError, match=said) as caught, needs_extra("plots", "a picture needs paint"):
        import paint  # noqa: F401
    assert caught.value.remedy == "pip install -c constraints.txt '.[plots]'"


@pytest.mark.parametrize("error", [ModuleNotFoundError("gone", name="coc_core.gone"), ValueError("other")])
def test_a_mistake_of_our_own_stays_one(error):
    with pytest.raises(type(error)) as caught, needs_extra("plots", "a picture needs paint"):
        raise error
    assert caught.value is error
