"""Models of transformers as networks: coc trains them, the library opens what was trained, and both answer alike."""

import json

import pytest
import torch
import transformers
from hypothesis import example, given, strategies as st

from coc_check.parts import checks, registry_of
from coc_core.errors import ArtefactError, PluginError, UsageError
from coc_core.models import Pair, call_each
from coc_core.setting import Setting
from coc_problems import closure
from coc_transformer.network import check_network
from coc_transformer.network.causal import CausalArchitecture, from_library, library_settings, to_library
from coc_transformer.network.configuration import PREFIX, configuration
from coc_transformer.tokenizer import NO_TEXT, TextTokenizer
from tests.support.causal_configs import CONFIGS, train, write
from tests.support.conformance import complaints_of
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY

SETTING = Setting.of(REGISTRY, "hanoi", "pda", "symbolic")
PROMPTS = [pair.prompt for pair in closure(SETTING.convention, [SETTING.domain.problem(3)])][:4]
OTHERS = [pytest.param(kind, marks=pytest.mark.slow) for kind in CONFIGS if kind != "qwen2"]


def responses(choice):
    """What a model writes, or has written when it was cut off."""
    found = call_each(SETTING.model(choice), PROMPTS)
    return [each if isinstance(each, str) else each.text for each in found]


def opened(folder):
    model, found = transformers.AutoModelForCausalLM.from_pretrained(folder, output_loading_info=True)
    assert not any(found.values())
    return model.eval()


@pytest.mark.parametrize("kind", ["qwen2", *OTHERS])
def test_a_configuration_is_trained_and_opened_by_the_library(tmp_path, kind):
    report = train(tmp_path / "out", write(tmp_path / "config.json", kind))
    library, model = opened(tmp_path / "out"), SETTING.model(str(tmp_path / "out"))
    assert report.complete
    assert report.parameters == sum(each.numel() for each in library.parameters())
    assert model.record["network"] == f"hf:{kind}"
    reader = transformers.AutoTokenizer.from_pretrained(tmp_path / "out")
    pipeline = transformers.pipeline("text-generation", model=library, tokenizer=reader)
    written = [pipeline(prompt, return_full_text=False)[0]["generated_text"] for prompt in PROMPTS]
    assert written == [each.replace(NO_TEXT, "") for each in responses(str(tmp_path / "out"))]  # of special tokens
    for prompt in PROMPTS:
        ids = reader(prompt)["input_ids"]
        (scores,) = model.score([prompt], ["OUTPUT Move"], 1)
        target = model.encode("OUTPUT Move")
        with torch.no_grad():
            logits = library(torch.tensor([ids + target])).logits[0, len(ids) - 1 : -1].log_softmax(-1)
        expected = [float(logits[place, token]) for place, token in enumerate(target)]
        assert [each.logprob for each in scores] == pytest.approx(expected, abs=1e-4)


def tried(path, kind, **changes):
    """Try a configuration, as `coc train` does before it writes anything."""
    architecture = CausalArchitecture.of(write(path / "config.json", kind, **changes).removeprefix(PREFIX))
    check_network(architecture.name, architecture.config({}, 64, 64))


def test_what_the_library_can_run_and_coc_can_not_is_told(tmp_path):
    with pytest.raises(PluginError, match="the network hf:openai-gpt keeps no cache, so coc can't decode with it"):
        tried(tmp_path, "openai-gpt", **CONFIGS["gpt2"])
    with pytest.raises(PluginError, match="the network hf:olmoe raised RuntimeError: selected index k out of range"):
        tried(tmp_path, "olmoe", **CONFIGS["llama"], num_experts=4)


def test_a_number_that_json_has_not_is_read_again():
    saved = json.loads(configuration({"model_type": "mamba2"}, "it").to_json_string())
    assert saved["time_step_limit"] == [0, {"__float__": "Infinity"}]
    assert configuration(saved, "it").time_step_limit[1] == float("inf")


