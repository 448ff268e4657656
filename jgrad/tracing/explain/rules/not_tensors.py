"""What is used as if it were a tensor: a tuple, a list, None, a number, a function."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

from jgrad import return_types
from jgrad.tensor import Tensor
from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.syntax import around, has, numbers_taken, parsed, returns
from jgrad.tracing.document.user_sources import name_of
from jgrad.tracing.explain.edits import Code, Edit, assigned_to, calls_of, names_in, read_as, without_call
from jgrad.tracing.explain.incident import LONGEST, Incident
from jgrad.tracing.explain.meaning import in_comprehensions, meaning
from jgrad.tracing.explain.repairs import at_incident, before, called, gives_none, mended, mending, returning
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.rules.grads import reason
from jgrad.tracing.explain.subject import Subject
from jgrad.tracing.record.user_code import UserCode

ERRORS = Rules()
OF_MODULES = ("parameters", "named_parameters", "buffers", "children", "modules", "state_dict", "forward")
# What has several results if it is given a dimension.
WITH_INDICES = r"= .*\b(?:max|min|median|mode|kthvalue|sort|topk)\(.*\b(?:dim=)?-?\d\)$"
MODES = ("no_grad", "enable_grad", "inference_mode", "set_detect_anomaly", "detect_anomaly", "autocast")
# Methods of modules that give the module.
GIVE_THEMSELVES = ("train", "eval", "to", "apply", "cuda", "cpu", "float", "double", "half", "requires_grad_")
METHOD = r"'(?:function|method|builtin_function_or_method)'"
# Code whose frame has the variables of a comprehension: since Python 3.12 only that of generators.
OWN_FRAME = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def _unpacked(incident: Incident) -> dict:
    """The statement of the same function that gives a variable the pair which the call got, with the second one left out."""
    place = at_incident(incident)
    for call in (
        [n for n in ast.walk(place[1]) if isinstance(n, ast.Call) and n.args] if place is not None else ()
    ):
        name, code = ast.unparse(call.args[0]), place[0]  # type: ignore[index]
        functions = around(code.tree, call.lineno, ast.FunctionDef)
        made = assigned_to(code, name) if functions else None
        value = incident.variables.get(name)
        if (
            isinstance(made, ast.Assign)
            and isinstance(made.targets[0], ast.Name)
            and isinstance(made.value, ast.Call)
            and has(functions[-1], made.lineno)
            and isinstance(value, tuple)
            and len(value) == 2
        ):
            alone = len(names_in(functions[-1], name)) == 1
            return {
                "repair": f"Unpack it where it is made: `{name}, _ = {code.text(made.value)}`.",
                "edits": [code.replaced(made.targets[0], f"{name}, _")] if alone else [],
            }
    return {}


def _unpacking(incident: Incident) -> Iterator[dict]:
    """How to unpack it: a batch of a DataLoader is a list, an RNN returns a tuple."""
    if not incident.message.endswith("list"):
        yield {"repair": "If a module returned it, unpack it first, as in out, state = rnn(x)."} | _unpacked(
            incident
        )
        return
    place = at_incident(incident)
    code = Code(incident.cell) if place is None else place[0]
    for loop in (n for n in ast.walk(code.tree) if isinstance(n, ast.For) and isinstance(n.target, ast.Name)):
        name, iterated = ast.unparse(loop.target), ast.unparse(loop.iter)
        called = [ast.unparse(a) for n in ast.walk(loop) if isinstance(n, ast.Call) for a in n.args]
        batch = incident.variables.get(name)
        if name in called and re.search(r"load|batch", iterated, re.IGNORECASE):
            many = isinstance(batch, (list, tuple)) and len(batch) > 1
            target = "x, y" if many else f"({name},)"
            edits = [] if many or place is None else [code.replaced(loop.target, target)]
            yield {
                "repair": f"A batch of {iterated} is a list: write for {target} in {iterated}.",
                "edits": edits,
            }
            return
    yield {"repair": "Join its tensors with stack() or cat(), or take one of them."}


ERRORS.by_words(
    "tuple-for-tensor", "error", "an operator gets a tuple or a list, as an RNN or a DataLoader returns one",
    "{lead}{name} of {op}() must be a tensor, but it is a {kind}.",
    "{repair}",
    """
