"""docs/differences.md, written from what the comparison knows."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from pathlib import Path

from tests.differential.differences import LEFT_OUT, ROOMS, WRONG_IN_PYTORCH

PAGE = Path(__file__).parents[2] / "docs" / "differences.md"
COUNTS = Path(__file__).with_name("counts.json")
MISSING = Path(__file__).parents[1] / "foreign" / "missing.txt"  # what CuPy has no words for

INTRODUCTION = """# Where jgrad differs from PyTorch

jgrad behaves like PyTorch 2.13 on the CPU. This page lists where it does not, and which names of PyTorch's tensor reference it leaves out.
It is written by `python -m tests.differential` from what the tests compare; a test holds it to them. Whatever is missing raises
AttributeError or NotImplementedError; nothing on this page is a wrong value or a wrong gradient.

Everywhere: results that PyTorch leaves to chance may differ (which of equal elements an unstable sort puts first, the signs of the columns
of decompositions, what `empty` holds); floating-point results may differ in the last places; error texts that list PyTorch's own
signatures list jgrad's; the strides of tensors without elements may differ; tensors that share a storage share one after pickling, where
PyTorch's don't. NumPy's RuntimeWarnings about inf and nan are filtered when jgrad is imported: where a program has filters of its own since
then (`warnings.simplefilter`, or a test under pytest, which drops filters set while it collects), they show, and
`filterwarnings("ignore", category=RuntimeWarning, module="jgrad")` takes them away again. `complex32` is left out since
NumPy has no such dtype. Of the unsigned types above 8 bits operations are computed that PyTorch refuses (`uint16` has no sum of two tensors there). `bfloat16` and `float8` need the package
`ml_dtypes`. In bfloat16 the last digit may differ where PyTorch rounds in the middle of an operation; the name of the kernel in an error about float8
may be another. A gradient on its way may have other strides than PyTorch's
where images are in `channels_last`; that of a leaf has the leaf's. `.grad` is conjugated at once, where PyTorch may keep a conjugate lazily.
Of storages `byteswap`, `from_buffer` and `from_file` are left out, and `cuda.FloatStorage` and its like; those on the meta device are not resized; a slice of one that becomes the memory of a tensor is the whole storage to that. Where
operands broadcast against each other and none has the shape of the result, the strides of the result may be in another order; where the first is broadcast, those of
dimensions of length 1 may be others. `x.subtract(2, 3)`
has a node `SubBackward0`, PyTorch's is `SubBackward1`. `x ** mask` of a mask of bools has a gradient; PyTorch's backward pass raises an error. That of `x ** False` is 0; PyTorch's is nan
where x is 0."""

META = """
## The meta device

`device="meta"` gives tensors and modules that have a shape, strides and a dtype but no elements; `to_empty` and `nn.utils.skip_init` make memory of them.
Shapes of results come from jgrad's own kernels, so the errors for shapes that don't fit are those of the CPU, where PyTorch has other words for the meta device. Known differences:

- Of tensors with more than 16 million elements an operation whose result has other lengths than its arguments (convolution, pooling, `cat`, ...)
  raises NotImplementedError.
- `lu_unpack`, `multinomial`, `linalg.lstsq` and `linalg.ldl_solve` may refuse the numbers that stand for the missing elements.
- Of bfloat16 and float8 only conversions are tested.
"""

GPU = """
## On a GPU

`device="cuda"` computes with CuPy. The same operations are there; those that CuPy cannot do raise NotImplementedError: {missing}. `poisson`,
`binomial` and the gamma and Dirichlet samples of `jgrad.distributions` are CuPy's numbers, of the right distribution but not PyTorch's. Without a GPU operations are tested on an array library that stands in for CuPy; `pytest -m gpu` compares with PyTorch on a GPU, and has not been run yet.

Of several GPUs an operation uses the one that its tensors lie on, and a backward pass goes from device to device, in one thread where PyTorch
has one for each. Further differences: an index out of bounds, a divisor of zero and their like raise Python's errors when the device is waited for (PyTorch's CUDA
ends the program); `conj()` copies; ties in sorting and `mode` may fall otherwise; no half-precision arithmetic on tensor cores beyond what CuPy's products do, no `nccl`.

