"""Attention and the layers of a transformer."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import jgrad
from jgrad import manual
from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn import init
from jgrad.nn.modules.activation import GELU, ReLU
from jgrad.nn.modules.container import ModuleList
from jgrad.nn.modules.dropout import Dropout
from jgrad.nn.modules.linear import Linear
from jgrad.nn.modules.module import Module
from jgrad.nn.modules.normalization import LayerNorm
from jgrad.nn.parameter import Parameter
from jgrad.tensor import Tensor
from jgrad.warn import say


class NonDynamicallyQuantizableLinear(Linear):
    """A Linear layer under the name that PyTorch shows for the last projection of MultiheadAttention."""


class MultiheadAttention(Module):
    """Attention with several heads. Each query gets a mean of the values, in which the values count more whose keys are like the query."""

    bias_k: Parameter | None
    bias_v: Parameter | None

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()

        def weight(*shape: int) -> Parameter:
            return Parameter(jgrad.empty(shape, device=device, dtype=dtype))

        self.embed_dim, self.num_heads, self.dropout, self.batch_first = (
            embed_dim,
            num_heads,
            dropout,
            batch_first,
        )
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        if self._qkv_same_embed_dim:
            self.in_proj_weight = weight(3 * embed_dim, embed_dim)
            for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight"):
                self.register_parameter(name, None)
        else:
            self.q_proj_weight = weight(embed_dim, embed_dim)
            self.k_proj_weight = weight(embed_dim, self.kdim)
            self.v_proj_weight = weight(embed_dim, self.vdim)
            self.register_parameter("in_proj_weight", None)
        self.register_parameter("in_proj_bias", weight(3 * embed_dim) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(
            embed_dim, embed_dim, bias=bias, device=device, dtype=dtype
        )
        self.bias_k = weight(1, 1, embed_dim) if add_bias_kv else None
        self.bias_v = weight(1, 1, embed_dim) if add_bias_kv else None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        names = (
            ("in_proj_weight",)
            if self._qkv_same_embed_dim
            else ("q_proj_weight", "k_proj_weight", "v_proj_weight")
        )
        for name in names:
            init.xavier_uniform_(getattr(self, name))
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        for extra in (self.bias_k, self.bias_v):
            if extra is not None:
                init.xavier_normal_(extra)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Compute a result for each query, from the values at the keys."""
        turned = self.batch_first and query.dim() == 3
        if turned:  # what is the same stays the same, so that it is projected at once
            turn = {id(t): t.transpose(1, 0) for t in ({id(t): t for t in (query, key, value)}).values()}
            query, key, value = (turn[id(t)] for t in (query, key, value))
        separate = {}
        if not self._qkv_same_embed_dim:
            names = ("q_proj_weight", "k_proj_weight", "v_proj_weight")
            separate = {"use_separate_proj_weight": True, **{name: getattr(self, name) for name in names}}
        output, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias, self.bias_k, self.bias_v,
            self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias, training=self.training,
            key_padding_mask=key_padding_mask, need_weights=need_weights, attn_mask=attn_mask,
            average_attn_weights=average_attn_weights, is_causal=is_causal, **separate,
        )  # fmt: skip
        return output.transpose(1, 0) if turned else output, weights


ACTIVATIONS: dict[str, Callable] = {"relu": F.relu, "gelu": F.gelu}


def _activation(named: str | Callable) -> Callable:
    if not isinstance(named, str):
        return named
    if named not in ACTIVATIONS:
        raise RuntimeError(f"activation should be relu/gelu, not {named}")
    return ACTIVATIONS[named]


def _additive(mask: Tensor | None, like: Tensor) -> Tensor | None:
    """A mask as what is added to the scores: minus infinity where one of bools is true."""
    if mask is None or mask.is_floating_point():
        return mask
    return jgrad.zeros_like(mask, dtype=like.dtype).masked_fill_(mask, float("-inf"))


