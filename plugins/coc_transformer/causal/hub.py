"""A pinned revision on the Hugging Face Hub: the files that transformers needs, and none that is a pickle."""

from pathlib import Path

from coc_core.errors import ArtefactError, ServiceError
from coc_core.extras import needs_extra
from coc_core.models import CONFIG, memory_budget
from coc_core.text import message_of

_PATTERNS = ["*.json", "*.safetensors", "*.jinja"]


def fetched(repository: str, commit: str) -> Path:
    """The folder with the files of a commit, which the Hub's library keeps for the next time.

    Raises:
        ServiceError: The Hub can't be reached, or refuses the request.
        ArtefactError: It has another commit, or more than the memory budget allows.
    """
    with needs_extra("hub", "the Hub needs the packages huggingface_hub and httpx2"):
        from huggingface_hub import HfApi, snapshot_download
    try:
        kept = snapshot_download(repository, revision=commit, allow_patterns=_PATTERNS, local_files_only=True)
        if (Path(kept) / CONFIG).is_file():
            return Path(kept)
    except Exception:  # it was not fetched before
        pass
    try:
        found = HfApi(library_name="coc").model_info(repository, revision=commit, files_metadata=True)
        if found.sha != commit:
            raise ArtefactError(f"{repository} has the commit {found.sha}, not {commit}")
        size = sum(each.size or 0 for each in found.siblings or () if each.rfilename.endswith(".safetensors"))
        if size > memory_budget():
            raise ArtefactError(f"the weights of {repository} have {size:,} bytes, more than the memory budget allows")
        return Path(snapshot_download(repository, revision=commit, allow_patterns=_PATTERNS))
    except ArtefactError:
        raise
    except Exception as error:
        raise ServiceError(f"{repository} can't be fetched from the Hub: {message_of(error):.200}") from None
