"""The wheel a user installs: what is in it, that it loads NumPy alone, and that `jgrad lab` opens the tutorials from it."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

import jgrad
from jgrad import cli
from stubs import __main__ as stubs
from tests.project.serving import extensions, serve
from tests.project.wheel import CHECKOUT, build, unpack

NOTEBOOKS = {path.name for path in (CHECKOUT / "notebooks").glob("*.ipynb")}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the wheel's package and nothing of the checkout."""
    return unpack(wheel, tmp_path_factory.mktemp("installed"))


def python(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=installed, capture_output=True, text=True, check=False
    )


def test_the_wheel_holds_the_package_the_front_end_and_the_notebooks(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    here = {
        path.relative_to(CHECKOUT).as_posix()
        for path in (CHECKOUT / "jgrad").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names if name.startswith("jgrad/") and "/notebooks/" not in name} == here
    assert {Path(name).name for name in names if name.startswith("jgrad/notebooks/")} == NOTEBOOKS
    assert any(re.fullmatch(r"jgrad/static/.*\.js", name) for name in names)
    shared = r"-[\d.]+\.data/data/share/jupyter/labextensions/jgrad/"
    in_wheel = {re.sub("^jgrad" + shared, "", name) for name in names if re.match("jgrad" + shared, name)}
    assert in_wheel == files_under(extensions() / "jgrad")
    assert {name for name in names if name.startswith("jgrad-stubs/")} == {
        f"jgrad-stubs/{path}" for path in stubs.files()
    }
    assert not [
        name
        for name in names
        if not re.match(rf"jgrad_pytest\.py$|jgrad(-stubs)?(/|-[\d.]+\.dist-info/|{shared})", name)
    ]


def files_under(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_the_wheel_of_the_sdist_is_that_of_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """And so are two builds of each: to the byte."""
    (tmp_path / "sdist").mkdir()
    sdist = build(tmp_path / "sdist", "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    before = files_under(source)
    assert not [name for name in before if "jgrad-stubs" in name]
    (tmp_path / "wheel").mkdir()
    assert build(tmp_path / "wheel", source=source).read_bytes() == wheel.read_bytes()
    assert files_under(source) == before, "a build leaves the source as it is"
    (tmp_path / "again").mkdir()
    assert build(tmp_path / "again", "sdist").read_bytes() == sdist.read_bytes()


def test_an_editable_install_has_the_stubs_and_the_extension_too(wheel: Path, tmp_path: Path) -> None:
    names = zipfile.ZipFile(build(tmp_path, "wheel:editable")).namelist()

    def beside_the_package(names: list[str]) -> set[str]:
        return {name for name in names if re.match(r"jgrad-stubs/|jgrad-[\d.]+\.data/", name)}

    assert beside_the_package(names) == beside_the_package(zipfile.ZipFile(wheel).namelist())
    assert not [name for name in names if name.startswith("jgrad/")]


def test_importing_it_loads_numpy_alone(installed: Path) -> None:
    program = "import sys, numpy; before = set(sys.modules); import jgrad; print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    done = python(installed, "-c", program)
    assert done.returncode == 0, done.stderr
    others = set(done.stdout.split()) - sys.stdlib_module_names
    assert others == {"jgrad"}


def test_the_version_is_one_fact(wheel: Path, installed: Path) -> None:
    version = wheel.name.split("-")[1]
    assert python(installed, "-m", "jgrad", "--version").stdout == f"jgrad {version}\n"


def test_the_conda_package_is_that_of_the_index() -> None:
    recipe = yaml.safe_load((CHECKOUT / ".ci" / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needs = {need.replace(" ", "") for need in recipe["requirements"]["run"]}
    assert recipe["context"]["version"] == jgrad.__version__
    assert needs == {*project["dependencies"], f"python{project['requires-python']}"}


@pytest.mark.parametrize("home", ["", "https://forge.example/people/jgrad"])
def test_the_page_on_an_index_has_links_that_work_there(home: str) -> None:
    settings = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    settings["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"] = home
    page = ProjectMetadata(str(CHECKOUT), PluginManager(), settings).core
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    assert bool(page.urls) == bool(home)
    assert (
        page.readme.replace(f"{home}/blob/v{jgrad.__version__}/", "").replace(
            f"{home}/raw/v{jgrad.__version__}/", ""
        )
        == readme
    )
    pictures = re.findall(r"!\[[^]]*\]\((.+?)\)", page.readme)
    links = re.findall(r"(?<!!)\[[^]]*\]\((.+?)\)", page.readme)
    assert len(pictures) == 1
    assert len(links) > 20
    assert not home or all(link.startswith(f"{home}/blob/v") for link in links)
    assert not home or pictures[0].startswith(f"{home}/raw/v")


@pytest.mark.parametrize(
    "path", sorted((CHECKOUT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.stem
)
def test_workflows_name_what_is_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert {"name", "jobs", "permissions"} <= yaml.safe_load(text).keys()
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = re.findall(r"\.\[([\w,]+)\]|extras: \"([\w,]+)\"", text)
    assert {name for pair in extras for part in pair if part for name in part.split(",")} <= {
        *project["optional-dependencies"]
    }
    assert all((CHECKOUT / name).is_file() for name in re.findall(r"(?:scripts|\.ci)/\w+", text))


def test_jgrad_lab_opens_the_tutorials(installed: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "jgrad", "lab", "--dir", str(tmp_path / "mine")]
    with serve(command, tmp_path, PYTHONPATH=str(installed)) as server:
        assert server.open("/").url == f"{server.base}/lab/tree/00-tour.ipynb"
        assert {file["name"] for file in server.get("/api/contents")["content"]} == {*NOTEBOOKS, "zh"}
    assert {path.name for path in (tmp_path / "mine").glob("*.ipynb")} == NOTEBOOKS


def test_without_jupyterlab_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jupyterlab", None)
    monkeypatch.setattr(cli.importlib.util, "find_spec", lambda name: None)
    assert cli.main(["lab"]) == 1
    assert capsys.readouterr().err == 'jgrad: jgrad lab needs JupyterLab: pip install "jupyterlab>=4.2"\n'


class TestCopies:
    """What lies in the user's folder of tutorials."""

    @pytest.fixture
    def ours(self, tmp_path: Path) -> Path:
        ours = tmp_path / "ours"
        (ours / "pictures").mkdir(parents=True)
        for name in ("a.txt", "b.txt", "pictures/c.svg"):
            (ours / name).write_text(f"{name}, first edition")
        return ours

    def test_a_new_edition_replaces_what_the_user_left_alone(self, ours: Path, tmp_path: Path) -> None:
        cli.copy(ours, tmp_path / "mine")
        (ours / "pictures/c.svg").write_text("second edition")
        assert cli.copy(ours, tmp_path / "mine") == []
        assert (tmp_path / "mine/pictures/c.svg").read_text() == "second edition"

    def test_what_the_user_changed_stays(self, ours: Path, tmp_path: Path) -> None:
        cli.copy(ours, tmp_path / "mine")
        (tmp_path / "mine/a.txt").write_text("my notes")
        assert cli.copy(ours, tmp_path / "mine") == [], "nothing newer to tell of"
        (ours / "a.txt").write_text("second edition")
        assert cli.copy(ours, tmp_path / "mine") == ["a.txt"]
        assert (tmp_path / "mine/a.txt").read_text() == "my notes"

    def test_a_file_of_the_users_own_by_the_same_name_stays(self, ours: Path, tmp_path: Path) -> None:
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine/a.txt").write_text("mine since long")
        assert cli.copy(ours, tmp_path / "mine") == ["a.txt"]
        assert (tmp_path / "mine/a.txt").read_text() == "mine since long"

    def test_a_deleted_tutorial_comes_back(self, ours: Path, tmp_path: Path) -> None:
        cli.copy(ours, tmp_path / "mine")
        (tmp_path / "mine/b.txt").unlink()
        cli.copy(ours, tmp_path / "mine")
        assert (tmp_path / "mine/b.txt").read_text() == "b.txt, first edition"

    def test_a_folder_that_can_not_be_written_is_one_line(self, ours: Path, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(
            cli.Refusal, match=r"can't put the tutorials into .*: name another folder with --dir"
        ):
            cli.copy(ours, tmp_path / "file" / "folder")
