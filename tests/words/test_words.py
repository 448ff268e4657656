"""The page of all words holds what the code says."""

from __future__ import annotations

import pytest

from tests.words.page import PAGE, page


@pytest.mark.slow
@pytest.mark.quick
def test_the_page_holds_all_words() -> None:
    assert PAGE.read_text(encoding="utf-8") == "\n".join(page()), (
        "run python -m tests.words.page and read what changed"
    )
