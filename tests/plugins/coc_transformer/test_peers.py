"""The same checkpoints in other libraries write the same targets."""

import builtins

import pytest

from coc_bench.benchmark import peers
from coc_core.errors import LimitFault, UsageError
from coc_core.extras import install_command
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import teacher_pairs
from tests.support.random_checkpoints import untrained

pytest.importorskip("transformers")
pytest.importorskip("ctranslate2")

GENERATE, TRANSLATE = "transformers generate", "CTranslate2"


@pytest.fixture(scope="module")
def setting():
    return Setting.of(Registry.installed(), "hanoi", "tape", "symbolic")


@pytest.fixture(scope="module")
def pairs(setting):
    return list(teacher_pairs(setting, [setting.domain.problem(6)]))


@pytest.mark.slow
def test_the_shipped_checkpoint_writes_the_same_targets_everywhere(setting, pairs):
    found = dict(peers(setting))
    assert set(found) == {GENERATE, TRANSLATE}
    for peer in found.values():
        found = peer.complete([pair.prompt for pair in pairs], [""] * len(pairs))
        assert found == [pair.target for pair in pairs]


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"positions": "absolute"}, {GENERATE, TRANSLATE}),
        ({"positions": "structural", "token_shift": 2, "tokens": "exact"}, {GENERATE}),
    ],
)
def test_random_weights_write_the_same_targets_too(setting, pairs, tmp_path, changes, names):
    folder = untrained(tmp_path / "model", [setting.convention.dialect], pairs, **changes)
    ours = setting.model(str(folder))
    found = dict(peers(setting, str(folder)))
    assert {name for name, peer in found.items() if not isinstance(peer, UsageError)} == names
    prompts = [pair.prompt for pair in pairs[:6]]
    expected = ours.complete(prompts)
    for name in names:
        assert found[name].complete(prompts) == [found[name].complete([prompt])[0] for prompt in prompts] == expected
    with pytest.raises(LimitFault, match="context ends at"):
        found[GENERATE].complete([prompts[0] * 40])
    if TRANSLATE in names:
        with pytest.raises(LimitFault, match="context ends at"):
            found[TRANSLATE].complete([prompts[0] * 40])


@pytest.mark.parametrize(
    ("library", "purpose"),
    [
        ("transformers", "timing transformers needs that library"),
        ("ctranslate2", "timing CTranslate2 needs the library ctranslate2"),
    ],
)
def test_a_missing_library_is_a_reason(setting, monkeypatch, library, purpose):
    real = builtins.__import__

    def missing(name, *arguments, **keywords):
        if name == library:
            raise ImportError("gone")
        return real(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", missing)
    reasons = [str(peer) for _, peer in peers(setting) if isinstance(peer, UsageError)]
    assert reasons == [f"{purpose} (gone); {install_command('bench')}"]
