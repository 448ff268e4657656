"""Shapes and dtypes that do not fit together."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator

from jgrad.tracing.document.syntax import parsed
from jgrad.tracing.explain.edits import ATOMS, Code, Edit, calls_of, linear_of, names_in, read_as
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.operands import (
    Operand,
    failing_tree,
    from_numpy,
    in_expression,
    known_tensors,
    models_in,
    origin,
    pairs,
)
from jgrad.tracing.explain.repairs import at_incident, given_as, instead_of, mended, operand, written_to
from jgrad.tracing.explain.rule import RUNTIME, Rules

OPERATIONS = Rules()

# What converts the parameters of a model.
CONVERTED = {
    "float16": "half",
    "bfloat16": "bfloat16",
    "float64": "double",
}


def converted(incident: Incident) -> Iterator[dict]:
    """The repairs of a write in place of numbers that its target can't hold: of the user's own, or of a loss that got whole numbers."""
    name, place = written_to(incident), at_incident(incident)
    given = next((x for x in in_expression(incident) if x.dtype in ("int64", "int32", "bool")), None)
    if not name and given is not None:
        yield {
            "but": f"{given.name} has dtype {given.dtype}, which can't hold them",
            "repair": f"Convert it first: {given.name} = {given.name}.float().",
            "edits": [] if place is None else read_as(*place, given.name, f"{given.name}.float()"),
        }
        return
    otherwise = f"Convert the tensor first, as in {name or 'x'} = {name or 'x'}.float()."
    kept = "an in-place operation keeps the dtype of its tensor, "
    target = incident.message.rpartition(" ")[2]
    yield {"but": kept + target, "repair": instead_of(incident.what, name or "x", otherwise)}


def made_anew(incident: Incident) -> Iterator[dict[str, str]]:
    """The repairs of a write in place of a result that is larger than its target."""
    name = written_to(incident)
    yield {"repair": instead_of(incident.what, name, "Use the operation that makes a new tensor.")}


OPERATIONS.by_words(
    "dtype-would-be-lost", "error", "an in-place operation gives numbers that its target's dtype can't hold",
    "{lead}{what} computes {given} numbers, but {but}.",
    "{repair}",
    """
n = jgrad.tensor([1, 2, 3])
n.mul_(0.5)
""", """
n = jgrad.tensor([1, 2, 3])
n = n * 0.5
""",
    raised=(RUNTIME, r"result type (?P<given>\w+) can't be cast to the desired output type (?P<target>\w+)"),
    blanks=converted,
)  # fmt: skip


@OPERATIONS.rule(
    "shapes-do-not-fit", "error", "an operation on elements meets shapes that do not broadcast",
    "{lead}the two shapes do not broadcast: in dimension {dim} one tensor has size {a} and the other has size {b}.",
    "{repair}",
    """
