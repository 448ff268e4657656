"""The operators: one file per chapter of PyTorch's tensor reference. Importing this package declares them all."""

from importlib import import_module
from types import ModuleType

from jgrad import manual
from jgrad.dispatch import methods
from jgrad.garbage import few_collections
from jgrad.ops import by_name

NAMES = """
    activation arithmetic choosing combined_arithmetic combining comparison complex_numbers
    composed_arithmetic constructors convolution copying counting creation ctc cumulative decompositions
    distances eigenvalues einsum elementary factories from_data gamma indexing interchange joining
    layers limits linalg logic loss matrix_functions normalization padding pickling pooling python_operators
    random ranges rearranging recurrent reduction resampling reshaping resizing rounding shaping sorting sparse special
    spectral splitting statistics subclasses subscript transposing windows
""".split()

with few_collections(0):
    CHAPTERS = [import_module(f"{__name__}.{name}") for name in NAMES]
    by_name.settle(CHAPTERS)
    methods.settle()
    for chapter in CHAPTERS:
        manual.attach(chapter.__name__)


def __getattr__(name: str) -> ModuleType:
    if name == "aten":  # needed by few programs
        return import_module("jgrad.ops.aten")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
