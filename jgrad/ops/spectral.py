"""Fourier transforms: `jgrad.fft`, short-time transforms and the windows for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad import dtypes, observer, warn
from jgrad.dispatch import composite, formula, op
from jgrad.dispatch import out as out_tensors
from jgrad.dispatch.options import FFT, INTERNAL
from jgrad.dtypes import FROM_NUMPY, INEXACT
from jgrad.graph import grad_mode
from jgrad.graph.view import bump
from jgrad.kernels import libraries
from jgrad.kernels.lazy import resolved
from jgrad.kernels.numpy.shape import full_type_name, type_name, wrap_dim
from jgrad.ops.by_name import (
    as_strided,
    conj,
    conj_physical,
    constant_pad_nd,
    pad,
    slice_,
    unfold_backward,
    view_as_complex,
    view_as_real,
)
from jgrad.ops.copying import to_dtype
from jgrad.ops.factories import made
from jgrad.tensor import Tensor

Sizes = tuple[int, ...] | None

# ----- The transforms that all others are made of -----


@op("_fft_c2c(Tensor self, int[] dim, int normalization, bool forward) -> Tensor", kernel="fft_c2c", forms="function",
    node="FftC2CBackward0")  # fmt: skip
class fft_c2c:
    """The Fourier transform of complex numbers. normalization 0: none, 1: by the root of their count, 2: by their count."""

    self = lambda grad, dim, normalization, forward: fft_c2c(grad, dim, normalization, not forward)


@op("_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor", kernel="fft_r2c", forms="function",
    node="FftR2CBackward0")  # fmt: skip
class fft_r2c:
    """The Fourier transform of real numbers; onesided: without the half of the last dimension that mirrors the other."""

    # (All of self, not its shape alone, is kept where PyTorch keeps it.)
    self = lambda grad, self, dim, normalization, onesided: fft_r2c_backward(
        grad, self.shape, dim, normalization, onesided
    )


@op("_fft_c2r(Tensor self, int[] dim, int normalization, int last_dim_size) -> Tensor", kernel="fft_c2r", forms="function",
    node="FftC2RBackward0")  # fmt: skip
class fft_c2r:
    """The real numbers of a onesided spectrum."""

    self = lambda grad, dim, normalization, last_dim_size: fft_scaled_middle(
        fft_r2c(grad, dim, normalization, True), dim[-1], last_dim_size, 2.0
    )


@formula
def fft_r2c_backward(grad: Any, shape: tuple, dim: tuple, normalization: int, onesided: bool) -> Any:
    """The inverse transform of the gradient, of which the engine takes the real part."""
    if not onesided:
        return fft_c2c(grad, dim, normalization, False)
    # An inverse that mirrors the half would count it twice.
    n = shape[dim[-1]]
    return fft_c2r(fft_scaled_middle(grad, dim[-1], n, 0.5), dim, normalization, n)


@op(
    "_fft_scaled_middle(Tensor self, int dim, int n, float factor) -> Tensor",
    kernel="fft_scaled_middle",
    **INTERNAL,
)
class fft_scaled_middle:
    """Half a spectrum with the frequencies scaled that stand for two."""

    self = lambda grad, dim, n, factor: fft_scaled_middle(grad, dim, n, factor)


# ----- What a call asks for -----


def norm_of(norm: str | None, forward: bool) -> int:
    """The normalization that a name stands for."""
    if norm is None or norm == "backward":
        return 0 if forward else 2
    if norm == "forward":
        return 2 if forward else 0
    if norm == "ortho":
        return 1
    raise RuntimeError(f'Invalid normalization mode: "{norm}"')


def promoted(input: Tensor, wants_complex: bool = False) -> Tensor:
    """Integers as the default float, and real numbers as complex ones if a transform wants those."""
    kind = FROM_NUMPY[input._a.dtype]
    if kind.category < dtypes.FLOATING:
        kind = dtypes.get_default_dtype()
    if kind.itemsize < 4:
        raise RuntimeError(f"Unsupported dtype {kind.type_name}")
    if wants_complex and kind.category == dtypes.FLOATING:
        kind = kind.to_complex()
    return to_dtype(input, kind.numpy)


def refuse_complex(name: str, input: Tensor, value: str = "") -> None:
    kind = FROM_NUMPY[input._a.dtype]
    if kind.category == dtypes.COMPLEX:
        raise RuntimeError(f"{name} expects a real{value} input tensor, but got {kind.type_name}")


def check_size(n: int) -> int:
    if n < 1:
        raise RuntimeError(f"Invalid number of data points ({n}) specified")
    return n


def resized_to(input: Tensor, dims: tuple, sizes: tuple) -> Tensor:
    """Cut or filled up with zeros at the end of some dimensions."""
    pad = [0] * (2 * input._a.ndim)
    shape = input._a.shape
    for d, n in zip(dims, sizes, strict=True):
        if shape[d] < n:
            pad[2 * (len(shape) - 1 - d) + 1] = n - shape[d]
        elif shape[d] > n:
            input = slice_(input, d, 0, n, 1)
    return constant_pad_nd(input, tuple(pad)) if any(pad) else input


def sizes_and_dims(input: Tensor, s: tuple | None, dim: tuple | None) -> tuple[tuple, tuple]:
    """How many points are transformed along which dimensions."""
    shape = input._a.shape
    ndim = len(shape)
    if dim is not None:
        dim = tuple([wrap_bare(d, ndim) for d in dim])
        if len(set(dim)) < len(dim):
            raise RuntimeError("FFT dims must be unique")
    if s is not None:
        if dim is not None and len(dim) != len(s):
            raise RuntimeError("When given, dim and shape arguments must have the same length")
        if len(s) > ndim:
            raise RuntimeError(f"Got shape with {len(s)} values but input tensor only has {ndim} dimensions.")
        dim = tuple(range(ndim - len(s), ndim)) if dim is None else dim
        sizes = tuple([shape[d] if n == -1 else n for n, d in zip(s, dim, strict=True)])
    else:
        dim = tuple(range(ndim)) if dim is None else dim
        sizes = tuple([shape[d] for d in dim])
    for n in sizes:
        check_size(n)
    return sizes, dim


def half_sizes_and_dims(name: str, input: Tensor, s: tuple | None, dim: tuple | None) -> tuple:
    """The same for half a spectrum, and the number of points of the last dimension that it stands for."""
    sizes, dim = sizes_and_dims(input, s, dim)
    if not dim:
        raise RuntimeError(f"{name} must transform at least one axis")
    last = sizes[-1] if s is not None and s[-1] != -1 else 2 * (sizes[-1] - 1)
    return (*sizes[:-1], check_size(last) // 2 + 1), dim, last


def wrap_bare(dim: int, ndim: int) -> int:
    """A dimension counted from the front; unlike elsewhere a tensor without dimensions has none."""
    if ndim == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, ndim)


def transform(arguments: str) -> Callable[[Callable], Callable]:
    """Declare a transform by the function that follows: what goes between its input and `norm`, and `out=`."""

    def declare(body: Callable) -> Callable:
        name = body.__name__

        def call(*values: Any) -> Tensor:
            if len(values) < 5 or values[4] is None:
                return body(*values[:4])
            return written(name, lambda: body(*values[:4]), values[0], values[4])

        call.__doc__ = body.__doc__
        composite(f"{name}(Tensor self, {arguments}, str? norm=None, *, Tensor? out=None) -> Tensor", **FFT)(
            call
        )
        body.__doc__ = call.__doc__
        return body

    return declare


def written(name: str, compute: Callable[[], Tensor], input: Tensor, out: Tensor) -> Tensor:
    """The result of a transform in `out`, which may be of another precision."""
    with grad_mode.no_grad():
        result = compute()
    full = input.is_complex() or name[4:] in ("fft2", "ifft2", "ihfft2", "fftn", "ifftn", "ihfftn")
    inner = "_fft_c2r" if not result.is_complex() else "_fft_c2c" if full else "_fft_r2c"
    out_tensors.accept(name, out, single=True)
    out_tensors.refuse_lost_gradients(inner, out, [input])
    if result.is_complex() != out.is_complex() or out._a.dtype.kind not in INEXACT:
        expected = "complex" if result.is_complex() else "floating point"
        shown = name.removeprefix("fft_")
        raise RuntimeError(
            f"{shown} expects a {expected} output tensor, but got {FROM_NUMPY[out._a.dtype].type_name}"
        )
    if (watch := observer.current) is not None:
        watch.writing(out)
    out_tensors.resize(out, result._a.shape)
    out._a[...] = resolved(result._a)
    bump(out)
    if (watch := observer.current) is not None:
        watch.op(name, "write", (out, input), (out,), None, {})
    return out


# ----- One dimension -----


def one_dimensional(
    name: str, input: Tensor, n: int | None, dim: int, norm: str | None, forward: bool
) -> Tensor:
    """The transform between complex (or full real) sequences."""
    input = promoted(input)
    dim = wrap_bare(dim, input._a.ndim)
    size = check_size(input._a.shape[dim] if n is None else n)
    input = resized_to(input, (dim,), (size,))
    if input.is_complex():
        return fft_c2c(input, (dim,), norm_of(norm, forward), forward)
    spectrum = fft_r2c(input, (dim,), norm_of(norm, forward), False)
    return spectrum if forward else conj(spectrum)


def to_half(name: str, input: Tensor, n: int | None, dim: int, norm: str | None, forward: bool) -> Tensor:
    refuse_complex(name, input)
    input = promoted(input)
    dim = wrap_bare(dim, input._a.ndim)
    size = check_size(input._a.shape[dim] if n is None else n)
    input = resized_to(input, (dim,), (size,))
    spectrum = fft_r2c(input, (dim,), norm_of(norm, forward), True)
    return spectrum if forward else conj(spectrum)


def from_half(name: str, input: Tensor, n: int | None, dim: int, norm: str | None, forward: bool) -> Tensor:
    input = promoted(input, True)
    dim = wrap_bare(dim, input._a.ndim)
    size = check_size(2 * (input._a.shape[dim] - 1) if n is None else n)
    input = resized_to(input, (dim,), (size // 2 + 1,))
    return fft_c2r(conj(input) if forward else input, (dim,), norm_of(norm, forward), size)


@transform("int? n=None, int dim=-1")
def fft_fft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The discrete Fourier transform along a dimension. Element k of the result is the sum of `input[j] * exp(-2 * pi * i * j * k / n)` over j."""
    return one_dimensional("fft", input, n, dim, norm, True)


