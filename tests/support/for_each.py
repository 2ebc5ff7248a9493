"""Tests of many small cases: each is called in one test, which names all that fail."""

import functools
import inspect

import pytest


def for_each(names, cases):
    """Call a test with each case, given as for `pytest.mark.parametrize`, and fail with the errors of all that fail.

    Where a test uses `tmp_path` or `monkeypatch`, each case has its own. Other fixtures are shared.
    """
    names = names.split(", ") if isinstance(names, str) else names

    def decorate(test):
        signature = inspect.signature(test)

        @functools.wraps(test)
        def every_case(**fixtures):
            errors, number = [], None
            for number, case in enumerate(cases):
                values = dict(zip(names, case if len(names) > 1 else [case], strict=True))
                with pytest.MonkeyPatch.context() as monkeypatch:
                    try:
                        test(**own(fixtures, monkeypatch, number), **values)
                    except (Exception, pytest.fail.Exception, BaseExceptionGroup) as error:
                        errors += noted(error, ", ".join(f"{name}={value!r:.200}" for name, value in values.items()))
            assert number is not None, "there is no case"
            if errors:
                failing = "; ".join(", ".join(error.__notes__) for error in errors)
                raise BaseExceptionGroup(failing, errors)

        parameters = [each for name, each in signature.parameters.items() if name not in names]
        every_case.__signature__ = signature.replace(parameters=parameters)
        return every_case

    return decorate


def own(fixtures, monkeypatch, number):
    """The fixtures of a test, with a folder and a patch for one of its cases."""
    if "monkeypatch" in fixtures:
        fixtures = {**fixtures, "monkeypatch": monkeypatch}
    if "tmp_path" in fixtures:
        folder = fixtures["tmp_path"] / str(number)
        folder.mkdir()
        fixtures = {**fixtures, "tmp_path": folder}
    return fixtures


def noted(error, case):
    """The errors of a case, which are several where another `for_each` is below."""
    errors = error.exceptions if isinstance(error, BaseExceptionGroup) else [error]
    for each in errors:
        each.add_note(case)
    return errors