class _Layer(Module):
    """What layers of encoder and decoder have in common: sums with their input, normalized after or (with `norm_first`) before."""

    def __init__(
        self, attentions: tuple[str, ...], d_model: int, nhead: int, dim_feedforward: int, dropout: float, activation: Any,
        layer_norm_eps: float, batch_first: bool, norm_first: bool, bias: bool, device: Any, dtype: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        at: dict[str, Any] = {"device": device, "dtype": dtype}
        for name in attentions:
            attention = MultiheadAttention(
                d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **at
            )
            setattr(self, name, attention)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **at)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **at)
        self.norm_first = norm_first
        parts = range(1, len(attentions) + 2)
        for i in parts:
            setattr(self, f"norm{i}", LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **at))
        for i in parts:
            setattr(self, f"dropout{i}", Dropout(dropout))
        self.activation = _activation(activation)

    def _sum(self, number: int, x: Tensor, part: Callable[[Tensor], Tensor]) -> Tensor:
        """x and what a part makes of it."""
        norm, dropout = getattr(self, f"norm{number}"), getattr(self, f"dropout{number}")
        return x + dropout(part(norm(x))) if self.norm_first else norm(x + dropout(part(x)))

    def _feed_forward(self, x: Tensor) -> Tensor:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(_Layer):
    """One layer of a transformer's encoder: the elements of a sequence attend to each other, then two linear layers work on each element."""

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1, activation: str | Callable = F.relu,
        layer_norm_eps: float = 1e-5, batch_first: bool = False, norm_first: bool = False, bias: bool = True, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            ("self_attn",), d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias, device,
            dtype,
        )  # fmt: skip

    @property
    def activation_relu_or_gelu(self) -> int:
        """1 for relu, 2 for gelu, 0 for others."""
        kinds = ((F.relu, ReLU), (F.gelu, GELU))
        return next(
            (
                i
                for i, (f, cls) in enumerate(kinds, 1)
                if self.activation is f or isinstance(self.activation, cls)
            ),
            0,
        )

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """Compute what the layer makes of a sequence."""
        mask, padding = _additive(src_mask, src), _additive(src_key_padding_mask, src)

        def attend(x: Tensor) -> Tensor:
            return self.self_attn(
                x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False, is_causal=is_causal
            )[0]

        return self._sum(2, self._sum(1, src, attend), self._feed_forward)


class TransformerDecoderLayer(_Layer):
    """One layer of a transformer's decoder: attention of a sequence to itself, then to the encoder's result, then two linear layers for each element."""

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1, activation: str | Callable = F.relu,
        layer_norm_eps: float = 1e-5, batch_first: bool = False, norm_first: bool = False, bias: bool = True, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            ("self_attn", "multihead_attn"), d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first,
            bias, device, dtype,
        )  # fmt: skip

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None, tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        """Compute what the layer makes of a sequence and the encoder's result."""

        def attend(x: Tensor) -> Tensor:
            return self.self_attn(
                x, x, x, attn_mask=tgt_mask, key_padding_mask=tgt_key_padding_mask, is_causal=tgt_is_causal, need_weights=False
            )[0]  # fmt: skip

        def remember(x: Tensor) -> Tensor:
            return self.multihead_attn(
                x, memory, memory, attn_mask=memory_mask, key_padding_mask=memory_key_padding_mask, is_causal=memory_is_causal,
                need_weights=False,
            )[0]  # fmt: skip

        return self._sum(3, self._sum(2, self._sum(1, tgt, attend), remember), self._feed_forward)


def _clones(layer: Module, count: int) -> ModuleList:
    return ModuleList([copy.deepcopy(layer) for _ in range(count)])


def _is_causal(mask: Tensor | None, hint: bool | None, steps: int) -> bool:
    """Whether a mask hides the future and nothing else, by the caller's word or else by its values."""
    if hint is not None or mask is None:
        return hint is True
    causal = Transformer.generate_square_subsequent_mask(steps)
    return mask.shape == causal.shape and bool((mask == causal).all())


