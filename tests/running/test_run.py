"""`jgrad run`: the program does what it does without it, and what is remarkable is said on stderr."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest

from jgrad.tracing.document.files import load
from tests.running.programs import PROGRAMS, Program

COMMAND = str(Path(sys.executable).with_name("jgrad"))
NOT_COMPARED = ("__pycache__",)
OURS = re.compile(r"^jgrad: .*\n", re.M)


def laid_out(program: Program, folder: Path) -> list[str]:
    """Write the files of a program; the words that name what is run."""
    for name, text in program.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("latin-1" if "latin-1" in text else "utf-8"))
    if program.module.startswith("/"):
        return [program.module[1:]]
    return ["-m", program.module] if program.module else [next(iter(program.files))]


def ran(
    command: list[str], folder: Path, typed: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        input=typed,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONSAFEPATH": "", "NO_COLOR": "1", **environment},
    )


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part in NOT_COMPARED for part in path.parts)
    }


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_does_what_it_does_by_python(name: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    folder = tmp_path / "here"
    outcomes = []
    for python in ([sys.executable], [COMMAND, "run"]):
        folder.mkdir()
        what = laid_out(program, folder)
        done = ran([*python, *what, *program.arguments], folder, program.typed)
        errors = OURS.sub("", done.stderr)
        outcomes.append((done.returncode, done.stdout, errors, files_in(folder)))
        folder.rename(tmp_path / f"there {len(outcomes)}")
    plain, recorded = outcomes
    assert plain[0] == program.status
    assert recorded == plain


@pytest.mark.parametrize("name", ["app.zip", "app"])
def test_an_archive_runs_as_by_python(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / name, "w") as archive:
        archive.writestr(
            "__main__.py", "import sys, other\nprint(__file__, sys.argv, sys.path[0], other.__file__)\n"
        )
        archive.writestr("other.py", "")
    plain, recorded = (
        ran([*python, name, "z"], tmp_path) for python in ([sys.executable], [COMMAND, "run", "--quiet"])
    )
    assert plain.returncode == 0
    assert (recorded.returncode, recorded.stdout, recorded.stderr) == (0, plain.stdout, "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that closes streams")
@pytest.mark.parametrize("closed", ["2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_a_program_whose_streams_are_closed_ends_as_by_python(closed: str, tmp_path: Path) -> None:
    source = PROGRAMS["a training loop"].files["train.py"]
    (tmp_path / "train.py").write_text(f"{source}\nopen('written', 'w').close()\n")
    done = ran(["sh", "-c", f"exec {COMMAND} run train.py {closed}"], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "written").exists()


def run(folder: Path, source: str, *options: str, name: str = "train.py") -> subprocess.CompletedProcess[str]:
    """What `jgrad run` does with the source of a program."""
    (folder / name).write_text(textwrap.dedent(source), encoding="utf-8")
    return ran([COMMAND, "run", *options, name], folder)


CRASH = """
    import jgrad

    def saved(x):
        h = x.exp()
        h.add_(1)
        return h.sum()

    w = jgrad.ones(2, requires_grad=True)
    saved(w).backward()
"""


def test_an_error_carries_its_answer_and_no_frame_of_ours(tmp_path: Path) -> None:
    done = run(tmp_path, CRASH)
    assert done.returncode == 1
    frames = re.findall(r'File "([^"]*)", line (\d+)', done.stderr)
    assert [(Path(file).name, line) for file, line in frames] == [("train.py", "10")]
    (answer,) = [line for line in done.stderr.splitlines() if "saved h at version 0" in line]
    assert answer.startswith("jgrad: train.py:5 ")
    assert "train.py:6" in answer
    assert "Write `h = h.add(1)`" in answer
    assert "\n-    h.add_(1)\n+    h = h.add(1)\n" in done.stderr


WITHIN_TORCH = """
    import torch

    net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU())
    try:
        torch.nn.Linear(5, 1)(net(torch.ones(2, 3)))
    except RuntimeError as error:
        w = torch.ones(2, requires_grad=True)
        y = (w * 2).exp()
        y.add_(1)
        y.sum().backward()
