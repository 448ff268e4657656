"""What PyTorch's error texts need, and the error for tensors of more dimensions than NumPy's arrays have."""

from __future__ import annotations

import re

HEAP_TYPE, IMMUTABLE_TYPE = 1 << 9, 1 << 8  # Py_TPFLAGS_HEAPTYPE, Py_TPFLAGS_IMMUTABLETYPE

# Classes of ours that are Python classes here, and written in C in PyTorch.
IN_PYTORCH = {
    "dtype": "torch.dtype",
    "device": "torch.device",
    "Size": "torch.Size",
    "layout": "torch.layout",
    "memory_format": "torch.memory_format",
    "finfo": "torch.finfo",
    "iinfo": "torch.iinfo",
    "Generator": "torch._C.Generator",
    "UntypedStorage": "torch.storage.UntypedStorage",
    "TypedStorage": "torch.storage.TypedStorage",
}


def of_dimensions(error: ValueError) -> Exception:
    """The error for users if NumPy refused that many dimensions, else the same error. PyTorch has no limit."""
    found = re.match(
        r"maximum supported dimension for an ndarray is currently (\d+), found (\d+)", str(error)
    )
    if found is None:
        return error
    return NotImplementedError(
        f"jgrad's tensors have at most {found[1]} dimensions, as NumPy's arrays; this one would have {found[2]}"
    )


def class_name(value: object) -> str:
    """The name of a value's class as PyTorch's C++ code prints it: with its module if the class is written in C.

    class_name(numpy.ones(2))  # "numpy.ndarray"
    class_name([])             # "list"
    class_name(Fraction(1))    # "Fraction", which is written in Python
    """
    cls = type(value)
    if cls.__module__.partition(".")[0] == "jgrad":
        return IN_PYTORCH.get(cls.__name__, cls.__name__)
    if cls.__module__.partition(".")[0] == "torch":
        return f"PyTorch's {cls.__name__}"
    written_in_c = not cls.__flags__ & HEAP_TYPE or cls.__flags__ & IMMUTABLE_TYPE
    if written_in_c and cls.__module__ != "builtins":
        return f"{cls.__module__}.{cls.__name__}"
    return cls.__name__
