"""What a user names in the line of a magic: its value, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jgrad import mirrors


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


def no_tensor(name: str, value: Any) -> str:
    """That what has this name is no tensor, or none that can be looked at, as the beginning of a sentence."""
    kind = mirrors.kind_without_mirror(value)
    if kind is not None:
        return f"{name} is {kind}, whose elements can't be looked at"
    return f"{name} is not a tensor but {kind_of(value)}"


def kind_of(value: Any) -> str:
    """What kind of object a value is, with its article: "a tensor of dtype int64", "an int"."""
    if mirrors.is_tensor(value):
        return f"a tensor of dtype {str(value.dtype).rpartition('.')[2]}"
    kind = type(value).__name__
    return "None" if value is None else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
