"""Reading one answer of a prediction as a person means it: sums are computed, and the names of variables stand for their values.

meaning("[1/2, 3]", {})         # [[0.5, 3.0]]
meaning("x * 2", {"x": "4"})    # [8.0]
"""

from __future__ import annotations

import ast
import math
import operator
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jgrad.language import say
from jgrad.notebook.printed import MAKERS, WORDS, Unreadable, Value, numbers_of, read

OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
SIZES = re.compile(r"(?<![\w.])(?!0x)\d+(?:x\d+)+(?![\w.])")  # "3x3"
ROW = re.compile(r"-?[\d.]+(?: +-?[\d.]+)* +-[\d.]+(?: +-?[\d.]+)*")  # "-4 -4" is no difference
CONSTANTS = {"e": math.e, "pi": math.pi, "π": math.pi}
FUNCTIONS = {
    name: getattr(math, name) for name in ("exp", "log", "sqrt", "sin", "cos", "tan", "tanh", "floor", "ceil")
}
FUNCTIONS |= {"abs": abs, "round": round, "max": max, "min": min}
COMPUTED = (ast.BinOp, ast.UnaryOp, ast.Compare)
# In what is no expression: a product, an operator at the end, a letter behind a number.
UNFINISHED = re.compile(
    r"[\w)\]]\s*[*/%^]+\s*[\w([]|[-+*/^]\s*$|(?<![\w.])\d[\d.]*(?![jJ]\b|[eE][-+]?\d)[^\W\d_]"
)
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
STATEMENT = re.compile(
    r"(?:import|del|global|nonlocal|assert)\s+[^\W\d]|from\s+[\w.]+\s+import\b|(?:def|class|for|while|with|if|try|async|lambda)\b[^:]*:\s*\S"
)
CALLED = re.compile(r"(?<!\w)([^\W\d]\w*)\(")
# What is written as a call where it is shown.
VALUES = (*MAKERS, "device", "dtype", "set", "dict")
# "no idea", "not None": one of the words alone would say another thing.
NEGATED = re.compile(
    r"(?<![\w'])(?:not? +(?!it\b|true\b|false\b)([^\W\d]\w*)|(?<=\w )not +(?:true|false)\b|\w+n't +\w)", re.I
)
TYPED = str.maketrans({"\u221e": "inf", "^": "**", "\u2212": "-", "\u2013": "-", "\u2044": "/", "\u00d7": "*", "\u00b7": "*", "\u22c5": "*", "\u00f7": "/", "\u3001": ",", "\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'"})  # fmt: skip


class NotANumber(Exception):
    """A part of a sum or a product that has no number."""

    def __init__(self, tree: ast.expr) -> None:
        self.tree = tree


def typed(text: str) -> str:
    """A text with the signs of a keyboard: for those of formulas, and for the wide ones of Chinese."""
    return unicodedata.normalize("NFKC", text).translate(TYPED)


def meaning(answer: str, variables: Mapping[str, str], printed: str = "") -> list[Value]:
    """The values of an answer. `variables`: what the user's variables print, by their names; `printed`: what the cell did. Raises `Unreadable` with
    the reason."""
    _refuse_code(answer, printed)
    negated = NEGATED.search(answer)
    if negated is not None and negated[1] not in variables and not QUOTED.search(answer):
        raise Unreadable
    values = read(answer if ROW.fullmatch(answer) else _computed(SIZES.sub(_sizes, answer), variables))
    if not values:
        raise Unreadable
    return values


def _refuse_code(answer: str, printed: str) -> None:
    """A prediction is a value. Code that is to be run would else be read as its words, and `exit()` as an empty list."""
    if STATEMENT.match(answer):
        raise Unreadable(say("it is a statement, and a prediction is a value"))
    for called in CALLED.findall(QUOTED.sub("''", answer)):
        stands_for_itself = called in VALUES or called.endswith("Error") or f"{called}(" in printed
        if called not in FUNCTIONS and not stands_for_itself:
            raise Unreadable(say("it calls `{name}`, and a prediction is a value", name=called[:40]))


def _sizes(found: re.Match[str]) -> str:
    return str([int(size) for size in found[0].split("x")])


def names_in(answer: str) -> set[str]:
    """The words of an answer that may be names of variables."""
    return {word for word in re.findall(r"(?<![\w.'\"])[^\W\d]\w*", answer) if word.lower() not in WORDS}


