"""The command lines of `jgrad run`, `jgrad why` and `jgrad show`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jgrad.asking.document import about_document
from jgrad.asking.naming import BadInput
from jgrad.running.program import NoProgram, module, script
from jgrad.running.ranks import rank_here
from jgrad.running.report import put
from jgrad.running.run import Options, run
from jgrad.trace import MAX_STEPS
from jgrad.tracing.document.files import load
from jgrad.tracing.record.stopping import Condition
from jgrad.tracing.record.user_code import files_of

RUN = """\
Runs a Python program as `python` does, and records what autograd does in it, jgrad's or PyTorch's. At the end, after an error and after Ctrl-C
it says on stderr what is remarkable: what raised and why, which parameter does not learn. The program's own output and exit status stay.

The program's options come after its name: jgrad run --html run.html train.py --epochs 3"""


def refused(why: str) -> SystemExit:
    """The end of a command that can't be done: one line, and the exit status 1."""
    return SystemExit(f"jgrad: {why}")


def run_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "jgrad run",
        usage="jgrad run [OPTIONS] SCRIPT.py [ARGUMENTS]\n       jgrad run [OPTIONS] -m MODULE [ARGUMENTS]",
        description=RUN,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--html", type=Path, metavar="FILE", help="write a page that shows the run step by step")
    add("--open", action="store_true", help="open that page in the browser at the end")
    add(
        "--save",
        type=Path,
        metavar="FILE.json",
        help="write the trace, for `jgrad why FILE.json` and `jgrad show FILE.json`",
    )
    add("--rounds", metavar="310:320", help="rounds of a training loop to keep in full")
    add("--into", metavar="MODULES", default="", help="libraries whose lines to name too, such as nn")
    add(
        "--stop",
        metavar="EXPRESSION",
        help="stop the program when this is true after a backward() or a step, such as 'loss != loss'",
    )
    add("--max-steps", type=int, metavar="N", help=f"steps to keep ({MAX_STEPS}, or more of long rounds)")
    add("--quiet", action="store_true", help="say nothing; files are written all the same")
    add(
        "-m",
        dest="module",
        metavar="MODULE",
        help="run a module, as python -m does; all that follows is the module's",
    )
    return parser


