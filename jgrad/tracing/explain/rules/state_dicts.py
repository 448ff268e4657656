"""Loading: a state dict that does not fit the model."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Step
from jgrad.tracing.document.syntax import around, has
from jgrad.tracing.explain.edits import ATOMS, Code, Edit, calls_of, may_have_run
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.repairs import at_incident, before
from jgrad.tracing.explain.rule import RUNTIME, Rules, listed

NOTES = Rules()
SHOWN = 3  # names that a sentence lists
OPERATIONS = Rules()


def _others(incident: Incident) -> Iterator[dict]:
    """All names whose sizes differ."""
    yield {"names": _shown(re.findall(r"size mismatch for ([\w.]+):", incident.message))}


OPERATIONS.by_words(
    "state-dict-of-other-sizes", "error", "a state dict is loaded into a model whose layers have other sizes",
    "{lead}the state dict holds {name} with the shape ({saved}), but in this model {name} has the shape ({shape}).",
    "Make the model with the sizes of the one that was saved. To keep the new layer as it is, take {names} out of the state dict and pass strict=False.",
    """
saved = jgrad.nn.Linear(4, 10).state_dict()
net = jgrad.nn.Linear(4, 2)
net.load_state_dict(saved)
""", """
saved = jgrad.nn.Linear(4, 10).state_dict()
net = jgrad.nn.Linear(4, 10)
net.load_state_dict(saved)
""",
    raised=(
        RUNTIME,
        r"size mismatch for (?P<name>[\w.]+): copying a param with shape \w+\.Size\(\[(?P<saved>.*?)\]\) from checkpoint, the shape in current model "
        r"is \w+\.Size\(\[(?P<shape>.*?)\]\)",
    ),
    blanks=_others,
)  # fmt: skip


@OPERATIONS.rule(
    "state-dict-of-other-names", "error", "a state dict is loaded whose names are not those of the model",
    "{lead}{difference}.",
    "{repair}",
    """
