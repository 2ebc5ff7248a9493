"""Models of known margins: the reference model, or one that errs, as if it were a checkpoint."""

from coc_core.models import StatesMargins, TargetMargin


class Stated(StatesMargins):
    """Writes the targets of a convention, or others where it is told to, with the same margin for each."""

    name = "stated"

    def __init__(self, convention, wrong=None, margin=2.0, bound=1.0):
        super().__init__()
        self.record = {"fingerprint": "0" * 64}
        self._convention, self._wrong, self._margin, self._bound = convention, wrong or {}, margin, bound

    @property
    def assumptions(self):
        return {"arithmetic": "none"}

    def margins(self, pairs, *, bounded):
        for _ in pairs:
            yield TargetMargin(self._margin, self._bound) if bounded else TargetMargin(self._margin)

    def _complete(self, prompts, drafts):
        return [self._wrong.get(prompt) or self._convention.target_for(prompt) for prompt in prompts]