def divided(parser: argparse.ArgumentParser, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words that are ours, and those from the program on."""
    takes_value = {
        option for action in parser._actions if action.nargs != 0 for option in action.option_strings
    }
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            return [*words[:at]], [*words[at + 1 :]]
        if not word.startswith("-") or word == "-":
            return [*words[:at]], [*words[at:]]
        at += 2 if word in takes_value else 1
        if word == "-m":
            return [*words[:at]], [*words[at:]]
    return [*words], []


def run_command(words: Sequence[str]) -> int:
    """`jgrad run`. Raises what the program raises."""
    parser = run_parser()
    ours, rest = divided(parser, words)
    if "-c" in ours:
        parser.error("a program can't be given as -c: write it into a file")
    found = parser.parse_args(ours)
    if found.module is None and not rest:
        parser.error("no program to run: write jgrad run SCRIPT.py")
    if found.module is None and rest[0] == "-":
        parser.error("a program can't be read from standard input: write jgrad run SCRIPT.py")
    rank = rank_here()
    html, save = (found.html, found.save) if rank is None else (rank.own(found.html), rank.own(found.save))
    options = Options(
        html=html, save=save, open=found.open and (rank is None or rank.number == 0), quiet=found.quiet, rounds=_rounds(parser, found.rounds),
        into=_modules(parser, found.into), max_steps=found.max_steps, stop=_condition(parser, found.stop), rank=rank,
    )  # fmt: skip
    for path in filter(None, (options.html, options.save)):
        _refuse_unwritable(parser, path)
    if found.max_steps is not None and found.max_steps < 1:
        parser.error("--max-steps takes a number from 1 on")
    try:
        program = script(rest[0], rest[1:]) if found.module is None else module(found.module, rest)
    except NoProgram as error:
        print(f"jgrad: {error}", file=sys.stderr)
        return error.status
    except SyntaxError as error:
        # Python shows an error of the program's text without frames.
        sys.excepthook(type(error), error.with_traceback(None), None)
        return 1
    run(program, options)
    return 0


def _rounds(parser: argparse.ArgumentParser, text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    first, _, last = text.partition(":")
    if not first.isdigit() or not (last.isdigit() or not last) or not 1 <= int(first) <= int(last or first):
        parser.error(f"--rounds {text} names no rounds: write --rounds 310:320")
    return int(first), int(last or first)


def _condition(parser: argparse.ArgumentParser, text: str | None) -> str | None:
    try:
        return None if text is None else Condition(text).text
    except ValueError as error:
        parser.error(f"--stop: {error}")


def _modules(parser: argparse.ArgumentParser, text: str) -> tuple[str, ...]:
    names = tuple(name for name in text.replace(",", " ").split() if name)
    for name in names:
        try:
            files_of(name)
        except ValueError as error:
            parser.error(f"--into: {error}")
    return names


def _refuse_unwritable(parser: argparse.ArgumentParser, path: Path) -> None:
    """Say before the program runs that a file can't be written after it."""
    folder = path.parent
    if not folder.is_dir():
        parser.error(f"can't write {path}: there is no folder {folder}")
    if path.is_dir():
        parser.error(f"can't write {path}: it is a folder")
    if not os.access(folder, os.W_OK):
        parser.error(f"can't write {path}: no permission to write into {folder}")


def why_command(found: Any) -> int:
    """`jgrad why FILE [QUESTION]`."""
    try:
        said = str(about_document(load(found.file), found.question))
    except (OSError, ValueError) as error:
        raise refused(str(error) if isinstance(error, BadInput) else _of_file(found.file, error)) from None
    try:
        print(said, flush=True)
    except BrokenPipeError:  # `| head` has read enough; what Python still writes goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def write_page(files: Sequence[Path], target: Path) -> None:
    """Write the page of traces that were saved, one below the other. Raises OSError or ValueError with a sentence that names the file."""
    from jgrad.views.page import page_of

    documents = []
    for file in files:
        try:
            documents.append(load(file))
        except OSError as error:
            raise OSError(f"{file}: {_reason(error)}") from None
    page = page_of(*documents).encode("utf-8", "backslashreplace")
    put(target, lambda name: Path(name).write_bytes(page))


def show_command(found: Any) -> int:
    """`jgrad show FILES`."""
    target = found.to or Path(tempfile.mkdtemp(prefix="jgrad-")) / f"{found.files[0].stem}.html"
    try:
        write_page(found.files, target)
    except (OSError, ValueError) as error:
        raise refused(
            f"{target}: {_reason(error)}" if getattr(error, "strerror", None) else str(error)
        ) from None
    print(target)
    import webbrowser  # late: `jgrad run` does not need it

    if found.to is None and not webbrowser.open(target.resolve().as_uri()):
        print("jgrad: no browser could be started: open this file in one", file=sys.stderr)
    return 0


def link_command(found: Any) -> int:
    """`jgrad link FILE PAGE`."""
    from jgrad.views.page import LINKED, link_of, link_page

    at_home = not found.page.startswith(("http://", "https://"))
    page = Path(found.page)
    try:
        address = link_of(load(found.file), page.resolve().as_uri() if at_home else found.page)
    except (OSError, ValueError) as error:
        raise refused(_of_file(found.file, error)) from None
    try:
        if (
            at_home
            and page.exists()
            and f'data-jgrad-key="{LINKED}"' not in page.read_text("utf-8", "replace")
        ):
            raise refused(f"{page} is there and is no page for links: give it another name")
        if at_home:
            put(page, lambda name: Path(name).write_text(link_page(), encoding="utf-8"))
    except OSError as error:
        raise refused(f"{page}: {_reason(error)}") from None
    print(address)
    return 0


def _of_file(file: Path, error: Exception) -> str:
    """What is wrong with a file, with its name once."""
    reason = _reason(error)
    return reason if reason.startswith(file.name) else f"{file}: {reason}"


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
