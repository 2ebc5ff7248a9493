"""Steps a second of each executor, and of other libraries that run the same weights: one prompt at a time, and 64.

    OMP_NUM_THREADS=1 python tests/benchmarks/rates.py [--domain hanoi --memory tape --arith symbolic --n 12]

transformers and CTranslate2 run models with absolute positions only, such as `hanoi-tape-symbolic`; both are left out
where they are not installed. `--device cuda` runs the executors on a GPU.
"""

import argparse
import re
import time
from contextlib import nullcontext
from importlib.util import find_spec
from itertools import islice
from tempfile import TemporaryDirectory
from threading import Timer

import torch

from coc_core.memories import Reference
from coc_core.models import on_device, read_config
from coc_core.plugin import ExecutorSpec, Registry
from coc_core.setting import Setting, checkpoint_folder
from coc_learn.datasets import teacher_pairs
from coc_transformer.model import load_decoder
from coc_transformer.tokenizer import BOS, EOS, PAD

TOGETHER = 64
GPT2 = {
    "tokens": "wte",
    "positions": "wpe",
    "blocks": "h",
    "norm1": "ln_1",
    "norm2": "ln_2",
    "norm": "ln_f",
    "qkv": "attn.c_attn",
    "out": "attn.c_proj",
    "up": "mlp.c_fc",
    "down": "mlp.c_proj",
}
"""The names of the paper's model in a GPT-2, whose blocks store matrices as (in, out) and have biases, here 0."""


def driven(fresh, executor, model, seconds):
    """How many steps a second an executor takes; what runs then is interrupted."""
    steps, begun = 0, time.perf_counter()
    while (left := begun + seconds - time.perf_counter()) > 0:
        machines = [machine.fork() for machine in fresh]
        timer = Timer(left, lambda some: [each.interrupt() for each in some], [machines])
        timer.start()
        steps += sum(outcome.steps for outcome in executor.run(machines, model))
        timer.cancel()
    return steps / (time.perf_counter() - begun)


def called(complete, prompts, together, seconds):
    """How many prompts a second are completed, so many together."""
    calls, begun = 0, time.perf_counter()
    while time.perf_counter() < begun + seconds:
        start = calls % len(prompts)
        calls += len(complete(prompts[start : start + together]))
    return calls / (time.perf_counter() - begun)


def generated(decoder):
    """The weights in the library transformers: a function of the ids of prompts."""
    import transformers

    config = decoder.config
    ends = {"bos_token_id": BOS, "eos_token_id": EOS, "pad_token_id": PAD}
    sizes = {"n_positions": config.max_len, "n_embd": config.d_model, "n_layer": config.layers, "n_head": config.heads}
    rest = {"vocab_size": config.vocab, "n_inner": config.d_ff, "activation_function": "gelu"}
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes, **rest, **ends)).eval()
    theirs = {}
    for name, tensor in decoder.state_dict().items():
        inner = name.startswith("blocks") and tensor.ndim == 2
        theirs["transformer." + re.sub("[a-z]+[0-9]?", lambda word: GPT2.get(word[0], word[0]), name)] = (
            tensor.T if inner else tensor
        )
    assert not model.load_state_dict(theirs, strict=False).unexpected_keys

    def complete(contexts):
        width = max(map(len, contexts))
        rows = torch.tensor([[PAD] * (width - len(each)) + each for each in contexts])
        room = config.max_len - width
        found = model.generate(rows, attention_mask=rows != PAD, do_sample=False, max_new_tokens=room)
        return [[*row, EOS][: row.index(EOS) + 1] if EOS in row else row for row in found[:, width:].tolist()]

    return complete


