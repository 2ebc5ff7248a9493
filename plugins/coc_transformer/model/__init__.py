"""The decoder-only transformer: its forward pass, and reading token by token."""

from coc_transformer.model.decoder import Augmentation, Block, Decoder, View, decoder_of, load_decoder

__all__ = ["Augmentation", "Block", "Decoder", "View", "decoder_of", "load_decoder"]
