"""The Python functions of `jgrad.nn.functional`: attention with several heads."""

from __future__ import annotations

import math

import jgrad
from jgrad import manual, warn
from jgrad.nn.functional.windows import pad
from jgrad.ops.layers import linear, scaled_dot_product_attention
from jgrad.tensor import Tensor

__all__ = ["multi_head_attention_forward"]


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """What `nn.MultiheadAttention` computes: query, key and value are projected and split into heads, each head computes its attention, and the
    joined results are projected again."""
    batched = _check_shapes(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    length, batch, width = query._a.shape
    sources = key._a.shape[0]
    key_padding_mask = _summand("key_padding_mask", key_padding_mask, query, attn_mask)
    attn_mask, is_causal = _attention_mask(
        attn_mask, is_causal, query, padded=key_padding_mask is not None, need_weights=need_weights
    )
    size = width // num_heads
    _require(
        width == embed_dim_to_check,
        f"was expecting embedding dimension of {embed_dim_to_check}, but got {width}",
    )
    _require(size * num_heads == width, f"embed_dim {width} not divisible by num_heads {num_heads}")
    if use_separate_proj_weight:
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
        q, k, v = _projected_apart(query, key, value, weights, in_proj_bias)
    else:
        _require(
            key._a.shape == value._a.shape, f"key shape {key.shape} does not match value shape {value.shape}"
        )
        _require(in_proj_weight is not None, "use_separate_proj_weight is False but in_proj_weight is None")
        q, k, v = _projected(query, key, value, in_proj_weight, in_proj_bias)
    if attn_mask is not None:
        attn_mask = _with_heads(attn_mask, (length, sources), batch * num_heads)
    if bias_k is not None and bias_v is not None:
        _require(static_k is None, "bias cannot be added to static key.")
        _require(static_v is None, "bias cannot be added to static value.")
        k, v = (jgrad.cat([a, bias.repeat((1, batch, 1))]) for a, bias in ((k, bias_k), (v, bias_v)))
        attn_mask, key_padding_mask = _one_more(attn_mask), _one_more(key_padding_mask)
    else:
        _require(bias_k is None, "bias_k is not None")
        _require(bias_v is None, "bias_v is not None")
    q = q.view((length, batch * num_heads, size)).transpose(0, 1)
    k = _heads_first("static_k", k, static_k, batch * num_heads, size)
    v = _heads_first("static_v", v, static_v, batch * num_heads, size)
    if add_zero_attn:
        k, v = (
            jgrad.cat([a, jgrad.zeros((batch * num_heads, 1, size), dtype=a.dtype, device=a.device)], 1)
            for a in (k, v)
        )
        attn_mask, key_padding_mask = _one_more(attn_mask), _one_more(key_padding_mask)
    sources = k._a.shape[1]
    if key_padding_mask is not None:
        padding = _padding_by_head(key_padding_mask, batch, sources, num_heads)
        attn_mask = padding if attn_mask is None else attn_mask + padding
    dropout_p = dropout_p if training else 0.0
    if need_weights:
        _require(not (is_causal and attn_mask is None), "FIXME: is_causal not implemented for need_weights")
        joined, shares = _attended_with_weights(q, k, v, attn_mask, dropout_p)
        joined = joined.transpose(0, 1).reshape((length * batch, width))
    else:
        joined = _attended(q, k, v, attn_mask, dropout_p, is_causal, num_heads)
        joined = joined.permute((2, 0, 1, 3)).contiguous().view((batch * length, width))
    output = linear(joined, out_proj_weight, out_proj_bias)
    output = output.view((length, batch, output._a.shape[1]))
    output = output if batched else output.squeeze(1)
    if not need_weights:
        return output, None
    shares = shares.view((batch, num_heads, length, sources))
    shares = shares.mean(1) if average_attn_weights else shares
    return output, shares if batched else shares.squeeze(0)


def _require(condition: bool, text: str) -> None:
    if not condition:
        raise AssertionError(text)


def _check_shapes(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    key_padding_mask: Tensor | None,
    attn_mask: Tensor | None,
    num_heads: int,
) -> bool:
    """Whether there is a batch; refuses shapes that do not go together."""
    n = query.dim()
    _require(
        n in (2, 3), f"query should be unbatched 2D or batched 3D tensor but received {n}-D query tensor"
    )
    kind = f"For {'batched' if n == 3 else 'unbatched'} ({n}-D) `query`, expected"
    _require(
        key.dim() == n and value.dim() == n,
        f"{kind} `key` and `value` to be {n}-D but found {key.dim()}-D and {value.dim()}-D tensors respectively",
    )
    if key_padding_mask is not None:
        _require(
            key_padding_mask.dim() == n - 1,
            f"{kind} `key_padding_mask` to be `None` or {n - 1}-D but found {key_padding_mask.dim()}-D tensor instead",
        )
    if attn_mask is not None:
        _require(
            attn_mask.dim() in (2, 3),
            f"{kind} `attn_mask` to be `None`, 2-D or 3-D but found {attn_mask.dim()}-D tensor instead",
        )
        if n == 2 and attn_mask.dim() == 3:
            expected = (num_heads, query._a.shape[0], key._a.shape[0])
            _require(
                attn_mask._a.shape == expected,
                f"Expected `attn_mask` shape to be {expected} but got {attn_mask.shape}",
            )
    return n == 3


def _summand(name: str, mask: Tensor | None, query: Tensor, other: Tensor | None = None) -> Tensor | None:
    """A mask as what is added to the scores; one that is true where nothing may be seen has minus infinity there."""
    if mask is None:
        return None
    floating = mask.is_floating_point()
    _require(floating or mask.dtype == jgrad.bool, f"only bool and floating types of {name} are supported")
    if other is not None and other.dtype != mask.dtype:
        warn.say(
            f"Support for mismatched {name} and attn_mask is deprecated. Use same type for both instead.",
        )
    if floating:
        return mask
    return jgrad.zeros_like(mask, dtype=query.dtype).masked_fill_(mask, -math.inf)


def _attention_mask(
    mask: Tensor | None, is_causal: bool, query: Tensor, padded: bool, need_weights: bool
) -> tuple[Tensor | None, bool]:
    """The mask as a summand, and whether the hint that it is causal stands for it."""
    if is_causal and mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
            "`generate_square_subsequent_mask` to create this mask."
        )
    if is_causal and not padded and not need_weights:
        return None, True
    return _summand("attn_mask", mask, query), is_causal and not padded


