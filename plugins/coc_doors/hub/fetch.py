"""Models on the Hub. Each commit is kept in a folder of its own, below the Hub's other files on this machine.

Requests have a deadline and a size limit, and no token is sent to other hosts.
"""

import re
import time
from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from typing import Annotated, Any

from attrs import fields_dict, frozen

from coc_core.errors import ArtefactError, ServiceError, UsageError
from coc_core.extras import needs_extra
from coc_core.models import CONFIG, Model
from coc_core.setting import Setting, open_checkpoint
from coc_core.storage import fresh_folder, parse_json_object, read_document, write_files
from coc_core.text import message_of, quoted
from coc_doors.hub.memory import memory_budget

with needs_extra("hub", "the Hub needs the packages huggingface_hub and httpx2"):
    import httpx2
    from huggingface_hub import constants, get_session, get_token

_WAIT = 20  # seconds, for the next bytes


def get(path: str, most: int, deadline: float) -> bytes:
    """Return what the Hub has at a path, by a deadline of `time.monotonic`. ServiceError if it can't be reached or
    refuses the request, ArtefactError if that is more than `most` bytes.
    """
    url, answer = f"{constants.ENDPOINT}/{path}", Future[bytes]()

    def fetch() -> None:
        try:
            answer.set_result(_body(httpx2.URL(url), most, deadline))
        except BaseException as error:
            answer.set_exception(error)

    # The client's timeouts are for one wait each, so a server that sends a byte at a time would reach none.
    Thread(target=fetch, daemon=True).start()
    try:
        return answer.result(deadline - time.monotonic())
    except (TimeoutError, httpx2.TimeoutException):
        raise ServiceError(f"{url} sent no whole answer in time", remedy="try again later") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
        raise ServiceError(f"{url} can't be used: {message_of(error)}") from None


def _body(url: httpx2.URL, most: int, deadline: float) -> bytes:
    """Return the answer, after any redirects, at which the client leaves the token behind."""
    # Not the client's own headers: with these, it downloads a list without a bound to find out who uses it.
    headers, data = {"user-agent": "coc", "accept-encoding": "identity"}, bytearray()
    if not constants.HF_HUB_DISABLE_IMPLICIT_TOKEN and (token := get_token()):
        headers["authorization"] = f"Bearer {token}"
    with get_session().stream("GET", url, headers=headers, follow_redirects=True, timeout=_WAIT) as response:
        status = response.status_code
        if url.scheme == "https" and any(each.url.scheme != "https" for each in (*response.history, response)):
            raise ServiceError(f"{url} redirects to an address without encryption, which is not followed")
        if status != httpx2.codes.OK:
            remedy = "check the name; a private repository needs `hf auth login`" if status in (401, 403, 404) else ""
            raise ServiceError(f"{response.url} answered with status {status}", remedy=remedy)
        for part in response.iter_raw():
            data += part
            if len(data) > most:
                raise ArtefactError(f"{response.url} has more than {most:,} bytes")
            if time.monotonic() > deadline:
                raise TimeoutError
    return bytes(data)


REPOSITORY = re.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
FILE = re.compile(r"README\.md|SHA256SUMS|[A-Za-z0-9][A-Za-z0-9._-]{0,80}\.(json|jsonl|safetensors|digests)")
"""The names of a checkpoint's files. No others are fetched or sent."""

SECONDS = 600
"""How long the Hub may take for a checkpoint."""

_COMMIT = re.compile("[0-9a-f]{40}")
_MOST_FILES = 32
_MOST_LISTING = 1 << 22  # bytes


@frozen
class _Revision:
    """What the Hub tells of a revision: its commit and its files."""

    sha: Annotated[str, _COMMIT]
    siblings: tuple[Mapping[str, Any], ...]


def open_model(setting: Setting, text: str) -> Model:
    """Open the model that `hub:TEXT` chooses; its `choice` names the commit. UsageError if the text is malformed,
    ServiceError if the Hub can't be reached or refuses, ArtefactError for no checkpoint of this setting or another
    commit.
    """
    repository, at, pin = text.partition("@")
    if not REPOSITORY.fullmatch(repository) or (at and not _COMMIT.fullmatch(pin)):
        remedy = "write hub:OWNER/NAME, or hub:OWNER/NAME@COMMIT with the 40 digits of a commit"
        raise UsageError(f"{quoted(text, 80)} is no repository of the Hub", remedy=remedy)
    commit, folder = pin, _folder(repository, pin)
    if not pin or not (folder / CONFIG).is_file():
        deadline = time.monotonic() + SECONDS
        commit, names = _listed(repository, pin, deadline)
        folder = _folder(repository, commit)
        if not (folder / CONFIG).is_file():
            source, files, left = f"{repository}/resolve/{commit}", {}, memory_budget()
            for name in names:
                files[name] = get(f"{source}/{name}", left, deadline)
                left -= len(files[name])
            with fresh_folder(folder, marker=CONFIG) as fresh:
                write_files(fresh, files)
                try:
                    open_checkpoint(setting.registry, fresh, setting.convention.dialect)
                except ArtefactError as error:
                    raise ArtefactError(error.message.replace(str(fresh), source), remedy=error.remedy) from None
    model = open_checkpoint(setting.registry, folder, setting.convention.dialect)
    model.choice = f"hub:{repository}@{commit}"
    return model


def _folder(repository: str, commit: str) -> Path:
    return Path(constants.HF_HOME) / "coc" / repository / commit


def _listed(repository: str, pin: str, deadline: float) -> tuple[str, list[str]]:
    """Return the commit of the repository, and the names of its files that a checkpoint can have."""
    where = f"the Hub's description of {repository}"
    path = f"api/models/{repository}/revision/{pin or constants.DEFAULT_REVISION}"
    document = parse_json_object(get(path, _MOST_LISTING, deadline), where)
    known = {name: document[name] for name in fields_dict(_Revision) if name in document}
    revision = read_document(_Revision, known, where)
    if pin and revision.sha != pin:
        raise ArtefactError(f"{where} is of the commit {revision.sha}, not {pin}")
    found = {str(each.get("rfilename")) for each in revision.siblings}
    names = sorted(name for name in found if FILE.fullmatch(name))
    if CONFIG not in names or len(names) > _MOST_FILES:
        reason = f"more than {_MOST_FILES} files" if CONFIG in names else f"no {CONFIG}"
        raise ArtefactError(f"{repository} is not a checkpoint: it has {reason}")
    return revision.sha, names