`jgrad.cuda` has devices (`is_available`, `device_count`, `device`, `device_of`, `current_device`, `set_device`, `synchronize`,
`get_device_properties`, `get_device_name`, `get_device_capability`, `can_device_access_peer`), memory (`memory_allocated`, `memory_reserved` and
their maxima, `reset_peak_memory_stats`, `mem_get_info`, `empty_cache`, `set_per_process_memory_fraction`, `OutOfMemoryError`), `Stream`, `Event`,
`stream`, `current_stream`, `default_stream`, `set_stream`, and random numbers (`manual_seed`, `get_rng_state`, ..., each with its `_all`). Not
there: CUDA graphs, `nvtx`, `memory_stats` and its tables, `Tensor.record_stream`, events between processes. What is there differs in this:

- Streams wait for the default stream and it for them. What a tensor occupied may be dealt out again as soon as it is gone, so a tensor that
  another stream still reads must be kept.
- `max_memory_allocated` needs `reset_peak_memory_stats` first, which has each allocation of its thread looked at from then on: CuPy's pool keeps no
  peak. Out of memory, CuPy's `OutOfMemoryError` is raised, a MemoryError.
- A copy from a GPU is over when it returns, also with `non_blocking=True`.
- Without a GPU `set_device(0)` and `reset_peak_memory_stats()` raise what `current_device()` raises; PyTorch for the CPU fails over a function
  that it lacks.
"""

AUTOGRAD = """

- Out of memory, NumPy's MemoryError is raised, where PyTorch has RuntimeError. Python's integers beyond 64 bits are refused beside integers, and computed beside floats,
  where PyTorch refuses them; it wraps those from 2**63 to 2**64 around.
- A write that reads from what it writes to (`x -= x[:, :1]`) reads all of it first, so that the result does not depend on an order. PyTorch may
  read elements that are already new.
- NumPy's scalars as operands: `np.bool_` is a bool and `np.complex64` complex; PyTorch takes both for floats and drops the imaginary part.
- A complex number plus or minus one with an infinite part keeps its other part; PyTorch multiplies by `alpha=1` first, which makes nan of it.
- `optim.Muon` computes in bfloat16: it needs `ml_dtypes`, and parameters on the CPU.
- `quasirandom.SobolEngine` has 1,111 dimensions, PyTorch's 21,201: the table for all of them would take 350 kB.
- Sparse tensors (`sparse_coo`, on the CPU): indices are always checked, where PyTorch reads and writes other memory if they are wrong. Errors of operators without a
  sparse form end before the list of PyTorch's backends, and may name another overload. `t()`, `unsqueeze`, `select` and `values()` of a sparse tensor are no views. A
  result may be marked as coalesced where PyTorch's is not. `new_zeros` of a sparse tensor is dense. Sums of
  places that occur several times may differ in the last digit. Left out: `sparse.softmax` and the other functions of `torch.sparse` but `mm`, `addmm`, `sum`,
  `check_sparse_tensor_invariants`; `bmm`, `dist` and copies by `tensor()` of sparse tensors.
- What hardtanh, hardshrink, softshrink, elu, celu, selu and hardswish have as gradient at nan depends on the position in PyTorch; here it is that of a
  positive number everywhere, as in a tensor with few elements there.

## Autograd

What is said here about operations holds for the engine too; programs (`tests/programs`), random graphs and random programs compare it. Known
differences:

- `.grad` never shares memory with another gradient or with what `backward` was given. PyTorch takes over a gradient that is a view of
  another one, so that accumulating into one `.grad` can change another.
- `allow_mutation_on_saved_tensors` also notices a write to a part of a saved tensor; PyTorch computes with the new elements.
- A leaf that gets another shape or dtype (`.data =`, `t_()` under `no_grad`): graphs made before expect the gradient they would have got,
  as in PyTorch; graphs made afterwards expect the new one, where PyTorch keeps to the old one as long as an older graph is alive.
- A hook registered on a view that got a new `grad_fn` because its base was written to is called; PyTorch does not call it if the view had
  hooks before.
- A graph of second order (`create_graph=True`) consists of the operations that jgrad's formulas call. Where these differ from PyTorch's,
  so do the names of the nodes, not the values. This is so for 105 of PyTorch's operations: Fourier transforms and decompositions, where PyTorch writes the parts of a gradient into
  a new tensor; layers that normalize and `grid_sample`, where it has one node for the gradient of the gradient; and some that are composed in another way.
