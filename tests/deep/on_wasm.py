"""Traces the programs of `tests/programs` and prints as JSON by name what they show, and how many steps were recorded. The argument is the
folder of the checkout."""

import json
import sys

sys.path.insert(0, sys.argv[1])

import jgrad
from tests.programs import PROGRAMS, Program, run

ABSENT = ("thread", "Thread", "subprocess", "tempfile", "multiproc")  # what there is not in WebAssembly


def shown_by(program: Program) -> list[str]:
    with jgrad.trace(program.title) as t:
        shown = [shown.text for shown in run(jgrad, program)]
    return [*shown, f"{len(t.document['steps'])} steps, {t.failures}"]


print(
    json.dumps(
        {
            program.name: shown_by(program)
            for program in PROGRAMS
            if not any(word in program.text for word in ABSENT)
        }
    )
)
