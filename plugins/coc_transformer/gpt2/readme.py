"""The README.md of an export: what it is, and a program that runs it."""

import torch

from coc_core.models import Agreement, Pair
from coc_transformer.gpt2.library import transformers


def readme(dialect: str, example: Pair, agreement: Agreement) -> str:
    """The text in Markdown; its program generates the target of the `example`."""
    return f"""# A GPT-2 for {dialect}

A model of `coc`, written by `coc export`. It reads one prompt in the dialect `{dialect}` and writes its target:

```python
from transformers import AutoModelForCausalLM, AutoTokenizer

folder = "."
tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModelForCausalLM.from_pretrained(folder)
prompt = {example.prompt!r}
inputs = tokenizer(prompt, return_tensors="pt")
output = model.generate(**inputs)[0, inputs.input_ids.shape[1] :]
print(tokenizer.decode(output, skip_special_tokens=True))
```

The correct target of this prompt is

```text
{example.target}
```

The tokenizer adds [BOS] before a prompt and the separator, a newline, after it, so pass it the prompt alone. A target
ends with [EOS]; discard one that the end of the context cuts off.

transformers {transformers().__version__} with torch {torch.__version__} opened this folder and was compared with coc's
model on {agreement.prompts:,} prompts and their targets, {agreement.tokens:,} tokens: the likeliest tokens of all
targets are the same, and logits differ by at most {agreement.difference:.2g}.

`coc import DIR -o CHECKPOINT` turns this folder back into the checkpoint. Its model card is CARD.md.
"""
