"""Causal language models with random weights, in folders as the library transformers writes them."""

from tokenizers import Tokenizer, decoders, models, pre_tokenizers

TEMPLATE = (
    "{% for each in messages %}<{{ each.role }}>{{ each.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
REFUSING = "{{ raise_exception('no system role') if messages[0].role == 'system' }}" + TEMPLATE
END = "</s>"


def tiny_lm(folder, template=None, context=2048, change=None):
    """Write a model whose tokens are bytes; `change` may spoil its weights. Gives its folder."""
    import torch
    import transformers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    plain = Tokenizer(models.BPE({letter: number for number, letter in enumerate([END, *alphabet])}, []))
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    plain.decoder = decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=plain, eos_token=END)
    tokenizer.chat_template = template
    size = {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": context, "vocab_size": 257}
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = transformers.GPT2LMHeadModel(
            transformers.GPT2Config(**size, bos_token_id=0, eos_token_id=0, initializer_range=0.5)
        )
    if change is not None:
        change(model)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
