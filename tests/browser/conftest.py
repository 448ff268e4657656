"""A real JupyterLab in a real Chromium."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import nbformat
import pytest

from tests.project.serving import Server, extensions, jupyterlab, serve

playwright = pytest.importorskip("playwright.sync_api", reason='needs Playwright: pip install ".[test]"')
pytest.importorskip("jupyterlab", reason='needs JupyterLab: pip install ".[lab]"')

PATIENCE = 180_000  # milliseconds until something counts as not happening; a busy machine may take a minute
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
SWITCHES += ["--disable-component-update", "--disable-sync", "--force-color-profile=srgb"]
SETTINGS = {
    "notebook-extension/tracker": {"windowingMode": "none"},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "docmanager-extension/plugin": {"autosave": False},
}


SIZE = playwright.ViewportSize(width=1400, height=1000)
# What the page shows says idle before the kernel is connected, too. The kernel says idle while a cell runs, after each message of a widget.
IDLE = """path => {
  const widgets = [...(window.jupyterapp?.shell.widgets("main") ?? [])];
  const notebook = widgets.find((widget) => widget.context?.path === path);
  const kernel = notebook?.sessionContext.session?.kernel;
  const prompts = [...(notebook?.node.querySelectorAll(".jp-InputPrompt") ?? [])];
  return kernel?.connectionStatus === "connected" && kernel.status === "idle" && !prompts.some((p) => p.textContent.includes("*"));
}"""
# Open a notebook in JupyterLab as it is, then close all else, without questions about unsaved cells, and undo what tests change.
OPEN_ALONE = """async path => {
  const { commands, serviceManager, shell } = jupyterapp;
  await serviceManager.sessions.shutdownAll();
  const opened = await commands.execute("docmanager:open", { path });
  for (const widget of [...shell.widgets("main")]) if (widget !== opened) widget.dispose();
  shell.collapseRight();
  shell.activateById(opened.id);
  if (document.body.dataset.jpThemeLight !== "true") await commands.execute("apputils:change-theme", { theme: "JupyterLab Light" });
}"""

FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.fixture(scope="package")
def chromium() -> Iterator[playwright.Browser]:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("no Chromium on the PATH, so nothing is tested in a browser: apt-get install chromium")
    # Closed with the package: while it is open there is a running event loop, which other tests would meet.
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=found, args=SWITCHES, headless=not os.environ.get("HEADED")
        )
        yield browser
        browser.close()


def write_settings(home: Path) -> None:
    """Options of a test server, so that nothing moves or asks while a test looks."""
    for name, settings in SETTINGS.items():
        file = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(settings))


@pytest.fixture(scope="package")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """The server, and the folder of its notebooks."""
    home = tmp_path_factory.mktemp("lab")
    write_settings(home)
    folder = home / "notebooks"
    folder.mkdir()
    classic = ("expose_app_in_browser=True", f"extra_labextensions_path={extensions()}")
    command = [*jupyterlab(folder), *(f"--JupyterNotebookApp.{option}" for option in classic)]
    with serve(command, home) as server:
        yield server, folder


class Notebook:
    """One notebook in one browser window."""

    def __init__(self, page: playwright.Page, server: Server, path: Path) -> None:
        self.page = page
        self.server = server
        self.path = path

    def open(self) -> None:
        # The file browser may list the folder while a test empties it, and complains.
        complaint = self.page.get_by_role("dialog", name="Directory not found")
        self.page.add_locator_handler(complaint, lambda dialog: dialog.get_by_role("button").last.click())
        self.page.goto(self.address())
        self.is_ready()

    def address(self) -> str:
        return f"{self.server.base}/lab/tree/{self.path.name}?reset&token={self.server.token}"

    def open_in_place(self) -> None:
        self.page.set_viewport_size(SIZE)
        self.page.emulate_media(color_scheme="null", forced_colors="null", reduced_motion="null")
        self.page.evaluate(OPEN_ALONE, self.path.name)
        self.is_ready()

    def is_ready(self) -> None:
        """Wait for the notebook and its kernel: cells that are run before the kernel is connected can get lost."""
        playwright.expect(self.cell(0)).to_be_visible()
        self.has_ended()

    def command(self, name: str, **arguments: object) -> None:
        """A command of JupyterLab's, as from its palette."""
        self.page.evaluate("([name, args]) => jupyterapp.commands.execute(name, args)", [name, arguments])

    def menu(self, *entries: str) -> None:
        self.page.get_by_role("menubar").get_by_text(entries[0], exact=True).click()
        for entry in entries[1:]:
            self.page.locator(".lm-Menu").get_by_text(entry, exact=True).click()

    def cell(self, number: int) -> playwright.Locator:
        return self.page.locator(".jp-Notebook .jp-Cell").nth(number)

    def has_ended(self) -> None:
        """Wait until all cells have ended. Until then JupyterLab goes on to the next cell, and takes the focus with it."""
        self.page.wait_for_function(IDLE, arg=self.path.name)

    def saved(self) -> nbformat.NotebookNode:
        """The file, when all cells have ended: the pictures of a trace come after its live views."""
        self.has_ended()
        self.command("docmanager:save")
        return nbformat.read(self.path, as_version=4)


@pytest.fixture(scope="package")
def window(chromium: playwright.Browser) -> Iterator[playwright.BrowserContext]:
    playwright.expect.set_options(timeout=PATIENCE)
    context = chromium.new_context(viewport=SIZE)
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def notebook(
    request: pytest.FixtureRequest, window: playwright.BrowserContext, lab: tuple[Server, Path]
) -> Iterator[Notebook]:
    """A new notebook of the cells that the test is marked with, alone in its folder. The tests share a server and a page, because to start
    JupyterLab takes longer than most of them. After a failure the page is loaded anew."""
    server, folder = lab
    for left in folder.iterdir():
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()
    path = folder / f"{request.node.name}.ipynb"
    cells = request.node.get_closest_marker("cells").args
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(made, path)
    if window.pages:
        opened = Notebook(window.pages[0], server, path)
        opened.open_in_place()
    else:
        opened = Notebook(window.new_page(), server, path)
        opened.open()
    yield opened
    if request.node.stash.get(FAILED, False):
        picture = Path("test-results", f"{request.node.name}.png").resolve()
        opened.page.screenshot(path=picture)
        print(f"the page: {picture}\n{opened.page.locator('.jp-Notebook').first.inner_text()}")
        for page in window.pages:
            page.close()


def eventually(check: Callable[[], None], seconds: float = 180) -> None:
    """Wait until a check of the layout holds: the page is laid out anew some frames after what changes it, on a busy machine later."""
    end = monotonic() + seconds
    while True:
        try:
            return check()
        except AssertionError:
            if monotonic() > end:
                raise
        sleep(0.1)
