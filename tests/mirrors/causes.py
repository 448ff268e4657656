"""Why the trace documents of a program, on jgrad and on PyTorch, differ.

`cause_of` reads it off the two documents at the place where they first part. A difference whose cause it doesn't find fails the test. So each
cause is a fact that can be checked, and a new kind of difference can't hide behind an old entry of the list.
"""

from __future__ import annotations

import re
from typing import Any

from jgrad.mirrors.torch.plans import COMPOSED, PLAIN_LINALG
from tests.mirrors.alike import NUMBER, kinds_of, numbered_differences

# What a cause is called, and what it is, for docs/torch.md.
CAUSES = {
    "not-followed": "Something runs that the trace of PyTorch does not follow, and a note of the trace says so.",
    "long": "The program makes more steps than are kept. Which ones of the rest are seen depends on the library.",
    "inference": "In inference mode, and of inference tensors, a call of PyTorch's is one step.",
    "one-step": "A call that PyTorch composes otherwise under a dispatch mode is one step.",
    "operators": "A call is made of other operators in PyTorch than in jgrad.",
    "second-derivative": "A formula, or a backward pass of which a graph is made, is composed of other operators.",
    "copies": "PyTorch makes a copy (`deepcopy`, `pickle`, `load`) with an empty tensor and `set_()`.",
    "checkpoint": "A checkpoint computes its function again in another way.",
    "unseen-node": "A node or a leaf of PyTorch's is not seen that raised an error, lost its gradient to a hook, or was called by the program itself.",
    "pass-name": "jgrad calls an `autograd.grad()` of a tensor that retains its gradient a `backward()`.",
    "node-hooks": "Hooks that a program puts on a node of PyTorch's can't be seen.",
    "order": "The tensors that an operator reads come in another order: the two gradients of a sum, or the argument of a write with `out=`.",
    "own-gradient": "The gradient that a hook or a `Function` gets has memory of its own in jgrad. PyTorch's may be expanded.",
    "saved": "A node of one library saved a tensor, or an object of its own, that the node of the other one did not.",
    "formulas": "The formula of a node of PyTorch's is not known: jgrad has no declaration of an operator with such nodes.",
    "names": "How code calls what is in an object of PyTorch's, such as a data set, is not looked up.",
    "sentences": "The steps are the same, and a sentence, a rule of `%why` or the count of rounds differs.",
    "versions": "A gradient, or a tensor that a hook or a `Function` gave, has another version, or shares its counter with others.",
    "index": "The map of an index has other tensors: a list or a number in an index is a tensor of its own in one library.",
    "places": "A step has another place in the code.",
    "views": "When the node of a view is made anew, after a write to its base, differs.",
    "memory": "A storage has other elements or another size: PyTorch reuses larger memory, or has other bits where none were written.",
    "tensors": "One library makes a tensor that no step shows, so that tensors which come later have other numbers.",
    "error": "One library raises an error before it made a tensor or reported a backward pass, the other one after it.",
    "rounding": "A number that is a sum of what cancels has other digits. They differ by less than a hundred thousandth.",
    "unknown": "The list says where they first differ. The cause was not found yet.",
}


# The causes that the field tells in which the documents first differ.
FIELDS = {
    "sentences": r"\.(diagnosis|notes|rounds)\b",
    "node-hooks": r"\.nodes\[\d+\]\.hooks",
    "views": r"\.steps\[\d+\]\.changes",
    "formulas": r"\.nodes\[\d+\]\.formulas",
    "memory": r".*\.(contents|nbytes|numel|changed_elements)\b",
    "saved": r".*\.saved\b",
    "versions": r".*\.version",
    "index": r"\.steps\[\d+\]\.index_map",
    "places": r"\.steps\[\d+\]\.(line|span|call)\b",
}


def cause_of(ours: Any, theirs: Any, text: str) -> str:
    """The name of the cause for which two documents part; empty if none of those above is found."""
    if _not_followed(theirs) and not _not_followed(ours):
        return "not-followed"
    if ours["truncated"] or theirs["truncated"]:
        return "long"
    a, b = kinds_of(ours), kinds_of(theirs)
    at = next((i for i, pair in enumerate(zip(a, b, strict=False)) if pair[0] != pair[1]), None)
    if at is None and len(a) != len(b):
        at = min(len(a), len(b))
    return _of_fields(ours, theirs) if at is None else _of_steps(ours, theirs, at, text)


def _not_followed(document: Any) -> bool:
    return any(note["code"] == "not-followed" for note in document["notes"])


