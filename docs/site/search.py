"""The order of what a search on the site finds: what readers want comes before what is about the inside of jgrad."""

from __future__ import annotations

import json
import re

INSIDE = ("Inside", "Decisions")
# Sphinx takes all numbers from here, or none. But for `score`, these are its own.
SCORER = """\
const inside = new Set(%s);
var Scorer = {
  score: (result) => result[4] - (inside.has(result[0]) ? 1000 : 0),
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
"""


def scorer(contents: str) -> str:
    """The script that Sphinx's search asks for the rank of a page. `contents`: the lists of pages, `contents.md`."""
    lists = dict(re.findall(r":caption: (.+)\n\n((?:[^`\n]+\n)+)", contents))
    return SCORER % json.dumps([page for caption in INSIDE for page in lists[caption].split()])
