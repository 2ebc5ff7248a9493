"""The base of models that another library runs."""

from abc import abstractmethod
from collections.abc import Sequence

from coc_core.models import Model
from coc_transformer.tokenizer import TextTokenizer


class Peer(Model):
    """A model that another library decodes greedily, one prompt after another. It makes no use of drafts.

    Args:
        limit: The length of the model's context in tokens.
        tokenizer: The checkpoint's tokenizer.
        dialect: The index of the dialect that it answers in.
    """

    def __init__(self, limit: int, tokenizer: TextTokenizer, dialect: int) -> None:
        super().__init__()
        self._limit = limit
        self._tokenizer = tokenizer
        self._dialect = dialect

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return [self._target(prompt) for prompt in prompts]

    def _target(self, prompt: str) -> str:
        context = self._tokenizer.context_below(self._limit, prompt, self._dialect)
        return self._tokenizer.target(self._generate(context, self._limit - len(context)))

    @abstractmethod
    def _generate(self, context: list[int], room: int) -> list[int]:
        """The ids that follow these, at most `room`, up to and including [EOS]."""
