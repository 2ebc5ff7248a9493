"""`coc push`: a checkpoint to the Hugging Face Hub."""

import warnings

from attrs import frozen

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.errors import ServiceError, UsageError
from coc_core.extras import needs_extra
from coc_core.models import read_config
from coc_core.options import OUTPUT, Flag, Name, Option, PluginOptions, option
from coc_core.plugin import CheckpointSpec
from coc_core.setting import checkpoint_folder, open_checkpoint, unknown_model
from coc_core.storage import SUMS, check_sums, read_bytes, sha256_of
from coc_core.text import counted, message_of, quoted
from coc_doors.hub.memory import memory_budget


@frozen(kw_only=True, slots=False)
class PushCommand(PluginOptions):
    """What `coc push` takes."""

    checkpoint: str = option(Option("A checkpoint by name or folder.", (), Name("CHECKPOINT")))
    repository: str = option(Option("The repository, made if there is none.", (), Name("OWNER/NAME")))
    private: bool = option(Option("Let nobody else see it.", ("--private",), Flag(), OUTPUT), False)


@command(PushCommand)
def push(options: PushCommand) -> int:
    """Send a checkpoint to the Hugging Face Hub.

    It is opened first. Only the files of a checkpoint are sent, in one commit, with README.md as the model's card.

    Examples:
        coc push hanoi-pda me/hanoi-pda --private
    """
    with needs_extra("hub", "the Hub needs the packages huggingface_hub and httpx2"):
        import httpx2
        from huggingface_hub import CommitOperationAdd, HfApi, constants, get_token

        from coc_doors.hub.fetch import FILE, REPOSITORY
    registry, checkpoint, repository = console.registry(options.plugins), options.checkpoint, options.repository
    if not REPOSITORY.fullmatch(repository):
        raise UsageError(f"{quoted(repository, 80)} is no name of a repository", remedy="write OWNER/NAME")
    folder = checkpoint_folder(registry, checkpoint)
    if folder is None:
        raise unknown_model(checkpoint, [spec.name for spec in registry.specs(CheckpointSpec)])
    for dialect in read_config(folder)[0].dialects:
        open_checkpoint(registry, folder, dialect)
    names = sorted(path.name for path in folder.iterdir() if FILE.fullmatch(path.name))
    files = {name: read_bytes(folder / name, memory_budget(), links=False) for name in names}
    check_sums(folder, {name: sha256_of(data) for name, data in files.items() if name != SUMS})
    try:
        if get_token() is None:
            raise UsageError("the Hub needs to know who you are", remedy="run `hf auth login`, or set HF_TOKEN")
        with console.status(f"sending {checkpoint}"), warnings.catch_warnings(action="ignore"):  # about the card
            api = HfApi(library_name="coc")
            api.create_repo(repository, private=options.private or None, exist_ok=True)
            added = [CommitOperationAdd(name, data) for name, data in files.items()]
            commit = api.create_commit(repository, added, commit_message="Add a checkpoint of coc").oid
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError, KeyError, TypeError) as error:
        raise ServiceError(f"{constants.ENDPOINT} can't be used: {message_of(error)}") from None
    model = f"hub:{repository}@{commit}"
    found = {"repository": repository, "commit": commit, "model": model, "files": names}
    said = f"{repository}: {counted(len(names), 'file')}, commit {commit}"
    console.report(found, said, [f"coc run --model {model}"])
    return 0