def translated(decoder):
    """The weights in CTranslate2, with its tokens named by their ids: a function of the ids of prompts."""
    import ctranslate2

    config, specs = decoder.config, ctranslate2.specs
    state = {name: tensor.numpy() for name, tensor in decoder.state_dict().items()}
    spec = specs.TransformerDecoderModelSpec.from_config(
        config.layers, config.heads, pre_norm=True, activation=specs.Activation.GELU
    )
    top = spec.decoder
    top.scale_embeddings = False
    top.embeddings.weight = top.projection.weight = state["tokens.weight"]
    top.position_encodings.encodings = state["positions.weight"]
    norms, linears = [(top.layer_norm, "norm")], []
    for number, layer in enumerate(top.layer):
        attention, block = layer.self_attention, f"blocks.{number}."
        norms += [(attention.layer_norm, f"{block}norm1"), (layer.ffn.layer_norm, f"{block}norm2")]
        linears += [(attention.linear[0], f"{block}qkv"), (attention.linear[1], f"{block}out")]
        linears += [(layer.ffn.linear_0, f"{block}up"), (layer.ffn.linear_1, f"{block}down")]
    for norm, name in norms:
        norm.gamma, norm.beta = state[f"{name}.weight"], state[f"{name}.bias"]
    for linear, name in linears:
        linear.weight = state[f"{name}.weight"]
        if f"{name}.bias" in state:
            linear.bias = state[f"{name}.bias"]
    spec.register_vocabulary(list(map(str, range(config.vocab))))
    spec.config.bos_token = spec.config.eos_token = spec.config.unk_token = str(EOS)
    spec.validate()
    spec.optimize(quantization=None)
    with TemporaryDirectory() as folder:
        spec.save(folder)
        engine = ctranslate2.Generator(folder, device="cpu", compute_type="float32", intra_threads=1)

    def complete(contexts):
        some = [list(map(str, context)) for context in contexts]
        room = config.max_len - max(map(len, contexts))
        ends = {"end_token": [EOS], "return_end_token": True, "include_prompt_in_result": False}
        return [each.sequences_ids[0] for each in engine.generate_batch(some, max_length=room, **ends)]

    return complete


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("domain", "hanoi"), ("memory", "tape"), ("arith", "symbolic"), ("model", None)):
        parser.add_argument(f"--{name}", default=default)
    parser.add_argument("--device", help="that of the executors, by default the CPU")
    parser.add_argument("--n", type=int, default=12)
    parser.add_argument("--problems", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each row is measured")
    options = parser.parse_args()
    registry, seconds = Registry.installed(), options.seconds
    setting = Setting.of(registry, options.domain, options.memory, options.arith)
    problems = [setting.domain.problem(options.n, seed) for seed in range(options.problems)]
    fresh, dialect = [setting.machine(problem) for problem in problems], setting.convention.dialect
    with on_device(options.device) if options.device else nullcontext():
        model = setting.model(options.model)
        runners = {spec.name: registry.create(ExecutorSpec, spec.name) for spec in registry.specs(ExecutorSpec)}
        print(
            f"{'the loop alone':34}{driven(fresh, runners['cached'], Reference(setting.convention), seconds):>12,.1f}"
        )
        for name, runner in runners.items():
            if name not in ("summary", "vote"):  # the first skips steps, the second draws them
                print(f"{name:34}{driven(fresh, runner, model, seconds):>12,.1f}", flush=True)
    pairs = list(islice(teacher_pairs(setting, problems), 256))
    prompts = [pair.prompt for pair in pairs]
    rows, folder = [("this model", model.complete, prompts)], checkpoint_folder(registry, options.model, dialect)
    if folder is not None:
        identity, config = read_config(folder)
        decoder, tokenizer = load_decoder(folder, config)
        index = identity.dialects.index(dialect)
        if decoder.config.positions == "absolute" and not decoder.config.token_shift:
            contexts = [tokenizer.context_below(decoder.config.max_len, prompt, index) for prompt in prompts]
            for name, make in (("transformers", generated), ("ctranslate2", translated)):
                if find_spec(name):
                    complete = make(decoder)
                    assert list(map(tokenizer.target, complete(contexts[:8]))) == [pair.target for pair in pairs[:8]]
                    rows.append((name, complete, contexts))
    for name, complete, some in rows:
        for together in (1, TOGETHER):
            print(f"{f'{name}, {together} together':34}{called(complete, some, together, seconds):>12,.1f}", flush=True)


if __name__ == "__main__":
    main()
