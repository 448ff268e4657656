"""Every operation with one argument of another dtype or shape: what learners get wrong most often, compared with PyTorch.

The calls are those of `test_operations`, one tensor of each changed at a time. What the libraries make of it must be the same: the results
and what they show, or the error, its class and its words. How many calls of an operation still differ is kept in `mistakes.json`, and may
only fall; `python -m tests.differential.test_mistakes` lists them, and writes that file anew.
"""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

from tests.differential.test_operations import (  # noqa: E402
    UNINITIALIZED,
    Comparison,
    excused,
    forms,
    names_of,
    samples_of,
)
from tests.differential.twins import Unsupported, flat, worded  # noqa: E402

HELD = Path(__file__).with_name("mistakes.json")
DTYPES = (torch.float64, torch.int64, torch.bool, torch.complex64, torch.float16, torch.uint8)
PRECISION = {torch.float16: 2.0**42, torch.float32: 2.0**29}  # of float64's roundings one of these is so many
# Wrong shapes are tried on what learners call: elsewhere PyTorch reads beyond the ends of arrays, and may end the process.
SHAPES = re.compile(
    r"add|sub|mul|div|pow|maximum|where|matmul|mm|bmm|mv|dot|inner|outer|addmm|baddbmm|addmv|einsum|tensordot|linalg_solve"
    r"|cat|concat|stack|hstack|vstack|split|chunk|view|reshape|expand|permute|transpose|squeeze|unsqueeze|flatten|gather|scatter|scatter_add"
    r"|index_select|index_add|index_copy|masked_fill|masked_select|take_along_dim|copysign|atan2|clamp|lerp|cross|cdist"
    r"|nn_functional_(linear|bilinear|conv[123]d|conv_transpose[123]d|embedding|layer_norm|group_norm|cross_entropy|nll_loss|mse_loss|l1_loss"
    r"|smooth_l1_loss|huber_loss|binary_cross_entropy|binary_cross_entropy_with_logits|kl_div|cosine_similarity|cosine_embedding_loss"
    r"|triplet_margin_loss|margin_ranking_loss|hinge_embedding_loss|max_pool[123]d|avg_pool[123]d|scaled_dot_product_attention|prelu|glu)"
)


def of_kind(t: Any, changed: Any) -> Any:
    """A changed tensor, which requires grad if the first did and this one can."""
    changed = changed.detach().clone()
    return changed.requires_grad_(t.requires_grad and (changed.is_floating_point() or changed.is_complex()))


def other_dtypes(t: Any) -> dict[str, Any]:
    return {str(d)[6:]: of_kind(t, t.detach().to(d)) for d in DTYPES if d != t.dtype}


def other_shapes(t: Any) -> dict[str, Any]:
    """One element less along the last dimension, one more along the first, a dimension more or less, no elements."""
    plain, found = t.detach(), {}
    if t.ndim and t.shape[-1] > 1:
        found["shorter"] = plain[..., :-1]
    if t.ndim > 1 and t.shape[0]:
        found["longer"] = torch.cat([plain, plain[:1]])
    if t.ndim and t.shape[0]:
        found["a dimension less"] = plain[0]
    found["a dimension more"] = plain[None]
    found["empty"] = plain.new_empty((0, *t.shape[1:]))
    return {label: of_kind(t, value) for label, value in found.items()}


CHANGES: dict[str, Callable[[Any], dict[str, Any]]] = {"dtype": other_dtypes, "shape": other_shapes}


def replaced(value: Any, old: Any, new: Any) -> Any:
    """The arguments with another tensor in the place of one."""
    if value is old:
        return new
    if isinstance(value, (tuple, list)):
        return type(value)([replaced(v, old, new) for v in value])
    return {k: replaced(v, old, new) for k, v in value.items()} if isinstance(value, dict) else value


def distinct(samples: list[Any]) -> Iterator[Any]:
    """Of the samples a few that differ in what kind of arguments they have."""
    seen: set[Any] = set()
    for s in samples:
        kinds = (
            tuple(type(a).__name__ for a in s.args),
            tuple(sorted(s.kwargs)),
            getattr(s.input, "ndim", None),
        )
        if kinds not in seen and len(seen) < 4:
            seen.add(kinds)
            yield s


def mistaken(info: Any, what: str) -> Iterator[tuple[str, Any, str, Any]]:
    """The calls of an operation with one argument changed: the label of the change, the sample, the form, the callable."""
    for sample in distinct(samples_of(info, torch.float32, 40)):
        given = [sample.input, sample.args, sample.kwargs]
        tensors = flat([sample.input, sample.args, list(sample.kwargs.values())], torch.Tensor)
        for number, tensor in enumerate(tensors[:5]):
            for label, changed in CHANGES[what](tensor).items():
                first, args, kwargs = replaced(given, tensor, changed)
                call = SimpleNamespace(
                    input=first,
                    args=args,
                    kwargs=kwargs,
                    output_process_fn_grad=sample.output_process_fn_grad,
                )
                found = forms(call, names_of(info)[0], info.formatted_name)
                for form, callable_of in found:
                    if form == "function" or form == "inplace" or len(found) == 1:
                        yield f"argument {number} {label}", call, form, callable_of


def differences(info: Any, what: str) -> tuple[int, list[str]]:
    """How many calls were compared, and how those differ that do, but for known reasons."""
    compared, found, name = 0, [], names_of(info)[0]
    for label, call, form, callable_of in mistaken(info, what):
        try:
            comparison = Comparison(call, name, form, callable_of)
        except Unsupported:
            continue
        compared += 1
        # What is computed from single precision is as precise as that, whatever it is written to.
        kinds = {t.dtype for t in flat([call.input, call.args, list(call.kwargs.values())], torch.Tensor)}
        if torch.float64 in kinds or torch.complex64 in kinds:
            comparison.rounding *= max(PRECISION.get(k, 1) for k in kinds)
        failure = None
        ours, theirs = comparison.errors
        if worded(ours) != worded(theirs):
            failure = f"jgrad: {ours!r}\n    torch: {theirs!r}"
        elif ours is None:
            try:
                comparison.same_results()
            except AssertionError as error:
                failure = str(error)
        if failure is not None and not excused(f"{form} {name}: {failure}"):
            found.append(f"{form} {info.formatted_name}, {label}: {failure}")
    return compared, found


OPERATIONS = {
    f"{info.formatted_name}-{what}": (info, what)
    for what in CHANGES
    for info in op_db
    if names_of(info)
    and names_of(info)[0] not in UNINITIALIZED
    and torch.float32 in info.supported_dtypes("cpu")
    and not (what == "shape" and not SHAPES.fullmatch(info.formatted_name))
}


@pytest.mark.one_in(32)
@pytest.mark.parametrize("label", OPERATIONS)
def test_mistakes(label):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, found = differences(*OPERATIONS[label])
    most = json.loads(HELD.read_text()).get(label, 0)
    assert len(found) <= most, f"{len(found)} calls differ, {most} before:\n" + "\n".join(found)


def main() -> None:
    """List what differs (of the operations named), and hold it if all were compared."""
    warnings.simplefilter("ignore")
    wanted = sys.argv[1:]
    counts = {}
    for label, arguments in OPERATIONS.items():
        if wanted and not any(w in (arguments[0].name, arguments[1], label) for w in wanted):
            continue
        _, found = differences(*arguments)
        if found:
            counts[label] = len(found)
        print("".join(f"{line}\n" for line in found), end="", flush=True)
    if not wanted:
        HELD.write_text(json.dumps(counts, indent=0) + "\n")


if __name__ == "__main__":
    main()
