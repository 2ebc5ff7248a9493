"""The library transformers, imported only when it is used, since it is optional."""

from importlib import import_module
from pathlib import Path
from typing import Any

from coc_core.errors import ArtefactError
from coc_core.extras import needs_extra
from coc_core.storage import read_json
from coc_transformer.quiet import quiet


def library() -> Any:
    """Return the library; UsageError if it is not installed."""
    with needs_extra("transformers", "models in a folder need the package transformers"):
        return import_module("transformers")


def opened(folder: Path, dtype: str) -> tuple[Any, Any]:
    """Return the model, of that type of weights, and the tokenizer in a folder, of which no code is run and no pickle
    read. ArtefactError if the library can't open it or a tensor is missing or misshapen, UsageError without the
    library.
    """
    transformers = library()
    try:
        with quiet(transformers):
            model, found = transformers.AutoModelForCausalLM.from_pretrained(
                folder,
                local_files_only=True,
                use_safetensors=True,
                dtype=dtype,
                output_loading_info=True,
                ignore_mismatched_sizes=True,  # which are told below
            )
            tokenizer = _reader(transformers, folder).from_pretrained(folder, local_files_only=True)
    except Exception as error:  # an OSError among them would be reported as a full disk
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise ArtefactError(f"transformers can't open {folder}: {reason:.200}") from error
    for trouble in ("missing_keys", "mismatched_keys"):
        if found.get(trouble):
            names = str(sorted(found[trouble], key=str))
            raise ArtefactError(f"transformers opens {folder} with {trouble}: {names:.120}")
    return model.eval(), tokenizer


def _reader(transformers: Any, folder: Path) -> Any:
    """Return what reads the tokenizer: `tokenizer.json` as it stands, if the folder says so.

    AutoTokenizer does not believe that of Qwen2 and some others, and splits texts in their way.
    """
    path = folder / "tokenizer_config.json"
    declared = read_json(path).get("tokenizer_class") if path.is_file() else None
    return transformers.PreTrainedTokenizerFast if declared == "PreTrainedTokenizerFast" else transformers.AutoTokenizer
