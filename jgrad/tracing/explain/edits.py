"""A repair as an edit of the user's code: which span of which text becomes what.

Edits are made from the syntax tree, so they keep the user's names, comments and layout. `applied` gives the new text, `diff` shows it.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from jgrad.tracing.document.log import CHECKPOINT, SAMPLE, Log
from jgrad.tracing.document.passage import Repair
from jgrad.tracing.document.syntax import around, has, parsed

# First line, column, last line, column behind; lines from 1, columns in characters.
Span = tuple[int, int, int, int]


# What needs no parentheses.
ATOMS = (
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Call,
    ast.Constant,
    ast.List,
)


class Overlap(ValueError):
    """Two edits change the same text."""


class Edit(NamedTuple):
    """The text at a span of the cell (`file` is empty), or of the cell or file of this name, becomes `text`."""

    file: str
    span: Span
    text: str


class Code:
    """A text of the user's that edits are made for: a cell, or a file. `first`: the number of its first line."""

    def __init__(self, lines: Sequence[str], file: str = "", first: int = 1, library: str = "jgrad") -> None:
        self.lines, self.file, self.first, self.library = [*lines], file, first, library

    @classmethod
    def of_log(cls, log: Log, source: int | None = None) -> Code:
        """The cell of a log (None), or what it knows of another cell or file. It is kept with the log, so that each text is parsed once."""
        known: dict[int | None, Code] = log.kept.setdefault("code", {})
        if source not in known:
            library = log.document.get("library", "jgrad")
            if source is None:
                known[source] = cls(log.source, library=library)
            else:
                one = log.document["sources"][source]
                known[source] = cls(one["lines"], one["name"], one["first"], library)
        return known[source]

    @classmethod
    def all_of(cls, log: Log) -> list[Code]:
        """All code that a log knows: its cell, and what ran of other cells and files."""
        return [cls.of_log(log, source) for source in (None, *range(len(log.places.sources)))]

    @cached_property
    def tree(self) -> ast.Module:
        """The text, parsed, with line numbers of its own."""
        return parsed(self.lines, self.first)

    @cached_property
    def statements(self) -> list[ast.stmt]:
        """All statements, outer ones first."""
        return [n for n in ast.walk(self.tree) if isinstance(n, ast.stmt)]

    @cached_property
    def made(self) -> list[tuple[str, ast.Assign, ast.Call]]:
        """What calls make: ("opt", the statement, the call) of `opt = SGD(...)`, for each name that it gives, in order."""
        return [
            (ast.unparse(target), s, s.value)
            for s in self.statements if isinstance(s, ast.Assign) and isinstance(s.value, ast.Call)
            for target in s.targets
        ]  # fmt: skip

    def line(self, number: int) -> str:
        """The text of a line."""
        return self.lines[number - self.first]

    def place(self, log: Log, line: int) -> str:
        """A line of it in words: "line 3", "line 3 of model.py"."""
        return f"line {line} of {self.file}" if self.file else log.places.of_line(line)

    def statement_at(self, line: int) -> ast.stmt | None:
        """The innermost statement that has a line."""
        found = max(
            around(self.tree, line, ast.stmt), key=lambda s: (s.lineno, -(s.end_lineno or 0)), default=None
        )
        # A block may stand in the line that begins it: `for x in data: total += f(x)`.
        while inner := next((s for s in getattr(found, "body", ()) if s.lineno == line), None):
            found = inner
        return found

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Where a node stands."""
        end = node.end_lineno or node.lineno
        return (
            node.lineno,
            self._column(node.lineno, node.col_offset),
            end,
            self._column(end, node.end_col_offset or 0),
        )

    def _column(self, line: int, offset: int) -> int:
        """The column, in characters, of an offset in bytes."""
        return len(self.line(line).encode()[:offset].decode(errors="ignore"))

    def text(self, node: ast.expr | ast.stmt) -> str:
        """What is written there."""
        line, column, end, behind = self.span(node)
        if line == end:
            return self.line(line)[column:behind]
        rows = [self.line(n) for n in range(line, end + 1)]
        return "\n".join([rows[0][column:], *rows[1:-1], rows[-1][:behind]])

    def stand_together(self, *statements: ast.stmt) -> bool:
        """Whether statements stand in one block."""
        blocks = [getattr(node, part, ()) for node in ast.walk(self.tree) for part in ("body", "orelse")]
        return any(all(s in block for s in statements) for block in blocks if isinstance(block, list))

    # Edits ------------------------------------------------------------------------------------------------------------------------

    def replaced(self, node: ast.expr | ast.stmt, text: str) -> Edit:
        """Another text in place of a node."""
        return Edit(self.file, self.span(node), text)

    def cut(self, node: ast.expr, kept: ast.expr) -> Edit:
        """A part of a node in its place: `y` of `y.detach()`."""
        whole = isinstance(kept, ATOMS) or any(getattr(s, "value", None) is node for s in self.statements)
        return self.replaced(node, self.text(kept) if whole else f"({self.text(kept)})")

    def before(self, statement: ast.stmt, text: str) -> Edit:
        """A statement of its own before another one."""
        line, column, _, _ = self.span(statement)
        if self.line(line)[:column].strip():  # it follows another one after a semicolon
            return Edit(self.file, (line, column, line, column), f"{text}; ")
        return Edit(self.file, (line, 0, line, 0), f"{self.line(line)[:column]}{text}\n")

    def after(self, statement: ast.stmt, text: str) -> Edit:
        """A statement of its own after another one."""
        line, column, end, behind = self.span(statement)
        if self.line(end)[behind:].lstrip().startswith(";") or self.line(line)[:column].strip():
            return Edit(self.file, (end, behind, end, behind), f"; {text}")
        indent, width = self.line(line)[:column], len(self.line(end))
        return Edit(self.file, (end, width, end, width), f"\n{indent}{text}")

    def without(self, statement: ast.stmt) -> Edit:
        """A statement left out; `pass` where it stands alone in its block."""
        line, column, end, behind = self.span(statement)
        alone = any(
            block == [statement] for node in ast.walk(self.tree) for block in (getattr(node, "body", None), getattr(node, "orelse", None))
        )  # fmt: skip
        rest = self.line(end)[behind:]
        if (alone and not isinstance(self.tree, ast.stmt) and statement not in self.tree.body) or rest.lstrip().startswith(";") or self.line(line)[:column].strip():  # fmt: skip
            return self.replaced(statement, "pass")
        if end - self.first + 1 < len(self.lines):
            return Edit(self.file, (line, 0, end + 1, 0), "")
        before = max(line - 1, self.first)
        return Edit(
            self.file, (before, len(self.line(before)) if before < line else 0, end, len(self.line(end))), ""
        )

    def moved(
        self, statement: ast.stmt, before: ast.stmt | None = None, after: ast.stmt | None = None
    ) -> list[Edit]:
        """A statement in front of, or behind, another one."""
        text = self.text(statement)
        put = self.before(before, text) if before is not None else self.after(after or statement, text)
        gone = self.without(statement)
        # Behind the block at whose end it stands: in one edit.
        if gone.span[:2] <= put.span[:2] < gone.span[2:]:
            # (The last line of a text goes with the line break before it.)
            return [gone._replace(text=put.text if gone.span[1] else f"{put.text.removeprefix(chr(10))}\n")]
        return [gone, put]

    def under(self, statement: ast.stmt, head: str) -> Edit:
        """A statement in a block of its own: `with torch.no_grad():`."""
        line, column, end, behind = self.span(statement)
        indent = self.line(line)[:column]
        if indent.strip():
            return self.replaced(statement, self.text(statement))
        rows = self.text(statement).split("\n")
        inner = "\n".join(
            [f"{indent}    {rows[0]}", *(f"    {row}" if row.strip() else row for row in rows[1:])]
        )
        return Edit(self.file, (line, 0, end, behind), f"{indent}{head}:\n{inner}")


def applied(lines: Sequence[str], edits: Sequence[Edit], first: int = 1) -> list[str]:
    """The lines after some edits, which are all of the same text. `Overlap` if two of them change the same part."""
    text = "\n".join(lines)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(line: int, column: int) -> int:
        return min(starts[line - first] + column, len(text))

    spans = sorted(
        ((offset(*e.span[:2]), offset(*e.span[2:]), i, e.text) for i, e in enumerate(edits)),
        key=lambda one: (one[0], one[1], one[2]),
    )
    for (_, end, _, _), (begin, _, _, _) in pairwise(spans):
        if begin < end:
            raise Overlap("two repairs change the same text")
    for begin, end, _, new in reversed(spans):
        text = text[:begin] + new + text[end:]
    return text.split("\n")


def importing(
    edits: Sequence[Edit], lines: Sequence[str], library: str, modules: Mapping[str, str]
) -> list[Edit]:
    """Edits of a cell that has no name for the library, as after `from torch import nn`, with the import that they need."""
    name = re.compile(rf"(?<![\w.]){library}\.")
    needed = any(name.search(e.text) and not e.file for e in edits)
    if library in modules.values() or not needed or edits[0].text == f"import {library}\n":
        return [*edits]
    first = next((n for n, line in enumerate(lines, 1) if not line.startswith(("%", "!"))), 1)
    return [Edit("", (first, 0, first, 0), f"import {library}\n"), *edits]


def diff(
    lines: Sequence[str], edits: Sequence[Edit], name: str = "the cell", first: int = 1, before: int = 0
) -> str:
    """A diff with one line of context, as text. `first`: the number of the first line; `before`: how many more lines its file has before it."""
    after = applied(lines, edits, first)
    rows = difflib.unified_diff([*lines], after, name, f"{name}, mended", lineterm="", n=1)
    more = first - 1 + before
    place = re.compile(r"@@ -(\d+)(.*?) \+(\d+)(.*)", re.DOTALL)
    found = [(row, place.fullmatch(row)) for row in rows]
    return "\n".join([row if at is None else f"@@ -{int(at[1]) + more}{at[2]} +{int(at[3]) + more}{at[4]}" for row, at in found])  # fmt: skip


def diffs(repair: Repair, cell: str = "the cell", before: int = 0) -> str:
    """A repair as a diff of each text that it changes. `cell`: what the text without a name is called; `before`: how many lines come before it."""
    parts = []
    for file in dict.fromkeys(edit.file for edit in repair.edits):
        own = [edit for edit in repair.edits if edit.file == file]
        pieces = repair.files.get(file, ()) if file else [(1, repair.cell)]
        for first, lines in pieces:
            here = [edit for edit in own if first <= edit.span[0] < first + len(lines)]
            if here:  # else the code has no source any more
                parts.append(diff(lines, here, file or cell, first, 0 if file else before))
    return "\n".join(parts)


# Where something ran ------------------------------------------------------------------------------------------------------------------


def at_step(log: Log, index: int) -> tuple[Code, ast.stmt] | None:
    """The innermost statement of the user's that a step ran, with its text; None where that is not known."""
    source, line = log.places.line(log.steps[index])
    if line is None or (source is not None and not log.document["sources"][source]["lines"]):
        return None
    code = Code.of_log(log, source)
    statement = code.statement_at(line)
    return None if statement is None else (code, statement)