a = jgrad.ones(2, 3)
b = jgrad.ones(2)
a + b
""", """
a = jgrad.ones(2, 3)
b = jgrad.ones(2)
a + b[:, None]
""",
    raised=(RUNTIME, r"The size of tensor a \((?P<a>\d+)\) must match the size of tensor b \((?P<b>\d+)\) at non-singleton dimension "
                     r"(?P<dim>\d+)"),
)  # fmt: skip
def shapes_do_not_fit(incident: Incident) -> Iterator[dict]:
    """Of the ways to make two shapes fit those are named that do, for the shapes that are there."""
    repair = "Compare the two shapes from the right, dimension by dimension: each pair must be equal, or one of the two must be 1."
    for sign, x, y in pairs(incident):
        if not broadcast(x.shape, y.shape):
            ways = [f"{x.name} {sign} {text}" for text, shape in _reshaped(y) if broadcast(x.shape, shape)]
            ways += [f"{text} {sign} {y.name}" for text, shape in _reshaped(x) if broadcast(shape, y.shape)]
            sizes = f"Here {x.name} has shape {x.shape} and {y.name} {y.shape}"
            repair = (
                f"{sizes}. Write {' or '.join(ways[:2])}."
                if ways
                else f"{sizes}. One of them has the wrong size: correct it where it is made."
            )
            break
    yield {"repair": repair} | _of_mask(incident)


def _of_mask(incident: Incident) -> dict:
    """The repair of `x.masked_fill(mask == 0, ...)` where the mask has a row for each sample and fewer dimensions than x: dimensions of size 1 behind the first."""
    place, known = at_incident(incident), known_tensors(incident)
    if place is None:
        return {}
    for call in calls_of(place[1], "masked_fill"):
        x = known.get(ast.unparse(call.func.value))  # type: ignore[attr-defined]
        names = [
            n.id for a in call.args[:1] for n in ast.walk(a) if isinstance(n, ast.Name) and n.id in known
        ]
        mask = known[names[0]] if len(names) == 1 else None
        if x is None or mask is None or not 1 < len(mask.shape) < len(x.shape):
            continue
        lacks = len(x.shape) - len(mask.shape)
        if broadcast(x.shape, [*mask.shape[:1], *[1] * lacks, *mask.shape[1:]]) and not broadcast(
            x.shape, mask.shape
        ):
            new = f"{mask.name}[:{', None' * lacks}]"
            return {
                "repair": f"Here {x.name} has shape {x.shape} and {mask.name} {mask.shape}. Write {new} for {mask.name}: so each sample has its mask.",
                "edits": read_as(*place, mask.name, new),
            }
    return {}


def _reshaped(x: Operand) -> Iterator[tuple[str, list[int]]]:
    """(code, shape) of ways to look at a tensor that may make it fit."""
    if len(x.shape) == 1:
        yield f"{x.name}[:, None]", [*x.shape, 1]
    elif len(x.shape) == 2 and 1 not in x.shape:
        yield f"{x.name}.T", x.shape[::-1]
    elif len(x.shape) > 2:
        yield f"{x.name}[:, None]", [x.shape[0], 1, *x.shape[1:]]


def broadcast(a: list[int], b: list[int]) -> bool:
    """Whether two shapes broadcast."""
    return all(m == n or 1 in (m, n) for m, n in zip(a[::-1], b[::-1], strict=False))


def _inverted(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """`~mask` for `1 - mask` and `-mask`."""
    for node in ast.walk(statement):
        one = (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Sub)
            and isinstance(node.left, ast.Constant)
            and node.left.value == 1
        )
        inner = (
            node.right
            if isinstance(node, ast.BinOp) and one
            else node.operand
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
            else None
        )
        if inner is not None and not isinstance(inner, ast.Constant) and isinstance(node, ast.expr):
            text = code.text(inner) if isinstance(inner, ATOMS) else f"({code.text(inner)})"
            yield code.replaced(node, f"~{text}")


def _mask(incident: Incident) -> Iterator[dict]:
    """The mask in the expression that raised."""
    name = next((x.name for x in in_expression(incident) if x.dtype == "bool"), "mask")
    two = "two bool" in incident.message
    yield {
        "name": name,
        "repair": "Write a & ~b for what is in a and not in b, or a ^ b for what is in one of them." if two else f"Write ~{name}, which swaps True and False.",
    }  # fmt: skip


OPERATIONS.by_words(
    "minus-of-mask", "error", "1 - mask of a tensor of bools",
    "{lead}{name} holds bools (True, False), and minus is not defined for them.",
    "{repair}",
    """
mask = jgrad.tensor([True, False])
keep = 1 - mask
""", """
mask = jgrad.tensor([True, False])
keep = ~mask
""",
    raised=(RUNTIME, r"(?:Subtraction|Negation), the `-` operator, (?:with|on) (?:a bool tensor|two bool tensors) is not supported"),
    blanks=mended(_mask, _inverted),
)  # fmt: skip

OPERATIONS.by_words(
    "batches-do-not-fit", "error", "a product of batches of matrices meets shapes that do not fit",
    "{lead}the second tensor must hold {batch} matrices of {inner} rows, because the first one holds {batch} matrices of {inner} columns. It "
    "holds {count} matrices of {rows} rows.",
    "If its last two dimensions are in the wrong order, write q @ k.transpose(-2, -1); otherwise correct the size where it is made.",
    """