def _computed(answer: str, variables: Mapping[str, str]) -> str:
    """The answer with the values of sums and of variables in their places."""
    try:
        tree = ast.parse(answer, mode="eval").body
        parts = [*_parts(tree, variables)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        if UNFINISHED.search(re.sub(r"'[^']*'|\"[^\"]*\"|<[^<>]*>", "", answer)):
            raise Unreadable(say("it is no expression that can be computed")) from None
        return answer
    except NotANumber as found:
        written = ast.get_source_segment(answer, found.tree) or ""
        raise Unreadable(say("`{text}` is not a number", text=written[:40])) from None
    text = answer.encode()
    for node, value in reversed(parts):
        text = text[: node.col_offset] + value.encode() + text[node.end_col_offset :]
    return text.decode()


def _parts(tree: ast.expr, variables: Mapping[str, str]) -> Iterator[tuple[Any, str]]:
    """The outermost numbers, sums and variables in an expression, from the left, and the text of their values."""
    if isinstance(tree, COMPUTED) or (isinstance(tree, ast.Constant) and type(tree.value) in (int, float)):
        if not any(isinstance(getattr(one, "value", None), complex) for one in ast.walk(tree)):
            yield tree, repr(_value(tree, variables))
    elif isinstance(tree, ast.Name):
        if tree.id in variables:
            yield tree, variables[tree.id]
    elif isinstance(tree, ast.Call) and (_function(tree) in FUNCTIONS or not _makes_a_tensor(tree)):
        yield tree, repr(_value(tree, variables))
    elif isinstance(tree, ast.Call):
        for inner in tree.args:
            yield from _parts(inner, variables)
    elif isinstance(tree, ast.List | ast.Tuple | ast.Set):
        for inner in tree.elts:
            yield from _parts(inner, variables)


def _function(call: ast.Call) -> str:
    """What a call calls: `exp` of `exp(1)` and of `math.exp(1)`."""
    return ast.unparse(call.func).rpartition(".")[2]


def _makes_a_tensor(call: ast.Call) -> bool:
    """Whether a call stands for what is in its brackets, or has no number there."""
    numbers = [
        one for one in ast.walk(call) if isinstance(one, ast.Constant) and type(one.value) in (int, float)
    ]
    return not numbers or _function(call) in MAKERS


def _value(tree: ast.expr, variables: Mapping[str, str]) -> Any:
    """The number, or the truth, of a sum, a product, a comparison and the like."""
    try:
        value = _evaluated(tree, variables)
    except ZeroDivisionError:
        raise Unreadable(say("it divides by 0")) from None
    except OverflowError:
        raise Unreadable(say("the number is too large")) from None
    except (ValueError, TypeError):
        raise Unreadable(say("it has no real value")) from None
    if isinstance(value, complex):
        raise Unreadable(say("it has no real value"))
    return value


def _evaluated(tree: ast.expr, variables: Mapping[str, str]) -> Any:
    if isinstance(tree, ast.Constant) and isinstance(tree.value, int | float):
        return tree.value if isinstance(tree.value, bool) else float(tree.value)
    if isinstance(tree, ast.BinOp) and type(tree.op) in OPERATORS:
        return OPERATORS[type(tree.op)](_evaluated(tree.left, variables), _evaluated(tree.right, variables))
    if isinstance(tree, ast.UnaryOp) and not isinstance(tree.op, ast.Invert):
        value = _evaluated(tree.operand, variables)
        return (
            not value if isinstance(tree.op, ast.Not) else -value if isinstance(tree.op, ast.USub) else value
        )
    if isinstance(tree, ast.Compare) and all(type(op) in OPERATORS for op in tree.ops):
        sides = [_evaluated(side, variables) for side in (tree.left, *tree.comparators)]
        return all(OPERATORS[type(op)](*pair) for op, *pair in zip(tree.ops, sides, sides[1:], strict=False))
    if isinstance(tree, ast.Name):
        known = [*numbers_of(read(variables.get(tree.id, tree.id)))]
        if len(known) == 1 and isinstance(known[0], float):
            return known[0]
        if tree.id in CONSTANTS and tree.id not in variables:
            return CONSTANTS[tree.id]
    if isinstance(tree, ast.Call) and _function(tree) in FUNCTIONS and not tree.keywords:
        return float(FUNCTIONS[_function(tree)](*[_evaluated(one, variables) for one in tree.args]))
    raise NotANumber(tree)