"""


def test_a_traceback_has_the_frames_that_python_shows(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    recorded = run(tmp_path, WITHIN_TORCH)
    plain = ran([sys.executable, "train.py"], tmp_path)
    assert plain.stderr.count("/torch/") > 4
    assert recorded.stderr.startswith(plain.stderr)
    assert "train.py:10" in recorded.stderr.removeprefix(plain.stderr)


def test_remarks_name_the_file_and_the_line(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        import jgrad
        from net import Net

        model = Net()
        optimizer = jgrad.optim.SGD(model.parameters(), lr=0.1)
        for i in range(6):
            loss = model(jgrad.ones(4, 2)).pow(2).mean()
            loss.backward()
            optimizer.step()
        """
        if (tmp_path / "net.py").write_text(
            "import jgrad\n\nclass Net(jgrad.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
            "        self.fc = jgrad.nn.Linear(2, 1)\n\n    def forward(self, x):\n        return self.fc(x)\n"
        )
        else "",
    )
    assert done.returncode == 0
    assert "zero_grad()" in done.stderr
    assert "train.py:" in done.stderr
    assert not re.search(r"\bline \d|\bcell\b|%why|%%trace", done.stderr)


def test_without_a_finding_facts_are_said(tmp_path: Path) -> None:
    done = run(tmp_path, PROGRAMS["a training loop"].files["train.py"])
    assert done.returncode == 0
    assert "No mistake of the kinds that jgrad knows was found." in done.stderr
    assert re.search(r"The loss in \S+ went from [\d.]+ to [\d.]+ in 6 rounds", done.stderr)


CUT = """
    import jgrad

    class Net(jgrad.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = jgrad.nn.Linear(4, 8)
            self.last = jgrad.nn.Linear(8, 3)
            self.cuts = True

        def forward(self, x):
            h = self.first(x)
            return self.last((h.detach() if self.cuts else h).relu())

    def main():
        jgrad.manual_seed(0)
        data = jgrad.utils.data.TensorDataset(jgrad.randn(64, 4), jgrad.randint(0, 3, (64,)))
        net = Net()
        opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range(EPOCHS):
            net.cuts = epoch < CUT
            for x, y in jgrad.utils.data.DataLoader(data, 8):
                opt.zero_grad()
                loss = jgrad.nn.functional.cross_entropy(net(x), y)
                loss.backward()
                opt.step()

    if __name__ == "__main__":
        main()
"""


@pytest.mark.parametrize(("epochs", "cut", "is_found"), [(3, 3, True), (40, 40, True), (6, 3, False)])
def test_what_never_happens_is_known_of_a_function_that_has_returned(
    epochs: int, cut: int, is_found: bool, tmp_path: Path
) -> None:
    """Its last rounds are not kept and its tensors are gone, but the figures of the rounds show that nothing else began."""
    done = run(tmp_path, CUT.replace("EPOCHS", str(epochs)).replace("CUT", str(cut)))
    said = "net.first.weight and net.first.bias may be meant to learn, but never get a gradient"
    assert (said in done.stderr) == is_found, done.stderr


HELD = """
    import jgrad

    class Framework:
        def __init__(self, make, data):
            self.make, self.data = make, data

        def fit(self):
            model_ = self.model_ = self.make()
            self.optimizer_ = jgrad.optim.SGD(model_.parameters(), lr=0.1)
            for epoch in range(3):
                for x, y in self.data:
                    self.optimizer_.zero_grad()
                    jgrad.nn.functional.cross_entropy(model_(x), y).backward()
                    self.optimizer_.step()
"""
HELD_PROGRAM = """
    import jgrad
    from held import Framework

    class Net(jgrad.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = jgrad.nn.Linear(4, 8)
            self.last = jgrad.nn.Linear(8, 3)

        def forward(self, x):
            return self.last(self.first(x).detach().relu())

    def main():
        data = [(jgrad.randn(8, 4), jgrad.randint(0, 3, (8,))) for i in range(8)]
        for i in range(2):
            Framework(Net, data).fit()

    main()
"""


def test_a_model_that_only_a_framework_holds_is_named_after_its_class(tmp_path: Path) -> None:
    library = tmp_path / "site-packages"
    library.mkdir()
    (library / "held.py").write_text(textwrap.dedent(HELD))
    (tmp_path / "train.py").write_text(textwrap.dedent(HELD_PROGRAM))
    command = [COMMAND, "run", "--save", "t.json", "train.py"]
    done = ran(command, tmp_path, PYTHONPATH=str(library))
    assert "Net#2.first.weight and Net#2.first.bias may be meant to learn" in done.stderr
    assert "give SGD#2 only the other parameters" in done.stderr
    document = load(tmp_path / "t.json")
    assert {m["name"] for m in document["modules"]} == {"Net", "Net#2"}
    assert {o["name"] for o in document["optimizers"]} == {"SGD", "SGD#2"}
    names = [p["name"] for p in document["rounds"]["parameters"]]
    assert names == ["Net.first.weight", "Net.first.bias", "Net.last.weight", "Net.last.bias"]


FITTED = """
    import jgrad
    from fitted import fit

    model = jgrad.nn.Linear(2, 1)
    x = jgrad.randn(32, 2)

    def loss_of(model):
        return jgrad.nn.functional.mse_loss(model(x), x.sum(1, keepdim=True))

    fit(model, loss_of, jgrad.optim.SGD(model.parameters(), lr=0.1))
"""


def test_a_loss_is_where_the_program_computes_it_if_a_framework_calls_backward(tmp_path: Path) -> None:
    library = tmp_path / "site-packages"
    library.mkdir()
    (library / "fitted.py").write_text(
        "def fit(model, loss_of, opt):\n    for i in range(20):\n        opt.zero_grad()\n"
        "        loss_of(model).backward()\n        opt.step()\n"
    )
    (tmp_path / "train.py").write_text(textwrap.dedent(FITTED))
    done = ran([COMMAND, "run", "train.py"], tmp_path, PYTHONPATH=str(library))
    assert "The loss in train.py:9 went from" in done.stderr


def test_an_excepthook_of_the_program_need_not_show_the_answer(tmp_path: Path) -> None:
    hook = "import sys\nsys.excepthook = lambda kind, value, traceback: print('hook', kind.__name__)\n"
    done = run(tmp_path, hook + textwrap.dedent(CRASH))
    assert done.stdout == "hook RuntimeError\n"
    assert done.stderr.startswith("jgrad: train.py:7 ")
    assert "Write `h = h.add(1)`" in done.stderr


def test_a_failure_of_ours_changes_no_exit_status(tmp_path: Path) -> None:
    fails = (
        "import jgrad.running.run as r\ndef fails(self, error): raise KeyError('k')\nr._Run._answer = fails\n"
    )
    done = run(tmp_path, fails + "print('kept')\n")
    assert (done.returncode, done.stdout) == (0, "kept\n")
    assert (
        done.stderr == "jgrad: This run could not be explained because of a bug in jgrad (KeyError: 'k').\n"
    )


def test_the_rules_are_loaded_after_the_program(tmp_path: Path) -> None:
    rules = "print([name for name in sys.modules if name.startswith('jgrad.tracing.explain.rules')])\n"
    done = run(tmp_path, f"import sys, jgrad\n(jgrad.ones(1, requires_grad=True) * 2).backward()\n{rules}")
    assert done.stdout == "[]\n"
    assert "No mistake" in done.stderr


def test_a_file_of_the_program_is_not_taken_for_a_module_of_pythons(tmp_path: Path) -> None:
    for name in ("html", "webbrowser"):
        (tmp_path / f"{name}.py").write_text(f"print('{name} of the program')\n")
    (tmp_path / "train.py").write_text("print('hello')\n")
    done = ran([COMMAND, "run", "--html", "t.html", "--open", "train.py"], tmp_path, BROWSER="true")
    assert (done.returncode, done.stdout) == (0, "hello\n")
    assert "bug in jgrad" not in done.stderr
    assert (tmp_path / "t.html").exists()


def test_quiet_says_nothing_and_writes(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        PROGRAMS["a training loop"].files["train.py"],
        "--quiet",
        "--save",
        "t.json",
        "--html",
        "t.html",
    )
    assert done.stderr == ""
    assert load(tmp_path / "t.json")["name"] == "train.py"
    assert "<html" in (tmp_path / "t.html").read_text(encoding="utf-8")