q, k = jgrad.ones(2, 5, 8), jgrad.ones(2, 7, 8)
q @ k
""", """
q, k = jgrad.ones(2, 5, 8), jgrad.ones(2, 7, 8)
q @ k.transpose(-2, -1)
""",
    raised=(RUNTIME, r"Expected size for first two dimensions of batch2 tensor to be: \[(?P<batch>\d+), (?P<inner>\d+)\] but got: "
                     r"\[(?P<count>\d+), (?P<rows>\d+)\]"),
)  # fmt: skip

OPERATIONS.by_words(
    "target-too-small", "error", "an in-place operation would have to make its target larger",
    "{lead}the result has shape {wide}, but {what} writes to a tensor of shape {shape}, which can't grow.",
    "{repair}",
    """
a = jgrad.ones(3)
a.add_(jgrad.ones(2, 3))
""", """
a = jgrad.ones(3)
a = a + jgrad.ones(2, 3)
""",
    raised=(RUNTIME, r"output with shape (?P<shape>\[.*?\]) doesn't match the broadcast shape (?P<wide>\[.*?\])"),
    blanks=made_anew,
)  # fmt: skip


@OPERATIONS.rule(
    "matrices-do-not-fit", "error", "a matrix product meets shapes that do not fit",
    "{lead}a {a} matrix can't be multiplied by a {b} matrix: the first must have as many columns as the second has rows.",
    "{repair}",
    """
x = jgrad.ones(4, 3)
w = jgrad.ones(2, 3)
x @ w
""", """
x = jgrad.ones(4, 3)
w = jgrad.ones(2, 3)
x @ w.T
""",
    raised=(RUNTIME, r"mat1 and mat2 shapes cannot be multiplied \((?P<a>\w+) and (?P<b>\w+)\)"),
)  # fmt: skip
def matrices_do_not_fit(incident: Incident) -> Iterator[dict]:
    """A transposition is the repair only where the transposed matrix fits."""
    sizes = re.search(r"\((\d+)x(\d+) and (\d+)x(\d+)\)", incident.message)
    if sizes is None:
        return
    n, m, p, q = map(int, sizes.groups())
    pair = next(
        ((x, y) for sign, x, y in pairs(incident) if sign == "@" and [n, m, p, q] == [*x.shape, *y.shape]),
        None,
    )
    x, y = (pair[0].name, pair[1].name) if pair else ("the first", "the second")
    ways = [f"{x} @ {y}.T"] if m == q else []
    ways += [f"{x}.T @ {y}"] if n == p else []
    if ways and pair:
        repair = f"Write {' or '.join(ways)}."
    elif ways:
        repair = "Transpose the second, as in a @ b.T." if m == q else "Transpose the first, as in a.T @ b."
    else:
        repair = f"No transposition helps: {x} has {m} columns and {y} {p} rows, so one of them has the wrong size; correct it where it is made."
    yield {"repair": repair}


@OPERATIONS.rule(
    "dtypes-do-not-fit", "error", "a matrix product or a layer meets two dtypes",
    "{lead}both tensors need one dtype, but one is {a}, the other {b}{origin}.",
    "{repair}",
    """