net = jgrad.nn.Sequential(jgrad.nn.Linear(4, 2))
saved = {"module." + name: value for name, value in net.state_dict().items()}
net.load_state_dict(saved)
""", """
net = jgrad.nn.Sequential(jgrad.nn.Linear(4, 2))
saved = {"module." + name: value for name, value in net.state_dict().items()}
net.load_state_dict({name.removeprefix("module."): value for name, value in saved.items()})
""",
    raised=(RUNTIME, r"(?:Missing|Unexpected) key\(s\) in state_dict"),
)  # fmt: skip
def state_dict_of_other_names(incident: Incident) -> Iterator[dict]:
    missing, unexpected = (_names(kind, incident.message) for kind in ("Missing", "Unexpected"))
    net = before(incident, "load_state_dict", "net")
    longer, shorter = _prefix(unexpected, missing), _prefix(missing, unexpected)
    if longer:
        difference = f'the names in the state dict begin with "{longer}", and those of the model do not'
        parallel = " nn.DataParallel gives its names this prefix." if longer == "module." else ""
        repair = f'Take it off each name with removeprefix("{longer}") before you load.{parallel}'
    elif shorter:
        difference = f'the names of the model begin with "{shorter}", and those in the state dict do not'
        part = "".join(f"[{p}]" if p.isdigit() else f".{p}" for p in shorter[:-1].split("."))
        repair = f"It is the state dict of {net}{part}, so call {net}{part}.load_state_dict()."
    else:
        lacks = f"the state dict lacks {_shown(missing)}" if missing else ""
        other = (
            f"{'it' if lacks else 'the state dict'} has {_shown(unexpected)}, which the model does not have"
        )
        difference = ", and ".join(filter(None, (lacks, other if unexpected else "")))
        repair = "Make the model as it was when the state dict was saved. strict=False loads the names that both have, and leaves the rest as it is."
    edits = _without_prefix(incident, longer) if longer else []
    yield {"difference": difference, "repair": repair, "edits": edits}


def _without_prefix(incident: Incident, prefix: str) -> list[Edit]:
    """The argument of the call of load_state_dict() with shorter names."""
    place = at_incident(incident)
    calls = [] if place is None else calls_of(place[1], "load_state_dict")
    if place is None or len(calls) != 1 or not calls[0].args or not isinstance(calls[0].args[0], ATOMS):
        return []
    given = place[0].text(calls[0].args[0])
    text = f'{{name.removeprefix("{prefix}"): value for name, value in {given}.items()}}'
    return [place[0].replaced(calls[0].args[0], text)]


def _names(kind: str, message: str) -> list[str]:
    """The names that a part of the message lists."""
    found = re.search(rf"{kind} key\(s\) in state_dict: (.*)", message)
    return [] if found is None else re.findall(r'"(.*?)"', found[1])


def _prefix(longer: list[str], shorter: list[str]) -> str:
    """What stands before each of these names and is all that distinguishes them from the others; nothing if there is no such prefix."""
    if not longer or len(longer) != len(shorter) or not longer[0].endswith("." + shorter[0]):
        return ""
    prefix = longer[0].removesuffix(shorter[0])
    return prefix if {*longer} == {prefix + name for name in shorter} else ""


def _shown(names: list[str]) -> str:
    rest = len(names) - SHOWN
    return listed(names if rest <= 1 else [*names[:SHOWN], f"{rest} more"])


LOADED = """
saved = {"module.weight": jgrad.ones(1, 2), "module.bias": jgrad.ones(1)}
net = jgrad.nn.Linear(2, 1)
net.load_state_dict(%s, strict=False)
y = net(jgrad.ones(3, 2))
"""


@NOTES.rule(
    "nothing-loaded", "warning", "load_state_dict(strict=False) finds no name of the model",
    "{at} loaded nothing into {model}: no name in the state dict is one of its names, and strict=False lets that pass.",
    "Compare both: `print({call}.unexpected_keys[:3])`, and take a prefix such as module. off with removeprefix().",
    LOADED % "saved",
    LOADED % "{name.removeprefix('module.'): value for name, value in saved.items()}",
)  # fmt: skip
def nothing_loaded(log: Log) -> Iterator[dict]:
    """Its line ran and wrote to no parameter of the module, which computes something afterwards."""
    modules = {m["name"].rpartition(".")[2]: m for m in log.document.get("modules", ()) if m["parameters"]}
    for code in Code.all_of(log):
        for call in calls_of(code.tree, "load_state_dict"):
            assert isinstance(call.func, ast.Attribute)
            if log.gaps and not _is_kept(log, code, call):
                continue
            owner = ast.unparse(call.func.value)
            module = modules.get(owner.rpartition(".")[2])
            parameters = _parameters_in(log, owner) if module is None else module["parameters"]
            if not parameters or not any(
                k.arg == "strict" and ast.unparse(k.value) == "False" for k in call.keywords
            ):
                continue
            functions = around(code.tree, call.lineno, ast.FunctionDef)
            last = max((f.end_lineno or 0 for f in functions), default=10**9)
            places = [(i, log.places.line(step)) for i, step in enumerate(log.steps)]
            own = [
                i for i, (source, line) in places if _text_of(log, source) == code.file and has(call, line)
            ]
            lines = {line or 0 for _, (source, line) in places if _text_of(log, source) == code.file}
            ran = any((call.end_lineno or 0) < line <= last for line in lines) and may_have_run(
                log, code, call
            )
            storages = {log.tensors[p]["storage"] for p in parameters}
            wrote = any(w["storage"] in storages for i in own for w in log.steps[i].get("writes", ()))
            used = [i for p in parameters for i in log.users.get(p, ())]
            if ran and not wrote and used:
                yield {
                    "step": max(used), "tensors": [], "lines": [] if code.file else [call.lineno], "at": code.place(log, call.lineno),
                    "model": owner if module is None else module["name"], "call": code.text(call),
                }  # fmt: skip


def _parameters_in(log: Log, owner: str) -> list[int]:
    """The parameters of a part of a module that had a variable of its own when they got their names."""
    own = {p for m in log.document.get("modules", ()) for p in m["parameters"]}
    begins = (f"{owner}.", f"{owner}[")
    return sorted(
        p for p in own if any(name and name.startswith(begins) for _, name in log.tensors[p]["names"])
    )


def _is_kept(log: Log, code: Code, call: ast.Call) -> bool:
    """Whether all steps were kept up to the first one that the cell makes behind a call outside of functions and loops."""
    if code.file or around(code.tree, call.lineno, (ast.FunctionDef, ast.For, ast.While)):
        return False
    behind = (i for i, step in enumerate(log.steps) if (_in_cell(log, step) or 0) > (call.end_lineno or 0))
    return not log.has_gap(0, next(behind, len(log.steps)))


def _in_cell(log: Log, step: Step) -> int | None:
    """The line of the cell from which a step was reached."""
    number, line = step.get("call"), step["line"]
    while number is not None:
        line, number = log.places.calls[number]["line"], log.places.calls[number]["caller"]
    return line


def _text_of(log: Log, source: int | None) -> str:
    return "" if source is None else log.places.sources[source]["name"]