rnn, head = jgrad.nn.GRU(2, 3), jgrad.nn.Linear(3, 1)
y = head(rnn(jgrad.ones(4, 2)))
""", """
rnn, head = jgrad.nn.GRU(2, 3), jgrad.nn.Linear(3, 1)
out, state = rnn(jgrad.ones(4, 2))
y = head(out)
""",
    raised=("TypeError", r"(?P<op>\w+)\(\): argument '(?P<name>\w+)' \(position \d+\) must be Tensor, not (?P<kind>tuple|list)$"),
    blanks=_unpacking,
)  # fmt: skip


@ERRORS.rule(
    "tuple-of-gradients", "error", "the result of autograd.grad() is used like one tensor",
    "{lead}autograd.grad() returns a tuple with one gradient for each input, also for a single input.",
    "Unpack the tuple, as in `g, = jgrad.autograd.grad(y, x)`.",
    """
x = jgrad.ones(2, requires_grad=True)
g = jgrad.autograd.grad((x * x).sum(), x)
g.sum()
""", """
x = jgrad.ones(2, requires_grad=True)
g, = jgrad.autograd.grad((x * x).sum(), x)
g.sum()
""",
    raised=("AttributeError|TypeError", r"'tuple'"),
)  # fmt: skip
def tuple_of_gradients(incident: Incident) -> Iterator[dict]:
    source = "\n".join(incident.cell)
    if "autograd.grad(" in source:
        yield {}


@ERRORS.rule(
    "things-without-backward", "error", "a list or tuple of tensors is used like one tensor",
    "{lead}{name} is a {kind}, which has no {method}(); the tensors in it have one.",
    "{repair}",
    """
w = jgrad.ones(1, requires_grad=True)
losses = [w * 2, w * 3]
losses.backward()
""", """
w = jgrad.ones(1, requires_grad=True)
losses = [w * 2, w * 3]
sum(losses).backward()
""",
    raised=("AttributeError", r"'[\w.]+' object has no attribute"),
)  # fmt: skip
def things_without_backward(incident: Incident) -> Iterator[dict]:
    """backward(), or another method of tensors, of what holds tensors."""
    attribute = _missing_attribute(incident)
    kind = re.findall(r"'([\w.]+)'", incident.message)[0].rpartition(".")[2]
    named = kind in vars(return_types)
    if (
        attribute is None
        or not hasattr(Tensor, attribute[1])
        or not (named or kind in ("list", "tuple", "dict"))
    ):
        return
    name, method = attribute
    values = f"{name}.values()" if kind == "dict" else name
    repair = f"Join the tensors with jgrad.stack({f'list({values})' if kind == 'dict' else name}), or take one of them."
    if named:
        repair = f"Take one of them by name, as in {name}.values."
    elif kind == "tuple":
        repair = f"Take one of them, as in {name}[0], or unpack the tuple, as in out, state = rnn(x)."
    elif method == "backward":
        repair = f"Write sum({values}).backward()."
    yield {
        "name": name,
        "kind": f"named tuple ({kind})" if named else kind,
        "method": method,
        "repair": repair,
    }


@ERRORS.rule(
    "things-compared", "error", "several things are compared with a tensor, which gives one bool",
    "{lead}{text} compares {name}, {what}, with a tensor: that gives one False, not a tensor.",
    "{repair}",
    """