@transform("int? n=None, int dim=-1")
def fft_ifft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform `fft.fft` along a dimension."""
    return one_dimensional("ifft", input, n, dim, norm, False)


@transform("int? n=None, int dim=-1")
def fft_rfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The first half of the Fourier transform of real numbers. The second half is left out, because it mirrors the first one, conjugated."""
    return to_half("rfft", input, n, dim, norm, True)


@transform("int? n=None, int dim=-1")
def fft_irfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The inverse of `fft.rfft`: the real numbers of which half a spectrum is given."""
    return from_half("irfft", input, n, dim, norm, False)


@transform("int? n=None, int dim=-1")
def fft_hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The real Fourier transform of a sequence of which the first half is given. The second half mirrors it, conjugated (it is Hermitian)."""
    return from_half("hfft", input, n, dim, norm, True)


@transform("int? n=None, int dim=-1")
def fft_ihfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The inverse of `fft.hfft`: the first half of the sequence whose Fourier transform is given. The second half mirrors it, conjugated."""
    return to_half("ihfft", input, n, dim, norm, False)


# ----- Several dimensions -----


def several_dimensional(
    input: Tensor, s: tuple | None, dim: tuple | None, norm: str | None, forward: bool
) -> Tensor:
    sizes, dim = sizes_and_dims(input, s, dim)
    input = resized_to(promoted(input, True), dim, sizes)
    return fft_c2c(input, dim, norm_of(norm, forward), forward)


@transform("int[1]? s=None, int[1]? dim=None")
def fft_fftn(input: Tensor, s: Sizes = None, dim: Sizes = None, norm: str | None = None) -> Tensor:
    """The discrete Fourier transform along several dimensions, by default along all."""
    return several_dimensional(input, s, dim, norm, True)


@transform("int[1]? s=None, int[1]? dim=None")
def fft_ifftn(input: Tensor, s: Sizes = None, dim: Sizes = None, norm: str | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform `fft.fftn` along several dimensions, by default along all."""
    return several_dimensional(input, s, dim, norm, False)


