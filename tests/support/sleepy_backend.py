"""A single-file plugin: a backend whose models have no tokens, take their time, and fail when a prompt says so.

The prompt `sleep 0.5` takes half a second, `fault` is one that no target can be written for, and `raise` is a bug.
"""

import time

from coc_core.errors import LimitFault, NumericFault
from coc_core.models import Model
from coc_core.plugin import ModelSpec, hookimpl


class Sleepy(Model):
    name = "sleepy"

    def _complete(self, prompts, drafts):
        return list(map(self._target, prompts))

    def _target(self, prompt):
        word, _, rest = prompt.partition(" ")
        if word == "sleep":
            time.sleep(float(rest))
        if word == "raise":
            raise RuntimeError("a bug\nin two lines")
        if word == "fault":
            raise NumericFault("the logits are not finite")
        if word == "long":
            raise LimitFault("the prompt is too long")
        return prompt.upper()


@hookimpl
def coc_models():
    return [ModelSpec("sleepy", summary="takes its time", opener="tests.support.sleepy_backend:open_checkpoint")]


def open_checkpoint(folder, config, identity, dialect):
    return Sleepy()


def write_checkpoint(folder, dialects='["toy/stack"]'):
    """A checkpoint of this backend; gives its folder."""
    folder.mkdir()
    folder.joinpath("config.json").write_text(f'{{"backend": "sleepy", "dialects": {dialects}}}', "utf-8")
    return folder