def _of_steps(ours: Any, theirs: Any, at: int, text: str) -> str:
    """Why the kinds or the operators of the steps at a place differ."""
    pair = [d["steps"][at] if at < len(d["steps"]) else None for d in (ours, theirs)]
    step, other = pair
    there = [s["op"] for s in theirs["steps"][at : at + 2]]
    if there == ["empty", "set_"]:
        return "copies"
    if _recorded_pass(ours, at) or _recorded_pass(theirs, at):
        return "second-derivative"
    if "inference_mode" in text:
        return "inference"
    if other is not None and (
        other["op"] in COMPOSED or (other["op"].startswith("linalg_") and other["op"] not in PLAIN_LINALG)
    ):
        return "one-step"
    if re.search(r"\bcheckpoint", text):
        return "checkpoint"
    if step is not None and step["kind"] in ("accumulate", "node"):
        return "unseen-node"
    kinds = [s and s["kind"] for s in pair]
    if kinds == ["backward", "backward"]:
        return "pass-name"
    if kinds in ([None, "backward"], ["backward", None]):  # a pass that ended at once
        return "error"
    if "error" in (s["kind"] for s in pair if s is not None):
        return "error"
    operators = ("op", "view", "write", "create")
    if all(s is None or s["kind"] in operators for s in pair) or _within_a_call(pair):
        return "operators"
    return ""


def _within_a_call(pair: list[Any]) -> bool:
    """Whether one library has an operator more at a place, before both go on with the next step."""
    return any(s is not None and s["kind"] in ("op", "view", "write", "create") for s in pair)


def _recorded_pass(document: Any, at: int) -> bool:
    """Whether a step is an operator of a node, in a backward pass of which a graph is made: it is not in code of the user's."""
    if at >= len(document["steps"]):
        return False
    step = document["steps"][at]
    return (
        step["kind"] in ("op", "view", "write", "create") and "backward_call" in step and "call" not in step
    )


def _of_fields(ours: Any, theirs: Any) -> str:
    """Why a field differs where the steps are the same."""
    paths = numbered_differences(ours, theirs)
    first = paths[0] if paths else ""
    for cause, fields in FIELDS.items():
        if re.match(fields, first):
            return cause
    if re.match(r"\.steps\[\d+\]\.(reads|node)\b", first) and (cause := _of_operands(ours, theirs, first)):
        return cause
    if first.endswith(".text") and (cause := _of_text(ours, theirs, first)):
        return cause
    extra = _first_other_tensor(ours, theirs)
    if extra is not None:
        a, b = extra
        if b is not None and 0 in b["stride"] and (a is None or 0 not in a["stride"]):
            return "own-gradient"
        for document, t in ((ours, a), (theirs, b)):
            if t is not None and any(s["tensor"] == t["id"] for n in document["nodes"] for s in n["saved"]):
                return "saved"
        return "tensors"
    return ""


def _of_operands(ours: Any, theirs: Any, path: str) -> str:
    """Why what a step reads differs, or the number of its node."""
    number = int(re.findall(r"\d+", path)[0])
    a, b = (d["steps"][number] for d in (ours, theirs))
    if a["kind"] == "write" and path.endswith(".node") and a.get("changes") != b.get("changes"):
        return "views"  # the nodes of the write and of its view were met in another order
    return "order" if {*a.get("reads", ())} == {*b.get("reads", ())} and ".reads" in path else ""


def _of_text(ours: Any, theirs: Any, path: str) -> str:
    """Why the sentence of a step differs, if it does in more than numbers of things."""
    number = int(re.findall(r"\d+", path)[0])
    a, b = (d["steps"][number] for d in (ours, theirs))
    if [re.sub(r" version \d+ to \d+", "", s["text"]) for s in (a,)] == [
        re.sub(r" version \d+ to \d+", "", b["text"])
    ]:
        return "versions"
    if a.get("changes") != b.get("changes"):
        return "views"
    if a["text"].partition("; its saved tensors")[0] == b["text"].partition("; its saved tensors")[0]:
        return "saved"
    made = r"made [^;]*?(?= \[)"
    if re.sub(made, "", a["text"]) == re.sub(made, "", b["text"]):
        return "names"
    return "rounding" if _differ_by_rounding(a["text"], b["text"]) else ""


def _differ_by_rounding(ours: str, theirs: str) -> bool:
    """Whether two sentences differ in nothing but the last digits of numbers."""
    if NUMBER.sub("", ours) != NUMBER.sub("", theirs):
        return False
    pairs = zip(NUMBER.findall(ours), NUMBER.findall(theirs), strict=True)
    return all(abs(float(a) - float(b)) < 1e-5 for a, b in pairs)


def _first_other_tensor(ours: Any, theirs: Any) -> tuple[Any, Any] | None:
    """The first tensors of the two that are not each other's counterparts."""
    fields = ("shape", "stride", "dtype", "created_step", "origin", "base")
    tensors = ours["tensors"], theirs["tensors"]
    for a, b in zip(*tensors, strict=False):
        if any(a[f] != b[f] for f in fields):
            return a, b
    shorter = min(map(len, tensors))
    if len(tensors[0]) == len(tensors[1]):
        return None
    rest = [t[shorter] if len(t) > shorter else None for t in tensors]
    return rest[0], rest[1]
