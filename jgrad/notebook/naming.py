"""What a user names in the line of a magic: its value, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jgrad.tensor import Tensor


class BadInput(ValueError):
    """What a magic can't use, in one line."""


def value_of(text: str, variables: Mapping[str, Any], magic: str) -> Any:
    """The value of an expression that names something."""
    try:
        return eval(compile(text, "<input>", "eval", dont_inherit=True), dict(variables))
    except NameError as error:
        raise BadInput(
            f"{magic}: {error.name or text} is not defined; write the name of one of your tensors"
        ) from None
    except SyntaxError:
        raise BadInput(
            f"{magic}: {text} is not an expression; write the name of one of your tensors"
        ) from None
    except Exception as error:
        raise BadInput(f"{magic}: {text} raised {type(error).__name__}: {error}") from None


def kind_of(value: Any) -> str:
    """What kind of object a value is, with its article: "a tensor of dtype int64", "an int"."""
    if isinstance(value, Tensor):
        return f"a tensor of dtype {value.dtype.name}"
    kind = type(value).__name__
    return "None" if value is None else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