class TransformerEncoder(Module):
    """Several copies of an encoder layer, one after the other."""

    def __init__(
        self,
        encoder_layer: Any,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = _clones(encoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm
        self.enable_nested_tensor, self.mask_check = enable_nested_tensor, mask_check
        why = "" if not isinstance(encoder_layer, TransformerEncoderLayer) else _why_not_packed(encoder_layer)
        if enable_nested_tensor and why:
            say(
                f"enable_nested_tensor is True, but self.use_nested_tensor is False because {why}",
            )
        self.use_nested_tensor = enable_nested_tensor and not why

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        """Compute what the layers make of a sequence."""
        padding, mask = _additive(src_key_padding_mask, src), _additive(mask, src)
        batch_first = getattr(self.layers[0].self_attn, "batch_first", False)
        causal = _is_causal(mask, is_causal, src.shape[1 if batch_first and src.dim() == 3 else 0])
        output = src
        for layer in self.layers:
            output = layer(output, src_mask=mask, is_causal=causal, src_key_padding_mask=padding)
        if padding is not None and mask is None and self._packs(src, padding):
            output = output.masked_fill((padding != 0).unsqueeze(-1), 0.0)
        return output if self.norm is None else self.norm(output)

    def _packs(self, src: Tensor, padding: Tensor) -> bool:
        """Whether PyTorch leaves the padding out of the computation here, which shows in zeros where it was."""
        if not self.use_nested_tensor or self.training or src.dim() != 3:
            return False
        recorded = src.requires_grad or any([p.requires_grad for p in self.layers.parameters()])
        if jgrad.is_grad_enabled() and recorded:
            return False
        hidden = (padding != 0).long()
        return bool((hidden.cumsum(1).clamp(max=1) == hidden).all())  # all of it at the end


def _why_not_packed(layer: TransformerEncoderLayer) -> str:
    """Why PyTorch does not leave out padding with such a layer, in its words; "" if it does."""
    attention = layer.self_attn
    if layer.norm_first:
        return "encoder_layer.norm_first was True"
    if not attention.batch_first:
        return "encoder_layer.self_attn.batch_first was not True(use batch_first for better inference performance)"
    if not attention._qkv_same_embed_dim:
        return "encoder_layer.self_attn._qkv_same_embed_dim was not True"
    if attention.in_proj_bias is None:
        return "encoder_layer.self_attn was passed bias=False"
    if layer.activation not in (F.relu, F.gelu, jgrad.relu):
        return "encoder_layer.activation_relu_or_gelu was not True"
    if layer.norm1.eps != layer.norm2.eps:
        return "encoder_layer.norm1.eps was not equal to encoder_layer.norm2.eps"
    return "encoder_layer.self_attn.num_heads is odd" if attention.num_heads % 2 else ""


class TransformerDecoder(Module):
    """Several copies of a decoder layer, one after the other. Each gets the same result of the encoder."""

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = _clones(decoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None, tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        """Compute what the layers make of a sequence and the encoder's result."""
        batch_first = getattr(self.layers[0].self_attn, "batch_first", False)
        causal = _is_causal(tgt_mask, tgt_is_causal, tgt.shape[1 if batch_first and tgt.dim() == 3 else 0])
        output = tgt
        for layer in self.layers:
            output = layer(
                output, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=causal, memory_is_causal=memory_is_causal,
            )  # fmt: skip
        return output if self.norm is None else self.norm(output)


class Transformer(Module):
    """A whole transformer: an encoder of one sequence, and a decoder of another sequence that attends to the encoder's result."""

    def __init__(
        self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6, dim_feedforward: int = 2048,
        dropout: float = 0.1, activation: str | Callable = F.relu, custom_encoder: Any = None, custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5, batch_first: bool = False, norm_first: bool = False, bias: bool = True, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        options = (
            d_model,
            nhead,
            dim_feedforward,
            dropout,
            activation,
            layer_norm_eps,
            batch_first,
            norm_first,
            bias,
            device,
            dtype,
        )

        def norm() -> LayerNorm:
            return LayerNorm(d_model, eps=layer_norm_eps, bias=bias, device=device, dtype=dtype)

        if custom_encoder is None:
            custom_encoder = TransformerEncoder(TransformerEncoderLayer(*options), num_encoder_layers, norm())
        self.encoder = custom_encoder
        if custom_decoder is None:
            custom_decoder = TransformerDecoder(TransformerDecoderLayer(*options), num_decoder_layers, norm())
        self.decoder = custom_decoder
        for parameter in self.parameters():
            if parameter.dim() > 1:
                init.xavier_uniform_(parameter)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(
        self, src: Tensor, tgt: Tensor, src_mask: Tensor | None = None, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None, tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None, src_is_causal: bool | None = None, tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        """Compute the decoder's result for one sequence, given another."""
        batch = 0 if self.batch_first else 1
        if src.dim() == 3 and src.size(batch) != tgt.size(batch):
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(
            src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal
        )
        return self.decoder(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal, memory_is_causal=memory_is_causal,
        )  # fmt: skip

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """Make a mask that hides from each element the elements after it."""
        return jgrad.full((sz, sz), float("-inf"), device=device, dtype=dtype).triu(1)


manual.attach(__name__)