scores, labels = jgrad.randn(4, 3), jgrad.tensor([0, 1, 2, 0])
found = jgrad.max(scores, 1)
right = (found == labels).sum()
""", """
scores, labels = jgrad.randn(4, 3), jgrad.tensor([0, 1, 2, 0])
values, found = jgrad.max(scores, 1)
right = (found == labels).sum()
""",
    raised=("AttributeError", r"'bool' object has no attribute"),
)  # fmt: skip
def things_compared(incident: Incident) -> Iterator[dict]:
    """`==` of a result of max() as a whole, or of a list."""
    place = at_incident(incident)
    tree = parsed(incident.failing().strip().removesuffix(":").split("\n"))
    for node in [n for n in ast.walk(tree) if isinstance(n, ast.Compare) and len(n.comparators) == 1]:
        for side in (node.left, node.comparators[0]):
            value, name = meaning(ast.unparse(side), incident.variables), ast.unparse(side)
            made = assigned_to(Code(incident.cell), name)
            gives_both = (
                re.search(WITH_INDICES, ast.unparse(made)) if value is None and made is not None else None
            )
            blanks = {"text": ast.unparse(node), "name": name}
            if gives_both or (isinstance(value, tuple) and hasattr(value, "indices")):
                yield blanks | {
                    "what": "values and indices in one", "repair": f"Write {name}.indices, or unpack it: values, {name} = ...",
                    "edits": [] if place is None else read_as(*place, name, f"{name}.indices"),
                }  # fmt: skip
                return
            if isinstance(value, (list, tuple)):
                repair = f"Make a tensor of {name} first, with stack() or tensor()."
                yield blanks | {"what": f"a {type(value).__name__}", "repair": repair}
                return


def _modes(statement: ast.AST) -> list[ast.expr]:
    """What stands in a `with` without its parentheses."""
    items = [i.context_expr for n in ast.walk(statement) if isinstance(n, ast.With) for i in n.items]
    return [
        i
        for i in items
        if isinstance(i, (ast.Name, ast.Attribute)) and ast.unparse(i).rpartition(".")[2] in MODES
    ]


def _mode(incident: Incident) -> Iterator[dict[str, str]]:
    place = at_incident(incident)
    for mode in [] if place is None else _modes(place[1]):
        yield {"mode": ast.unparse(mode)}
        return


def _called_mode(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    for mode in _modes(statement):
        yield code.replaced(mode, f"{code.text(mode)}()")


@ERRORS.rule(
    "nothing-returned", "error", "a function that computes something has no return",
    "{lead}{name} is None, because {function}() (line {line}) returns nothing.",
    "End {function}() with return and its result.",
    """
def loss_of(y):
    (y * y).sum()

w = jgrad.ones(2, requires_grad=True)
loss = loss_of(w * 2)
loss.backward()
""", """
def loss_of(y):
    return (y * y).sum()

w = jgrad.ones(2, requires_grad=True)
loss = loss_of(w * 2)
loss.backward()
""",
    raised=("AttributeError|TypeError", r"'NoneType' object (?:has no attribute|is not callable)|^float\(\) argument must be .*'NoneType'"),
)  # fmt: skip
def nothing_returned(incident: Incident) -> Iterator[dict]:
    """What a function that has no return was to give, or a method such as train(), which is to give the module: its attribute is read, or it is called."""
    attribute = _missing_attribute(incident)
    nodes = [*ast.walk(parsed(incident.failing().strip().removesuffix(":").split("\n")))]
    names = [attribute[0]] if attribute else [ast.unparse(n.func) for n in nodes if isinstance(n, ast.Call)]
    codes = [Code(incident.cell)] if incident.log is None else Code.all_of(incident.log)
    given = {
        call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func): name
        for code in codes for name, _, call in code.made if name in names
    }  # fmt: skip
    # What is handed to a step() of L-BFGS, which asks it for the loss.
    if incident.message.startswith("float()"):
        calls = [
            n
            for n in nodes
            if isinstance(n, ast.Call) and len(n.args) == 1 and ast.unparse(n.func).endswith(".step")
        ]
        given = {ast.unparse(n.args[0]): f"the loss that {ast.unparse(n.func)}() asks for" for n in calls}
    for code in codes:
        for function in code.statements:
            if isinstance(function, ast.FunctionDef) and function.name in given and not returns(function):
                roots = [
                    ast.unparse(n.func.value)
                    for n in calls_of(function, "backward")
                    if isinstance(n.func, ast.Attribute)
                ]
                itself = function.name in GIVE_THEMSELVES and function.args.args
                result = function.args.args[0].arg if itself else roots[0] if len(roots) == 1 else ""
                edits = [code.after(function.body[-1], f"return {result}")] if result else []
                line = str(function.lineno) if not code.file else f"{function.lineno} of {code.file}"
                case = {"name": given[function.name], "function": function.name, "line": function.lineno}
                yield case | {"line": line, "edits": edits or [*returning(code, function, case)]}
                return
    # In code of which the trace has nothing, since no step ran there:
    for kind in incident.variables.values():
        for method, name in given.items() if isinstance(kind, type) else ():
            ran = getattr(vars(kind).get(method), "__code__", None)
            if ran is not None and UserCode().has_file(ran.co_filename) and gives_none(ran):
                where = f"{ran.co_firstlineno} of {name_of(ran.co_filename)}"
                yield {"name": name, "function": f"{kind.__name__}.{method}", "line": where}
                return


ERRORS.by_words(
    "mode-without-parentheses", "error", "with no_grad: has no parentheses",
    "{lead}with needs a call here, and {mode} alone is a class.",
    "Write `with {mode}():`.",
    "w = jgrad.ones(1, requires_grad=True)\nwith jgrad.no_grad:\n    y = w * 2",
    "w = jgrad.ones(1, requires_grad=True)\nwith jgrad.no_grad():\n    y = w * 2",
    raised=("TypeError|AttributeError", r"'type' object does not support the context manager protocol|^__enter__$"),
    blanks=mended(_mode, _called_mode),
)  # fmt: skip


@ERRORS.rule(
    "method-without-backward", "error", "backward() of a method or a loss that was not called",
    "{lead}{name} is not a tensor: it is a method or a module that still has to be called.",
    "Call it, as in {name}({arguments}).backward().",
    """
