"""One compiled procedure, and the places in it where a step begins."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from attrs import field, frozen, make_class

from coc_core.text import Codec, Form
from coc_programs.analysis import Signature, Typing
from coc_programs.flow import live_variables
from coc_programs.kinds import NOTHING
from coc_programs.language import Procedure
from coc_programs.operations import CallProcedure, Jump, ReadRecord, Return
from coc_programs.syntax.body import Body
from coc_programs.syntax.source import Source
from coc_programs.texts import AT, GOT, WORDS, at_codec, got_codec, result_codec


@cache
def _with_fields(*names: str) -> type[Any]:
    """Return a class with these fields. Places whose instructions have the same share it: it takes long to make."""
    return make_class("Frame", [*names], frozen=True, repr=False)


class Code:
    """One compiled procedure.

    Attributes:
        result: The codec of what it returns.
        places: Where its steps begin, by label.
        tails: The operations that call and leave nothing to do.
    """

    def __init__(self, procedure: Procedure) -> None:
        self.procedure = procedure
        self.source = Source(procedure)
        self.body = Body(self.source)
        self.operations = self.body.operations
        self.names = procedure.function.__globals__

    def analyse(self, signatures: Mapping[Procedure, Signature]) -> None:
        """Find the variables and their kinds, and what an instruction of each place looks like."""
        self.signature = signatures[self.procedure]
        self.result = result_codec(*self.signature.results or (NOTHING,))
        self._live = live_variables(self.body)
        self.typing = Typing(self.body, signatures)
        calls = {at: each for at, each in enumerate(self.operations) if isinstance(each, CallProcedure)}
        self.tails = {at for at, call in calls.items() if self._is_tail(call, at + 1, signatures)}
        self.places = [self._place(label, index, signatures) for label, index in enumerate(self.body.waits)]

    def _is_tail(self, call: CallProcedure, index: int, signatures: Mapping[Procedure, Signature]) -> bool:
        """Return whether nothing is left to do after a call but to return its result, or neither has a result."""
        while isinstance(jump := self.operations[index], Jump):
            index = jump.to
        end = self.operations[index]
        if not isinstance(end, Return):
            return False
        if end.values == (None,):
            return not self.signature.returns and not signatures[call.procedure].returns
        names = [each and self.source.variable(each.node) for each in end.values]
        pairs = zip(self.signature.results, signatures[call.procedure].results, strict=False)
        return (
            call.target is not None
            and names == [*(call.parts or [call.target])]
            and all(one.covers(other) and (other.is_any or not (one.is_any and other.records)) for one, other in pairs)
        )

    def _place(self, label: int, index: int, signatures: Mapping[Procedure, Signature]) -> "Place":
        wait: Any = self.operations[index] if label else None
        shown = {*(self._live[index + 1] if label else self.procedure.parameters)}
        given = dict[str, Codec[Any]]()
        if isinstance(wait, ReadRecord):
            (kind,) = self.typing.of(wait.record.node).records
            given[AT] = at_codec(kind, self.typing.fields(kind, wait.line))
            shown -= {name for name in shown if name.partition(".")[0] == wait.target}
            shown -= {*wait.record.variables} if wait.record.is_variable else set()
        elif isinstance(wait, CallProcedure) and signatures[wait.procedure].returns:
            given[GOT] = got_codec(result_codec(*signatures[wait.procedure].results))
            shown -= {wait.target or "", *wait.parts}
        order = {name: place for place, name in enumerate(self.procedure.parameters)}
        variables = tuple(sorted(shown, key=lambda name: (order.get(name, len(order)), name)))
        fields = {name: f"v{number}" for number, name in enumerate(variables)}
        codecs = {fields[name]: self.typing.kinds[name].codec for name in variables} | given
        name = f"{self.procedure.name}.{label}" if label else self.procedure.name
        frame = type(name.replace(".", "__"), (_with_fields(*codecs),), {})
        words = [f"CALL {name}", *(f"{each}={{{fields[each]}}}" for each in variables)]
        words += [f"{WORDS[each]} {{{each}}}" for each in given]
        form: Form[Any] = Form.of(frame, " ".join(words), **codecs)
        return Place(self, label, name, fields, form, wait.line if label else self.source.tree.lineno)


@frozen(eq=False)
class Place:
    """A place in a procedure where a step begins.

    Attributes:
        label: The number of the operation that waits there, from 1; 0 at the beginning.
        name: The name, such as `search.3`.
        variables: The variables that are still needed, which an instruction shows, each with its field there.
        form: The form of its instructions, which begin a step there.
        line: The line of the source.
    """

    code: Code = field(repr=False)
    label: int
    name: str
    variables: Mapping[str, str]
    form: Form[Any] = field(repr=False)
    line: int

    @property
    def is_used(self) -> bool:
        """Whether a step begins there: not after a call that leaves nothing to do."""
        return self.code.body.waits[self.label] not in self.code.tails

    @property
    def wait(self) -> Any:
        """The operation that the step before ended with; None at the beginning."""
        return self.code.operations[self.code.body.waits[self.label]] if self.label else None

    def frame(self, variables: Mapping[str, Any], **given: Any) -> Any:
        """Return the instruction that goes on there.

        Raises:
            PluginError: A variable has a value that no text is for, such as a number out of range.
        """
        values = {each: variables[name] for name, each in self.variables.items()}
        for name, each in self.variables.items():
            try:
                self.form.codecs[each].format(values[each])
            except ValueError as error:
                raise self.code.source.error(self.line, f"{name!r}: {error}", "change its type hint") from None
        return self.form.record(**values, **given)