@pytest.mark.parametrize("kind", ["llama", *OTHERS])
def test_coc_and_the_library_write_the_same(tmp_path, kind):
    train(tmp_path / "out", write(tmp_path / "config.json", kind), steps=20)
    ours, theirs = responses(str(tmp_path / "out")), responses(f"hf:{tmp_path / 'out'},max_tokens=40")
    for one, other in zip(ours, theirs, strict=True):
        assert one.startswith(other[:-1])
        assert other


def test_the_same_configuration_goes_on_from_a_finished_training(tmp_path):
    network = write(tmp_path / "config.json")
    train(tmp_path / "out", network)
    train(tmp_path / "further", network, init=tmp_path / "out")
    with pytest.raises(UsageError, match="has num_hidden_layers 2, and this training 1; give the preset"):
        train(tmp_path / "other", write(tmp_path / "other.json", num_hidden_layers=1), init=tmp_path / "out")


def test_an_implementation_that_a_configuration_names_is_ignored(tmp_path):
    network = write(tmp_path / "config.json", attn_implementation="some/kernel", _experts_implementation="other")
    train(tmp_path / "out", network)
    assert "_implementation" not in (tmp_path / "out" / "config.json").read_text()
    assert responses(str(tmp_path / "out"))


@pytest.mark.slow
def test_a_llama_learns_hanoi_whole_and_is_checked(tmp_path, coc):
    network = "hf:examples/llama.json"
    report = train(tmp_path / "out", network, range(1, 21), steps=600, lr=0.003, batch_size=64, warmup=50)
    assert (report.train_exact, report.train_pairs) == (216, 216)
    registry = registry_of("core", "hanoi", "llm", "numpy", "transformer")
    assert complaints_of(checks(registry, str(tmp_path / "out"))) == {}
    for choice in (tmp_path / "out", f"hf:{tmp_path / 'out'}"):
        done = coc("run", "-d", "hanoi", "-n", 7, "--model", choice, "--json")
        assert json.loads(done.out)["outcome"] == "solved"


TOY = [Pair(f"SUCC n={n} [EOS]", f"PUSH n={n + 1}\nPUSH  n={n}") for n in range(12)]
OURS = TextTokenizer.train(TOY, 99, 2, tokens="digits")


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    folder = tmp_path_factory.mktemp("folder")
    (folder / "tokenizer.json").write_bytes(to_library(OURS))
    (folder / "tokenizer_config.json").write_text(json.dumps(library_settings(64)))
    return transformers.PreTrainedTokenizerFast.from_pretrained(folder)


@given(text=st.text(st.sampled_from("SUCPHn= 0123\n[]EO\u2581ß")))
@example(text="[EOS][BOS] [PAD]")
@example(text="")
def test_every_text_is_read_as_coc_does(reader, text):
    assert reader(text)["input_ids"] == OURS.context(text)
    ids = OURS.encode(text)
    assert reader.decode(ids, skip_special_tokens=True) == OURS.decode(ids).replace(NO_TEXT, "")


def changed(**values):
    return json.dumps({**json.loads(to_library(OURS)), **values}).encode()


@for_each(
    ("data", "reason"),
    [
        (changed(normalizer={"type": "Lowercase"}), "'normalizer' is not one of such a folder"),
        (changed(post_processor=None), "'post_processor' is not one of such a folder: null"),
        (changed(decoder=None), "'decoder' is not one that coc makes"),
        (TextTokenizer.train(TOY, 99, 1, tokens="exact").to_json(), "can't be in such a folder: it rewrites numbers"),
        (TextTokenizer.train(TOY, 99, 1, tokens="digits", dialects=2).to_json(), "can't be in such a folder: "),
    ],
)
def test_another_file_is_refused(data, reason):
    with pytest.raises(ArtefactError, match=reason):
        from_library(data, "tokenizer.json")
    assert from_library(to_library(OURS), "it").to_json() == OURS.to_json()