def frames(log: Log, index: int) -> Iterator[tuple[Code, int]]:
    """The code that led to a step, from the inside out, and which line of it."""
    step = log.steps[index]
    number = step.get("call")
    if number is None and step["line"] is not None:
        yield Code.of_log(log), step["line"]
    while number is not None:
        call = log.places.calls[number]
        if call["source"] is None or log.places.sources[call["source"]]["lines"]:
            yield Code.of_log(log, call["source"]), call["line"]
        number = call["caller"]


def may_have_run(log: Log, code: Code, node: ast.expr | ast.stmt) -> bool:
    """Whether steps show that code ran: one came from a line of each branch and loop around it."""
    known: dict[str, set[int]] = log.kept.setdefault("ran", {})
    if code.file not in known:
        found = {(None, step["line"]) for step in log.steps} | {
            (c["source"], c["line"]) for c in log.places.calls
        }
        known[code.file] = {line or 0 for source, line in found if Code.of_log(log, source).file == code.file}
    for one in around(code.tree, node.lineno, (ast.If, ast.For, ast.While)):
        blocks: list[list[ast.stmt]] = [one.body, one.orelse]
        block = next((b for b in blocks if any(has(s, node.lineno) for s in b)), [])
        if block and not any(has(s, line) for s in block for line in known[code.file]):
            return False
    return True


