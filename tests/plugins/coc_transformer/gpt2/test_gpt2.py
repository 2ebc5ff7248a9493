"""A checkpoint becomes a GPT-2 folder that transformers opens, and comes back byte for byte."""

import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from attrs import evolve
from hypothesis import example, given, strategies as st

from coc_core.errors import ArtefactError, CocError, UsageError
from coc_core.extras import install_command
from coc_core.models import Identity, Pair, read_config
from coc_transformer.decoding.backend import open_checkpoint
from coc_transformer.files import ModelConfig
from coc_transformer.gpt2 import layout, library, tokenizer
from coc_transformer.gpt2.interchange import Gpt2Interchange
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import NO_TEXT, TextTokenizer
from coc_transformer.training.presets import PRESETS
from tests.support.checksums import seal
from tests.support.for_each import for_each
from tests.support.random_checkpoints import CARD, untrained

TOY = [Pair(f"SUCC n={n} [EOS]", f"PUSH n={n + 1}\nPUSH  n={n}") for n in range(12)]
FILES = {
    "CARD.md",
    "README.md",
    "coc.json",
    "config.json",
    "generation_config.json",
    "model.safetensors",
    "tokenizer.json",
    "tokenizer_config.json",
}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return untrained(tmp_path_factory.mktemp("gpt2") / "toy", ["toy/stack"], TOY)


@pytest.fixture(scope="module")
def exported(checkpoint: Path) -> Path:
    out = checkpoint.parent / "exported"
    Gpt2Interchange().exports(checkpoint, "transformers", out, TOY)
    return out


@pytest.fixture
def folder(exported: Path, tmp_path: Path) -> Path:
    """A copy of the export, to be corrupted."""
    return shutil.copytree(exported, tmp_path / "exported")


def export(checkpoint: Path, out: Path) -> None:
    Gpt2Interchange().exports(checkpoint, "transformers", out, TOY)


def test_the_folder_contains_what_transformers_and_an_import_need(exported: Path) -> None:
    assert {path.name for path in exported.iterdir()} == FILES
    assert [path.name for path in exported.parent.iterdir() if path.name.startswith(".")] == []


def test_the_agreement_counts_what_was_compared(checkpoint: Path, tmp_path: Path) -> None:
    agreement = Gpt2Interchange().exports(checkpoint, "transformers", tmp_path / "out", TOY[:3])
    _, config = read_config(checkpoint)
    reader = open_checkpoint(checkpoint, config, Identity("transformer", ("toy/stack",)), "toy/stack")._tokenizer
    assert agreement.prompts == 3
    assert agreement.tokens == sum(len(reader.example(pair)[0]) for pair in TOY[:3])
    assert 0 <= agreement.difference <= 1e-4


def test_an_import_is_the_checkpoint_byte_for_byte(checkpoint: Path, exported: Path, tmp_path: Path) -> None:
    identity = Gpt2Interchange().imports(exported, "transformers", tmp_path / "back")
    assert identity == Identity("transformer", ("toy/stack",))
    assert {path.name for path in checkpoint.iterdir()} == {path.name for path in (tmp_path / "back").iterdir()}
    for path in checkpoint.iterdir():
        assert (tmp_path / "back" / path.name).read_bytes() == path.read_bytes()
    assert (exported / "CARD.md").read_text("utf-8") == CARD


