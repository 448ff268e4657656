"""Programs whose training fails in silence, ports of mistakes that people published, each with a right half; and right programs that look like one.

A file has programs of one kind. A program begins with `# %% name: what may be said`, codes of rules that name a true cause, separated by commas; "symptom"
stands for the remark that the loss is that of a constant, "nothing" for silence. Lines after `#-` belong to the fault only, lines after `#+` to the right half only. Programs find the library under the name `torch`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

HEAD = re.compile(r"^# %% (?P<name>[\w-]+): (?P<said>.*)$", re.MULTILINE)
PRELUDE = "nn, F = torch.nn, torch.nn.functional\ntorch.manual_seed({seed})\n"


class Failing(NamedTuple):
    """A program, as the fault has it and as it is right, and what may be said of the fault."""

    name: str
    faulty: str
    right: str
    said: tuple[str, ...]


def programs(name: str, seed: int = 0) -> list[Failing]:
    """The programs of a file."""
    text = (Path(__file__).parent / f"{name}.txt").read_text()
    heads = [*HEAD.finditer(text)]
    ends = [*(h.start() for h in heads[1:]), len(text)]
    found = []
    for head, end in zip(heads, ends, strict=True):
        lines = (PRELUDE.format(seed=seed) + text[head.end() : end]).split("\n")
        faulty = [re.sub(r"^(\s*)#- ", r"\1", line) for line in lines if not re.match(r"\s*#\+ ", line)]
        right = [re.sub(r"^(\s*)#\+ ", r"\1", line) for line in lines if not re.match(r"\s*#- ", line)]
        said = tuple(code.strip() for code in head["said"].split(","))
        found.append(Failing(head["name"], "\n".join(faulty), "\n".join(right), said))
    return found
