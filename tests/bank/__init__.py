"""A bank of planted mistakes: operators that put one into a right program, and what is said of each. `python -m tests.bank` runs it."""
