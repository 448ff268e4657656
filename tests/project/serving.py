"""A Jupyter server of a test's own: on a free port, with a token and folders of its own, ended with the test."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from jgrad import cli

_MADE = tempfile.TemporaryDirectory()


@cache
def extensions() -> Path:
    """The folder with the JupyterLab extension of the checkout, as `jgrad lab` shows it to JupyterLab."""
    return cli.extension(Path(_MADE.name))


@dataclass
class Server:
    base: str
    token: str

    def open(self, path: str, method: str = "GET") -> Any:
        headers = {"Authorization": f"token {self.token}"}
        return urlopen(Request(self.base + path, headers=headers, method=method), timeout=180)

    def get(self, path: str) -> Any:
        return json.load(self.open(path))

    def delete(self, path: str) -> None:
        self.open(path, "DELETE").close()


def jupyterlab(folder: Path) -> list[str]:
    """The command that starts JupyterLab on the notebooks of a folder, so that a page can call its commands."""
    return [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={folder}",
        "--LabApp.expose_app_in_browser=True",
        f"--LabApp.extra_labextensions_path={extensions()}",
    ]


@contextmanager
def serve(command: Sequence[str], home: Path, **environment: str) -> Iterator[Server]:
    """Run a command that starts a Jupyter server, with nothing of the user's settings, until it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Server(f"http://127.0.0.1:{port}", secrets.token_hex(16))
    options = [
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        f"--port={port}",
        "--ServerApp.port_retries=0",
    ]
    folders = {f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    folders |= {f"JUPYTERLAB_{name}_DIR": str(home / name.lower()) for name in ("SETTINGS", "WORKSPACES")}
    log = home / "server.log"
    with (
        log.open("w") as output,
        subprocess.Popen(
            [*command, *options, f"--IdentityProvider.token={server.token}"],
            env={**os.environ, **folders, "IPYTHONDIR": str(home / "ipython"), **environment},
            cwd=home,
            stdout=output,
            stderr=output,
        ) as process,
    ):
        try:
            while not answers(server):
                try:
                    process.wait(0.05)
                except subprocess.TimeoutExpired:
                    continue
                raise RuntimeError(f"the server ended:\n{log.read_text()}")
            yield server
        finally:
            ended(process)


def ended(process: subprocess.Popen) -> None:
    """End a server. One may wait for a thread of its own that never ends, and the test would wait with it."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(20)
    process.kill()


def answers(server: Server) -> bool:
    try:
        return server.open("/api/status").status == 200
    except (URLError, ConnectionError):
        return False
