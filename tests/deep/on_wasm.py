"""Runs the programs of `tests/programs` and prints what they show, as JSON by name. The argument is the folder of the checkout."""

import json
import sys

sys.path.insert(0, sys.argv[1])

import jgrad
from tests.programs import PROGRAMS, run

ABSENT = ("thread", "Thread", "subprocess", "tempfile", "multiproc")  # what there is not in WebAssembly

print(
    json.dumps(
        {
            program.name: [shown.text for shown in run(jgrad, program)]
            for program in PROGRAMS
            if not any(word in program.text for word in ABSENT)
        }
    )
)
