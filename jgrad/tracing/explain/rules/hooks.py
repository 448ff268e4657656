"""Hooks of tensors, nodes and modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Value
from jgrad.tracing.document.sentences import brief, is_sum
from jgrad.tracing.document.syntax import LOOPS, around
from jgrad.tracing.explain.edits import Code, Edit
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.repairs import named
from jgrad.tracing.explain.rule import RUNTIME, Rules, listed
from jgrad.tracing.explain.subject import Subject

ERRORS = Rules()
NOTES = Rules()
WHY = Rules()

BEFORE_NODE = ("hook", "prehook")  # kinds of hooks that change the gradient before a node or a leaf gets it
AFTER_NODE = ("node hook", "module hook")  # kinds that change what a node sends
SHOWN = 3  # changes that a sentence lists
# What hooks get, by how they are registered.
ARGUMENTS = {
    "register_hook": "grad",
    "register_post_accumulate_grad_hook": "param",
    "register_forward_pre_hook": "module, args",
    "register_forward_hook": "module, args, output",
    "register_full_backward_pre_hook": "module, grad_output",
    "register_full_backward_hook": "module, grad_input, grad_output",
}
LEAST = 3  # rounds that add a hook: fewer are no loop
HOOKING = re.compile(r"\.register_(?:post_accumulate_grad_)?hook$")


@ERRORS.rule(
    "hook-changes-shape", "error", "a hook returns a tensor of another shape or dtype than the gradient",
    "{lead}a hook replaced a gradient by a tensor of another {words}.",
    "Return a tensor of the same shape and dtype, or None to keep the gradient.",
    """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(lambda grad: grad.norm())
(x * 2).sum().backward()
""", """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(lambda grad: grad / grad.norm())
(x * 2).sum().backward()
""",
    raised=(RUNTIME, r"hook '.*' has changed the (?:size|type) of value"),
)  # fmt: skip
def hook_changes_shape(incident: Incident) -> Iterator[dict]:
    yield {"words": "size" if "size" in incident.message else "dtype"}


ERRORS.by_words(
    "hook-returns-no-tensor", "error", "a hook returns something that is not a tensor",
    "{lead}a hook returned a value of type {kind}, which can't replace the gradient.",
    "Return a tensor, or None to keep the gradient.",
    """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(lambda grad: 0)
(x * 2).sum().backward()
""", """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(lambda grad: grad * 0)
(x * 2).sum().backward()
""",
    raised=("TypeError", r"expected Variable, but hook returned '(?P<kind>[\w.]+)'"),
)  # fmt: skip

ERRORS.by_words(
    "hook-without-grad", "error", "register_hook() of a tensor that does not require grad",
    "{lead}{subject} does not require grad, so it gets no gradient that could run the hook.",
    "Call {name}.requires_grad_() first, or compute {name} from a tensor that requires grad.",
    """
x = jgrad.ones(2)
x.register_hook(print)
""", """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(print)
""",
    raised=(RUNTIME, r"cannot register a hook on a tensor that doesn't require gradient"),
    blanks=named("register_hook"),
)  # fmt: skip


TAKES = """
layer = jgrad.nn.Linear(2, 1)
def clip(%s):
    return %s