- Views of views that turn pairs of numbers into complex ones (`view_as_complex(x)[:1]`), after a write: the nodes that lead to them come in another order.
- PyTorch's own tests of autograd, tensors, views, indexing, shapes and hooks of modules (`test_autograd.py`, `test_torch.py`, `test_view_ops.py`, `test_indexing.py`,
  `test_shape_ops.py`, `nn/test_module_hooks.py`, in a copy of April 2023 with stand-ins for their test helpers): of the 1,613 tests that pass on PyTorch 2.13, 196 need `_C`,
  the JIT, quantized or half-precision complex numbers, or other private names; of the other 1,417, 1,380 pass on jgrad (97 %).
  Of 36 of its files, with one in ten of their dtypes (reductions, ufuncs, creation, indexing, autograd, optimizers, layers, distributions, files and others): of 2,037 tests
  without private names 1,953 pass on jgrad (95 %). Most others need the profiler, `nn.grad`, sparse inputs of `gradcheck`, quantized layers, `backends.mkldnn` as it is where it computes,
  what `allow_mutation_on_saved_tensors` keeps, 65 dimensions or a library's configuration, or compare texts.
- A convolution of nothing (no batch, no channels) of two dtypes is refused; PyTorch gives it one of them. `max_unpool3d` of a kernel of fewer sizes is refused in other words.
- `gradcheck` refuses sparse inputs: it takes functions of their values.
- Outside of inference mode a call on inference tensors alone is not recorded, also if they require grad, but for copies (`clone`, `to`). So it is in PyTorch,
  where operations that are made of others (`pad`, `sort`) are recorded too, or raise (`mean`).
- `embedding_bag(include_last_offset=True)` whose last offset is not the number of indices: the last bag ends at that offset, and indices behind it have no part in
  the gradient. In PyTorch it depends on the mode, and the gradient may hold what was in memory.
- `transpose_` on a `view_as_real`, and then a write: the gradient is that of the program without `_`; PyTorch's is transposed, which its own tests call a bug.
- `grad_fn._saved_end` of `x[1:]` is the extent, and nodes lack a few `_saved_...` of PyTorch's that no formula here needs.
- Left out, since there is nothing here that they could act on: `graph.set_warn_on_accumulate_grad_stream_mismatch`,
  `graph.set_override_stale_capture_stream` (streams), `graph.region_activation_memory_budget` (the compiler), `utils.checkpoint.DefaultDeviceType`.
- A selective checkpoint makes views again, and goes on drawing random numbers, also where their results are kept; PyTorch's gradients are wrong
  where these differ afterwards. Its policy is not asked about factories (`zeros`, `empty_like`), and sees some arguments otherwise
  (the number of `div_` as a tensor, defaults that PyTorch leaves out). `ops.aten` has the operators that jgrad has.
- `checkpoint(debug=True)` lists the operations in jgrad's words, and errors of `gradcheck` end before the advice to PyTorch's developers.

### Transforms of functions

`jgrad.func` and `autograd.functional` are compared by programs and by random functions under random stacks of transforms. Every operation's
derivative along a tangent is held to its gradient, and its batches to their examples. Known differences:

- Where finite differences and the examples one by one show that PyTorch 2.13's numbers are wrong, jgrad gives the right ones: derivatives of
  `jvp` of `layer_norm`, `det` and `slogdet`, gradients of `cdist` and `jacfwd` of `linalg.solve` under `vmap`, `linearize` of what is written in place, `jacfwd` with a negative
  `argnums`, `vmap` with an `out_dims` other than 0 where the result is the same for all examples.
- A function under `grad` that writes to a tensor it captured is not refused: jgrad does not know where a tensor was made.
- Inside of `grad`, what was computed under `no_grad` prints as any tensor; an input that has a history outside shows its `grad_fn`.
- The `grad_fn` of what `vmap` gives is that of the operation that ran on the whole batch, which may be another one than PyTorch's; so is that
  of a second derivative's parts.
- `linearize` runs the function once and then goes backward through its backward pass, where PyTorch traces it.
- `vmap` over the layers that PyTorch runs example by example with a warning runs without one.
- Left out: `func.functionalize` (the compiler), `func.rearrange`.
"""

LOADING = """
## Loading data

`jgrad.utils.data` is compared by programs and by random combinations of its options: batches, orders, warnings, errors, and the numbers
that are drawn afterwards, with and without workers. Known differences:

