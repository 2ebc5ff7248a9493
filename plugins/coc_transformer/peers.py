"""The same checkpoints run by other libraries, to compare speeds and targets."""

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from coc_core.errors import UsageError
from coc_core.extras import needs_extra
from coc_core.models import Identity, Model
from coc_transformer.gpt2 import layout
from coc_transformer.model import Decoder, Reader, load_decoder
from coc_transformer.tokenizer import BOS, EOS, PAD, TextTokenizer


class Peer(Model):
    """A model that another library decodes greedily. It makes no use of drafts.

    Args:
        limit: The length of the model's context in tokens.
        tokenizer: The checkpoint's tokenizer.
        dialect: The index of the dialect that it answers in.
    """

    def __init__(self, limit: int, tokenizer: TextTokenizer, dialect: int) -> None:
        super().__init__()
        self._limit = limit
        self._tokenizer = tokenizer
        self._dialect = dialect

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        contexts = [self._tokenizer.context_below(self._limit, prompt, self._dialect) for prompt in prompts]
        targets = self._generate(contexts, self._limit - max(map(len, contexts)))
        for context, target in zip(contexts, targets, strict=True):
            room = self._limit - len(context) - len(target)
            if room and target[-1:] != [EOS]:  # it was cut off where the context of the longest prompt ended
                target += self._generate([context + target], room)[0]
        return list(map(self._tokenizer.target, targets))

    @abstractmethod
    def _generate(self, contexts: list[list[int]], room: int) -> list[list[int]]:
        """The ids that follow these of each prompt, at most `room`, up to and including [EOS]."""


class Generated(Peer):
    """Decoding by the library's loop."""

    name = "transformers generate"

    def __init__(self, model: Any, limit: int, tokenizer: TextTokenizer, dialect: int) -> None:
        super().__init__(limit, tokenizer, dialect)
        self._model = model

    @torch.inference_mode()
    def _generate(self, contexts: list[list[int]], room: int) -> list[list[int]]:
        longest = max(map(len, contexts))
        ids = torch.tensor([[PAD] * (longest - len(context)) + context for context in contexts])
        mask = torch.tensor([[0] * (longest - len(context)) + [1] * len(context) for context in contexts])
        found = self._model.generate(
            ids,
            attention_mask=mask,
            do_sample=False,
            max_new_tokens=room,
            bos_token_id=BOS,
            eos_token_id=EOS,
            pad_token_id=PAD,
        )
        targets: list[list[int]] = found[:, longest:].tolist()
        return [target[: target.index(EOS) + 1] if EOS in target else target for target in targets]


def open_generated(folder: Path, config: dict[str, Any], identity: Identity, dialect: str) -> Generated:
    """Open a checkpoint to be run by `transformers`.

    One of the paper's architecture becomes the library's own GPT-2. Any other is wrapped as a model of the library's,
    which runs coc's forward pass, with its KV cache, in the library's loop.

    Raises:
        UsageError: If that library is not installed.
        ArtefactError: If the checkpoint is broken.
    """
    with needs_extra("bench", "timing transformers needs that library"):
        import transformers
    decoder, tokenizer = load_decoder(folder, config)
    model = _wrapped(transformers, decoder) if layout.obstacle(decoder.config) else as_gpt2(transformers, decoder)
    return Generated(model, decoder.config.max_len, tokenizer, identity.dialects.index(dialect))


def as_gpt2(transformers: Any, decoder: Decoder) -> Any:
    """The library's GPT-2 with the weights of a model of that architecture."""
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**layout.settings(decoder.config)))
    state = {name: tensor.numpy() for name, tensor in decoder.state_dict().items()}
    weights = {name: torch.from_numpy(array) for name, array in layout.to_gpt2(state, decoder.config).items()}
    model.load_state_dict(weights, strict=False)  # the tied output layer is not stored
    return model.eval()


def _wrapped(transformers: Any, decoder: Decoder) -> Any:
    """The forward pass as a model of the library's, so that its loop decodes with it, one token a pass."""
    sizes = {"vocab_size": decoder.config.vocab, "num_hidden_layers": decoder.config.layers}

    class Wrapped(transformers.PreTrainedModel, transformers.GenerationMixin):  # type: ignore[misc]
        config_class = transformers.PretrainedConfig
        main_input_name = "input_ids"

        def __init__(self) -> None:
            super().__init__(transformers.PretrainedConfig(**sizes))
            self.anchor = torch.nn.Parameter(torch.zeros(1))  # the library reads device and dtype off the parameters
            self.reader: Reader

        def prepare_inputs_for_generation(self, input_ids: torch.Tensor, **kwargs: Any) -> dict[str, Any]:
            return {"input_ids": input_ids, "first": kwargs.get("is_first_iteration")}

        def forward(self, input_ids: torch.Tensor, first: bool, attention_mask: Any = None, **kwargs: Any) -> Any:
            lengths = (input_ids != PAD).sum(1).tolist() if first else [1] * len(input_ids)
            rows = [row[-length:] for row, length in zip(input_ids.tolist(), lengths, strict=True)]
            if first:
                self.reader = Reader(decoder.folded, rows)
            logits = torch.from_numpy(self.reader.read(rows).copy())[:, None]
            return transformers.modeling_outputs.CausalLMOutput(logits=logits)

    return Wrapped().eval()


class Translated(Peer):
    """CTranslate2, a C++ engine for transformers, decoding by its own loop. It supports GPT-2, as the paper's model."""

    name = "CTranslate2"

    def __init__(self, generator: Any, limit: int, tokenizer: TextTokenizer, dialect: int) -> None:
        super().__init__(limit, tokenizer, dialect)
        self._generator = generator

    def _generate(self, contexts: list[list[int]], room: int) -> list[list[int]]:
        found = self._generator.generate_batch(
            [list(map(_name, context)) for context in contexts],
            max_length=room,
            beam_size=1,
            sampling_topk=1,
            include_prompt_in_result=False,
            end_token=[EOS],
            return_end_token=True,
        )
        return [list(each.sequences_ids[0]) for each in found]


def open_translated(folder: Path, config: dict[str, Any], identity: Identity, dialect: str) -> Translated:
    """Open a checkpoint to be run by CTranslate2, in float32 on one thread.

    Raises:
        UsageError: If that library is not installed, or the model is not a GPT-2.
        ArtefactError: If the checkpoint is broken.
    """
    with needs_extra("bench", "timing CTranslate2 needs the library ctranslate2"):
        import ctranslate2  # type: ignore[import-untyped]
    decoder, tokenizer = load_decoder(folder, config)
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
