# PYTHON_ARGCOMPLETE_OK
"""The command `jgrad`: `jgrad run` runs a program and says why; `jgrad lab` opens JupyterLab on the tutorials; `jgrad export` writes a notebook as
one HTML file; `jgrad doctor` says what is installed."""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import jgrad
from jgrad.garbage import few_collections

PACKAGE = Path(__file__).parent
CHECKOUT = PACKAGE.parent / "notebooks"
EXTENSION = PACKAGE.parent / "js" / "labextensions"
COPIES = ".jgrad-copies.json"  # in a tutorials folder: by file name the digest of what jgrad wrote there

ENGLISH = "en"
NOTEBOOK = """\
in a notebook:
  import jgrad
  %load_ext jgrad
  %%trace --help        what records a cell and shows it; %why, %grad and others have --help too"""


class Refusal(Exception):
    """An error that the user sees as one line."""


def tutorials(folder: Path) -> tuple[Path, list[str]]:
    """The folder to open, and the tutorials in it that are outdated but were changed by the user.

    In a checkout the folder is its own `notebooks`. An installed package copies its notebooks to `folder`, where they can be changed.
    """
    if shipped() == CHECKOUT:
        return CHECKOUT, []
    return folder, copy(shipped(), folder)


def shipped() -> Path:
    """The folder with the tutorials that came with this jgrad. The JupyterLab extension copies them from here, too."""
    in_checkout = CHECKOUT.is_dir() and (PACKAGE.parent / "pyproject.toml").is_file()
    return CHECKOUT if in_checkout else PACKAGE / "notebooks"


def copy(source: Path, folder: Path) -> list[str]:
    """Update `folder` from `source`. Files that the user changed stay. Returns those of them for which `source` has a newer version."""
    record = folder / COPIES
    kept = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        copies: dict[str, str] = json.loads(record.read_text()) if record.exists() else {}
        for path in sorted(path for path in source.rglob("[!.]*") if path.is_file()):
            name = path.relative_to(source).as_posix()
            content, target = shown_first(path), folder / name
            ours, copied = digest(content), copies.get(name)
            if target.exists() and digest(target.read_bytes()) not in (ours, copied):
                if copied != ours:
                    kept.append(name)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            copies[name] = ours
        record.write_text(json.dumps(copies, indent=1))
    except (OSError, ValueError) as error:
        raise Refusal(
            f"can't put the tutorials into {folder} ({error}): name another folder with --dir"
        ) from error
    return kept


def shown_first(path: Path) -> bytes:
    """What a learner gets of a file: a notebook without the outputs that are to be predicted, since not every front end can hide them."""
    if path.suffix != ".ipynb":
        return path.read_bytes()
    from jgrad.notebook.hidden import strip

    return strip(path.read_text(encoding="utf-8")).encode()


def notebooks(folder: Path) -> int:
    """Write the tutorials into a folder."""
    for name in copy(shipped(), folder):
        print(f"jgrad: {folder / name} has your changes and stays", file=sys.stderr)
    print(f"{folder}: {len([*folder.glob('*.ipynb')])} notebooks")
    return 0


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def languages() -> list[str]:
    """The languages in which there are tutorials. All but English have a folder."""
    return [ENGLISH, *sorted({path.parent.name for path in shipped().glob("[!.]*/*.ipynb")})]


def edition(language: str) -> list[str]:
    """The names of the tutorials that there are in a language, in a folder of its name. In English there are all of them, in no such folder."""
    if language not in languages():
        raise Refusal(
            f"there are no tutorials in the language {language[:40]!r}: choose {' or '.join(languages())}"
        )
    return [] if language == ENGLISH else sorted(path.stem for path in (shipped() / language).glob("*.ipynb"))


