"""What is said on stderr, and the files that are written."""

from __future__ import annotations

import os
import shutil
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from jgrad.asking.answer import Answer
from jgrad.running.ranks import Meeting
from jgrad.trace import Trace

if TYPE_CHECKING:
    from jgrad.running.run import Options

MOST = 5  # answers that are printed; the page has all
RED, YELLOW, BOLD, PLAIN = "\033[31m", "\033[33m", "\033[1m", "\033[0m"


class Report:
    """Says things on a stream, which is None if stderr is closed, and writes the files of the options."""

    def __init__(self, stream: TextIO | None, options: Options) -> None:
        self.stream = stream
        self.options = options
        self.is_terminal = _is_terminal(stream)
        self.folder = Path.cwd()  # the program may go to another one
        # Now, since the program may have files of these names.
        if options.html is not None or options.open:
            import html  # noqa: F401  (what writes a page needs it)
        if options.open:
            import webbrowser  # noqa: F401

    @property
    def writes(self) -> bool:
        """Whether there is a file to write."""
        return self.options.html is not None or self.options.save is not None or self.options.open

    def end(self, trace: Trace, ask: Callable[[], Answer | None], is_said: bool = False) -> list[str]:
        """Write the files. What is to be said: the answer, unless the traceback says it, its repair, and what was written. Nothing of ours may change
        the exit status of the program, so the answer is asked for here."""
        try:
            answer = ask()
            hidden = is_said or answer is None or self._is_said_by_another(answer)
            said = [] if hidden else str(answer).split("\n")[:MOST]
            diff = "" if answer is None else answer.diff
            repair = [f"This edit may mend it; it was not tried:\n{diff}"] if diff else []
            return [*_of_condition(trace), *self._unsaid(said, repair, bool(answer)), *self._written(trace)]
        except Exception as failure:
            return [
                f"This run could not be explained because of a bug in jgrad ({type(failure).__name__}: {failure})."
            ]

    def say(self, *sentences: str) -> None:
        """Print some sentences, each a paragraph. What follows one in lines of its own, such as a diff, stays as it is."""
        if self.options.quiet or self.stream is None:
            return
        who = "jgrad" if self.options.rank is None else f"jgrad, rank {self.options.rank.number}"
        lead = f"{BOLD}{who}:{PLAIN} " if self.is_terminal and not os.environ.get("NO_COLOR") else f"{who}: "
        width = shutil.get_terminal_size().columns if self.is_terminal else 0
        for paragraph in sentences:
            sentence, newline, rest = paragraph.partition("\n")
            text = (
                textwrap.fill(f"{who}: {sentence}", width, subsequent_indent="       ")
                if width > 40
                else f"{who}: {sentence}"
            )
            try:
                self.stream.write(f"{lead}{text.removeprefix(f'{who}: ')}{newline}{rest}\n")
                self.stream.flush()
            except (OSError, ValueError, UnicodeError):
                return  # the program closed it

    def _is_said_by_another(self, answer: Answer) -> bool:
        """Whether an answer has only facts, and the first of several processes says them."""
        return self.options.rank is not None and self.options.rank.number > 0 and not answer

    def _unsaid(self, said: list[str], repair: list[str], are_remarks: bool) -> list[str]:
        """What no other process of the same start has said. Facts are the first one's."""
        rank = self.options.rank
        if rank is None or self.options.quiet:
            return [*said, *repair]
        facts, remarks = ([], said) if are_remarks else (said, [])
        return [*facts, *Meeting(rank).unsaid(remarks, repair)]

    def _written(self, trace: Trace) -> Iterator[str]:
        html, save = self.options.html, self.options.save
        if self.options.open and html is None:
            html = Path(tempfile.mkdtemp(prefix="jgrad-")) / f"{Path(trace.name).stem}.html"
        for path, what in ((html, "shows it step by step"), (save, f"answers `jgrad why {save}`")):
            if path is None:
                continue
            try:
                size = write(trace, self.folder / path)
            except OSError as error:
                yield f"{path} could not be written ({error.strerror or error})."
            else:
                yield f"{path} {what} ({max(size // 1000, 1):,} kB)."
        page = None if html is None else self.folder / html
        if self.options.open and page is not None and page.exists():
            import webbrowser  # late: most runs open nothing

            webbrowser.open(page.resolve().as_uri())


def _of_condition(trace: Trace) -> list[str]:
    """How it went with the expression of --stop, if it did not stop the program."""
    condition = trace.condition
    return [] if condition is None or condition.stopped else [condition.remark()]


def write(trace: Trace, path: Path) -> int:
    """Write a trace to a file, as `put` does."""
    return put(path, trace.save)


def put(path: Path, save: Callable[[str], Any]) -> int:
    """Have a file written, whole or not at all: the file that was there stays until the new one is complete. Returns its size."""
    if path.exists() and not path.is_file():
        save(str(path))  # a device or a pipe, in whose place no file may come
        return 0
    path = path.resolve()  # what a link leads to is replaced, and not the link
    number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
    os.close(number)
    try:
        save(name)
        os.chmod(name, 0o666 & ~_umask())
        size = os.path.getsize(name)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
    return size


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream.isatty())
    except Exception:
        return False