w = jgrad.ones(2, 2)
x = jgrad.ones(2, 2, dtype=jgrad.float64)
w @ x
""", """
w = jgrad.ones(2, 2)
x = jgrad.ones(2, 2, dtype=jgrad.float64)
w @ x.to(w.dtype)
""",
    raised=("RuntimeError|ValueError",
            r"(?:expected (?:m1 and m2|mat1 and mat2) to have the same dtype, but got: |mat1 and mat2 must have the same dtype, but got |"
            r"addmv input tensors must have the same dtype, but got |expected both vectors to have same dtype, but found |expected scalar type |"
            r"Found dtype |Input type \(|RNN input dtype \(torch\.)(?P<a>\w+(?: int)?)(?: != |, | and | but found | but expected |\) and bias type \(|"
            r"\) does not match weight dtype \(torch\.)(?P<b>\w+(?: int)?)"),
)  # fmt: skip
def dtypes_do_not_fit(incident: Incident) -> Iterator[dict]:
    """Where the one came from that is not float32, such as NumPy: a tensor, or the parameters of a model."""
    named = in_expression(incident)
    odd = next((x for x in named if x.dtype != "float32"), None)
    # The layer that is called, rather than the self that has it.
    models = sorted(models_in(incident), key=lambda x: -len(x.name))
    model = next((x for x in models if x.dtype in CONVERTED), None)
    if odd is None and model is not None and named:
        convert, words = CONVERTED[model.dtype], f"the parameters of {model.name} are {model.dtype}"
        repair = f"Convert both to one dtype: {named[0].name}.{convert}() has the dtype of the parameters, {model.name}.float() makes them float32."
        place = at_incident(incident)
        read = [] if place is None else names_in(place[1], named[0].name)
        edits = [
            place[0].replaced(n, f"{named[0].name}.{convert}()")
            for n in read
            if place is not None and len(read) == 1
        ]
        yield {
            "origin": f": {words}{_converted_at(incident, model.name, convert)}",
            "repair": repair,
            "edits": edits,
        }
        return
    text = next(given_as(0, "text", "")(incident))["text"]
    if (
        odd is None
        and text
        and re.match(r"mat1 and mat2 .*Double and Float|Input type \(double\)", incident.message)
    ):
        numpy = (
            ", as NumPy's numbers are float64 unless another dtype is given" if "from_numpy" in text else ""
        )
        yield {"origin": f": {text} is float64{numpy}", "repair": f"Write {text}.float()."}
        return
    if odd is None:
        name = named[0].name if named else "x"
        both = f"Convert both to one dtype: {name}.double() has the dtype of float64 weights, model.float() makes the weights float32."
        yield {"origin": "", "repair": both}
        return
    at, code = origin(incident, odd)
    words = f": {odd.name} has dtype {odd.dtype}"
    if at:
        words += f" since {at} ({code})"
    if odd.dtype == "float64" and at and from_numpy(incident, code):
        words += ", as NumPy's numbers are float64 unless another dtype is given"
    elif odd.dtype.startswith("int") and at:
        words += ", as it is made of whole numbers"
    parameters = {} if incident.log is None else incident.log.parameter_of
    if "Parameter(" in code or odd.number in parameters:
        yield {"origin": words, "repair": f"Convert what the Parameter is made of: add .float() in {at}."}
        return
    yield {"origin": words, "repair": f"Convert it where it is made: {odd.name} = {odd.name}.float()."}


# What writes the numbers of another tensor into a tensor, without its underscore: which argument of the method that tensor is.
WRITES = {
    "index_add": 2, "index_copy": 2, "index_put": 1, "masked_scatter": 1, "put": 1, "scatter": 2, "scatter_add": 2, "scatter_reduce": 2,
}  # fmt: skip
WRITTEN = ("src", "source", "values")
WIDER = ("float", "bfloat", "complex")


def _written(tree: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """(what a statement writes into, what it writes) of a call of `WRITES`, or of a subscript that is assigned to."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            return node.targets[0].value, node.value
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            place = WRITES.get(node.func.attr.rstrip("_"))
            if place is not None:
                method = ast.unparse(node.func.value) not in ("torch", "jgrad")
                operands = [node.func.value, *node.args] if method else node.args
                given = [k.value for k in node.keywords if k.arg in WRITTEN] or operands[
                    place + 1 : place + 2
                ]
                if operands and given:
                    return operands[0], given[0]
    return None


