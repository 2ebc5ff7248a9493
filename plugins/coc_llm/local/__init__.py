"""Language models in a folder, run in this process by the library transformers. Importing this imports no torch."""

from coc_core.extras import needs_extra
from coc_core.models import Model
from coc_core.setting import Setting


def open_model(setting: Setting, text: str) -> Model:
    """Call `coc_llm.local.model.open_model`; UsageError if torch is missing."""
    with needs_extra("transformers", "models in a folder need the package transformers"):
        from coc_llm.local import model
    return model.open_model(setting, text)