layer.register_full_backward_hook(clip)
layer(jgrad.ones(1, 2, requires_grad=True)).sum().backward()
"""


@ERRORS.rule(
    "hook-of-other-kind", "error", "a hook takes other arguments than its kind gets",
    "{lead}{function}() is registered by {how}(), whose hooks get {arguments}, and it takes {count}.",
    "{repair}",
    TAKES % ("grad", "grad.clamp(-1, 1)"),
    TAKES % ("module, grad_input, grad_output", "tuple(g.clamp(-1, 1) for g in grad_input)"),
    raised=("TypeError", r"^(?:[\w.<>]+\.)?(?P<function>\w+)\(\) (?:takes \d+ positional arguments?|missing \d+ required positional)"),
)  # fmt: skip
def hook_of_other_kind(incident: Incident) -> Iterator[dict]:
    """The function that raised was given to a method that registers hooks of another number of arguments."""
    function = re.match(r"[\w.<>]+", incident.message)
    codes = [Code(incident.cell)] if incident.log is None else Code.all_of(incident.log)
    name = "" if function is None else function[0].rpartition(".")[2]
    made = {s.name: s for code in codes for s in code.statements if isinstance(s, ast.FunctionDef)}
    for code in codes:
        for call in [
            n
            for n in ast.walk(code.tree)
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and len(n.args) == 1
        ]:
            how, given = call.func.attr, call.args[0]  # type: ignore[attr-defined]
            if how not in ARGUMENTS or ast.unparse(given).rpartition(".")[2] != name or name not in made:
                continue
            takes = [a.arg for a in made[name].args.args if a.arg != "self"]
            if len(takes) == ARGUMENTS[how].count(",") + 1:
                continue
            case = {
                "how": how,
                "arguments": ARGUMENTS[how],
                "count": listed(takes) or "none",
                "repair": f"Write def {name}({ARGUMENTS[how]}).",
            }
            if how == "register_full_backward_hook" and len(takes) == 1:
                text = f"lambda {ARGUMENTS[how]}: tuple(None if g is None else {code.text(given)}(g) for g in grad_input)"
                case |= {
                    "repair": f"Return a tuple of new gradients: {how}({text}).", "edits": [code.replaced(given, text)],
                }  # fmt: skip
            yield case
            return


@NOTES.rule(
    "hook-too-late", "info", "a computed tensor gets a hook after backward()",
    "{name} got a hook after {at} had run backward() through {name}, so the hook has not run.",
    "Call {name}.register_hook(...) before backward().",
    """
x = jgrad.ones(2, requires_grad=True)
y = x * 2
y.sum().backward()
y.register_hook(print)
""", """
x = jgrad.ones(2, requires_grad=True)
y = x * 2
y.register_hook(print)
y.sum().backward()
""",
)  # fmt: skip
def hook_too_late(log: Log) -> Iterator[dict]:
    """A computed tensor got a hook when backward had run through it already."""
    for node in log.nodes:
        if "hooks" not in node or node["id"] not in log.runs:
            continue
        ran = log.runs[node["id"]][-1]
        late = [text for since, text in node["hooks"] if since > ran]
        if node["variable"] is not None or not any(text.startswith("hook") for text in late):
            continue
        made = [t["id"] for t in log.final if t["grad_fn"] == node["id"] and any(n for _, n in t["names"])]
        if made:
            yield {
                "step": ran,
                "tensors": made,
                "lines": log.lines(ran),
                "name": log.name(made[0]),
                "at": log.at(ran),
            }


@WHY.rule(
    "grad-changed-by-hook", "info", "a hook on the way changed it",
    "{name}.grad is {value}: {changes}.",
    "To get the gradient without it, keep the handle that the registration returns, and call handle.remove().",
    """
x = jgrad.ones(2, requires_grad=True)
h = x * 2
h.register_hook(lambda grad: grad * 10)
h.sum().backward()
""",
    """
