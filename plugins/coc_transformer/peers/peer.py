"""What another library needs to be the model behind a run."""

from abc import abstractmethod
from collections.abc import Sequence

from coc_core.errors import LimitFault
from coc_core.models import Model
from coc_transformer.tokenizer import TextTokenizer


class Peer(Model):
    """Asks a library for one answer after the other, greedily. Drafts are no use to it.

    `limit` is the model's context in tokens, `dialect` the index of the one to answer in.
    """

    def __init__(self, limit: int, tokenizer: TextTokenizer, dialect: int) -> None:
        super().__init__()
        self._limit = limit
        self._tokenizer = tokenizer
        self._dialect = dialect

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return [self._answer(prompt) for prompt in prompts]

    def _answer(self, prompt: str) -> str:
        context = self._tokenizer.context(prompt, self._dialect)
        room = self._limit - len(context)
        if room <= 0:
            raise LimitFault(f"the prompt has {len(context):,} tokens, and the model's context ends at {self._limit:,}")
        return self._tokenizer.answer(self._follow(context, room))

    @abstractmethod
    def _follow(self, context: list[int], room: int) -> list[int]:
        """The tokens that follow these, at most `room`, up to [EOS] with it."""