@transform("int[1]? s=None, int[1]? dim=None")
def fft_rfftn(input: Tensor, s: Sizes = None, dim: Sizes = None, norm: str | None = None) -> Tensor:
    """The Fourier transform of real numbers along several dimensions, by default along all. Of the last one it gives only the first half."""
    refuse_complex("rfftn", input, "-valued")
    sizes, dim = sizes_and_dims(input, s, dim)
    if not dim:
        raise RuntimeError("rfftn must transform at least one axis")
    return fft_r2c(resized_to(promoted(input), dim, sizes), dim, norm_of(norm, True), True)


@transform("int[1]? s=None, int[1]? dim=None")
def fft_irfftn(input: Tensor, s: Sizes = None, dim: Sizes = None, norm: str | None = None) -> Tensor:
    """The inverse of `fft.rfftn`: the real numbers of which a spectrum is given, along the last dimension its first half."""
    sizes, dim, last = half_sizes_and_dims("irfftn", input, s, dim)
    input = resized_to(promoted(input, True), dim, sizes)
    return fft_c2r(input, dim, norm_of(norm, False), last)


@transform("int[1]? s=None, int[1]? dim=None")
def fft_hfftn(input: Tensor, s: Sizes = None, dim: Sizes = None, norm: str | None = None) -> Tensor:
    """The real Fourier transform of a Hermitian tensor along several dimensions, by default along all. Of the last one the first half is given."""
    sizes, dim, last = half_sizes_and_dims("hfftn", input, s, dim)
    input = resized_to(promoted(input, True), dim, sizes)
    normalization = norm_of(norm, True)
    if len(dim) > 1:
        input = fft_c2c(input, dim[:-1], normalization, True)
    return fft_c2r(conj(input), dim[-1:], normalization, last)


