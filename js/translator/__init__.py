"""Translates the views to JavaScript, so that each of them is written once: `python3 -m js.translator`. docs/decisions/11-each-view-is-written-once.md says why.

It reads a subset of Python, which js/README.md describes, with the types in annotations. What is outside of the subset is refused with the
file and the line. `python.ts` in js/src has what Python's words mean where JavaScript has no word of its own.
"""
