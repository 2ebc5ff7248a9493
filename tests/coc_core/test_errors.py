import pytest

from coc_core.errors import FAULT_KINDS, CocError, ProtocolFault, StepFault, UsageError


def test_an_error_tells_its_remedy():
    assert str(UsageError("no such thing")) == "no such thing"
    assert str(UsageError("no such thing", remedy="choose another")) == "no such thing; choose another"


def test_each_family_has_an_exit_code_of_its_own():
    codes = [error.exit_code for error in (CocError, *CocError.__subclasses__())]
    assert len(set(codes)) == len(codes)


def test_the_faults_are_those_of_the_design():
    codes = dict.fromkeys(("protocol", "address", "arithmetic", "action"), 1) | {"limit": 6, "loop": 6, "numeric": 7}
    assert {kind: fault.exit_code for kind, fault in FAULT_KINDS.items()} == codes


def test_a_fault_of_another_kind_is_refused():
    own = type("Own", (StepFault,), {"kind": "own"})
    for fault in (StepFault, own):
        with pytest.raises(TypeError, match=f"{fault.__name__} is not a kind of fault; raise one such as NumericFault"):
            fault("too hot")


def test_a_fault_carries_the_text_and_where_in_it():
    fault = ProtocolFault("badly spaced", text="a  b", offset=2)
    assert isinstance(fault, StepFault)
    assert (fault.message, fault.text, fault.offset) == ("badly spaced", "a  b", 2)
    assert str(fault) == "badly spaced"
