"""The source that dispatch writes: the documented listings, its names, and that it records what the general path records."""

import re
import types
from pathlib import Path

import pytest

import jgrad
from jgrad.dispatch import TABLE, Overload, backward, fast
from jgrad.dispatch.fast.fits import fits, fits_inplace
from jgrad.dispatch.fast.function import FunctionSource
from jgrad.dispatch.fast.inplace import InplaceSource

pytestmark = pytest.mark.quick

PAGE = Path(__file__).parents[2] / "docs" / "dispatch.md"
LISTING = re.compile(r"```python\n# written: ([^\n]*)\n(.*?)```", re.DOTALL)


def written_for_mul() -> dict[str, str]:
    overload = TABLE["mul"].overloads[0]
    return {
        "the function": FunctionSource(overload).write(),
        "in place": InplaceSource(overload).write(),
        "backward on arrays": backward.source(overload.node, raw=True),
        "backward on tensors": backward.source(overload.node, raw=False),
    }


def test_an_overload_does_not_change():
    overload = TABLE["mul"].overloads[0]
    with pytest.raises(AttributeError, match="cannot assign to 'kernel': Overload objects do not change"):
        overload.kernel = max
    assert TABLE["mul"].overloads[0] is overload


def test_the_page_shows_what_is_written(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        backward, "looks_for_detached", False
    )  # another test may have detached a tensor in place
    assert dict(LISTING.findall(PAGE.read_text())) == written_for_mul()


def sources() -> list[tuple[Overload, str]]:
    """The source of every fast path, with its overload."""
    found = []
    for operator in TABLE.values():
        for overload in operator.overloads:
            if isinstance(overload, Overload) and fits(overload):
                found.append((overload, FunctionSource(overload).write()))
            if isinstance(overload, Overload) and fits_inplace(overload):
                found.append((overload, InplaceSource(overload).write()))
    return found


def names_in(code: types.CodeType) -> set[str]:
    """The names of parameters, variables and globals in compiled code and in the functions within it."""
    names = {*code.co_varnames, *code.co_freevars, *code.co_names}
    return names.union(*[names_in(c) for c in code.co_consts if isinstance(c, types.CodeType)])


def test_parameters_hide_no_name_of_the_written_code():
    """A name that the writer uses for itself, found in any source, must not be a parameter in another one: it would be overwritten."""
    own: set[str] = set()
    parameters: set[str] = set()
    for overload, text in sources():
        names = set(overload.names_of_params)
        derived = {name + suffix for name in names for suffix in ("_array", "_edge", "_is_tensor")}
        attributes = set(re.findall(r"\.(\w+)", text))
        assert not names & derived
        own |= names_in(compile(text, "<written>", "exec")) - names - derived - attributes
        parameters |= names
    assert "kernel" in own
    assert "other" in parameters
    assert not own & parameters


def slots_of(node: object) -> dict[str, object]:
    """The slots of a node that are set, without those that differ from node to node, and versions of what was not saved."""
    names = {name for cls in type(node).__mro__ for name in getattr(cls, "__slots__", ())}
    found = {n: getattr(node, n) for n in names - {"_seq", "__weakref__"} if hasattr(node, n)}
    return {n: v for n, v in found.items() if not (n.startswith("v_") and found["s_" + n[2:]] is None)}


x = jgrad.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
mask = jgrad.tensor([True, False])
CALLS = {
    "mul": lambda: x * x,
    "mul by a number": lambda: x * 3.0,
    "exp": lambda: jgrad.exp(x),
    "sum": lambda: x.sum(),
    "sum.dim": lambda: x.sum(1),
    "max.dim": lambda: x.max(1).values,
    "where": lambda: jgrad.where(mask, x, 0.0),
    "view": lambda: x.view(4),
    "cat": lambda: jgrad.cat([x, x]),
    "stack": lambda: jgrad.stack([x, x], 1),
    "addmm": lambda: jgrad.addmm(x, x, x),
}


@pytest.mark.parametrize("name", CALLS)
def test_both_paths_make_the_same_node(name, monkeypatch):
    call = CALLS[name]
    call()  # from now on the fast path is compiled
    quick = slots_of(call().grad_fn)
    monkeypatch.setattr(fast, "ENABLED", False)
    general = slots_of(call().grad_fn)
    for slots in (quick, general):
        for key, value in slots.items():
            if isinstance(value, (jgrad.Tensor, types.NoneType)):
                slots[key] = id(value)
            elif hasattr(value, "tobytes"):
                slots[key] = value.tobytes()
    assert quick == general


def rewrite() -> None:
    """Write the listings of the page anew."""
    texts = written_for_mul()
    shown = LISTING.sub(
        lambda found: f"```python\n# written: {found[1]}\n{texts[found[1]]}```", PAGE.read_text()
    )
    PAGE.write_text(shown)


if __name__ == "__main__":
    rewrite()


def test_isfinite_has_a_fast_path_that_leaves_complex_numbers_alone():
    """PyTorch writes once to the result for complex numbers, which the version shows."""
    overload = TABLE["isfinite"].overloads[0]
    assert fits(overload)
    assert "dtype.kind in ('c',)" in FunctionSource(overload).write()
    assert jgrad.isfinite(jgrad.ones(2, dtype=jgrad.complex64))._version == 1
    assert jgrad.isfinite(jgrad.ones(2))._version == 0