w = jgrad.ones(2, requires_grad=True)
criterion = jgrad.nn.MSELoss()
criterion.backward()
""", """
w = jgrad.ones(2, requires_grad=True)
criterion = jgrad.nn.MSELoss()
criterion(w, jgrad.zeros(2)).backward()
""",
    raised=("AttributeError", r"'(?:function|method|builtin_function_or_method|\w+Loss)' object has no attribute 'backward'"),
)  # fmt: skip
def method_without_backward(incident: Incident) -> Iterator[dict]:
    attribute = _missing_attribute(incident)
    if attribute is not None:
        loss = re.search(r"'\w+Loss'", incident.message)
        yield {"name": attribute[0], "arguments": "output, target" if loss else ""}


@ERRORS.rule(
    "method-for-its-result", "error", "a method is used in place of its result",
    "{lead}{name} is a method, which is not called here.",
    "Write {name}().",
    """
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters, lr=0.1)
""", """
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
""",
    raised=(
        "TypeError|AttributeError",
        rf"{METHOD} object (?:is not|has no|does not)|must be Tensor, not (?:builtin_function_or_)?method|unsupported operand type.*{METHOD}",
    ),
)  # fmt: skip
@mending(called)
def method_for_its_result(incident: Incident) -> Iterator[dict]:
    """A method of tensors or modules, of which the line that failed makes no call."""
    tree = parsed(incident.failing().strip().removesuffix(":").split("\n"))
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    missing = _missing_attribute(incident)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node not in called:
            name = ast.unparse(node)
            method = node.attr in OF_MODULES or inspect.isroutine(getattr(Tensor, node.attr, None))
            if method and len(name) <= LONGEST and (missing is None or missing[0] == name):
                yield {"name": name}
                return


def _without_item(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """The statement that gives the name of the case its value, without `item()`."""
    made = assigned_to(code, case["name"])
    if made is not None and made.lineno <= statement.lineno:
        yield from without_call(code, made, "item")


@ERRORS.rule(
    "number-without-backward", "error", "backward() of a plain number",
    "{lead}{name} is a plain number ({kind}) without a history: {made}.",
    "Call backward() on the tensor itself, and item() only to show its value.",
    """
w = jgrad.ones(1, requires_grad=True)
loss = (w * 2).item()
loss.backward()
""", """
w = jgrad.ones(1, requires_grad=True)
loss = w * 2
loss.backward()
""",
    raised=("AttributeError", r"'(?P<kind>float|int|complex|bool|numpy\.\w+)' object has no attribute 'backward'"),
)  # fmt: skip
@mending(_without_item)
def number_without_backward(incident: Incident) -> Iterator[dict]:
    source = incident.cell
    names = set(re.findall(r"[A-Za-z_]\w*", "\n".join(source)))
    made = "item(), float() or tolist() may have made it from a tensor"
    for line, text in numbers_taken(source, names):
        if re.search(r"\b(?:item|tolist|numpy)\(\)|^(?:float|int)\(", text) and (
            incident.line is None or line <= incident.line
        ):
            made = f"{text} in line {line} made plain numbers from a tensor"
    yield {"made": made, "name": before(incident, "backward", "the object")}


@ERRORS.rule(
    "none-where-a-gradient-was-meant", "error", "code computes with a .grad that is None",
    "{lead}{name}.grad is None here: {why}",
    "",
    """
