"""The docstrings of all public names are complete, and their examples run the same on jgrad and on PyTorch."""

from __future__ import annotations

import pytest

from docs.site.reference import chapters_of_jgrad
from tests.namespace.docstrings import problems, public

pytest.importorskip("torch")
PUBLIC = public()


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_explains_itself(name: str) -> None:
    assert [*problems(name, PUBLIC[name])] == []


def test_the_reference_has_a_page_for_each_file_of_functions() -> None:
    assert "jgrad.ops.recurrent" in chapters_of_jgrad()