def test_what_was_saved_answers_later(tmp_path: Path) -> None:
    run(tmp_path, CRASH, "--save", "t.json", "--quiet")
    why = ran([COMMAND, "why", "t.json"], tmp_path)
    assert (why.returncode, why.stderr) == (0, "")
    assert "train.py:6" in why.stdout
    asked = ran([COMMAND, "why", "t.json", "w.grad"], tmp_path)
    assert asked.stdout.startswith("w.grad is None")
    unknown = ran([COMMAND, "why", "t.json", "nosuch"], tmp_path)
    assert unknown.returncode == 1
    assert (
        unknown.stderr == "jgrad: train.py has no tensor 'nosuch': ask about w, h\n"
        or "ask about w" in unknown.stderr
    )
    shown = ran([COMMAND, "show", "t.json", "--to", "t.html"], tmp_path)
    assert shown.stdout == "t.html\n"
    assert (tmp_path / "t.html").stat().st_size > 10_000


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM that a program can handle")
@pytest.mark.parametrize("by", ["SIGTERM", "SIGHUP", "os._exit()", "os.execv()", "os.execve()"])
def test_what_is_known_is_written_when_the_program_is_ended(by: str, tmp_path: Path) -> None:
    ends, status = {
        "os._exit()": ("os._exit(-1)", 255),
        "os.execv()": ("os.execl('/bin/sh', 'sh', '-c', 'exit 3')", 3),
        "os.execve()": ("os.execvpe('sh', ['sh', '-c', 'exit 4'], {'PATH': '/nosuch:/bin'})", 4),
    }.get(by) or (f"os.kill(os.getpid(), signal.{by})", -getattr(signal, by))
    source = f"{PROGRAMS['a training loop'].files['train.py']}import os, signal\n{ends}\n"
    former = signal.getsignal(signal.SIGHUP)
    try:
        # The tests may themselves run under nohup, and what is ignored stays so in the processes that they begin.
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        done = run(tmp_path, source, "--save", "t.json")
    finally:
        signal.signal(signal.SIGHUP, former)
    assert done.returncode == status
    assert f"The program was ended by {by}." in done.stderr
    # The last round is over too.
    assert load(tmp_path / "t.json")["rounds"]["total"] == 6


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGHUP")
def test_a_signal_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    source = "import os, signal\nos.kill(os.getpid(), signal.SIGHUP)\nprint('after')\n"
    (tmp_path / "train.py").write_text(source)
    done = ran(["nohup", COMMAND, "run", "--save", "t.json", "train.py"], tmp_path)
    assert (done.returncode, done.stdout) == (0, "after\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGINT")
def test_an_interrupt_of_the_answer_shows_the_programs_traceback(tmp_path: Path) -> None:
    source = (
        "import os, signal, jgrad.running.run as r\n"
        "r._Run._answer = lambda self, error: os.kill(os.getpid(), signal.SIGINT)\n"
        "raise KeyboardInterrupt\n"
    )
    done = run(tmp_path, source, "--save", "t.json")
    assert done.returncode == -signal.SIGINT
    assert re.findall(r'File "[^"]*?([^/"]+)", line (\d+)', done.stderr) == [("train.py", "3")]
    assert done.stderr.endswith("jgrad: Interrupted: there is no answer, and no file is written.\n")
    assert not (tmp_path / "t.json").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGINT")
def test_after_an_interrupt_it_says_how_far_the_program_came(tmp_path: Path) -> None:
    source = (
        PROGRAMS["a training loop"].files["train.py"]
        + "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
    )
    done = run(tmp_path, source)
    assert done.returncode == -signal.SIGINT
    assert re.search(
        r"\njgrad: The program was interrupted in train\.py:\d+ after \d+ rounds.*The loss in train\.py:\d+ went from",
        done.stderr,
    )


GATED = """\
import jgrad
def rounds():
    for i in range(60):
        yield i
def main():
    w, gate = jgrad.ones(3, requires_grad=True), jgrad.ones(3, requires_grad=True)
    opt = jgrad.optim.SGD([w, gate], lr=0.01)
    for i in rounds():
        loss = (w * gate.detach() - 3).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
main()
"""