- Workers are not processes: this process makes their batches, each when it is asked for. `num_workers` gives the order and the numbers that PyTorch's
  workers give, and no more speed. Each worker has a copy of the dataset; copies share arrays, tensors and open files, and what can't be copied is used
  as it is. `timeout`, `in_order` and `multiprocessing_context` are checked and have no further effect. What can't be pickled is no error.
- A batch has the memory that the dataset gave it, so `is_shared()` is False, and `storage_offset()` may differ from that of a tensor which PyTorch's workers send.
- With `pin_memory` on a GPU, batches are pinned when they are asked for; there is no thread for it.
- `DistributedSampler` needs `num_replicas` and `rank`, since there are no process groups. Left out: data pipes.
- `share_memory_` moves the memory of a tensor; a NumPy array that was made of it before keeps the old memory. To send a tensor to another process moves it too.
  Sparse tensors and tensors on a GPU are copied. `set_sharing_strategy` has no effect. Shared memory is not resized: PyTorch moves the storage out of it.

## What programs say to compilers, and classes of their own

- `compile`, `compiler` and `jit` compile nothing: a function stays what it is, whatever backend is named, and `is_compiling()` is False in it. Left out: backends that
  are functions, `jit.trace`, `jit.save` and `jit.load`.
- `__torch_function__`: functions that jgrad writes in Python (`einsum`, `nn.functional.mse_loss`) take objects that are no tensors as soon as the program has a subclass of
  Tensor, has entered a TorchFunctionMode, or has given such an object to an operator. A mode sees nothing of `set_grad_enabled`, and inside of layers, initial values and
  transforms it sees how jgrad writes them. Left out: `__torch_dispatch__`, and the lists that PyTorch's own tests go through, `get_testing_overrides` and `get_ignored_functions`.
- A tensor has at most 64 dimensions, as NumPy's arrays.
"""

FILES = """
## Files

`jgrad.save` writes what `torch.save` writes, and each library loads the other's files: values, geometry, sharing, state of all optimizers, whole
layers, the formats of PyTorch 0.4 and 1.6, `mmap`, `map_location`, the list of safe globals, errors. Known differences:

- Whatever is wrong with a file, `load` raises `jgrad.serialization.LoadError` under `weights_only=True`. It is a `pickle.UnpicklingError`, a RuntimeError and an
  EOFError, so that programs written for PyTorch catch it. PyTorch also lets KeyError, IndexError, ValueError, MemoryError and others through, or ends the program.
- What PyTorch loads wrongly is an error: changed elements (it does not look at their checksum), a tensor larger than its storage (PyTorch makes the storage larger,
  with whatever is in memory). Loading needs memory in proportion to the size of the file. Compressed archives may unpack to a hundred times their size.
- A file at a path is replaced when the new one is complete. PyTorch writes over it. So there must be room for both, and after an error the former file is
  there. The error of a full disk is OSError; PyTorch has RuntimeError.
- Two tensors on one storage with different dtypes can't be saved, as in PyTorch. `pickle_module` of `save` can only be `pickle`.
- Left out: files of dtypes and layouts that jgrad lacks (complex32, quantized, sparse ones but `sparse_coo`, nested), TorchScript archives, the .tar format before
  PyTorch 0.1.10, `register_package`, `skip_data`.
"""

TESTING = """
## Testing

`jgrad.testing` has `assert_close` and `make_tensor`. Left out: `assert_allclose`, which PyTorch deprecates, and what PyTorch uses for tests of its own.
"""

DISTRIBUTIONS = """
## Distributions

`jgrad.distributions` is compared with `torch.distributions` family by family: samples after a seed, probabilities, moments, gradients, divergences,
transforms, constraints, errors. The `grad_fn` of a result may have other parts than PyTorch's. Known differences, all where PyTorch fails or is less exact:

- `kl_divergence` of distributions whose batches have different shapes broadcasts where PyTorch's write of infinities raises an IndexError.
- `entropy` of an expanded Multinomial, and `log_prob`, `cdf` and the like of GeneralizedPareto in a dtype other than the default one, give
  numbers where PyTorch raises.
- The inverse of a transform can be copied and pickled, and so can the distributions that have one (Gumbel).
- The gradients of Dirichlet and Beta samples in float32 are computed in float64; PyTorch computes some of them in float32 and loses digits.
- `Geometric` has `param_shape` too.
"""

COMPARED = """
## What is compared

Every operation is called with PyTorch's own samples (`op_db`) as a function, as a method and in place, in six dtypes; values, dtypes, shapes,
strides, sharing of memory, versions, `grad_fn` and `next_functions`, gradients of both backward passes and second derivatives must be the
same. A run of the tests fails when fewer calls are compared than here, or more of them differ.