def test_what_another_version_noted_of_the_training_comes_back_as_it_was(checkpoint: Path, tmp_path: Path) -> None:
    older = shutil.copytree(checkpoint, tmp_path / "older")
    config = json.loads((older / "config.json").read_text("utf-8"))
    del config["training"]["lr"]
    config["training"]["colour"] = "green"
    (older / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    seal(older)
    export(older, tmp_path / "exported")
    Gpt2Interchange().imports(tmp_path / "exported", "transformers", tmp_path / "back")
    assert (tmp_path / "back" / "config.json").read_bytes() == (older / "config.json").read_bytes()


def test_a_folder_from_git_is_imported_and_the_dialect_may_be_named(folder: Path, tmp_path: Path) -> None:
    (folder / ".gitattributes").touch()
    Gpt2Interchange().imports(folder, "transformers", tmp_path / "back", "toy/stack")
    with pytest.raises(UsageError, match="is for 'toy/stack', not hanoi/stack"):
        Gpt2Interchange().imports(folder, "transformers", tmp_path / "other", "hanoi/stack")


def test_the_trained_sizes_survive(checkpoint: Path, tmp_path: Path) -> None:
    sized = shutil.copytree(checkpoint, tmp_path / "sized")
    config = json.loads((sized / "config.json").read_text("utf-8"))
    identity = {"backend": config.pop("backend"), "dialects": config.pop("dialects"), "sizes": {"toy/stack": [0, 11]}}
    (sized / "config.json").write_text(json.dumps(identity | config, indent=2) + "\n")
    seal(sized)
    export(sized, tmp_path / "exported")
    found = Gpt2Interchange().imports(tmp_path / "exported", "transformers", tmp_path / "back")
    assert found == Identity("transformer", ("toy/stack",), {"toy/stack": range(12)})
    for path in sized.iterdir():
        assert (tmp_path / "back" / path.name).read_bytes() == path.read_bytes()


def test_transformers_generates_what_coc_does(checkpoint: Path, exported: Path) -> None:
    ours = open_checkpoint(checkpoint, read_config(checkpoint)[1], Identity("transformer", ("toy/stack",)), "toy/stack")
    with library.quiet(transformers):
        model = transformers.AutoModelForCausalLM.from_pretrained(exported)
        reader = transformers.AutoTokenizer.from_pretrained(exported)
    prompts = [pair.prompt for pair in TOY]
    inputs = reader(prompts, return_tensors="pt", padding=True)
    outputs = model.generate(**inputs)[:, inputs.input_ids.shape[1] :]
    texts = reader.batch_decode(outputs, skip_special_tokens=True)
    for text, expected in zip(texts, ours.complete(prompts), strict=True):
        shorter = expected.replace(NO_TEXT, "")  # what was cut off, or has no text
        assert text[:20] == shorter[:20] != ""


@pytest.fixture(scope="module")
def reader(exported: Path) -> Any:
    return transformers.AutoTokenizer.from_pretrained(exported)


@pytest.fixture(scope="module")
def ours(checkpoint: Path) -> TextTokenizer:
    data = (checkpoint / "tokenizer.json").read_bytes()
    return TextTokenizer.from_json(data, "it")


@given(text=st.text(st.sampled_from("SUCPHn= 0123\n[]EO\u2581ß")))
@example(text="[EOS][BOS] [PAD]")
@example(text="")
def test_transformers_reads_every_text_as_coc_does(reader: Any, ours: TextTokenizer, text: str) -> None:
    assert reader(text)["input_ids"] == ours.context(text)
    ids = ours.encode(text)
    assert reader.decode(ids, skip_special_tokens=True) == ours.decode(ids).replace(NO_TEXT, "")


@given(
    layers=st.integers(1, 3),
    heads=st.integers(1, 3),
    width=st.integers(2, 5),
    d_ff=st.integers(4, 9),
    seed=st.integers(0, 9),
)
def test_the_layout_loses_nothing(layers: int, heads: int, width: int, d_ff: int, seed: int) -> None:
    config = evolve(
        PRESETS["paper"].model,
        vocab=9,
        d_model=4 * width * heads,
        layers=layers,
        heads=heads,
        d_ff=d_ff,
        max_len=7,
    )
    random = torch.Generator().manual_seed(seed)
    state = {name: torch.randn(tensor.shape, generator=random) for name, tensor in Decoder(config).state_dict().items()}
    tensors = layout.to_gpt2(state, config)
    back = layout.from_gpt2(tensors, config, "it")
    assert back.keys() == state.keys()
    assert all(torch.equal(back[name], state[name]) for name in state)


@pytest.mark.slow
def test_the_papers_model_becomes_a_gpt2(tmp_path: Path) -> None:
    words = [Pair(f"{chr(97 + a)}{chr(97 + b)}", "yes") for a in range(26) for b in range(26)]
    checkpoint = untrained(
        tmp_path / "paper",
        ["toy/stack"],
        2 * words,
        tokens="merged",
        preset="paper",
        d_model=384,
        layers=6,
        heads=6,
        d_ff=1536,
    )
    export_ = tmp_path / "out"
    Gpt2Interchange().exports(checkpoint, "transformers", export_, words[:2])
    model = transformers.GPT2LMHeadModel(transformers.AutoConfig.from_pretrained(export_))
    zeros = 6 * (3 * 384 + 384)
    assert model.num_parameters() - zeros == 10_802_688
    Gpt2Interchange().imports(export_, "transformers", tmp_path / "back")
    assert (tmp_path / "back/model.safetensors").read_bytes() == (checkpoint / "model.safetensors").read_bytes()


@for_each(
    ("dialects", "changes", "reason"),
    [
        (["a/b"], {"positions": "structural"}, "its positions are structural, and GPT-2 has only absolute ones"),
        (["a/b"], {"token_shift": 2}, "it has a token shift of 2"),
        (["a/b"], {"log_scaling": True}, "its attention gets sharper with the length"),
        (["a/b"], {"tokens": "exact"}, "its tokens are of the kind 'exact', 'binary' or 'brackets'"),
        (["a/b"], {"tokens": "binary"}, "its tokens are of the kind 'exact', 'binary' or 'brackets'"),
        (["a/b", "c/d"], {}, "it has 2 dialects"),
    ],
)
def test_a_model_that_gpt2_cannot_express_is_refused(
    tmp_path: Path, dialects: list[str], changes: Any, reason: str
) -> None:
    checkpoint = untrained(tmp_path / "other", dialects, TOY, **changes)
    with pytest.raises(UsageError, match=f"can't become a GPT-2: {reason}"):
        export(checkpoint, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


def test_a_config_that_lists_more_dialects_than_the_tokenizer_has_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    broken = shutil.copytree(checkpoint, tmp_path / "broken")
    values = json.loads((broken / "config.json").read_text("utf-8"))
    (broken / "config.json").write_text(json.dumps({**values, "dialects": ["a/b", "c/d"]}))
    seal(broken)
    with pytest.raises(ArtefactError, match="lists 2 dialects, and its tokenizer has one"):
        export(broken, tmp_path / "out")


def test_without_transformers_nothing_is_written(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(UsageError, match=re.escape(install_command("transformers"))):
        export(checkpoint, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_earlier_export_is_replaced_and_nothing_else(checkpoint: Path, folder: Path, tmp_path: Path) -> None:
    (folder / "README.md").write_text("old")
    export(checkpoint, folder)
    assert "GPT-2 for toy/stack" in (folder / "README.md").read_text("utf-8")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.json").touch()
    with pytest.raises(UsageError, match="already exists and is not an export"):
        export(checkpoint, tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["config.json"]


def replaced(module: Any, name: str, change: Callable[[Any], Any]) -> Callable[[pytest.MonkeyPatch], None]:
    """A mistake in our code: a function whose result is not what it should be."""
    real = getattr(module, name)
    return lambda monkeypatch: monkeypatch.setattr(module, name, lambda *given: change(real(*given)))


def without(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda values: {key: value for key, value in values.items() if key != name}


def with_file(change: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    def apply(data: bytes) -> bytes:
        values = json.loads(data)
        change(values)
        return json.dumps(values).encode()

    return apply


SQUARE = "transformer.h.1.attn.c_proj.weight"
MISTAKES: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "the square matrix not transposed": (
        replaced(layout, "to_gpt2", lambda it: {**it, SQUARE: it[SQUARE].T.copy()}),
        "gives different logits from coc",
    ),
    "a bias that is not zero": (
        replaced(layout, "to_gpt2", lambda it: {**it, "transformer.h.0.attn.c_proj.bias": torch.linspace(0, 0.1, 32)}),
        "gives different logits from coc",
    ),
    "a tensor that is lacking": (
        replaced(layout, "to_gpt2", without("transformer.h.0.ln_1.bias")),
        r"with missing_keys: \['transformer.h.0.ln_1.bias'\]",
    ),
    "a tensor of another name": (
        replaced(layout, "to_gpt2", lambda it: {**it, "transformer.other": torch.zeros(3)}),
        "with unexpected_keys",
    ),
    "the approximate GELU": (
        replaced(layout, "settings", lambda it: {**it, "activation_function": "gelu_new"}),
        "they differ by .*, and 1e-04 is allowed",
    ),
    "another epsilon": (
        replaced(layout, "settings", lambda it: {**it, "layer_norm_epsilon": 1e-3}),
        "gives different logits from coc",
    ),
    "no config that transformers knows": (
        replaced(layout, "settings", lambda it: {**it, "model_type": "coc"}),
        "transformers can't open the export: ValueError",
    ),
    "numbers that are not a number": (
        replaced(layout, "to_gpt2", lambda it: {**it, SQUARE: it[SQUARE] * float("nan")}),
        "they differ by nan",
    ),
    "no separator": (
        replaced(tokenizer, "to_file", with_file(lambda it: it["post_processor"]["single"].pop())),
        "reads different tokens from coc in the prompt 'SUCC n=0 ",
    ),
    "another decoder": (
        replaced(tokenizer, "to_file", with_file(lambda it: it.update(decoder={"type": "Fuse"}))),
        "writes a different text from coc for the target 'PUSH n=1",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_export_is_found_and_leaves_nothing_behind(
    checkpoint: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mistake: str
) -> None:
    apply, reason = MISTAKES[mistake]
    apply(monkeypatch)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for out in (tmp_path / "new", folder):
        with pytest.raises(ArtefactError, match=reason) as caught:
            export(checkpoint, out)
        assert "\n" not in str(caught.value)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["exported"]


def test_a_model_for_which_every_prompt_is_too_long_is_refused(tmp_path: Path) -> None:
    checkpoint = untrained(tmp_path / "short", ["toy/stack"], TOY, max_len=8)
    with pytest.raises(ArtefactError, match="reads at most 8 tokens"):
        export(checkpoint, tmp_path / "out")


def test_the_library_is_as_loud_afterwards_as_before() -> None:
    log = transformers.utils.logging
    level = log.get_verbosity()
    for switch in (log.disable_progress_bar, log.enable_progress_bar):
        switch()
        enabled = log.is_progress_bar_enabled()
        with library.quiet(transformers):
            assert not log.is_progress_bar_enabled()
        assert (log.get_verbosity(), log.is_progress_bar_enabled()) == (level, enabled)


def edit(name: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Path], object]:
    def apply(folder: Path) -> None:
        values = json.loads((folder / name).read_text("utf-8"))
        change(values)
        (folder / name).write_text(json.dumps(values))

    return apply


def weights(change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    path = "model.safetensors"
    return lambda folder: (folder / path).write_bytes(change((folder / path).read_bytes()))


def bias_of_one(data: bytes) -> bytes:
    end = 8 + int.from_bytes(data[:8], "little")
    begin = end + json.loads(data[8:end])["transformer.h.1.attn.c_attn.bias"]["data_offsets"][0]
    return data[:begin] + b"\0\0\x80\x3f" + data[begin + 4 :]


def linked(folder: Path) -> None:
    (folder / "CARD.md").rename(folder.parent / "elsewhere")
    (folder / "CARD.md").symlink_to(folder.parent / "elsewhere")


def piped(folder: Path) -> None:
    (folder / "CARD.md").unlink()
    os.mkfifo(folder / "CARD.md")


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no folder": (shutil.rmtree, "is not an export: No such file"),
    "no export": (lambda folder: [path.unlink() for path in folder.iterdir()], "can't read .*coc.json: No such file"),
    "a pickle": (
        lambda folder: (folder / "pytorch_model.bin").touch(),
        "contains 'pytorch_model.bin', which is not part of",
    ),
    "a program": (lambda folder: (folder / "modeling.py").touch(), "contains 'modeling.py'"),
    "a link": (linked, "contains 'CARD.md', which is not part of an export"),
    "a pipe": (piped, "contains 'CARD.md', which is not part of an export"),
    "no card": (lambda folder: (folder / "CARD.md").unlink(), "can't read .*CARD.md: No such file"),
    "a huge card": (
        lambda folder: (folder / "CARD.md").write_bytes(bytes(2 << 20)),
        "CARD.md: it has .* bytes, and at most 1,048,576 are allowed",
    ),
    "record no JSON": (lambda folder: (folder / "coc.json").write_text("{"), "coc.json is not strict JSON"),
    "record lacks a key": (
        edit("coc.json", lambda it: it.pop("training")),
        "must have the keys 'dialect', 'model' and 'training'",
    ),
    "record has one more": (edit("coc.json", lambda it: it.update(more=1)), "must have the keys 'dialect', 'model'"),
    "sizes of nothing": (
        edit("coc.json", lambda it: it.update(sizes={"toy/stack": 3})),
        "not a first and a last",
    ),
    "a dialect that is not text": (edit("coc.json", lambda it: it.update(dialect=3)), "is 3, not a text"),
    "a training of lists": (edit("coc.json", lambda it: it["training"].update(lr=[1])), "'lr' must be a plain value"),
    "an absurd size": (edit("coc.json", lambda it: it["model"].update(d_model=10**9)), "'d_model' must be <="),
    "another kind": (
        edit("coc.json", lambda it: it["model"].update(positions="structural")),
        "does not describe a GPT-2: its pos",
    ),
    "other sizes": (edit("coc.json", lambda it: it["model"].update(layers=3)), "'n_layer' must be 3 for the model in"),
    "remote code": (
        edit("config.json", lambda it: it.update(auto_map={"AutoModel": "x.Y"})),
        "has the key 'auto_map', which no export has",
    ),
    "config lacks a key": (edit("config.json", lambda it: it.pop("n_head")), "'n_head' must be 2"),
    "another GELU": (edit("config.json", lambda it: it.update(activation_function="gelu_new")), 'must be "gelu"'),
    "untied": (
        edit("config.json", lambda it: it.update(tie_word_embeddings=False)),
        "'tie_word_embeddings' must be true",
    ),
    "another normalizer": (
        edit("tokenizer.json", lambda it: it.update(normalizer={"type": "Lowercase"})),
        "'normalizer' is not one that an export has",
    ),
    "no post-processor": (
        edit("tokenizer.json", lambda it: it.pop("post_processor")),
        "'post_processor' is not one that an export has: null",
    ),
    "a separator of another id": (
        edit("tokenizer.json", lambda it: it["post_processor"]["special_tokens"]["\n"].update(ids=[9])),
        "'post_processor' is not one that an export has",
    ),
    "a stranger's tokenizer": (
        edit("tokenizer.json", lambda it: it.update(decoder=None)),
        "'decoder' are not of a kind",
    ),
    "an exact tokenizer": (
        lambda folder: (folder / "tokenizer.json").write_bytes(
            TextTokenizer.train(TOY, 99, 1, tokens="exact").to_json()
        ),
        "can't come from an export: its tokens",
    ),
    "a huge tokenizer": (
        lambda folder: (folder / "tokenizer.json").write_bytes(bytes((16 << 20) + 1)),
        "tokenizer.json: it has .* bytes, and at most",
    ),
    "another vocabulary": (
        lambda folder: (folder / "tokenizer.json").write_bytes(
            tokenizer.to_file(TextTokenizer.train(TOY[:2], 99, 2, tokens="digits"))
        ),
        "tokens, and coc.json says 'vocab' is",
    ),
    "weights in another format": (weights(lambda data: b"\x80" * 99), "not a safetensors file but a pickle"),
    "weights are cut": (weights(lambda data: data[:-1]), "bytes of tensors where its header names"),
    "weights too large": (
        weights(lambda data: data + bytes(4 << 20)),
        "model.safetensors: it has .* bytes, and at most",
    ),
    "weights of another name": (weights(lambda data: data.replace(b"ln_f.bias", b"ln_f.bios")), "lacks the tensor"),
    "weights are infinite": (weights(lambda data: data[:-4] + b"\0\0\x80\x7f"), "not finite"),
    "a bias that we lack": (weights(bias_of_one), r"the bias 'transformer.h.1.attn.c_attn.bias' is not zero"),
}


@for_each("name", FAULTS)
def test_a_folder_that_no_export_wrote_is_rejected(exported: Path, tmp_path: Path, name: str) -> None:
    folder, (corrupt, fault) = shutil.copytree(exported, tmp_path / "exported"), FAULTS[name]
    corrupt(folder)
    with pytest.raises(ArtefactError, match=fault) as caught:
        Gpt2Interchange().imports(folder, "transformers", tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert str(folder) in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_an_import_replaces_a_checkpoint_and_nothing_else(exported: Path, checkpoint: Path, tmp_path: Path) -> None:
    old = shutil.copytree(checkpoint, tmp_path / "old")
    (old / "README.md").write_text("old")
    Gpt2Interchange().imports(exported, "transformers", old)
    assert (old / "README.md").read_text("utf-8") == CARD
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").touch()
    with pytest.raises(UsageError, match="is not a checkpoint"):
        Gpt2Interchange().imports(exported, "transformers", tmp_path / "mine")


def test_an_unknown_format_is_refused(checkpoint: Path, exported: Path, tmp_path: Path) -> None:
    for call in (
        lambda: Gpt2Interchange().exports(checkpoint, "onnx", tmp_path / "out", TOY),
        lambda: Gpt2Interchange().imports(exported, "onnx", tmp_path / "out"),
    ):
        with pytest.raises(CocError, match="unknown format 'onnx'; choose from transformers"):
            call()


def test_every_setting_of_the_model_is_in_the_config() -> None:
    assert ModelConfig.__attrs_attrs__
    settings = layout.settings(PRESETS["paper"].model)
    assert (settings["vocab_size"], settings["n_positions"], settings["n_embd"]) == (300, 128, 384)
    assert (settings["n_layer"], settings["n_head"], settings["n_inner"]) == (6, 6, 1536)
    assert (settings["bos_token_id"], settings["eos_token_id"], settings["pad_token_id"]) == (1, 2, 0)
