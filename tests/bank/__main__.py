"""Run the bank of planted mistakes: `python -m tests.bank [PROGRAM ...]` prints what is said of each program with a mistake, and writes the page. Named
are programs without a mistake, by a part of their names; results of the others stay as they are."""

from __future__ import annotations

import sys

from tests.bank.bank import Ran, planted, results, run, texts, verdict, write


def main(words: list[str]) -> None:
    programs = {name: text for name, text in texts().items() if not words or any(w in name for w in words)}
    known = {name: v for name, v in results().items() if name.split(": ")[0] not in programs}
    right: dict[str, Ran] = {}
    for one in planted(programs):
        if one.program not in right:
            right[one.program] = run(programs[one.program])
        ran = run(one.source)
        found = verdict(one, right[one.program], ran)
        if found is not None:
            known[one.name] = found
        said = "; ".join(f"{code}: {text[:150]}" for code, text in ran.said[:3])
        print(f"{found or '-':7}{one.name} | {ran.raised[:70]} | {said}", flush=True)
        write(known)


if __name__ == "__main__":
    main(sys.argv[1:])