def _projected(
    query: Tensor, key: Tensor, value: Tensor, weight: Tensor, bias: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    """The three projections by packed weights; what is the same is projected at once."""
    if key is not value:
        biases = (None,) * 3 if bias is None else bias.chunk(3)
        q, k, v = (
            linear(x, w, b) for x, w, b in zip((query, key, value), weight.chunk(3), biases, strict=True)
        )
        return q, k, v
    width = query._a.shape[-1]
    if query is key:
        return _unpacked(linear(query, weight, bias), 3, width)
    first, rest = weight.split([width, 2 * width])
    first_bias, rest_bias = (None, None) if bias is None else bias.split([width, 2 * width])
    q = linear(query, first, first_bias)
    k, v = _unpacked(linear(key, rest, rest_bias), 2, width)
    return q, k, v


def _projected_apart(
    query: Tensor, key: Tensor, value: Tensor, weights: tuple[Tensor | None, ...], bias: Tensor | None
) -> list[Tensor]:
    """Queries, keys and values, each by a weight of its own."""
    _require(
        key._a.shape[:2] == value._a.shape[:2],
        f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}",
    )
    for letter, weight in zip("qkv", weights, strict=True):
        _require(weight is not None, f"use_separate_proj_weight is True but {letter}_proj_weight is None")
    width = query._a.shape[-1]
    for name, x, weight in zip(("query", "key", "value"), (query, key, value), weights, strict=True):
        expected = (width, x._a.shape[-1])
        shape = weight.shape  # type: ignore[union-attr]
        _require(shape == expected, f"expecting {name} weights shape of {expected}, but got {shape}")
    biases = (None,) * 3 if bias is None else bias.chunk(3)
    return [linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases, strict=True)]


def _unpacked(packed: Tensor, parts: int, width: int) -> tuple:
    """Projections that follow each other in the last dimension."""
    apart = packed.unflatten(-1, (parts, width)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
    return tuple([apart[i] for i in range(parts)])


def _with_heads(mask: Tensor, size: tuple, heads: int) -> Tensor:
    """A mask of three dimensions, the first of them 1 or one for each head of each sample."""
    expected = size if mask._a.ndim == 2 else (heads, *size)
    if mask._a.shape != expected:
        raise RuntimeError(
            f"The shape of the {mask._a.ndim}D attn_mask is {mask.shape}, but should be {expected}."
        )
    return mask.unsqueeze(0) if mask._a.ndim == 2 else mask


def _padding_by_head(mask: Tensor, batch: int, sources: int, heads: int) -> Tensor:
    """The mask of padding [batch, sources] for every head: [batch * heads, 1, sources]."""
    for i, expected in enumerate((batch, sources)):
        found = mask._a.shape[i]
        _require(found == expected, f"Expected key_padded_mask.shape[{i}] to be {expected}, but got {found}")
    padding = mask.view((batch, 1, 1, sources)).expand((-1, heads, -1, -1))
    return padding.reshape((batch * heads, 1, sources))


def _attended(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, dropout_p: float, is_causal: bool, heads: int
) -> Tensor:
    """The attention of every head: [batch, heads, length, size] of queries, keys and values [batch * heads, length, size]."""
    batch = q._a.shape[0] // heads
    if mask is not None:
        single = mask._a.shape[0] == 1 and mask._a.ndim == 3
        mask = mask.unsqueeze(0) if single else mask.view((batch, heads, -1, k._a.shape[1]))
    q, k, v = (a.view((batch, heads, *a._a.shape[1:])) for a in (q, k, v))
    return scaled_dot_product_attention(q, k, v, mask, dropout_p, is_causal)


def _attended_with_weights(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, dropout_p: float
) -> tuple[Tensor, Tensor]:
    """The attention of every head [batch * heads, length, size], and the weights that it gives to the sources."""
    scores = q * math.sqrt(1.0 / q._a.shape[-1])
    turned = k.transpose(-2, -1)
    shares = jgrad.bmm(scores, turned) if mask is None else jgrad.baddbmm(mask, scores, turned)
    shares = shares.softmax(-1)
    if dropout_p > 0:
        shares = jgrad.dropout(shares, dropout_p, True)
    return jgrad.bmm(shares, v), shares


def _one_more(mask: Tensor | None) -> Tensor | None:
    """The mask with one more source, which everybody sees."""
    return None if mask is None else pad(mask, (0, 1))


def _heads_first(name: str, a: Tensor, static: Tensor | None, heads: int, size: int) -> Tensor:
    """Keys or values by head; given ones instead, if there are any."""
    if static is None:
        return a.view((a._a.shape[0], heads, size)).transpose(0, 1)
    for i, (found, expected) in enumerate(((static._a.shape[0], heads), (static._a.shape[2], size))):
        _require(found == expected, f"expecting {name}.size({2 * i}) of {expected}, but got {found}")
    return static


manual.attach(__name__)