@transform("int[1]? s=None, int[1]? dim=None")
def fft_ihfftn(input: Tensor, s: Sizes = None, dim: Sizes = None, norm: str | None = None) -> Tensor:
    """The inverse of `fft.hfftn`: the Hermitian tensor whose Fourier transform is given. Of the last dimension it gives only the first half."""
    sizes, dim = sizes_and_dims(input, s, dim)
    if not dim:
        raise RuntimeError("ihfftn must transform at least one axis")
    input = promoted(input)
    normalization = norm_of(norm, False)
    spectrum = fft_r2c(resized_to(input, dim, sizes), dim[-1:], normalization, True)
    if len(dim) == 1:
        return conj(spectrum)
    return fft_c2c(conj_physical(spectrum), dim[:-1], normalization, False)


def _two_dimensional(name: str, function: Any, doc: str) -> None:
    """Declare the form of a transform whose dimensions are the last two unless given."""

    def along_two(input: Tensor, s: Sizes = None, dim: tuple = (-2, -1), norm: str | None = None) -> Tensor:
        return function(input, s, dim, norm)

    along_two.__name__, along_two.__doc__ = name, doc
    transform("int[1]? s=None, int[1] dim=[-2,-1]")(along_two)


for _name, _function, _summary in (
    ("fft", fft_fftn, "The discrete Fourier transform"),
    ("ifft", fft_ifftn, "The inverse of `fft.fft2`"),
    ("rfft", fft_rfftn, "Half the Fourier transform of real numbers (see `fft.rfftn`)"),
    ("irfft", fft_irfftn, "The inverse of `fft.rfft2`"),
    ("hfft", fft_hfftn, "The real Fourier transform of Hermitian numbers (see `fft.hfftn`)"),
    ("ihfft", fft_ihfftn, "The inverse of `fft.hfft2`"),
):
    _two_dimensional(f"fft_{_name}2", _function, f"{_summary} along two dimensions, by default the last two.")


# ----- Frequencies -----

# What functions take that make a tensor out of nothing.
FACTORY = "dtype? dtype=None, layout? layout=None, device? device=None, bool? pin_memory=None, bool requires_grad=False"


