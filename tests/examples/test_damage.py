"""A damaged certificate, or one of a damaged checkpoint, is refused, or states what it stated before."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from tests.support import damage
from tests.support.bare_python import run_here
from tests.support.damage import Wrong

ROOT = Path(__file__).parents[2]
CHECKPOINT = ROOT / "plugins/coc_puzzles/hanoi/checkpoints/pda"
WEIGHED = ("config.json", "tokenizer.json", "model.safetensors")  # in the order of the fingerprint


class Certificates(damage.Kind):
    """A certificate and its checkpoint; after most edits of the checkpoint, the certificate has its fingerprint."""

    def make(self, folder):
        path = folder / "certificate"
        assert damage.coc("certify", "-d", "hanoi", "-m", "pda", "-n", "1-2", "-o", path) is not None
        yield (
            "hanoi",
            {"certificate": path.read_bytes(), **{name: (CHECKPOINT / name).read_bytes() for name in WEIGHED}},
        )

    def put(self, path, name, data, sealed):
        (path / name).write_bytes(data)
        if sealed and name != "certificate":
            digests = b"".join(sha256((path / each).read_bytes()).digest() for each in WEIGHED)
            document = json.loads((path / "certificate").read_bytes())
            (path / "certificate").write_text(json.dumps(document | {"fingerprint": sha256(digests).hexdigest()}))

    def use(self, folder, genuine):
        code, said = run_here([ROOT / "examples/check_certificate.py", folder / "a/certificate", folder / "a"])
        if code:
            if code != 1 or not said.startswith("refused: ") or said.count("\n"):
                raise Wrong(f"it ended with {code}: {said}")
            return {"checker": None}
        problems = json.loads((folder / "a/certificate").read_bytes())["problems"]
        return {"checker": {(each["problem"], each["steps"], each["actions"]) for each in problems}}

    def is_less(self, uses, genuine):
        return uses["checker"] < genuine.uses["checker"]

    def check(self, folder, uses, genuine):
        if not self.is_less(uses, genuine):
            raise Wrong(f"it is accepted for {uses['checker']}")


@pytest.mark.slow
def test_no_damaged_certificate_is_believed(tmp_path):
    verdicts, wrong = damage.survey(Certificates(), tmp_path, 25)
    assert wrong == [], "\n".join(wrong)
    assert "refused" in verdicts