def test_what_was_remarkable_about_a_tensor_answers_a_question_about_it(tmp_path: Path) -> None:
    """Also if the last rounds were not kept in full, so that the steps themselves no longer show why."""
    said = run(tmp_path, GATED, "--save", "t.json").stderr
    assert "gate may be meant to learn, but never gets a gradient" in said
    for question in ("gate.grad", "gate"):
        asked = ran([COMMAND, "why", "t.json", question], tmp_path).stdout
        assert asked.startswith("gate may be meant to learn, but never gets a gradient")
        assert "were not kept" not in asked


def test_the_collector_of_garbage_is_the_programs(tmp_path: Path) -> None:
    source = "import gc\nprint(gc.get_threshold(), gc.isenabled(), gc.callbacks)\n"
    source = f"{source}{PROGRAMS['a training loop'].files['train.py']}{source}"
    (tmp_path / "train.py").write_text(source)
    assert run(tmp_path, source).stdout == ran([sys.executable, "train.py"], tmp_path).stdout


@pytest.mark.parametrize("what", [["nosuch.py"], ["."], ["-m", "nosuch"]])
def test_a_program_that_is_not_there_ends_as_by_python(what: list[str], tmp_path: Path) -> None:
    plain, ours = (ran([*python, *what], tmp_path) for python in ([sys.executable], [COMMAND, "run"]))
    assert (ours.returncode, ours.stdout) == (plain.returncode, "")
    assert len(ours.stderr.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_a_reader_may_end_before_the_answer(tmp_path: Path) -> None:
    run(tmp_path, CRASH, "--save", "t.json", "--quiet")
    done = ran(["sh", "-c", f"({COMMAND} why t.json; echo $? > status) | true"], tmp_path)
    assert (done.stderr, (tmp_path / "status").read_text()) == ("", "0\n")


def test_only_the_process_that_was_started_reports(tmp_path: Path) -> None:
    done = ran([COMMAND, "run", *laid_out(PROGRAMS["a fork"], tmp_path)], tmp_path)
    assert done.stderr.count("No mistake of the kinds") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["nosuch.py"], "jgrad: can't open nosuch.py (No such file or directory): write jgrad run SCRIPT.py"),
        (["empty"], "jgrad: empty has no __main__.py: write jgrad run SCRIPT.py"),
        (
            ["-m", "nosuch"],
            "jgrad: there is no module 'nosuch' that can be run: write jgrad run -m PACKAGE.MODULE",
        ),
        ([], "jgrad run: error: no program to run: write jgrad run SCRIPT.py"),
        (["-c", "1"], "jgrad run: error: a program can't be given as -c: write it into a file"),
        (["--nosuch", "x.py"], "jgrad run: error: unrecognized arguments: --nosuch"),
        (
            ["--rounds", "9:3", "x.py"],
            "jgrad run: error: --rounds 9:3 names no rounds: write --rounds 310:320",
        ),
        (["--html", "no/x.html", "x.py"], "jgrad run: error: can't write no/x.html: there is no folder no"),
        (["--save", "empty", "x.py"], "jgrad run: error: can't write empty: it is a folder"),
        (["--into", "nosuch", "x.py"], "jgrad run: error: --into: there is no module 'nosuch'"),
        (["--max-steps", "0", "x.py"], "jgrad run: error: --max-steps takes a number from 1 on"),
    ],
)
def test_a_bad_command_line_is_one_sentence(options: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = ran([COMMAND, "run", *options], tmp_path)
    assert done.returncode != 0
    assert done.stderr.strip().splitlines()[-1] == message


def test_a_file_stays_whole_until_the_new_one_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import jgrad
    from jgrad.running import report

    with jgrad.trace("train.py") as trace:
        jgrad.ones(2)
    path = tmp_path / "t.json"
    path.write_text("the one before")
    monkeypatch.setattr(
        trace, "save", lambda name: (_ for _ in ()).throw(OSError(28, "No space left on device"))
    )
    with pytest.raises(OSError, match="No space"):
        report.write(trace, path)
    assert path.read_text() == "the one before"
    assert os.listdir(tmp_path) == ["t.json"]
    monkeypatch.undo()
    report.write(trace, path)
    assert json.loads(path.read_text())["name"] == "train.py"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit of the size of files")
def test_a_disk_without_room_is_one_sentence_and_the_former_file_stays(tmp_path: Path) -> None:
    run(tmp_path, CRASH, "--save", "t.json", "--html", "t.html")
    before = files_in(tmp_path)
    command = f"ulimit -f 1; exec {COMMAND} run --save t.json --html t.html train.py"
    done = ran(["sh", "-c", command], tmp_path, PYTHONDONTWRITEBYTECODE="1")
    assert done.returncode == 1
    assert "train.py:6" in done.stderr
    assert "jgrad: t.html could not be written (File too large).\n" in done.stderr
    assert "bug in jgrad" not in done.stderr
    kept = files_in(tmp_path)
    assert kept.keys() == before.keys()
    assert kept["t.html"] == before["t.html"]
    assert load(tmp_path / "t.json")["name"] == "train.py"


@pytest.mark.skipif(sys.platform == "win32", reason="needs links and pipes")
def test_a_file_is_put_in_place_of_no_link_and_no_device(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to("real.json")
    done = run(tmp_path, CRASH, "--save", "link.json")
    assert done.returncode == 1
    assert (tmp_path / "link.json").is_symlink()
    assert load(tmp_path / "real.json")["name"] == "train.py"
    os.mkfifo(tmp_path / "pipe.json")
    with subprocess.Popen(["cat", "pipe.json"], cwd=tmp_path, stdout=subprocess.PIPE) as reader:
        run(tmp_path, CRASH, "--save", "pipe.json")
        assert reader.stdout is not None
        assert json.loads(reader.stdout.read())["name"] == "train.py"
    assert (tmp_path / "pipe.json").is_fifo()


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_run_that_is_killed_leaves_the_last_save_whole(tmp_path: Path) -> None:
    run(tmp_path, CRASH, "--save", "t.json")
    before = files_in(tmp_path)
    source = "import os, signal, jgrad\njgrad.ones(2).sum()\nos.kill(os.getpid(), signal.SIGKILL)\n"
    done = run(tmp_path, source, "--save", "t.json", name="killed.py")
    assert done.returncode == -signal.SIGKILL
    (tmp_path / "killed.py").unlink()
    assert files_in(tmp_path) == before


def test_two_runs_that_write_one_file_leave_it_whole(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"train{number}.py").write_text(textwrap.dedent(CRASH))
    commands = [[COMMAND, "run", "--quiet", "--save", "t.json", f"train{n}.py"] for n in range(3)]
    runs = [subprocess.Popen(c, cwd=tmp_path, stderr=subprocess.DEVNULL) for c in commands]
    assert [one.wait(300) for one in runs] == [1, 1, 1]
    assert re.fullmatch(r"train\d\.py", load(tmp_path / "t.json")["name"])
    assert sorted(os.listdir(tmp_path)) == ["t.json", "train0.py", "train1.py", "train2.py"]


def test_files_are_written_where_the_command_was_given(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    done = run(tmp_path, "import os\nos.chdir('elsewhere')\n", "--save", "t.json", "--html", "t.html")
    assert "t.json answers `jgrad why t.json`" in done.stderr
    assert load(tmp_path / "t.json")["name"] == "train.py"
    assert (tmp_path / "t.html").exists()
    assert not os.listdir(tmp_path / "elsewhere")


def test_it_needs_nothing_of_jupyter(tmp_path: Path) -> None:
    """Text and pages come where IPython, ipywidgets and anywidget can't be imported, and they are not imported where they can."""
    block = "import sys\nfor name in ('IPython', 'ipywidgets', 'anywidget', 'traitlets'):\n    sys.modules[name] = None\n"
    (tmp_path / "sitecustomize.py").write_text(block)
    (tmp_path / "train.py").write_text(textwrap.dedent(CRASH))
    command = [COMMAND, "run", "--html", "t.html", "train.py"]
    done = ran(command, tmp_path, PYTHONPATH=str(tmp_path))
    assert "train.py:6" in done.stderr
    assert (tmp_path / "t.html").exists()
    source = "import atexit, sys, jgrad\njgrad.ones(2)\natexit.register(lambda: print([n for n in ('IPython', 'ipywidgets', 'anywidget') if n in sys.modules]))\n"
    (tmp_path / "sitecustomize.py").unlink()
    assert run(tmp_path, source, "--html", "t.html").stdout == "[]\n"
