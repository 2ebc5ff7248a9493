"""A causal language model in a folder: prompts as for endpoints, batches that change nothing, whole responses."""

import sys

import pytest

from coc_core.errors import ArtefactError, LimitFault, NumericFault, UsageError
from coc_core.extras import install_command
from coc_core.models import on_device
from coc_core.plugin import Registry
from coc_core.setting import Setting
from tests.support.tiny_causal_lms import END, REFUSING, TEMPLATE, tiny_lm

PROMPTS = ["INSTR MOVE d=1 src=1 dst=3", "INSTR CALL n=12 src=1 dst=3 aux=2", "x"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    top = tmp_path_factory.mktemp("models")
    return {name: tiny_lm(top / name, template) for name, template in (("plain", None), ("chat", TEMPLATE))}


def setting(domain="hanoi", memory="pda"):
    return Setting.of(Registry.installed(), domain, memory, "symbolic")


def opened(folder, options="max_tokens=6"):
    return setting().model(f"hf:{folder},{options}")


def written(responses):
    return [each.text if isinstance(each, LimitFault) else each for each in responses]


def test_a_prompt_is_read_as_it_is_without_a_template(folders):
    model = opened(folders["plain"])
    assert model.text(PROMPTS[0]) == PROMPTS[0]
    assert len(model.tokens(PROMPTS[0])) == len(PROMPTS[0])
    assert model.describe() == f"hf:{folders['plain']},max_tokens=6 (completions)"
    assert model.deterministic


def test_a_template_is_used(folders):
    shown = opened(folders["chat"], "shots=1").text(PROMPTS[0])
    assert shown.startswith("<system>You carry out one step")
    assert shown.endswith(f"</s><user>{PROMPTS[0]}</s><assistant>")
    assert opened(folders["chat"], "chat=no").text(PROMPTS[0]) == PROMPTS[0]
    assert opened(folders["chat"], "shots=1").describe() == f"hf:{folders['chat']},shots=1 (chat, 1 example)"


def test_a_batch_changes_no_response(folders):
    model = opened(folders["plain"], "max_tokens=6,batch=2")
    responses = model.sample(PROMPTS, [1, 2, 3])
    assert written(responses) == [*written(model.sample(PROMPTS[:1], [1])), *written(model.sample(PROMPTS[1:], [2, 3]))]
    assert written(responses) != written(model.sample(PROMPTS, [4, 5, 6]))
    assert written(model._responses(PROMPTS, None)) == [written(model._responses([each], None))[0] for each in PROMPTS]


def test_a_prompt_that_fills_the_context_is_a_fault(tmp_path):
    model = opened(tiny_lm(tmp_path, context=40), "max_tokens=100")
    short, long, longest = model.sample(["x" * 10, "x" * 35, "x" * 40], [0, 0, 0])
    assert longest.message == "the prompt leaves no room in the model's context of 40 tokens"
    assert long.message == "the response was cut off after 5 tokens"
    assert written([short]) == written(model.sample(["x" * 10], [0]))


def test_a_response_ends_where_the_model_or_the_frame_ends_it(folders, monkeypatch):
    import torch

    model = opened(folders["plain"], "shots=1")
    texts = iter([f"PUSH A{END}{END}", f"PUSH B\n\nPROMPT\n{END}"])

    def generate(ids, **options):
        assert options["generation_config"].stop_strings == ["\n\nPROMPT\n"]
        return torch.tensor([[*row, *model._tokenizer(next(texts))["input_ids"]] for row in ids.tolist()])

    monkeypatch.setattr(model._model, "generate", generate)
    assert model.complete(["p"]) + model.complete(["p"]) == ["PUSH A", "PUSH B"]


def test_logits_that_are_no_numbers_are_a_fault(tmp_path):
    tiny_lm(tmp_path, change=lambda model: model.transformer.ln_f.bias.data.fill_(float("nan")))
    with pytest.raises(NumericFault):
        opened(tmp_path).complete(["p"])


def test_the_fingerprint_covers_the_folder_and_the_frame(folders, tmp_path):
    def fingerprint(folder, options="max_tokens=6"):
        return opened(folder, options).record["fingerprint"]

    assert fingerprint(folders["plain"]) == fingerprint(folders["plain"], "max_tokens=6,batch=2,temperature=0.5")
    other = tiny_lm(tmp_path, change=lambda model: model.transformer.ln_f.bias.data.fill_(0.5))
    found = {fingerprint(folders["plain"]), fingerprint(other), fingerprint(folders["plain"], "shots=1")}
    assert len(found) == 3


def test_a_folder_that_is_no_model_is_refused(tmp_path, refused):
    assert f"transformers can't open {tmp_path}" in refused(3, "run", "-d", "hanoi", "--model", f"hf:{tmp_path}")


def test_missing_weights_are_refused(tmp_path):
    from safetensors.torch import load_file, save_file

    path = tiny_lm(tmp_path) / "model.safetensors"
    tensors = load_file(path)
    del tensors["transformer.ln_f.weight"]
    save_file(tensors, path, {"format": "pt"})
    with pytest.raises(ArtefactError, match=r"with missing_keys: .*ln_f"):
        opened(tmp_path)


def test_a_response_needs_an_end(tmp_path):
    def change(model):
        model.generation_config.eos_token_id = None

    assert opened(tiny_lm(tmp_path, change=change))._ends == [0]
    model = opened(tmp_path)
    model._model.generation_config.eos_token_id = model._tokenizer.eos_token = None
    with pytest.raises(ArtefactError, match="which token ends a response"):
        type(model)(model._choice, model._framing, model._model, model._tokenizer)


def test_a_template_may_refuse(tmp_path):
    with pytest.raises(UsageError, match="refuses the prompt: no system role"):
        opened(tiny_lm(tmp_path, REFUSING)).text("p")


def test_a_device_that_is_not_here_is_refused(folders):
    with on_device("cuda:9"), pytest.raises(UsageError, match="this machine can't use device 'cuda:9'"):
        opened(folders["plain"])


def test_without_the_library_one_line_says_what_to_install(folders, monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    monkeypatch.delitem(sys.modules, "coc_llm.folder", raising=False)
    monkeypatch.delattr("coc_llm.folder", raising=False)
    with pytest.raises(UsageError) as found:
        opened(folders["plain"])
    assert found.value.remedy == install_command("transformers")
