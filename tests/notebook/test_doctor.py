"""`jgrad doctor`: what it says of packages that are there, missing, old, broken or hidden."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import jgrad
from jgrad import cli, doctor
from jgrad.doctor import Need

pytestmark = pytest.mark.quick


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder from which Python imports, in this process and in others."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return folder


def said_of(module: str, oldest: str = "") -> doctor.Finding:
    return doctor.about(Need(module, module, "a test", oldest=oldest))


@pytest.mark.parametrize(
    ("text", "oldest", "state", "advice"),
    [
        (None, "", "missing", "pip install doctors_patient"),
        (None, "2.0", "missing", 'pip install "doctors_patient>=2.0"'),
        ("__version__ = '2.10.1+cpu'", "2.9", "works", ""),
        ("__version__ = '1.9'", "1.10", "too old", 'pip install "doctors_patient>=1.10"'),
        ("import missing_part", "", "broken", "ModuleNotFoundError: No module named 'missing_part'"),
        ("raise OSError('libx.so: cannot open')", "", "broken", "OSError: libx.so: cannot open"),
        ("raise SystemExit", "", "broken", "SystemExit"),
        ("import os; os.abort()", "", "broken", "importing it ends Python (exit status -6)"),
        ("print('hello')", "", "works", ""),
    ],
)
def test_a_package(packages: Path, text: str | None, oldest: str, state: str, advice: str) -> None:
    if text is not None:
        (packages / "doctors_patient.py").write_text(text)
    found = said_of("doctors_patient", oldest)
    assert found.state == state
    assert found.advice.startswith(advice)
    assert found.is_problem == (state in ("too old", "broken"))


@pytest.mark.parametrize("text", ["x = 1", "raise ValueError"])
def test_a_file_of_the_user_that_hides_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    (tmp_path / "safetensors.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    found = said_of("safetensors")
    assert found.state == "hidden"
    assert found.advice == f"your file {tmp_path / 'safetensors.py'} has its name: rename your file"


def test_a_package_that_the_magics_need_is_a_problem_when_it_is_missing() -> None:
    need = Need("nobody", "nobody", "the magics", always=True)
    assert doctor.about(need).is_problem
    assert not doctor.about(need._replace(always=False)).is_problem


def test_the_oldest_versions_are_those_of_the_metadata() -> None:
    assert doctor.oldest_of("numpy") == "2.1"
    assert doctor.oldest_of("ml-dtypes") == "0.5"
    assert doctor.oldest_of("nobody") == ""


@pytest.mark.parametrize(("version", "state"), [(jgrad.__version__, "works"), ("9.9.9", "other version")])
def test_the_extension_of_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, state: str
) -> None:
    folder = tmp_path / "labextensions" / "jgrad"
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"version": version}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    (found,) = doctor.about_extension()
    assert (found.state, found.version) == (state, version)
    assert (str(folder) in found.advice) == (state != "works")


def test_a_folder_of_packages_that_can_not_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [one.name for one in doctor.about_python()] == ["python", "jgrad"]
    monkeypatch.setattr(doctor.os, "access", lambda path, mode: False)
    *_, pip = doctor.about_python()
    assert (pip.name, pip.state, pip.is_problem) == ("pip", "read-only", True)
    assert pip.advice == "make an environment of your own: python -m venv jgrad-env, and install jgrad there"


CUPY = """
class runtime:
    @staticmethod
    def getDeviceCount():
        {count}
class cuda:
    runtime = runtime
arange = list
"""


@pytest.mark.parametrize(
    ("count", "state", "advice"),
    [
        (
            "raise RuntimeError('cudaErrorNoDevice: no CUDA-capable device is detected')",
            "broken",
            "RuntimeError: cudaErrorNoDevice",
        ),
        ("import os; os.abort()", "broken", "importing it ends Python"),
    ],
)
def test_a_gpu_that_cupy_can_not_use(
    packages: Path, monkeypatch: pytest.MonkeyPatch, count: str, state: str, advice: str
) -> None:
    (packages / "cupy.py").write_text(CUPY.format(count=count))
    monkeypatch.setattr(doctor, "version_of", lambda name: "13.3")
    (found,) = doctor.about_gpu()
    assert (found.name, found.state, found.is_problem) == ("gpu", state, True)
    assert found.advice.startswith(advice)
    assert found.advice.endswith(
        "look whether nvidia-smi shows a GPU, and whether CuPy is built for its CUDA"
    )
    monkeypatch.setattr(doctor, "version_of", lambda name: "")
    assert not list(doctor.about_gpu())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "sys.version_info = (3, 10, 4, 'final', 0); sys.version = '3.10.4 (main)'",
            "jgrad needs Python 3.11 or later, and this is 3.10.4: make an environment",
        ),
        ("sys._is_gil_enabled = lambda: False", "start it as python -X gil=1"),
    ],
)
def test_a_python_that_jgrad_does_not_run_on(change: str, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {change}; import jgrad"], capture_output=True, text=True
    )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: jgrad needs")
    assert said in last
    # An old Python reads the file as far as that.
    ast.parse(Path(jgrad.__file__).read_text(encoding="utf-8"), feature_version=(3, 8))


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        doctor, "NEEDS", [Need("numpy", "numpy", "tensors", always=True), Need("nobody", "nobody", "naught")]
    )
    monkeypatch.setattr(doctor, "about_extension", lambda: iter([]))
    monkeypatch.setattr(doctor, "about_python", lambda: iter([]))
    assert cli.main(["doctor"]) == 0
    first, second, advice, *_, end = capsys.readouterr().out.splitlines()
    assert first.split()[:2] == ["works", "numpy"]
    assert first.endswith("tensors")
    assert second.split() == ["missing", "nobody", "naught"]
    assert advice.strip() == "pip install nobody"
    assert end == "All that jgrad needs works. What is missing is needed only for what stands beside it."
    monkeypatch.setattr(doctor, "NEEDS", [Need("nobody", "nobody", "naught", always=True)])
    assert cli.main(["doctor", "--json"]) == 1
    (one,) = json.loads(capsys.readouterr().out)
    assert (one["name"], one["state"], one["is_problem"]) == ("nobody", "missing", True)
