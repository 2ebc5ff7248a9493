"""CTranslate2, a C++ engine for transformers, as the model of a run. It supports GPT-2, hence the paper's models."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from coc_core.errors import UsageError
from coc_core.extras import needs_extra
from coc_core.models import Identity
from coc_transformer.gpt2 import layout
from coc_transformer.model import Decoder, checkpoint
from coc_transformer.peers.peer import Peer
from coc_transformer.tokenizer import EOS, TextTokenizer


class Translated(Peer):
    """Decoding by the engine's own loop."""

    name = "CTranslate2"

    def __init__(self, generator: Any, limit: int, tokenizer: TextTokenizer, dialect: int) -> None:
        super().__init__(limit, tokenizer, dialect)
        self._generator = generator

    def _generate(self, context: list[int], room: int) -> list[int]:
        (found,) = self._generator.generate_batch(
            [[_name(token) for token in context]],
            max_length=room,
            beam_size=1,
            sampling_topk=1,
            include_prompt_in_result=False,
            end_token=[EOS],
            return_end_token=True,
        )
        return list(found.sequences_ids[0])


def open_translated(folder: Path, config: dict[str, Any], identity: Identity, dialect: str) -> Translated:
    """Open a checkpoint to be run by CTranslate2, in float32 on one thread.

    Raises:
        UsageError: If that library is not installed, or the model is not a GPT-2.
        ArtefactError: If the checkpoint is broken.
    """
    with needs_extra("bench", "timing CTranslate2 needs the library ctranslate2"):
        import ctranslate2  # type: ignore[import-untyped]
    decoder, tokenizer = checkpoint.load(folder, config)
    if reason := layout.obstacle(decoder.config):
        raise UsageError(f"CTranslate2 can't run this model: {reason}")
    with TemporaryDirectory() as converted:
        _spec(ctranslate2, decoder).save(converted)
        generator = ctranslate2.Generator(converted, device="cpu", compute_type="float32", intra_threads=1)
    return Translated(generator, decoder.config.max_len, tokenizer, identity.dialects.index(dialect))


def _spec(ctranslate2: Any, decoder: Decoder) -> Any:
    """The model in the form that the engine's converters use, with its tokens named by their ids."""
    config = decoder.config
    specs = ctranslate2.specs
    spec = specs.TransformerDecoderModelSpec.from_config(
        num_layers=config.layers, num_heads=config.heads, pre_norm=True, activation=specs.Activation.GELU
    )
    top, state = spec.decoder, {name: tensor.numpy() for name, tensor in decoder.state_dict().items()}
    top.scale_embeddings = False
    top.embeddings.weight = state["tokens.weight"]
    top.projection.weight = state["tokens.weight"]
    top.position_encodings.encodings = state["positions.weight"]
    _norm(top.layer_norm, state, "norm")
    for number, layer in enumerate(top.layer):
        block = f"blocks.{number}."
        _norm(layer.self_attention.layer_norm, state, f"{block}norm1")
        layer.self_attention.linear[0].weight = state[f"{block}qkv.weight"]
        layer.self_attention.linear[1].weight = state[f"{block}out.weight"]
        _norm(layer.ffn.layer_norm, state, f"{block}norm2")
        for linear, name in ((layer.ffn.linear_0, "up"), (layer.ffn.linear_1, "down")):
            linear.weight, linear.bias = state[f"{block}{name}.weight"], state[f"{block}{name}.bias"]
    spec.register_vocabulary([_name(token) for token in range(config.vocab)])
    spec.config.bos_token = spec.config.eos_token = spec.config.unk_token = _name(EOS)
    spec.validate()
    spec.optimize(quantization=None)
    return spec


def _norm(spec: Any, state: dict[str, Any], name: str) -> None:
    spec.gamma, spec.beta = state[f"{name}.weight"], state[f"{name}.bias"]


def _name(token: int) -> str:
    """The engine's name of a token."""
    return str(token)