x = jgrad.ones(2, requires_grad=True)
h = x * 2
handle = h.register_hook(lambda grad: grad * 10)
handle.remove()
h.sum().backward()
""",
    ask="x.grad",
)  # fmt: skip
def grad_changed_by_hook(s: Subject) -> Iterator[dict]:
    """Hooks changed the gradient on its way in the last backward call, of the tensor itself or of another one."""
    events = s.events()
    if not s.has_grad or s.log is None or s.number is None or not events or events[-1][1]["action"] != "add":
        return
    log, last = s.log, events[-1][0]
    found = _changes(log, s.number, log.steps[last].get("backward_call"), last)
    if found:
        shown = [words for _, words in found[:SHOWN]]
        if len(found) > SHOWN:
            shown.append(f"{len(found) - SHOWN} more hooks changed gradients on the way")
        lines = log.lines(*[i for i, _ in found], last)
        yield {"value": brief(s.value), "changes": listed(shown), "step": last, "lines": lines}


def _changes(log: Log, number: int, call: int | None, last: int) -> list[tuple[int, str]]:
    """(step, words) of what hooks changed in a backward call before a gradient arrived at a tensor."""
    towards = _towards(log, number)
    sent: dict[tuple[int | None, int], list[Value]] = {}
    found = []
    for i, step in enumerate(log.steps[: last + 1]):
        if (
            step.get("backward_call") != call
            or step["kind"] not in ("node", "accumulate")
            or "node" not in step
        ):
            continue
        node, hooks = step["node"], log.nodes[step["node"]].get("hooks", ())
        early = [text for since, text in hooks if since <= i and text.split(" (")[0].startswith(BEFORE_NODE)]
        late = [text for since, text in hooks if since <= i and text.startswith(AFTER_NODE)]
        if step["kind"] == "accumulate":
            if step["grad"]["tensor"] == number and early:
                parts, added = (
                    [part["value"] for part in step["grad"]["contributions"]],
                    step["grad"]["added"],
                )
                if _differ(parts, added):
                    found.append((i, _made(early, parts, added, f"the gradient of {log.name(number, i)}")))
            continue
        if node in towards:
            for nr, value in enumerate(step["grads_in"]):
                parts = sent.get((node, nr), [])
                if early and parts and _differ(parts, value):
                    owner = log.owner(node, i)
                    of = (
                        f"what arrived at {log.node(node)}"
                        if owner is None
                        else f"the gradient of {log.name(owner, i)}"
                    )
                    found.append((i, _made(early, parts, value, of)))
        edges = log.nodes[node]["next_functions"]
        for (target, nr), value in zip(edges, step["grads_out"], strict=False):
            if value is not None:
                sent.setdefault((target, nr), []).append(value)
        if node in towards and late:
            found += _sent_otherwise(log, i, late)
    return found


def _sent_otherwise(log: Log, index: int, hooks: list[str]) -> Iterator[tuple[int, str]]:
    """What hooks of a node, or of a module, made of the gradients that the node sent."""
    step = log.steps[index]
    node = log.node(step["node"])
    if not node.startswith("BackwardHookFunction"):
        sent = listed([brief(v) for v in step["grads_out"] if v is not None])
        yield index, f"{_called(hooks)} may have changed what {node} sent ({sent})"
        return
    for came, went in zip(step["grads_in"], step["grads_out"], strict=False):
        if came is not None and went is not None and _differ([came], went):
            yield index, _made(hooks, [came], went, "a gradient of the module's input or output")


def _towards(log: Log, number: int) -> set[int]:
    """The nodes through which a gradient comes to a tensor, without its own grad_fn if it is no leaf."""
    own = log.final[number]["grad_fn"]
    if own is None:
        return log.nodes_towards(number)
    return {n["id"] for n in log.nodes if n["id"] != own and own in log.nodes_behind(n["id"])}


def _differ(parts: list[Value], value: Value | None) -> bool:
    """Whether a gradient is something else than the sum of the parts that arrived, as far as the trace holds them."""
    if value is None or not parts:
        return False
    if value["elements"] is None:
        before, after = parts[0].get("norm"), value.get("norm")
        if len(parts) > 1 or before is None or after is None:
            return False
        return abs(after - before) > 1e-5 * max(after, before)
    if len(parts) == 1:
        return brief(parts[0]) != brief(value) or parts[0]["elements"] != value["elements"]
    return not is_sum(value["elements"], parts)


def _made(hooks: list[str], parts: list[Value], value: Value | None, what: str) -> str:
    """ "the hook in line 3 got [2.], the gradient of h, and made [20.] of it"."""
    return f"{_called(hooks)} got {' + '.join([brief(part) for part in parts])}, {what}, and changed it to {brief(value)}"


def _called(hooks: list[str]) -> str:
    """ "the hook in line 3" of "hook (line 3)"."""
    words = []
    for text in hooks:
        kind, _, where = text.partition(" (")
        words.append(f"the {kind} in {where.rstrip(')')}" if where else f"the {kind}")
    return listed(list(dict.fromkeys(words)))


PILED = """
w = jgrad.ones(2, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
%sfor i in range(4):
    %sopt.zero_grad()
    (w * w).sum().backward()
    opt.step()
"""
HALVING = "w.register_hook(lambda grad: grad * 0.5)\n"


@NOTES.rule(
    "hooks-pile-up", "warning", "each round registers one more hook on the same tensor",
    "each round registers {hook} once more on {name}. In the last one its gradient went through {count} of them.",
    "Register it once, before the loop.",
    PILED % ("", HALVING + "    "),
    PILED % (HALVING, ""),
)  # fmt: skip
def hooks_pile_up(log: Log) -> Iterator[dict]:
    """The same hook is found on a leaf again and again, each time once more."""
    piled = {}
    for node in log.nodes:
        hooks = node.get("hooks", ())
        for text in dict.fromkeys(text for _, text in hooks):
            since = [i for i, other in hooks if other == text]
            if (
                node["variable"] is not None
                and len({*since}) >= LEAST
                and text.startswith(("hook", "post-accumulate"))
            ):
                piled[node["variable"]] = (text, since)
    if piled:
        leaf, (text, since) = next(iter(piled.items()))
        yield {
            "step": since[0], "tensors": [*piled], "lines": [], "name": log.name(leaf, since[0]), "hook": _called([text]), "count": len(since),
            "edits": _before_the_loop(log),
        }  # fmt: skip


def _before_the_loop(log: Log) -> list[Edit]:
    """The statement that registers hooks in a loop, or that calls a function which does, in front of all loops; nothing where it uses what they make."""
    codes = Code.all_of(log)
    calls = [
        (code, n)
        for code in codes
        for n in ast.walk(code.tree)
        if isinstance(n, ast.Call) and HOOKING.search(ast.unparse(n.func))
    ]
    functions = {f.name for code, n in calls for f in around(code.tree, n.lineno, ast.FunctionDef)}
    calls += [
        (code, n)
        for code in codes
        for n in ast.walk(code.tree)
        if isinstance(n, ast.Call) and ast.unparse(n.func) in functions
    ]
    for code, call in calls:
        loops, own = around(code.tree, call.lineno, LOOPS), code.statement_at(call.lineno)
        made = {
            n.id
            for loop in loops
            for n in ast.walk(loop)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        if (
            loops
            and isinstance(own, ast.Expr)
            and not made & {n.id for n in ast.walk(own) if isinstance(n, ast.Name)}
        ):
            return code.moved(own, before=min(loops, key=lambda s: s.lineno))
    return []


HANDLES = """
w = jgrad.ones(2, requires_grad=True)
handles = []
handles.append(w.register_hook(lambda grad: grad * 0))
(w * w).sum().backward()
%shandles.clear()
w.grad = None
(w * w).sum().backward()
"""


@NOTES.rule(
    "hooks-forgotten", "warning", "the handles of hooks are thrown away, and no hook is removed",
    "{at} forgets the handles of the hooks, which go on: only handle.remove() takes a hook away.",
    "Call remove() on each handle in {handles} before.",
    HANDLES % "",
    HANDLES % "for handle in handles:\n    handle.remove()\n",
)  # fmt: skip
def hooks_forgotten(log: Log) -> Iterator[dict]:
    """A list to which register_hook() results were appended is cleared, and no code calls remove()."""
    codes = Code.all_of(log)
    calls = [
        (code, n)
        for code in codes
        for n in ast.walk(code.tree)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
    ]
    if any(n.func.attr == "remove" for _, n in calls):  # type: ignore[attr-defined]
        return
    kept = {
        ast.unparse(n.func.value) for _, n in calls  # type: ignore[attr-defined]
        if n.func.attr == "append" and n.args and re.search(r"\.register_\w*hook\(", ast.unparse(n.args[0]))  # type: ignore[attr-defined]
    }  # fmt: skip
    for code, n in calls:
        handles = ast.unparse(n.func.value)  # type: ignore[attr-defined]
        statement = code.statement_at(n.lineno)
        if n.func.attr == "clear" and handles in kept and statement is not None:  # type: ignore[attr-defined]
            indent = " " * statement.col_offset
            yield {
                "step": -1, "tensors": [], "lines": [] if code.file else [n.lineno], "at": code.place(log, n.lineno), "handles": handles,
                "edits": [code.before(statement, f"for handle in {handles}:\n{indent}    handle.remove()")],
            }  # fmt: skip
