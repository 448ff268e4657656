"""docs/differences.md, written from what the comparison knows."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from pathlib import Path

from tests.differential.differences import LEFT_OUT, ROOMS

PAGE = Path(__file__).parents[2] / "docs" / "differences.md"
COUNTS = Path(__file__).with_name("counts.json")

INTRODUCTION = """# Where jgrad differs from PyTorch

jgrad behaves like PyTorch 2.13 on the CPU. This page lists where it does not, and which names of PyTorch's tensor reference it leaves out.
It is written by `python -m tests.differential` from what the tests compare; a test holds it to them. Whatever is missing raises
AttributeError or NotImplementedError; nothing on this page is a wrong value or a wrong gradient.

Everywhere: results that PyTorch leaves to chance may differ (which of equal elements an unstable sort puts first, the signs of the columns
of decompositions, what `empty` holds); floating-point results may differ in the last places; error texts that list PyTorch's own
signatures list jgrad's. `bfloat16`, `complex32`, `float8` and the unsigned types above 8 bits are left out: NumPy has none of them or no
kernels for them. Memory formats other than the contiguous one (channels last) are left out. Tensors with `device="cuda"` need a GPU build.
"""

COMPARED = """
## What is compared

Every operation is called with PyTorch's own samples (`op_db`) as a function, as a method and in place, in five dtypes; values, dtypes, shapes,
strides, sharing of memory, versions, `grad_fn` and `next_functions`, gradients of both backward passes and second derivatives must be the
same. A run of the tests fails when fewer calls are compared than here, or more of them differ.

| family | operations | calls compared | known differences among them |
|---|---|---|---|
"""


def page() -> str:
    """The text of docs/differences.md."""
    counts: dict[str, dict[str, list[int]]] = json.loads(COUNTS.read_text())
    lines = [INTRODUCTION + COMPARED.rstrip("\n")]
    total: Counter[str] = Counter()
    for family, labels in sorted(counts.items()):
        row = {
            "operations": len({label.rpartition("-")[0] for label in labels}),
            "compared": sum(compared for compared, _ in labels.values()),
            "known": sum(known for _, known in labels.values()),
        }
        total.update(row)
        lines.append(f"| {family} | {row['operations']} | {row['compared']:,} | {row['known']:,} |")
    lines.append(f"| all | {total['operations']} | {total['compared']:,} | {total['known']:,} |")
    lines += ["", "## Differences", "", "Operation and form, and what is different.", ""]
    for room, module in sorted(ROOMS.items()):
        found = getattr(module, "DIFFERENCES", {})
        if found:
            lines += [f"### {room.replace('_', ' ').capitalize()}", ""]
            for pattern, reason in found.items():
                lines.append(f"- {subject(pattern)}: {reason}")
            lines.append("")
    lines += ["## Left out", ""]
    by_reason: dict[str, list[str]] = defaultdict(list)
    for pattern, reason in LEFT_OUT.items():
        by_reason[reason].append(pattern)
    for reason, patterns in by_reason.items():
        lines.append(f"- {reason}: {', '.join(f'`{name}`' for p in patterns for name in alternatives(p))}")
    return "\n".join(lines) + "\n"


def subject(pattern: str) -> str:
    """A pattern of a failure as a reader reads it: the operations in code, the form in words."""
    head = re.split(r": ?", pattern, maxsplit=1)[0]
    forms = re.match(r"(\([^)]*\)|\w+) (of )?(.*)", head)
    if forms is None:
        return f"`{head}`"
    form = forms[1].strip("()").replace("|", ", ")
    names = forms[3].partition(" to ")
    operations = ", ".join(f"`{name}`" for name in names[0].replace("(", "").replace(")", "").split("|"))
    where = {"out": "with `out=`", "error": "errors", "function, method": ""}.get(form, form)
    return f"{operations}{f' ({where})' if where else ''}"


def alternatives(pattern: str) -> list[str]:
    """The names that a pattern stands for, written so that a reader understands them."""
    depth, parts = 0, [""]
    for c in pattern:
        depth += (c == "(") - (c == ")")
        if c == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [re.sub(r"\.\*|\\w[+*]", "*", p).replace("\\.", ".").replace("?:", "") for p in parts]