def frequencies(
    name: str, n: int, d: float, count: int, out: Tensor | None, dtype: Any, options: dict
) -> Tensor:
    """The first `count` frequencies of n points in the order of fft: rising from 0, then the negative ones."""
    default = dtypes.get_default_dtype().numpy if out is None else out._a.dtype
    kind = default if dtype is None else np.dtype(dtype)
    if kind.kind not in INEXACT:
        raise RuntimeError(f"{name.removeprefix('fft_')} requires a floating point or complex dtype")
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    if kind.kind == "c":
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{FROM_NUMPY[kind].type_name}'")
    steps = np.arange(count)
    if name == "fft_fftfreq":
        steps[(n + 1) // 2 :] -= n
    values = steps.astype(kind) * (np.float64(1) / np.float64(n * d)).astype(kind)
    return made(name, values, out=out, arguments={"n": n, "d": d}, **options)


@composite(f"fft_fftfreq(int n, float d=1.0, *, Tensor? out=None, {FACTORY}) -> Tensor", **FFT)
def fft_fftfreq(
    n: int, d: float = 1.0, out: Tensor | None = None, dtype: Any = None, *options: Any
) -> Tensor:
    """The frequencies of the elements that `fft.fft` returns: first 0 and the positive ones, then the negative ones."""
    return frequencies("fft_fftfreq", n, d, n, out, dtype, factory_options(options))


@composite(f"fft_rfftfreq(int n, float d=1.0, *, Tensor? out=None, {FACTORY}) -> Tensor", **FFT)
def fft_rfftfreq(
    n: int, d: float = 1.0, out: Tensor | None = None, dtype: Any = None, *options: Any
) -> Tensor:
    """The frequencies of the elements that `fft.rfft` returns: 0 and the positive ones."""
    return frequencies("fft_rfftfreq", n, d, n // 2 + 1, out, dtype, factory_options(options))


def factory_options(values: tuple) -> dict[str, Any]:
    return dict(zip(("layout", "device", "pin_memory", "requires_grad"), values, strict=False))


@composite("fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor", namespace="fft", forms="function")
def fft_fftshift(input: Tensor, dim: Sizes = None) -> Tensor:
    """The elements of a spectrum rolled, so that the frequency 0 is in the middle and not at the front."""
    return shifted(input, dim, 0)


@composite("fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor", namespace="fft", forms="function")
def fft_ifftshift(input: Tensor, dim: Sizes = None) -> Tensor:
    """The inverse of `fft.fftshift`: the elements of a spectrum rolled, so that the frequency 0 moves from the middle to the front."""
    return shifted(input, dim, 1)


def shifted(input: Tensor, dim: tuple | None, back: int) -> Tensor:
    shape = input._a.shape
    dims = tuple(range(len(shape))) if dim is None else tuple([wrap_dim(d, len(shape)) for d in dim])
    return input.roll(tuple([(shape[d] + back) // 2 for d in dims]), dims)


# ----- Short-time transforms -----


@composite(
    "stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, "
    "str pad_mode='reflect', bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor"
)
def stft(
    input: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Tensor | None = None,
    center: bool = True, pad_mode: str = "reflect", normalized: bool = False, onesided: bool | None = None,
    return_complex: bool | None = None, align_to_window: bool | None = None,
) -> Tensor:  # fmt: skip
    """The short-time Fourier transform: the Fourier transforms of overlapping pieces of a signal. It shows how the frequencies change with time."""
    if center:
        if align_to_window is not None:
            raise RuntimeError("stft align_to_window should only be set when center = false")
        shape = input._a.shape
        input = pad(input.view((*[1] * (3 - len(shape)), *shape)), (n_fft // 2, n_fft // 2), pad_mode)
        input = input.view(input._a.shape[len(input._a.shape) - len(shape) :])
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    shown = call_shown(
        "stft", input, full_type_name(input._a), n_fft, hop, width, window,
        normalized=normalized, onesided=onesided, return_complex=return_complex, align_to_window=align_to_window,
    )  # fmt: skip
    if window is None:
        warn.once(
            "A window was not provided. A rectangular window will be applied,which is known to cause spectral leakage. Other windows "
            "such as torch.hann_window or torch.hamming_window are recommended to reduce spectral leakage.To suppress this warning and "
            "use a rectangular window, explicitly set `window=torch.ones(n_fft, device=<device>)`.",
        )
    is_complex = input.is_complex() or (window is not None and window.is_complex())
    if return_complex is None:
        if not is_complex:
            raise RuntimeError(
                "stft requires the return_complex parameter be given for real inputs, and will further require that return_complex=True "
                "in a future PyTorch release."
            )
    elif not return_complex:
        warn.once(
            "stft with return_complex=False is deprecated. In a future pytorch release, stft will return complex tensors for all inputs, "
            "and return_complex=False will raise an error.\nNote: you can still call torch.view_as_real on the complex output to recover "
            "the old return format.",
        )
    if input._a.dtype.kind not in INEXACT:
        raise RuntimeError(f"{shown} : expected a tensor of floating point or complex values")
    if input._a.ndim not in (1, 2):
        raise RuntimeError(f"{shown} : expected a 1D or 2D tensor")
    frames = input.unsqueeze(0) if input._a.ndim == 1 else input
    if align_to_window and not center:
        margin = (n_fft - width) // 2
        frames = constant_pad_nd(frames, (margin, margin))
    batch, length = frames._a.shape
    if not 0 < n_fft <= length:
        raise RuntimeError(f"{shown} : expected 0 < n_fft < {length}, but got n_fft={n_fft}")
    if hop <= 0:
        raise RuntimeError(f"{shown} : expected hop_length > 0, but got hop_length={hop}")
    if not 0 < width <= n_fft:
        raise RuntimeError(f"{shown} : expected 0 < win_length <= n_fft, but got win_length={width}")
    if window is not None and window._a.shape != (width,):
        raise RuntimeError(
            f"{shown} : expected a 1D window tensor of size equal to win_length={width}, but got window with size {list(window._a.shape)}"
        )
    window = whole_window(window, width, n_fft, frames)
    step, item = frames._a.strides, frames._a.itemsize
    frames = as_strided(
        frames,
        (batch, 1 + (length - n_fft) // hop, n_fft),
        (step[0] // item, hop * step[1] // item, step[1] // item),
    )
    if window is not None:
        frames = frames * window
    if onesided is None:
        onesided = not is_complex
    if is_complex and onesided:
        raise RuntimeError("Cannot have onesided output if window or input is complex")
    normalization = 1 if normalized else 0
    if is_complex:
        spectrum = fft_c2c(frames, (2,), normalization, True)
    else:
        spectrum = fft_r2c(frames, (2,), normalization, onesided)
    spectrum.transpose_(1, 2)
    if input._a.ndim == 1:
        spectrum.squeeze_(0)
    return view_as_real(spectrum) if return_complex is False else spectrum


def whole_window(window: Tensor | None, width: int, n_fft: int, like: Tensor) -> Tensor | None:
    """The window with zeros around it, n_fft long; a rectangular one of that length is None."""
    if width == n_fft:
        return window
    source = like if window is None else window
    zeros = libraries.library_of(source._a).np.zeros(n_fft, source._a.dtype)
    whole = made("zeros", zeros, device=source.device)
    middle = whole.narrow(0, (n_fft - width) // 2, width)
    if window is None:
        middle.fill_(1)
    else:
        middle.copy_(window)
    return whole


def call_shown(
    name: str,
    input: Tensor,
    kind: str,
    n_fft: int,
    hop: int,
    width: int,
    window: Tensor | None,
    **options: Any,
) -> str:
    """A call as PyTorch's errors about short-time transforms write it."""
    parts = [f"{kind}{list(input._a.shape)}", f"n_fft={n_fft}", f"hop_length={hop}", f"win_length={width}"]
    shown = "None" if window is None else f"torch.{type_name(window._a)}{{{list(window._a.shape)}}}"
    parts.append(f"window={shown}")
    parts += [f"{k}={int(v) if isinstance(v, bool) else v}" for k, v in options.items()]
    return f"{name}({', '.join(parts)})"


def _checked_pieces(
    shown: str, pieces: Tensor, n_fft: int, hop: int, width: int, window: Tensor | None, onesided: bool | None
) -> bool:
    """Whether the pieces of `istft` [batch, frequency, piece, 2] hold one side of the frequencies. Raises for what does not fit."""
    ndim = pieces._a.ndim
    if pieces._a.size == 0:
        raise RuntimeError(f"{shown} : input tensor cannot be empty.")
    frequencies_given = pieces._a.shape[wrap_dim(-3, ndim)]
    if ndim not in (3, 4):
        raise RuntimeError(f"{shown} : expected a tensor with 3 or 4 dimensions, but got {ndim}")
    is_onesided = onesided if onesided is not None else frequencies_given != n_fft
    if is_onesided and n_fft // 2 + 1 != frequencies_given:
        raise RuntimeError(
            f"{shown} : expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 when onesided=True, "
            f"but got {frequencies_given}"
        )
    if not is_onesided and n_fft != frequencies_given:
        raise RuntimeError(
            f"{shown} : expected the frequency dimension (3rd to the last) of the input tensor to match n_fft when onesided=False, but got "
            f"{frequencies_given}"
        )
    if not 0 < hop <= width:
        raise RuntimeError(f"{shown} : expected 0 < hop_length <= win_length")
    if not 0 < width <= n_fft:
        raise RuntimeError(f"{shown} : expected 0 < win_length <= n_fft")
    if window is not None and window._a.shape != (width,):
        raise RuntimeError(f"{shown} : Invalid window shape. window has to be 1D and length of `win_length`")
    return is_onesided


def _inverse_of_pieces(
    pieces: Tensor, window: Tensor, n_fft: int, normalized: bool, onesided: bool, return_complex: bool
) -> Tensor:
    """The inverse transform of each piece [batch, frequency, piece, 2] of `istft`, as [batch, piece, time]."""
    pieces = view_as_complex(pieces.transpose(1, 2))
    normalization = 1 if normalized else 2
    if return_complex:
        if onesided:
            raise RuntimeError("Cannot have onesided output if window or input is complex")
        return fft_c2c(pieces, (2,), normalization, False)
    if window.is_complex():
        raise RuntimeError("Complex windows are incompatible with return_complex=False")
    if not onesided:
        pieces = slice_(pieces, 2, 0, n_fft // 2 + 1, 1)
    return fft_c2r(pieces, (2,), normalization, n_fft)


@composite(
    "istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, "
    "bool normalized=False, bool? onesided=None, int? length=None, bool return_complex=False) -> Tensor"
)
def istft(
    input: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Tensor | None = None,
    center: bool = True, normalized: bool = False, onesided: bool | None = None, length: int | None = None,
    return_complex: bool = False,
) -> Tensor:  # fmt: skip
    """The inverse of `stft`: the signal of which the short-time Fourier transform is given."""
    if window is None:
        warn.once(
            "A window was not provided. A rectangular window will be applied.Please provide the same window used by stft to make the "
            "inversion lossless.To suppress this warning and use a rectangular window, explicitly set `window=torch.ones(n_fft, "
            "device=<device>)`.",
        )
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    shown = call_shown(
        "istft", input, f"CPU{type_name(input._a).removesuffix('Tensor')}Type", n_fft, hop, width, window,
        center=center, normalized=normalized, onesided=onesided, length=length, return_complex=return_complex,
    )  # fmt: skip
    if not input.is_complex():
        raise RuntimeError(
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True."
        )
    pieces = view_as_real(input.resolve_conj())
    ndim = pieces._a.ndim
    count = pieces._a.shape[wrap_dim(-2, ndim)]
    is_onesided = _checked_pieces(shown, pieces, n_fft, hop, width, window, onesided)
    if window is None:
        real = input._a.real.dtype
        ones = libraries.library_of(input._a).np.ones(width, input._a.dtype if return_complex else real)
        window = made("ones", ones, device=input.device)
    window = whole_window(window, width, n_fft, window)
    assert window is not None
    if ndim == 3:
        pieces = pieces.unsqueeze(0)
    pieces = _inverse_of_pieces(pieces, window, n_fft, normalized, is_onesided, return_complex)
    weighted = pieces * window.view((1, 1, n_fft))
    expected = n_fft + hop * (count - 1)
    signal = unfold_backward(weighted, (weighted._a.shape[0], expected), 1, n_fft, hop)
    squares = window.pow(2).expand((1, count, n_fft))
    envelope = unfold_backward(squares, (1, expected), 1, n_fft, hop)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else expected - (n_fft // 2 if center else 0)
    signal = slice_(signal, 1, start, end, 1)
    envelope = slice_(envelope, 1, start, end, 1)
    if envelope._a.size and not (abs(envelope._a).min() > 1e-11).item():
        raise RuntimeError(f"{shown} window overlap add min: 1\n[ CPUBoolType{{}} ]")
    signal = signal / envelope
    if ndim == 3:
        signal = signal.squeeze(0)
    if length is not None and length > signal._a.shape[-1]:
        warn.once(
            "The length of signal is shorter than the length parameter. Result is being padded with zeros in the tail. Please check your "
            "center and hop_length settings.",
        )
        signal = constant_pad_nd(signal, (0, end - expected))
    return signal