def calls_of(statement: ast.AST, attribute: str) -> list[ast.Call]:
    """The calls of a method in a statement: of `y.detach()`."""
    return [
        n for n in ast.walk(statement)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == attribute
    ]  # fmt: skip


def linear_of(log: Log, features: int, out: int | None = None) -> list[tuple[Code, ast.Call]]:
    """The calls that make a Linear layer for so many features, where the code has numbers."""
    found = []
    for code in Code.all_of(log):
        for call in [n for n in ast.walk(code.tree) if isinstance(n, ast.Call) and len(n.args) > 1]:
            sizes = [number_of(argument) for argument in call.args[:2]]
            if ast.unparse(call.func).endswith("Linear") and sizes[0] == features and out in (None, sizes[1]):
                found.append((code, call))
    return found


def number_of(node: ast.expr) -> int | None:
    """What a product of numbers is: of `16 * 5 * 5`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        left, right = number_of(node.left), number_of(node.right)
        return None if left is None or right is None else left * right
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def names_in(statement: ast.AST, text: str) -> list[ast.expr]:
    """Where a variable, or `self.w`, is read in a statement."""
    return [
        n for n in ast.walk(statement)
        if isinstance(n, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(n.ctx, ast.Load) and ast.unparse(n) == text
    ]  # fmt: skip


def library_in(code: Code, attribute: str) -> str:
    """What stands before a name of the library in the code: "torch.nn" of `torch.nn.Module`; the full name where it is not there."""
    owners = [
        ast.unparse(n.value)
        for n in ast.walk(code.tree)
        if isinstance(n, ast.Attribute) and n.attr == attribute
    ]
    return owners[0] if owners else f"{code.library}.nn"


def registered(codes: Sequence[Code], attribute: str, kept: str) -> list[Edit]:
    """What __init__ assigns to an attribute, inside of a ModuleList or the like; nothing where it is not assigned once, or filled later."""
    own = f"self.{attribute}"
    for code in codes:
        assigned = [
            s
            for s in code.statements
            if isinstance(s, ast.Assign) and [*map(ast.unparse, s.targets)] == [own]
        ]
        called = [ast.unparse(n.func) for n in ast.walk(code.tree) if isinstance(n, ast.Call)]
        if len(assigned) == 1 and not {f"{own}.append", f"{own}.extend", f"{own}.insert"} & {*called}:
            value = assigned[0].value
            return [code.replaced(value, f"{library_in(code, 'Module')}.{kept}({code.text(value)})")]
    return []


# Edits that several rules make --------------------------------------------------------------------------------------------------------

SIZES = ("shape", "size", "dtype", "device", "dim", "numel")
SIGNS = {ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*=", ast.Div: "/="}


def without_call(code: Code, statement: ast.AST, attribute: str) -> list[Edit]:
    """`y` in place of each `y.detach()`, or of `y.data`, in a statement."""
    calls = calls_of(statement, attribute)
    inner = {id(call.func) for call in calls}
    bare = [
        n
        for n in ast.walk(statement)
        if isinstance(n, ast.Attribute) and n.attr == attribute and id(n) not in inner
    ]
    found: list[Edit] = []
    for call in calls:
        assert isinstance(call.func, ast.Attribute)
        found.append(code.cut(call, call.func.value))
    return found + [code.cut(n, n.value) for n in bare if isinstance(n.ctx, ast.Load)]


def uncut(log: Log, child: int) -> list[Edit]:
    """The statement that cut the graph before a tensor, without its `detach()` or `.data`, or without the `with no_grad():` in which it stands
    alone; nothing where something else cut it."""
    cutter, place = log.cutter(child), at_step(log, log.maker[child])
    if place is not None and cutter == CHECKPOINT:
        return keyword(*place, "checkpoint", "use_reentrant", "False")
    if place is not None and cutter == SAMPLE:
        return [
            place[0].replaced(call.func, f"{place[0].text(call.func.value)}.rsample")
            for call in calls_of(place[1], "sample")
            if isinstance(call.func, ast.Attribute)
        ]
    if cutter in ("no_grad()", "inference_mode()"):
        return _unblocked(log, log.maker[child], cutter)
    if place is not None and (soft := probability(log, child)):
        return soft
    if place is not None and "(stack() keeps it)" in cutter:
        return _stacked(*place, log.text(log.maker[child]))
    if place is None or cutter not in ("detach()", ".data") or log.writes_to_leaf(child):
        return []
    return without_call(*place, "detach" if cutter == "detach()" else "data")


def probability(log: Log, child: int) -> list[Edit]:
    """`p` for `(p > 0.5).float()`, where a sigmoid or softmax made p; nothing where a tensor is no such comparison."""
    place, step = at_step(log, log.maker[child]), log.steps[log.maker[child]]
    made = log.maker.get(step["reads"][0]) if step["op"] in ("gt", "ge") and step.get("reads") else None
    if place is None or made is None or log.steps[made]["op"] not in ("sigmoid", "softmax"):
        return []
    compared = [
        n
        for n in ast.walk(place[1])
        if isinstance(n, ast.Compare) and isinstance(n.ops[0], (ast.Gt, ast.GtE))
    ]
    for node in compared if len(compared) == 1 else ():
        whole = [
            c
            for c in (*calls_of(place[1], "float"), *calls_of(place[1], "to"))
            if getattr(c.func, "value", None) is node
        ]
        return [place[0].replaced(whole[0] if whole else node, place[0].text(node.left))]
    return []


def cut_elsewhere(log: Log, child: int, name: str, index: int, root: int) -> list[Edit]:
    """A tensor that detach() made, with its history; and `fake.detach()` in the statements that compute one loss from it. Nothing where not all of
    them are known."""
    mended, behind = uncut(log, child), log.sources(root, index)
    if not mended or log.cutter(child) != "detach()":
        return []
    found: dict[Edit, None] = {}
    for i in log.users.get(child, ()):
        if i < index and not behind.isdisjoint(log.steps[i].get("makes", ())):
            read = next(
                (
                    own
                    for code, line in frames(log, i)
                    if (s := code.statement_at(line)) and (own := read_as(code, s, name, f"{name}.detach()"))
                ),
                [],
            )
            if not read:
                return []
            found |= dict.fromkeys(read)
    return [*mended, *found]


def _stacked(code: Code, statement: ast.stmt, text: str) -> list[Edit]:
    """`torch.stack(losses)` for `torch.tensor(losses)` in a statement, where only the list is given."""
    calls = [c for name in ("tensor", "as_tensor") for c in calls_of(statement, name) if code.text(c) == text]
    if (
        len(calls) != 1
        or len(calls[0].args) != 1
        or calls[0].keywords
        or not isinstance(calls[0].func, ast.Attribute)
    ):
        return []
    given = calls[0].args[0]
    if isinstance(given, (ast.List, ast.Tuple)) and any(
        isinstance(part, (ast.Constant, ast.List)) for part in given.elts
    ):
        return []
    return [code.replaced(calls[0], f"{code.text(calls[0].func.value)}.stack({code.text(given)})")]


def keyword(code: Code, statement: ast.AST, function: str, name: str, value: str) -> list[Edit]:
    """A keyword of the only call of a function, with another value."""
    calls = [
        n
        for n in ast.walk(statement)
        if isinstance(n, ast.Call) and ast.unparse(n.func).rpartition(".")[2] == function
    ]
    if len(calls) != 1:
        return []
    given = next((k.value for k in calls[0].keywords if k.arg == name), None)
    if given is not None:
        return [code.replaced(given, value)]
    text = code.text(calls[0])[:-1].rstrip().removesuffix(",")
    return [code.replaced(calls[0], f"{text}, {name}={value})")]


def _unblocked(log: Log, index: int, mode: str) -> list[Edit]:
    """The only statement of a `with no_grad():` without it, or a function without the decorator `@no_grad()`."""
    for code, line in frames(log, index):
        for function in around(code.tree, line, ast.FunctionDef):
            for mark in (
                d
                for d in function.decorator_list
                if ast.unparse(d).removesuffix("()").endswith(mode.removesuffix("()"))
            ):
                return [Edit(code.file, (mark.lineno, 0, mark.lineno + 1, 0), "")]
        for block in around(code.tree, line, ast.With):
            if len(block.items) == len(block.body) == 1 and ast.unparse(block.items[0]).endswith(mode):
                text, more = code.text(block.body[0]), block.body[0].col_offset - block.col_offset
                return [code.replaced(block, text.replace("\n" + " " * more, "\n"))]
    return []


def renamed(log: Log, index: int, names: dict[str, str]) -> list[Edit]:
    """The call of a step under another name; nothing where the statement does not have it once."""
    place = at_step(log, index)
    if place is None:
        return []
    code, statement = place
    found = [
        n.func
        for n in ast.walk(statement)
        if isinstance(n, ast.Call) and ast.unparse(n.func).rpartition(".")[2] in names
    ]
    return [_other_name(code, f, names) for f in found] if len(found) == 1 else []


def _other_name(code: Code, function: ast.expr, names: dict[str, str]) -> Edit:
    owner, dot, name = code.text(function).rpartition(".")
    return code.replaced(function, f"{owner}{dot}{names[name]}")


def in_place(code: Code, statement: ast.stmt) -> list[Edit]:
    """`w -= g` in place of `w = w - g`; nothing if the statement is another one."""
    if (
        not isinstance(statement, ast.Assign)
        or len(statement.targets) != 1
        or not isinstance(statement.value, ast.BinOp)
    ):
        return []
    target, value = statement.targets[0], statement.value
    sign = SIGNS.get(type(value.op))
    if sign is None or ast.unparse(value.left) != ast.unparse(target):
        return []
    return [code.replaced(statement, f"{code.text(target)} {sign} {code.text(value.right)}")]


def cloned(log: Log, tensor: int, name: str) -> list[Edit]:
    """`row = table[i].clone()` for the statement that gave a tensor its name, and the like for each tensor of a state dict; nothing for another one."""
    place = at_step(log, log.maker.get(tensor, log.tensors[tensor]["created_step"]))
    if place is None or not isinstance(place[1], ast.Assign) or len(place[1].targets) != 1:
        return []
    code, value = place[0], place[1].value
    target, text = ast.unparse(place[1].targets[0]), code.text(value)
    if target == name:
        return [code.replaced(value, f"{text if isinstance(value, ATOMS) else f'({text})'}.clone()")]
    if name.startswith(f"{target}[") and text.endswith(".state_dict()"):
        return [code.replaced(value, f"{{name: value.clone() for name, value in {text}.items()}}")]
    return []


def read_as(code: Code, statement: ast.AST, name: str, text: str) -> list[Edit]:
    """What reads a variable in a statement reads something else: `loss.detach()` in place of `loss`, but not of its size."""
    sized = {
        id(node)
        for one in ast.walk(statement)
        for node in (
            one.args
            if isinstance(one, ast.Call) and ast.unparse(one.func) == "len"
            else [getattr(one, "value", one)]
            if getattr(one, "attr", "") in SIZES
            else []
        )
    }
    return [code.replaced(node, text) for node in names_in(statement, name) if id(node) not in sized]


def kept_as_tensor(code: Code, line: int, text: str) -> list[Edit]:
    """The tensor itself in place of the numbers that an expression in a line takes of it: `w` for `w.item()` and `float(w)`; nothing for what makes
    arrays or lists, which need another program."""
    for node in ast.walk(code.tree):
        if isinstance(node, ast.Call) and node.lineno == line and text in (code.text(node), "it"):
            called = node.func
            if isinstance(called, ast.Attribute) and called.attr == "item":
                return [code.cut(node, called.value)]
            if isinstance(called, ast.Name) and called.id == "float" and len(node.args) == 1:
                return [code.cut(node, node.args[0])]
    return []


def parameter_last(log: Log, made: int) -> Edit | None:
    """`nn.Parameter(a * 2)` for `nn.Parameter(a) * 2`, where a step ran that; None where the statement is another one."""
    place = at_step(log, made)
    value = (
        getattr(place[1], "value", None) if place is not None and isinstance(place[1], ast.Assign) else None
    )
    calls = (
        []
        if value is None
        else [
            n
            for n in ast.walk(value)
            if isinstance(n, ast.Call) and ast.unparse(n.func).endswith("Parameter")
        ]
    )
    if place is None or value is None or len(calls) != 1 or not calls[0].args or value is calls[0]:
        return None
    code, inner = place[0], calls[0].args[0]
    own = code.text(inner) if isinstance(inner, ATOMS) else f"({code.text(inner)})"
    return code.replaced(
        value, f"{code.text(calls[0].func)}({code.text(value).replace(code.text(calls[0]), own)})"
    )


def assigned_to(code: Code, name: str) -> ast.stmt | None:
    """The last statement that gives a variable its value."""
    found = [s for s in code.statements if isinstance(s, ast.Assign) and name in map(ast.unparse, s.targets)]
    return max(found, key=lambda s: s.lineno, default=None)


def made_later(log: Log, name: str, step: int | None) -> list[Edit]:
    """What makes an optimizer, moved behind the statement that led to a step; nothing where they do not stand in one block, or it is used between them."""
    for code, line in frames(log, step) if step is not None else ():
        made, after = assigned_to(code, name), code.statement_at(line)
        if (
            made is None
            or after is None
            or made.lineno >= after.lineno
            or not code.stand_together(made, after)
        ):
            continue
        if any(made.lineno < s.lineno < after.lineno and names_in(s, name) for s in code.statements):
            return []
        return code.moved(made, after=after)
    return []
