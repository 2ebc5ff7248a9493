"""The library transformers reads and writes every text as coc's tokenizer does."""

import json

import pytest
import transformers
from hypothesis import example, given, strategies as st

from coc_core.errors import ArtefactError
from coc_core.models import Pair
from coc_transformer.network.causal import from_library, library_settings, to_library
from coc_transformer.tokenizer import NO_TEXT, TextTokenizer
from tests.support.for_each import for_each

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
