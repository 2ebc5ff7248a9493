"""A line of the file `results.jsonl`, which says how the run of one of the user's problems ended."""

import json
from collections.abc import Mapping
from typing import Any, get_args

from attrs import asdict, fields, frozen

from coc_core.errors import ArtefactError
from coc_core.evaluation.batch.ended import Ended, Failure, Score
from coc_core.storage import parse_json_object
from coc_core.types import Status

_KEYS = {"source", "problem", "score", "failure", "sha256"}


@frozen
class Result:
    """How a run ended, and the SHA-256 of the file with its plan; None if there is no plan."""

    ended: Ended
    sha256: str | None


def result_line(result: Result) -> bytes:
    """The result as a line of JSON. It has no plan."""
    ended = result.ended
    failure = ended.failure and asdict(ended.failure)
    found = {"source": ended.source, "problem": ended.problem, "score": asdict(ended.score), "failure": failure}
    return json.dumps(found | {"sha256": result.sha256}).encode() + b"\n"


def parse_result(line: bytes, where: str) -> Result:
    """The result in a line; ArtefactError, which says where the line is, unless it is one that coc writes."""
    found = parse_json_object(line, where)
    match found:
        case {
            "source": str(source),
            "problem": str(problem),
            "score": dict(score),
            "failure": (dict() | None) as failure,
            "sha256": (str() | None) as sha256,
        } if set(found) == _KEYS and _is_score(score) and (failure is None or _is_failure(failure)):
            ended = Ended(source, problem, Score(**score), None if failure is None else Failure(**failure))
            if (failure is None) == (ended.score.successes == 1) == (sha256 is not None):
                return Result(ended, sha256)
    raise ArtefactError(f"{where} is not a result as coc writes it")


def _is_score(found: Mapping[str, Any]) -> bool:
    """Whether this can be the score of one problem."""
    return (
        set(found) == {field.name for field in fields(Score)}
        and all(type(value) in (int, float) and value >= 0 for value in found.values())
        and all(type(found[name]) is int for name in ("n", "successes", "steps", "actions", "model_calls", "compared"))
        and found["instances"] == 1
        and found["successes"] <= 1
    )


def _is_failure(found: Mapping[str, Any]) -> bool:
    match found:
        case {
            "n": int(),
            "seed": None,
            "problem": str(),
            "status": str(status),
            "step": int(),
            "kind": (str() | None),
            "message": str(),
            "source": str(),
        }:
            return len(found) == len(fields(Failure)) and status in get_args(Status)
    return False