def _source_converted(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """The same statement, with what it writes in the dtype of what it writes into."""
    found = _written(statement)
    if case["narrower"] and found is not None:
        target, source = found
        yield code.replaced(source, _converted(code.text(target), source, code.text(source)))


def _converted(target: str, source: ast.expr, text: str) -> str:
    return f"{text if isinstance(source, ATOMS) else f'({text})'}.to({target}.dtype)"


def dtypes_of_a_write(incident: Incident) -> Iterator[dict]:
    """What is written into what. Whole numbers fit into a tensor of fractions, and not the other way round."""
    found = _written(parsed(incident.what.split("\n"))) or _written(failing_tree(incident))
    if found is None:
        yield {
            "names": "what is written",
            "target": "the tensor",
            "dtypes": "",
            "narrower": False,
            "repair": "Convert it first, with .to().",
        }
        return
    known = known_tensors(incident)
    target, source = map(ast.unparse, found)
    into, given = known.get(target), known.get(source)
    both = "" if into is None or given is None else f": {target} is {into.dtype}, {source} is {given.dtype}"
    narrower = into is None or into.dtype.startswith(WIDER)
    repair = (
        f"Write {_converted(target, found[1], source)}."
        if narrower
        else f"Make {target} with the dtype of what is written to it."
    )
    yield {"names": source, "target": target, "dtypes": both, "narrower": narrower, "repair": repair}


OPERATIONS.by_words(
    "dtypes-of-a-write-differ", "error", "scatter_() or the like writes numbers of another dtype",
    "{lead}{names} is written into {target}, and both need one dtype{dtypes}.",
    "{repair}",
    """
hot = jgrad.zeros(2, 3)
index = jgrad.tensor([[0], [2]])
one = jgrad.tensor([[1], [1]])
hot.scatter_(1, index, one)
""", """
hot = jgrad.zeros(2, 3)
index = jgrad.tensor([[0], [2]])
one = jgrad.tensor([[1], [1]])
hot.scatter_(1, index, one.to(hot.dtype))
""",
    raised=(RUNTIME, r"(?:Expected self\.dtype to be equal to src\.dtype|must have the same scalar type|self and source expected to have the same "
                     r"dtype|expected self and source to have same dtypes|Index put requires the source and destination dtypes match)"),
    blanks=mended(dtypes_of_a_write, _source_converted),
)  # fmt: skip


def _converted_at(incident: Incident, model: str, convert: str) -> str:
    """ " since line 2", if a line of the cell calls such a method of a model."""
    calls = rf"\b{re.escape(model)}\b.*\.{convert}\(\)"
    lines = [n for n, line in enumerate(incident.cell, 1) if re.search(calls, line.partition("#")[0])]
    return f" since line {lines[-1]}" if lines and (incident.log is not None or not incident.file) else ""


OPERATIONS.by_words(
    "dimension-out-of-range", "error", "dim= names a dimension that the tensor does not have",
    "{lead}the tensor has no dimension {dim}: dim= can be {low} to {high}, where negative numbers count from the end.",
    "Look at {name}.shape.",
    """
x = jgrad.ones(2, 3)
x.sum(2)
""", """
x = jgrad.ones(2, 3)
x.sum(1)
""",
    raised=("IndexError", r"Dimension out of range \(expected to be in range of \[(?P<low>-?\d+), (?P<high>-?\d+)\], but got (?P<dim>-?\d+)\)"),
    blanks=operand,
)  # fmt: skip


@OPERATIONS.rule(
    "shape-of-another-size", "error", "a tensor is reshaped to a shape of another number of elements",
    "{lead}a tensor of {count} elements can't have shape {shape}.",
    "{repair}",
    """
a = jgrad.ones(6)
a.view(4, 2)
""", """
a = jgrad.ones(6)
a.view(3, -1)
""",
    raised=(RUNTIME, r"shape '(?P<shape>\[.*?\])' is invalid for input of size (?P<count>\d+)"),
)  # fmt: skip
def shape_of_another_size(incident: Incident) -> Iterator[dict]:
    """A -1 is the repair only where the other sizes divide the number of elements."""
    sizes = re.search(r"shape '\[(.*?)\]' is invalid for input of size (\d+)", incident.message)
    shape = [int(n) for n in re.findall(r"-?\d+", sizes[1])] if sizes else []
    count = int(sizes[2]) if sizes else 0
    ways = []
    for d in range(len(shape)):
        rest = math.prod(shape[:d] + shape[d + 1 :])
        if -1 not in shape and rest > 0 and count % rest == 0:
            ways.append(", ".join(str(n) for n in [*shape[:d], -1, *shape[d + 1 :]]))
    name = next(operand(incident))["name"]
    whole = _of_size(incident, name, count)
    if len(whole) > 2 and len(shape) == 2 and shape[0] in (-1, whole[0]):
        each = math.prod(whole[1:])
        yield {
            "repair": f"{name} has shape {whole}: {each} elements for each sample, not {shape[1]}. Write {name}.flatten(1), and make the layer "
            f"after it for {each}.",
            "edits": _flattened(incident, name, shape[1], each),
        }
    elif ways:
        yield {"repair": f"Let one size be computed with -1, as in {name}.view({ways[-1]})."}
    else:
        yield {"repair": f"Choose sizes whose product is {count}; {name}.shape shows what the tensor has."}


def _of_size(incident: Incident, name: str, count: int) -> list[int]:
    """The shape of the tensor of this name and so many elements; nothing if that is not known."""
    found = [x.shape for x in [known_tensors(incident).get(name)] if x is not None]
    if incident.log is not None:
        made = [t for step in incident.log.steps[: incident.step] for t in step.get("makes", ())][-1:]
        named = [t["id"] for t in reversed(incident.log.tensors) if name in [n for _, n in t["names"]]]
        found += [incident.log.tensors[t]["shape"] for t in (*named, *made)]
    return next((shape for shape in found if math.prod(shape) == count), [])


def _flattened(incident: Incident, name: str, old: int, new: int) -> list[Edit]:
    """`x.flatten(1)` for the only `x.view(...)` of the statement, and the only Linear of so many features made for others."""
    place = at_incident(incident)
    called = [] if place is None else [*calls_of(place[1], "view"), *calls_of(place[1], "reshape")]
    views = [c for c in called if ast.unparse(c.func) in (f"{name}.view", f"{name}.reshape")]
    if place is None or len(views) != 1 or incident.log is None:
        return []
    layers = linear_of(incident.log, old)
    edits = [place[0].replaced(views[0], f"{name}.flatten(1)")]
    return (
        edits + [code.replaced(call.args[0], str(new)) for code, call in layers] if len(layers) == 1 else []
    )


OPERATIONS.by_words(
    "sizes-to-join-along", "error", "cat() of tensors that differ in another dimension",
    "{lead}cat() along dimension {dim} needs equal sizes in all other dimensions, but tensor 0 has size {a} where tensor {index} has size "
    "{b}.",
    "Join along the dimension in which they differ, as in cat(tensors, dim=1), or bring them to one size.",
    """
a = jgrad.ones(2, 3)
b = jgrad.ones(2, 4)
jgrad.cat([a, b])
""", """
a = jgrad.ones(2, 3)
b = jgrad.ones(2, 4)
jgrad.cat([a, b], dim=1)
""",
    raised=(RUNTIME, r"Sizes of tensors must match except in dimension (?P<dim>\d+)\. Expected size (?P<a>\d+) but got size (?P<b>\d+) for "
                     r"tensor number (?P<index>\d+)"),
)  # fmt: skip


@OPERATIONS.rule(
    "samples-of-unequal-size", "error", "a DataLoader stacks samples of different sizes",
    "{lead}a loader stacks the samples of a batch, and these differ in size{sizes}.",
    "{repair}",
    """
rows = [jgrad.ones(2), jgrad.ones(3)]
loader = jgrad.utils.data.DataLoader(rows, batch_size=2)
for batch in loader:
    print(batch.shape)
""", """
rows = [jgrad.ones(2), jgrad.ones(3)]
def padded(rows):
    return jgrad.nn.utils.rnn.pad_sequence(rows, batch_first=True)
loader = jgrad.utils.data.DataLoader(rows, batch_size=2, collate_fn=padded)
for batch in loader:
    print(batch.shape)
""",
    raised=(RUNTIME, r"stack expects each tensor to be equal size, but got (?P<a>\[.*?\]) at entry 0 and (?P<b>\[.*?\])|each element in list of batch should be of equal size"),
)  # fmt: skip
def samples_of_unequal_size(incident: Incident) -> Iterator[dict]:
    """What raised takes a batch, and does not stack itself."""
    takes = [
        n
        for n in ast.walk(failing_tree(incident))
        if isinstance(n, (ast.For, ast.comprehension))
        or (isinstance(n, ast.Call) and ast.unparse(n.func) in ("next", "list", "enumerate"))
    ]
    if takes and "stack(" not in incident.failing():
        sizes = re.findall(r"\[[\d, ]*\]", incident.message)[:2]
        shown = f": {' and '.join(sizes)}" if sizes else ""
        cut = next(_windows_cut_off(incident), None)
        if cut is not None:
            code, count, window, series = cut
            line = f"line {count.lineno} of {code.file}" if code.file else f"line {count.lineno}"
            yield {
                "sizes": f"{shown}. The last slices of {series} by {window} are cut off at its end, and __len__() ({line}) counts them",
                "repair": f"Count whole ones: return len({series}) - {window}.", "edits": [code.replaced(count, f"return len({series}) - {window}")],
            }  # fmt: skip
            return
        pads = "jgrad.nn.utils.rnn.pad_sequence(tensors, batch_first=True)"
        yield {
            "sizes": shown,
            "repair": f"Pass a collate_fn to the DataLoader that pads them, as {pads} does.",
        }


def _windows_cut_off(incident: Incident) -> Iterator[tuple[Code, ast.Return, str, str]]:
    """(code, what __len__ returns, the width, what is cut) of a data set that slices `series[i : i + width]` up to the end, and whose length leaves nothing
    out; the trace has such a slice that is shorter than the others."""
    codes = [Code(incident.cell)] if incident.log is None else Code.all_of(incident.log)
    for code, kind in [(c, n) for c in codes for n in c.statements if isinstance(n, ast.ClassDef)]:
        own = {f.name: f for f in kind.body if isinstance(f, ast.FunctionDef)}
        items, length = own.get("__getitem__"), own.get("__len__")
        counts = [n for n in ast.walk(length) if isinstance(n, ast.Return)] if length is not None else []
        slices = (
            [n for n in ast.walk(items) if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Slice)]
            if items is not None
            else []
        )
        for node in slices if len(counts) == 1 else ():
            begin, end = node.slice.lower, node.slice.upper  # type: ignore[attr-defined]
            if begin is None or not isinstance(end, ast.BinOp) or not isinstance(end.op, ast.Add):
                continue
            left, right = ast.unparse(end.left), ast.unparse(end.right)
            window = {left: right, right: left}.get(ast.unparse(begin), "")
            series, told = ast.unparse(node.value), ast.unparse(counts[0])
            if window and f"len({series})" in told and window not in told and _lengths_of(incident, node) > 1:
                yield code, counts[0], window, series


def _lengths_of(incident: Incident, node: ast.expr) -> int:
    """How many sizes the slices had that a line made; 2 where the trace does not know them, as those of arrays."""
    log = incident.log
    made = (
        [
            s["makes"][0]
            for _, s in log.of("view")
            if s["op"] == "slice" and log.places.line(s)[1] == node.lineno
        ]
        if log is not None
        else []
    )
    return len({log.tensors[t]["shape"][0] for t in made if log is not None}) if made else 2


OPERATIONS.by_words(
    "sizes-to-join", "error", "stack() of tensors of different shapes",
    "{lead}stack() needs tensors of one shape, but tensor 0 has shape {a} and tensor {index} has shape {b}.",
    "Use cat() to join them along an existing dimension, or bring them to one shape.",
    """
jgrad.stack([jgrad.ones(2), jgrad.ones(3)])
""", """
jgrad.cat([jgrad.ones(2), jgrad.ones(3)])
""",
    raised=(RUNTIME, r"stack expects each tensor to be equal size, but got (?P<a>\[.*?\]) at entry 0 and (?P<b>\[.*?\]) at entry (?P<index>\d+)"),
)  # fmt: skip
