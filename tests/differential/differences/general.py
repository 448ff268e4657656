"""Differences of the engine, whichever operation shows them."""

DIFFERENCES = {
    r"(function|method) conj: .*'is_view'": "conj() of a complex tensor copies; PyTorch conjugates lazily, when the values are read",
    r"(function|method) isfinite: .*'version': \(0, 1\)": "PyTorch writes once more into its result for complex numbers, which its version counts",
    r"out of normal to int: ": "PyTorch refuses to draw into integers",
    r"out of normal to (transposed|double): ": "PyTorch draws into out= itself, in the order of its memory and in its dtype",
    r"function cat: .*'stride'": "memory formats of four dimensions (channels last) are left out",
    r"error of narrow: ": "narrow takes no tensor as start",
    r"out of (all|any) to (double|int): ": "PyTorch wants bool or uint8 as out=",
    r"error of cat: ": "an empty out= that is an input too",
    r"out of mean to int: ": "PyTorch refuses integers as out=",
    r"error of bitwise_(and|or|xor): ": "PyTorch wants one tensor at least",
}
