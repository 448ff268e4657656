"""How a document and the front end travel from the kernel to a browser."""

from __future__ import annotations

import base64
from pathlib import Path

STATIC = Path(__file__).parent.parent / "static"
PLAIN = 1_000  # larger documents, in characters, are sent and saved compressed
QUICK = 100_000  # still larger ones are compressed less well: one of 2 MB would take some 30 ms longer
TRACE = "application/vnd.jgrad.trace+json"  # what the JupyterLab extension shows of an output


def wire(data: str) -> str:
    """The JSON text of a document as it is sent: as it is, or compressed if it is large ("deflate:" and base64)."""
    return data if len(data) <= PLAIN else compressed(data, 6 if len(data) <= QUICK else 4)


def plain(sent: str) -> str:
    """The JSON text of a document that was sent."""
    import zlib

    head, _, body = sent.partition("deflate:")
    return head or zlib.decompress(base64.b64decode(body)).decode("utf-8", "surrogatepass")


def compressed(text: str, level: int) -> str:
    """A text as its zlib form, of this level, in base64."""
    import zlib

    return "deflate:" + base64.b64encode(zlib.compress(text.encode("utf-8", "surrogatepass"), level)).decode()


def digits(data: bytes) -> str:
    """Bytes as digits of base 85, five for four bytes, after the number of zeros that fill them up. In JSON they take 6 % less than base64: there is no
    quote and no backslash among them."""
    python = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
    ours = bytes(c for c in range(ord("("), ord("~")) if c != ord("\\"))
    found = base64.b85encode(data, pad=True).translate(bytes.maketrans(python, ours))
    return f"{-len(data) % 4}{found.decode()}"
