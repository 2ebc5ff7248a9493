"""What a grammar mends in a weak model: a small chat model is trained on several dialects, and its weights are disturbed.

    python benchmarks/constrained.py --out build/chat-model

Each row has how many responses to single prompts are right, of the wrong form, and of the right form with the wrong
content, without a grammar and with it. The last line is what the masks cost for a token, beside the rest of its time.
"""

import argparse
import time
from itertools import islice
from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import teacher_pairs
from coc_learn.grammar import Grammar
from coc_learn.measure.exactness import Exactness
from coc_llm.masks import Masks
from tests.support.tiny_causal_lms import END, TEMPLATE

SETTINGS = (("hanoi", "pda"), ("maze", "heap"), ("pancake", "heap"), ("blocksworld", "heap"))
DISKS, PAIRS = range(1, 7), 64  # of problems, and of each dialect
CONTEXT, VOCABULARY = 512, 400


def settings():
    """The settings, each with its pairs."""
    for domain, memory in SETTINGS:
        setting = Setting.of(Registry.installed(), domain, memory, "symbolic")
        yield setting, [*islice(teacher_pairs(setting, map(setting.domain.problem, DISKS)), PAIRS)]


def train(folder, pairs, steps):
    """Write a chat model of all dialects."""
    config = transformers.LlamaConfig(
        hidden_size=64,
        intermediate_size=192,
        num_hidden_layers=2,
        num_attention_heads=2,
        vocab_size=VOCABULARY,
        max_position_embeddings=CONTEXT,
        bos_token_id=0,
        eos_token_id=0,
    )
    plain = Tokenizer(models.BPE())
    plain.pre_tokenizer, plain.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=[END], initial_alphabet=alphabet)
    plain.train_from_iterator([text for pair in pairs for text in pair], trainer)
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=plain, eos_token=END)
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    model = transformers.LlamaForCausalLM(config)
    rows = []
    for pair in pairs:
        begin, end = f"<user>{pair.prompt}</s><assistant>", f"{pair.target}</s>"
        shown, written = (tokenizer(text, add_special_tokens=False)["input_ids"] for text in (begin, end))
        rows.append((shown + written, [-100] * len(shown) + written))
    optimizer = torch.optim.AdamW(model.parameters(), 4e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps)
    draw = torch.Generator().manual_seed(0)
    for step in range(steps):
        batch = [rows[index] for index in torch.randint(len(rows), (16,), generator=draw).tolist()]
        longest = max(len(ids) for ids, _ in batch)
        ids = torch.tensor([ids + [0] * (longest - len(ids)) for ids, _ in batch])
        labels = torch.tensor([labels + [-100] * (longest - len(labels)) for _, labels in batch])
        loss = model(input_ids=ids, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 50 == 0 or step == steps - 1:
            print(f"step {step}: loss {loss.item():.4f}", flush=True)
    model.save_pretrained(folder)


def disturb(model, weights, noise):
    """Add noise to each tensor, in units of its standard deviation."""
    draw = torch.Generator().manual_seed(1)
    for name, tensor in model.state_dict().items():
        if tensor.ndim > 1:
            tensor.copy_(weights[name] + noise * weights[name].std() * torch.randn(tensor.shape, generator=draw))


def cells(model, setting, pairs):
    found = Exactness(model, Grammar.of(setting))
    found.run(pairs)
    return found.document()["split"].values()


def show(noise, name, row):
    print(f"{noise:5}  {name:26} {', '.join(f'{number:3}' for number in row)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="the folder of the model; if it exists, it is used")
    parser.add_argument("--steps", type=int, default=400, help="of training")
    parser.add_argument("--pairs", type=int, default=16, help="single prompts of each dialect")
    parser.add_argument("--tokens", type=int, default=100, help="the most of a response")
    parser.add_argument("--noise", type=float, nargs="+", default=[0, 0.2, 0.4])
    options = parser.parse_args()
    chosen = list(settings())
    if not options.out.exists():
        train(options.out, [pair for _, pairs in chosen for pair in pairs], options.steps)
    print("noise, dialect: right, wrong form, wrong content; with a grammar the same")
    begun = spent = tokens = 0.0
    for noise in options.noise:
        total = [0] * 6
        for setting, pairs in chosen:
            row = list[int]()
            for mode in ("off", "on"):
                text = f"{options.out},shots=0,system=no,max_tokens={options.tokens},constrain={mode}"
                model = setting.model(f"hf:{text}")
                weights = {name: tensor.clone() for name, tensor in model._model.state_dict().items()}
                disturb(model._model, weights, noise)
                row += cells(model, setting, pairs[: options.pairs])
            show(noise, setting.convention.dialect, row)
            total = [one + other for one, other in zip(total, row, strict=True)]
        show(noise, "all", total)
    ids, logits = torch.zeros((1, 1), dtype=torch.long), torch.zeros((1, VOCABULARY))
    written = [0, *model._tokenizer(pairs[0].target)["input_ids"]]
    for _ in range(20):
        masks = Masks(model._matcher, 1)
        begun = time.process_time()
        for token in written:
            ids[0, 0] = token
            masks.apply(ids, logits)
        spent, tokens = spent + time.process_time() - begun, tokens + len(written)
    begun = time.process_time()
    with torch.inference_mode():
        for _ in range(20):
            model._model(ids)
    print(f"masks: {spent / tokens * 1e6:.0f} µs a token; the network: {(time.process_time() - begun) / 20 * 1e6:.0f}")


if __name__ == "__main__":
    main()