| family | operations | calls compared | known differences among them |
|---|---|---|---|
"""


def page() -> str:
    """The text of docs/differences.md."""
    counts: dict[str, dict[str, list[int]]] = json.loads(COUNTS.read_text())
    missing = MISSING.read_text().split()
    gpu = GPU.format(missing=", ".join(f"`{name}`" for name in missing) or "none by now")
    lines = [
        INTRODUCTION
        + AUTOGRAD
        + LOADING
        + FILES
        + TESTING
        + DISTRIBUTIONS
        + META
        + gpu
        + COMPARED.rstrip("\n")
    ]
    total: Counter[str] = Counter()
    for family, labels in sorted(counts.items()):
        row = {
            "operations": len({label.rpartition("-")[0] for label in labels}),
            "compared": sum(compared for compared, _ in labels.values()),
            "known": sum(known for _, known in labels.values()),
        }
        total.update(row)
        lines.append(
            f"| {family.replace('_', ' ')} | {row['operations']} | {row['compared']:,} | {row['known']:,} |"
        )
    lines.append(f"| all | {total['operations']} | {total['compared']:,} | {total['known']:,} |")
    lines += ["", "## Differences", "", "Operation and form, and what is different.", ""]
    for room, module in sorted(ROOMS.items()):
        found = listed(getattr(module, "DIFFERENCES", {}))
        if found:
            lines += [f"### {room.replace('_', ' ').capitalize()}", "", *found, ""]
    lines += [
        "## Where PyTorch is wrong",
        "",
        "Here PyTorch's answer is wrong, or it fails. jgrad's is right (`tests/differential/test_wrong_in_pytorch.py`). These calls are "
        "not among the known differences that the table counts.",
        "",
        *listed(WRONG_IN_PYTORCH),
        "",
    ]
    lines += ["## Left out", ""]
    by_reason: dict[str, list[str]] = defaultdict(list)
    for pattern, reason in LEFT_OUT.items():
        by_reason[reason].append(pattern)
    for reason, patterns in by_reason.items():
        lines.append(f"- {reason}: {', '.join(f'`{name}`' for p in patterns for name in alternatives(p))}")
    return "\n".join(lines) + "\n"


def listed(differences: dict[str, str]) -> list[str]:
    """Differences and their reasons, a line for each."""
    return [f"- {subject(pattern)}: {reason}" for pattern, reason in differences.items()]


def subject(pattern: str) -> str:
    """A pattern of a failure as a reader reads it: the operations in code, the form in words."""
    head = re.split(
        r": ?", re.sub(r"^(\(\?s\)|bfloat16 |autocast |\(bfloat16 \)\?)*", "", pattern), maxsplit=1
    )[0].replace("\\.", ".")
    form, _, names = re.sub(r"^\(([\w|]+)\) ", lambda m: m[1].replace("|", ",") + " ", head).partition(" ")
    names = re.split(r" to |\\", names.removeprefix("of "), maxsplit=1)[0]
    operations = ", ".join(f"`{name}`" for name in expanded(names))
    where = {"out": "with `out=`", "error": "errors", "inplace": "in place"}.get(form, "")
    return f"{operations}{f' ({where})' if where else ''}"


def expanded(pattern: str) -> list[str]:
    """All that a pattern with alternatives matches: "bessel_[jy][01]" gives four names."""
    found = re.search(r"\(([^()]*)\)(\??)|\[(\w+)\]", pattern)
    if found is None:
        return pattern.split("|")
    choices = list(found[3]) if found[3] else found[1].split("|") + ([""] if found[2] else [])
    rest = (pattern[: found.start()], pattern[found.end() :])
    return [name for choice in choices for name in expanded(f"{rest[0]}{choice}{rest[1]}")]


def alternatives(pattern: str) -> list[str]:
    """The names that a pattern stands for, written so that a reader understands them."""
    depth, parts = 0, [""]
    for c in pattern:
        depth += (c == "(") - (c == ")")
        if c == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    names = [
        re.sub(r"\.\*|\\w[+*]", "*", name).replace("\\.", ".").replace("_?", "_")
        for part in parts
        for name in expanded(part.replace("(Tensor\\.)?", "").replace("(nn\\.functional\\.)?", ""))
    ]
    return list(dict.fromkeys(names))
