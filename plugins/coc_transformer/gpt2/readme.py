"""The README.md of an export: what it is, and a program that runs it."""

import torch

from coc_core.models import Agreement, Pair
from coc_transformer.gpt2.library import transformers


def readme(dialect: str, example: Pair, agreement: Agreement) -> str:
    """The text in Markdown; its program asks for the target of the `example`."""
    return f"""# A GPT-2 for {dialect}

A model of `coc`, written by `coc export`. It reads one prompt of the language `{dialect}` and writes its target:

```python
from transformers import AutoModelForCausalLM, AutoTokenizer

folder = "."
tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModelForCausalLM.from_pretrained(folder)
prompt = {example.prompt!r}
question = tokenizer(prompt, return_tensors="pt")
answer = model.generate(**question)[0, question.input_ids.shape[1] :]
print(tokenizer.decode(answer, skip_special_tokens=True))
```

The right answer to this prompt is

```text
{example.target}
```

The tokenizer puts [BOS] in front of a prompt and the separator, a newline, behind it, so that the prompt alone is
enough. An answer ends with [EOS]; one that the end of the context cuts off is none.

transformers {transformers().__version__} with torch {torch.__version__} has opened it and was compared with coc's model
on {agreement.prompts:,} prompts and their targets, {agreement.tokens:,} tokens: all answers have the same likeliest
tokens, and two logits differ by at most {agreement.difference:.2g}.

`coc import DIR -o CHECKPOINT` makes the checkpoint of this folder again. Its model card is CARD.md.
"""
