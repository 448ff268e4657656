"""Writes js/made/: `python3 -m js.translator`."""

from __future__ import annotations

import sys
from pathlib import Path

from js.translator.output import Output, write
from js.translator.program import OutsideTheSubsetError, Program

ROOT = Path(__file__).parents[2]
# Where the front end enters, and what it uses besides.
ROOTS = {
    "jgrad.views.register": ["SCENES", "happens"],
    "jgrad.views.notes": ["notes"],
    "jgrad.views.stale": ["sentence"],
    "jgrad.views.scene": ["Frame", "WIDTH", "kept", "nested", "norm_of", "window"],
    "jgrad.tracing.document.index": ["TraceIndex"],
}
DOCUMENTS = "jgrad.tracing.document.schema"
# Written in both languages, because of Python's Decimal, and because of bytes.
GIVEN = {
    "jgrad.tracing.document.numbers": "../src/numbers",
    "jgrad.tracing.document.bfloat16": "../src/bfloat16",
}


def main() -> int:
    roots = [(module, name) for module, names in ROOTS.items() for name in names]
    try:
        files = Output(Program(ROOT, DOCUMENTS), roots, GIVEN).files("../src/python")
    except OutsideTheSubsetError as refusal:
        print(f"not translated: {refusal}", file=sys.stderr)
        return 1
    write(files, ROOT / "js" / "made")
    return 0


if __name__ == "__main__":
    sys.exit(main())