def lab(folder: Path, arguments: Sequence[str], language: str = ENGLISH) -> int:
    """Open JupyterLab on the tutorials; `arguments` go to JupyterLab."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise Refusal('jgrad lab needs JupyterLab: pip install "jupyterlab>=4.2"')
    translated = edition(language)
    root, kept = tutorials(folder)
    for name in kept:
        print(
            f"jgrad: {root / name} has your changes and stays; rename it to get the new {name}",
            file=sys.stderr,
        )
    if translated:
        names = ", ".join(translated)
        print(f"jgrad: in the language {language} there is {names}; all other tutorials are in English")
    from jupyterlab.labapp import LabApp

    opened = f"{language}/{translated[0]}.ipynb" if translated else "00-tour.ipynb"
    first = [f"--LabApp.default_url=/lab/tree/{opened}"] if (root / opened).exists() else []
    with tempfile.TemporaryDirectory() as made:
        if EXTENSION.is_dir():
            first.append(f"--LabApp.extra_labextensions_path={extension(Path(made))}")
        LabApp.launch_instance(argv=[f"--ServerApp.root_dir={root}", *first, *arguments])
    return 0


def extension(folder: Path) -> Path:
    """Put the JupyterLab extension of a checkout together in a folder. An installed jgrad has put it where JupyterLab looks."""
    shutil.copytree(EXTENSION, folder, dirs_exist_ok=True)
    for name in ("jgrad.js", "jgrad.css"):
        shutil.copy2(PACKAGE / "static" / name, folder / "jgrad" / "static" / name)
    return folder


def export(source: Path, target: Path | None, run: bool, slides: bool) -> int:
    """Write a notebook, or a trace that was saved, as one HTML file with live views."""
    target = target or source.with_suffix(".slides.html" if slides else ".html")
    try:
        if source.suffix == ".json":
            if slides:
                raise Refusal(f"{source} is a trace, and slides are made of a notebook: leave --slides out")
            running().write_page([source], target)
            print(f"{target}: 1 trace")
            return 0
        if importlib.util.find_spec("nbconvert") is None:
            raise Refusal(
                'jgrad export needs nbconvert, which JupyterLab brings: pip install "jupyterlab>=4.2"'
            )
        from jgrad.notebook.export import NotExported
        from jgrad.notebook.export import export as write

        try:
            count = write(source, target, run=run, slides=slides)
        except NotExported as error:
            raise Refusal(str(error)) from error
    except (OSError, ValueError) as error:
        raise Refusal(str(error)) from error
    print(f"{target}: {count} trace{'' if count == 1 else 's'}")
    if not count and not run:
        print("jgrad: the notebook was saved without traces: --run runs it first", file=sys.stderr)
    return 0


def running() -> Any:
    """The commands that need the recorder. It is loaded for them alone."""
    with few_collections(0):
        from jgrad.running import commands

    return commands


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_notebooks(add_command: Commands) -> None:
    """The commands about notebooks."""
    command = add_command.add_parser(
        "lab",
        allow_abbrev=False,
        help="open JupyterLab on the tutorials",
        usage="jgrad lab [--dir DIR] [--lang LANGUAGE] [OPTIONS OF JUPYTERLAB]",
        description="Open JupyterLab on the tutorials. JupyterLab gets all other options, such as --port 9000.",
    )
    command.add_argument(
        "--dir",
        type=Path,
        default=Path.home() / "jgrad-tutorials",
        help="where an installed jgrad puts the notebooks (%(default)s); files you changed there are never overwritten",
    )
    command.add_argument(
        "--lang",
        default=ENGLISH,
        metavar="LANGUAGE",
        help=f"the language of the tutorials, as far as they are translated: {' or '.join(languages())} (%(default)s)",
    )
    command = add_command.add_parser(
        "notebooks",
        allow_abbrev=False,
        help="write the tutorials into a folder",
        usage="jgrad notebooks DIR",
        description="Write the tutorials into a folder, for any front end. What you are asked to predict is not in them until you run them. "
        "Files that you changed there stay.",
    )
    command.add_argument("folder", type=Path, metavar="DIR")
    command = add_command.add_parser(
        "export",
        allow_abbrev=False,
        help="write a notebook as one HTML file with live views",
        usage="jgrad export NOTEBOOK [--to FILE] [--run] [--slides]",
        description="Write a notebook as one HTML file. Its traces can be stepped through in any browser, without a kernel and without a "
        "network. NOTEBOOK may also be a trace that `trace.save` has written, a .json file.",
    )
    command.add_argument("notebook", type=Path, metavar="NOTEBOOK")
    command.add_argument(
        "--to",
        type=Path,
        metavar="FILE",
        help="the file to write (NOTEBOOK with the ending .html; slides with .slides.html)",
    )
    command.add_argument(
        "--run", action="store_true", help="run the notebook first; its own file stays as it is"
    )
    command.add_argument(
        "--slides", action="store_true", help="as slides: each text with the cells below it, in large print"
    )


def add_runs(add_command: Commands) -> None:
    """The commands about programs and their traces."""
    add_command.add_parser(
        "run",
        allow_abbrev=False,
        add_help=False,
        help="run a program, and say why it fails or does not learn",
    )
    command = add_command.add_parser(
        "why",
        allow_abbrev=False,
        help="answer a question about a run that was saved",
        usage="jgrad why FILE.json [QUESTION]",
        description="Say what is remarkable about a trace that `jgrad run --save` or `trace.save` has written, or about one of its tensors.",
    )
    command.add_argument("file", type=Path, metavar="FILE.json")
    command.add_argument("question", nargs="?", metavar="QUESTION", help="a tensor or its gradient: w.grad")
    command = add_command.add_parser(
        "show",
        allow_abbrev=False,
        help="show a run that was saved, in the browser",
        usage="jgrad show FILE.json ... [--to FILE.html]",
        description="Show a trace that `jgrad run --save` or `trace.save` has written, in the browser. Several, such as those of the processes that "
        "torchrun started, are shown on one page.",
    )
    command.add_argument("files", type=Path, nargs="+", metavar="FILE.json")
    command.add_argument(
        "--to", type=Path, metavar="FILE.html", help="write the page there, and open nothing"
    )

    command = add_command.add_parser(
        "link",
        allow_abbrev=False,
        help="print an address that shows a run that was saved",
        usage="jgrad link FILE.json PAGE",
        description="Print an address that shows a trace. The trace is in the address itself, behind the #, which no browser sends to a server. "
        "PAGE is a file, trace.html, which is written if it is not there; or the address of such a file on your server, https://my.org/trace.html.",
    )
    command.add_argument("file", type=Path, metavar="FILE.json")
    command.add_argument("page", metavar="PAGE")


def add_doctor(add_command: Commands) -> None:
    """The command about what is installed."""
    command = add_command.add_parser(
        "doctor",
        allow_abbrev=False,
        help="say which packages are there, what is missing for what, and what to do",
        description="Say which packages are there, what is missing for what, and what to do. The exit status is 1 if something must be mended.",
    )
    command.add_argument("--json", action="store_true", help="print the same as JSON")


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        "jgrad",
        description="PyTorch's autograd on NumPy, visible step by step.",
        epilog=NOTEBOOK,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"jgrad {jgrad.__version__}")
    add_command = top.add_subparsers(dest="command", title="commands", metavar="COMMAND")
    for add in (add_notebooks, add_runs, add_doctor):
        add(add_command)
    return top


def doctor(as_json: bool) -> int:
    """Say what is installed."""
    from jgrad import doctor

    return doctor.run(as_json)


def complete(top: argparse.ArgumentParser) -> None:
    """Answer the shell, if it is the shell that asks: `eval "$(register-python-argcomplete jgrad)"` makes it ask, where argcomplete is installed."""
    if "_ARGCOMPLETE" in os.environ and importlib.util.find_spec("argcomplete"):
        import argcomplete

        argcomplete.autocomplete(top)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return the exit status: 0, or 1 for what could not be done. argparse itself exits with 2 for a command line
    that it can't read."""
    words = sys.argv[1:] if argv is None else [*argv]
    if words[:1] == ["run"]:  # all that follows the program's name is the program's
        return running().run_command(words[1:])
    top = parser()
    complete(top)
    arguments, others = top.parse_known_args(words)
    if arguments.command is None:
        if others:
            top.error(f"unrecognized arguments: {' '.join(others)}")
        top.print_help()
        return 0
    if arguments.command != "lab" and others:
        top.error(f"unrecognized arguments: {' '.join(others)}")
    command: Callable[[], int] = {
        "why": lambda: running().why_command(arguments),
        "show": lambda: running().show_command(arguments),
        "link": lambda: running().link_command(arguments),
        "export": lambda: export(arguments.notebook, arguments.to, arguments.run, arguments.slides),
        "notebooks": lambda: notebooks(arguments.folder.expanduser().resolve()),
        "doctor": lambda: doctor(arguments.json),
        "lab": lambda: lab(arguments.dir.expanduser().resolve(), others, arguments.lang),
    }[arguments.command]
    try:
        return command()
    except Refusal as refusal:
        print(f"jgrad: {refusal}", file=sys.stderr)
        return 1
