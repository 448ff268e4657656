"""Figures of rounds, read from the text in which a document has them.

The views are translated to JavaScript. This file is not, because it reads bytes: its counterpart is `js/src/bfloat16.ts`. `tests/translator`
compares both.

A figure is read as a *code*, a whole number. It is made of the upper half of a four-byte float, so that codes have the order of the figures: the
largest figure of a thousand is found without computing one of them.
"""

from __future__ import annotations

import base64
import struct
import sys
from array import array

NONE = -0x7FFF  # the code of no figure, below all others
INFINITE = 0x7F80  # that of infinity; that of nan is larger


def codes(text: str) -> list[int]:
    """The codes of figures."""
    found = array("h", base64.b64decode(text))
    if sys.byteorder == "big":
        found.byteswap()
    return [half if half >= 0 else -0x8000 - half for half in found]


def figure(code: int) -> float:
    """The figure that a code stands for."""
    half = code if code >= 0 else 0x8000 - code
    return float(struct.unpack("<f", struct.pack("<I", half << 16))[0])