w = jgrad.ones(1, requires_grad=True)
for i in range(2):
    loss = (w * 3).sum()
    loss.backward()
    w = w - 0.1 * w.grad
""", """
w = jgrad.ones(1, requires_grad=True)
for i in range(2):
    loss = (w * 3).sum()
    loss.backward()
    with jgrad.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
""",
    raised=("TypeError|AttributeError", r"NoneType"), knows_more=True,
)  # fmt: skip
def none_where_a_gradient_was_meant(incident: Incident) -> Iterator[dict]:
    for name in _none_grads(incident):
        clearing = re.search(rf"{re.escape(name)}\.grad(?:\.data)?\.(?:zero_|fill_)\(", incident.failing())
        repair = f" Write {name}.grad = None, which also works if it is None already." if clearing else ""
        subject = _subject_of(incident, name)
        assert subject is not None
        why = reason(subject)
        text = why["text"].removeprefix(f"{subject.name}.grad is None: ").rstrip()
        yield {"name": name, "why": text + repair, "edits": why["edits"]}
        return


def _missing_attribute(incident: Incident) -> tuple[str, str] | None:
    """("losses", "backward") of losses.backward() that raised for want of that attribute."""
    attribute = re.search(r"has no attribute '(\w+)'", incident.message)
    for node in ast.walk(parsed(incident.failing().strip().removesuffix(":").split("\n"))):
        if attribute is not None and isinstance(node, ast.Attribute) and node.attr == attribute[1]:
            owner = ast.unparse(node.value)
            return (owner if len(owner) <= LONGEST else "it"), attribute[1]
    return None


def _none_grads(incident: Incident) -> Iterator[str]:
    """The tensors whose .grad the failing line reads though it is None."""
    for name in dict.fromkeys(re.findall(r"([A-Za-z_]\w*(?:\.\w+|\[\d+\])*)\.grad\b", incident.failing())):
        subject = _subject_of(incident, name)
        if subject is not None and not subject.has_grad:
            yield name


def _subject_of(incident: Incident, name: str) -> Subject | None:
    subject = None if incident.log is None else Subject.of(incident.log, name)
    if subject is not None and not subject.has_grad:
        return subject  # else p of a loop over parameters, which have names of their own, or an earlier p
    value = _meant(incident, name)
    if not isinstance(value, Tensor):
        return _element(incident, name) or subject
    subject = Subject.best(name, value, incident.traces)
    if subject.log is not None and subject.number is not None:
        names = [n for _, n in subject.log.tensors[subject.number]["names"] if n]
        subject.name = name if name in names or not names else names[-1]
    subject.code = incident.code
    return subject


def _element(incident: Incident, name: str) -> Subject | None:
    """The first tensor without .grad of the list over which a comprehension in the line that raised runs, as far as the trace knows names."""
    log, (source, line) = incident.log, incident.raising
    if log is None:
        return None
    for node in ast.walk(parsed(source)):
        if (
            isinstance(node, ast.comprehension)
            and line == node.target.lineno
            and ast.unparse(node.target) == name
        ):
            listed = re.compile(rf"{re.escape(ast.unparse(node.iter))}\[\d+\]")
            names = [n for t in log.tensors if listed.fullmatch(n := name_at(t, incident.step))]
            found = [s for n in sorted(names) if (s := Subject.of(log, n)) is not None and not s.has_grad]
            return found[0] if found else None
    return None


def _meant(incident: Incident, name: str) -> object:
    """What a name stood for in the line that raised. The variable of a comprehension is gone when the error is caught, if Python inlined it
    (since 3.12): then it is the first one whose .grad is None, unless an `if` leaves that open."""
    first = re.match(r"\w+", name)
    if first is not None and incident.function not in OWN_FRAME:
        source, line = incident.raising
        known = list(in_comprehensions(parsed(source), first[0], line, incident.variables))
        for values, filtered in known:
            meant = [meaning(name, {**incident.variables, first[0]: value}) for value in values]
            empty = {id(t): t for t in meant if isinstance(t, Tensor) and t._grad is None}
            if empty:
                return next(iter(empty.values())) if not filtered or len(empty) == 1 else None
        if known:
            return None
    return meaning(name, incident.variables)
