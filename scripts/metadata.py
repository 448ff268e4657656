"""The package's page on a registry: a build asks this hook, which `pyproject.toml` names, for the README and the addresses of the project.

A registry shows the README alone. So what it links to in the checkout is linked in the repository, at the tag of the version, and the picture too.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

RELATIVE = re.compile(r"(!?\[[^]]*\])\((?!\w+:|#)([^)]+)\)")


class PageHook(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the README and the addresses. Without a repository's address, links stay as they are."""
        home = self.config.get("repository", "")
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = absolute(readme, home, metadata["version"]) if home else readme
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = addresses(home) if home else {}


def absolute(readme: str, repository: str, version: str) -> str:
    """The README with addresses in place of the paths of files: of their pages, and of pictures themselves."""

    def place(link: re.Match[str]) -> str:
        kind = "raw" if link[1].startswith("!") else "blob"
        return f"{link[1]}({repository}/{kind}/v{version}/{link[2]})"

    return RELATIVE.sub(place, readme)


def addresses(repository: str) -> dict[str, str]:
    return {
        "Repository": repository,
        "Documentation": f"{repository}/tree/main/docs",
        "Changelog": f"{repository}/blob/main/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }
