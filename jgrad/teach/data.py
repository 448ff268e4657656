"""The digits of the first lesson, and how they are drawn."""

from __future__ import annotations

import gzip
import html
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import numpy as np

FILE = Path(__file__).with_name("digits.csv.gz")
SHADES = " .:-=+*#%@"
PIXEL = 6  # of a picture, on the screen
ROW = 10  # pictures beside each other
SAFE = " '/:=<>.,;(){}[]-"  # what may stand in a data URL in double quotes
STYLE = (
    "svg{color-scheme:light dark;fill:#1f2328;font:13px system-ui,sans-serif}text{text-anchor:middle}.p{fill:none;stroke:#8c959f;stroke-opacity:.5}"
    "@media(prefers-color-scheme:dark){svg{fill:#e6edf3}}.w{fill:#d1242f;font-weight:700}"
)
# A picture is an <img>, because JupyterLab draws no other one in a notebook that it does not trust. This tells it which theme is on.
THEMES = (
    "<style>[data-jp-theme-light=false] .jgrad-digits img{color-scheme:dark}"
    "[data-jp-theme-light=true] .jgrad-digits img{color-scheme:light}</style>"
)


def digits() -> tuple[np.ndarray, np.ndarray]:
    """1,797 handwritten digits: images [1797, 64] of float32 from 0 (paper) to 1 (ink), eight rows of eight, and labels [1797] of int64.

    They are the test set of "Optical Recognition of Handwritten Digits" (E. Alpaydin and C. Kaynak, UCI Machine Learning Repository, CC BY 4.0),
    as scikit-learn has them.

    >>> images, labels = digits()
    >>> images.shape, labels[:3].tolist()
    ((1797, 64), [0, 1, 2])
    """
    with gzip.open(FILE, "rt", encoding="ascii") as lines:
        rows = np.array([line.split(",") for line in lines], dtype=np.int64)
    return (rows[:, :64] / 16).astype(np.float32), rows[:, 64].copy()


class Pictures:
    """Images of 8 × 8 numbers from 0 to 1, drawn beside each other. `words` stand below them, red where `wrong` is true."""

    def __init__(
        self, images: np.ndarray, words: Sequence[object] = (), wrong: Sequence[object] = ()
    ) -> None:
        self.images = np.asarray(images, dtype=float).reshape(-1, 8, 8)
        self.words = [str(word) for word in words]
        self.wrong = [bool(one) for one in wrong]

    def __repr__(self) -> str:
        """The pictures as characters."""
        lines: list[str] = []
        for first in range(0, len(self.images), ROW):
            row = self.images[first : first + ROW]
            lines += ["  ".join(map(_line, row[:, line])).rstrip() for line in range(8)]
            said = [self._said(number) for number in range(first, first + len(row))]
            if any(said):
                lines.append("  ".join(f"{word:^8}" for word in said).rstrip())
            lines.append("")
        return "\n".join(lines).rstrip("\n")

    def _said(self, number: int) -> str:
        word = self.words[number] if number < len(self.words) else ""
        return f"{word} (!)" if self._is_wrong(number) else word

    def _is_wrong(self, number: int) -> bool:
        return number < len(self.wrong) and self.wrong[number]

    def _repr_html_(self) -> str:
        high, wide = 8 * PIXEL + 26, 8 * PIXEL + 14
        across = min(ROW, max(len(self.images), 1))
        down = -(-len(self.images) // ROW)
        parts = []
        for number, image in enumerate(self.images):
            x, y = number % ROW * wide, number // ROW * high
            ink = "".join(
                f"<rect x='{x + c * PIXEL}' y='{y + r * PIXEL}' width='{PIXEL}' height='{PIXEL}' fill-opacity='{image[r, c]:.2g}'/>"
                for r in range(8)
                for c in range(8)
                if image[r, c] > 0
            )
            paper = f"<rect class='p' x='{x}' y='{y}' width='{8 * PIXEL}' height='{8 * PIXEL}'/>"
            word = html.escape(self.words[number]) if number < len(self.words) else ""
            look = " class='w'" if self._is_wrong(number) else ""
            label = f"<text x='{x + 4 * PIXEL}' y='{y + 8 * PIXEL + 16}'{look}>{word}</text>"
            parts.append(paper + ink + (label if word else ""))
        size = f"width='{across * wide}' height='{down * high}'"
        picture = (
            f"<svg xmlns='http://www.w3.org/2000/svg' {size}><style>{STYLE}</style>{''.join(parts)}</svg>"
        )
        said = f"{len(self.images)} image{'s' * (len(self.images) != 1)} of digits: {', '.join(self.words)}"
        return (
            f'{THEMES}<div class="jgrad-digits"><img src="data:image/svg+xml,{quote(picture, safe=SAFE)}" '
            f'alt="{html.escape(said)}" style="max-width:100%"></div>'
        )


def _line(values: np.ndarray) -> str:
    return "".join(map(_shade, values))


def _shade(value: float) -> str:
    return SHADES[min(int(value * len(SHADES)), len(SHADES) - 1)]
