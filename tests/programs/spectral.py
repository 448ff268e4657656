# %% A spectrum: values, dtypes, printing
x = torch.arange(8.0)
show(torch.fft.fft(x))
show(torch.fft.rfft(x))
show(
    torch.fft.fft(torch.tensor([1, 2, 3])).dtype,
    torch.fft.rfft(torch.tensor([1.0], dtype=torch.float64)).dtype,
)
show(torch.fft.fft(torch.tensor([True, False])))
show(torch.fft.irfft(torch.fft.rfft(x)), torch.fft.ifft(torch.fft.fft(x)).real)


# %% The three normalizations, forth and back
x = torch.tensor([1.0, -2.0, 3.0, 0.5])
for norm in ("backward", "ortho", "forward", None):
    show(norm, torch.fft.fft(x, norm=norm), torch.fft.ifft(x, norm=norm))
    show(torch.fft.rfft(x, norm=norm), torch.fft.irfft(x, norm=norm), torch.fft.hfft(x, norm=norm))
torch.fft.fft(x, norm="orthogonal")


# %% n cuts or fills up; strides, views and nodes
x = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
for n in (2, 4, 7):
    y = torch.fft.fft(x, n, dim=1)
    show(
        y.shape,
        y.stride(),
        y.is_contiguous(),
        y.grad_fn.name(),
        y.grad_fn.next_functions[0][0].name(),
        y._version,
    )
z = torch.fft.irfft(torch.fft.rfft(x, dim=0), n=2, dim=0)
show(z, z.grad_fn.name(), z.stride())


# %% Gradients of real transforms: real input has real gradients
x = torch.tensor([1.0, 2.0, -1.0, 0.5, 4.0], dtype=torch.float64, requires_grad=True)
spectrum = torch.fft.rfft(x)
(g,) = torch.autograd.grad(spectrum.abs().pow(2).sum(), x)
show(g)
(g,) = torch.autograd.grad(torch.fft.fft(x).imag[1], x)
show(g, g.dtype)
(g,) = torch.autograd.grad(torch.fft.fft(x).abs().sum(), x, create_graph=True)
show(g, torch.autograd.grad(g.pow(3).sum(), x))


# %% Gradients of the inverse: what a half spectrum stands for counts twice
c = torch.tensor([1 + 2j, 3 - 1j, 0.5 + 0.5j, -2j], dtype=torch.complex128, requires_grad=True)
for n in (6, 7):
    (g,) = torch.autograd.grad((torch.fft.irfft(c, n) * torch.arange(float(n))).sum(), c)
    show(g)
(g,) = torch.autograd.grad(torch.fft.ifft(c).abs().sum(), c)
show(g)


# %% Saved by the nodes
x = torch.ones(2, 4, requires_grad=True)
node = torch.fft.rfft(x, norm="ortho").grad_fn
show(node.name(), node._saved_dim, node._saved_normalization, node._saved_onesided)
node = torch.fft.fft2(x).grad_fn
show(
    node.name(),
    node._saved_dim,
    node._saved_normalization,
    node._saved_forward,
    node.next_functions[0][0].name(),
)


# %% Several dimensions
x = (torch.arange(12.0) * 1.7).cos().reshape(3, 4)
show(torch.fft.fft2(x))
show(torch.fft.rfft2(x), torch.fft.irfft2(torch.fft.rfft2(x)))
show(torch.fft.fftn(x, s=(2, -1)), torch.fft.rfftn(x, dim=(1, 0)).shape)
show(torch.fft.hfft2(x, s=(2, 5)), torch.fft.ihfft2(x))
show(torch.fft.fftn(x, dim=()), torch.fft.fftn(torch.tensor(3.0)))


# %% Errors of shapes and names
x = torch.ones(3, 4)
for call in (
    lambda: torch.fft.fft(x, 0),
    lambda: torch.fft.fft(x, dim=2),
    lambda: torch.fft.fft(torch.tensor(1.0)),
    lambda: torch.fft.fft(torch.ones(0)),
    lambda: torch.fft.rfft(x + 0j),
    lambda: torch.fft.ihfft(x + 0j),
    lambda: torch.fft.fftn(x, dim=(0, 0)),
    lambda: torch.fft.fftn(x, s=(1, 2, 3)),
    lambda: torch.fft.fftn(x, s=(1,), dim=(0, 1)),
    lambda: torch.fft.irfftn(x, dim=()),
    lambda: torch.fft.irfft(torch.ones(1)),
    lambda: torch.fft.fft(x.half()),
    lambda: torch.fft.fft2(torch.ones(3)),
    lambda: torch.fft.fft(x, out=torch.ones(3)),
    lambda: torch.fft.irfft(x, out=torch.ones(3, dtype=torch.complex64)),
    lambda: torch.fft.fft(x, n="3"),
):
    try:
        show(call())
    except (RuntimeError, IndexError, TypeError) as error:
        show(type(error).__name__, error)


# %% out=, of another size and precision
out = torch.empty(0, dtype=torch.complex64)
show(torch.fft.fft(torch.arange(3.0), out=out) is out, out, out._version)
wide = torch.zeros(4, dtype=torch.complex128)
torch.fft.rfft(torch.arange(6.0), out=wide)
show(wide)
torch.fft.fft(torch.ones(3), out=wide)
show(wide.shape)
x = torch.ones(3, requires_grad=True)
torch.fft.fft(x, out=wide)


# %% Frequencies, and 0 moved into the middle
for n in (1, 2, 5, 6):
    show(torch.fft.fftfreq(n), torch.fft.rfftfreq(n, d=0.5), torch.fft.fftshift(torch.fft.fftfreq(n)))
x = torch.arange(12).reshape(3, 4)
show(
    torch.fft.fftshift(x),
    torch.fft.ifftshift(x, dim=1),
    torch.equal(torch.fft.ifftshift(torch.fft.fftshift(x)), x),
)
show(torch.fft.fftfreq(3, dtype=torch.float64), torch.fft.fftfreq(3, requires_grad=True))
torch.fft.fftfreq(4, dtype=torch.int64)


# %% The windows
for name in ("bartlett", "blackman", "hamming", "hann", "kaiser"):
    window = getattr(torch, name + "_window")
    show(name, window(5), window(4, periodic=False), window(1), window(0), window(4, dtype=torch.float64))
show(torch.hamming_window(4, True, 0.6, 0.4), torch.kaiser_window(5, False, 3.0))
for call in (
    lambda: torch.hann_window(-1),
    lambda: torch.hann_window(4, dtype=torch.int64),
    lambda: torch.hann_window(4, requires_grad=True),
):
    try:
        show(call())
    except RuntimeError as error:
        show(error)


# %% The newer windows
w = torch.signal.windows
show(
    w.hann(5),
    w.hamming(5, sym=False),
    w.bartlett(4),
    w.blackman(3),
    w.cosine(4),
    w.nuttall(4),
    w.kaiser(5, beta=8.0),
)
show(
    w.gaussian(5, std=0.7),
    w.exponential(5, tau=2.0),
    w.exponential(4, center=1, sym=False),
    w.general_hamming(4, alpha=0.6),
)
show(w.general_cosine(4, a=[0.5, 0.3, 0.2], dtype=torch.float64))
for call in (
    lambda: w.hann(-1),
    lambda: w.gaussian(3, std=0),
    lambda: w.exponential(3, center=1),
    lambda: w.general_cosine(3, a=[]),
    lambda: w.hann(3, dtype=torch.int64),
):
    try:
        show(call())
    except ValueError as error:
        show(error)


# %% A short-time transform and its inverse
x = torch.sin(torch.arange(16.0) / 2)
w = torch.hann_window(8)
s = torch.stft(x, 8, window=w, return_complex=True)
show((torch.view_as_real(s) * 1000).round().long(), s.shape, s.stride(), s._version)
show(torch.allclose(torch.istft(s, 8, window=w), x, atol=1e-6), torch.istft(s, 8, window=w, length=10)[1:])
show(
    torch.stft(
        x.expand(2, 16),
        8,
        4,
        6,
        torch.hamming_window(6),
        normalized=True,
        onesided=False,
        return_complex=True,
    ).shape
)
show(
    torch.stft(x, 8, window=w, center=False, return_complex=True).shape,
    x.stft(8, hop_length=3, window=w, return_complex=True).shape,
)


# %% Its warnings and errors
x, w = torch.arange(8.0), torch.hann_window(4)
for call in (
    lambda: torch.stft(x, 4),
    lambda: torch.stft(x, 4, return_complex=True).shape,
    lambda: torch.stft(x, 4, window=w, return_complex=False).shape,
    lambda: torch.stft(x, 40, window=w, return_complex=True),
    lambda: torch.stft(x, 40, window=w, center=False, return_complex=True),
    lambda: torch.stft(x, 4, 0, window=w, return_complex=True),
    lambda: torch.stft(x, 4, window=w[:3], return_complex=True),
    lambda: torch.stft(x, 4, win_length=5, window=w, return_complex=True),
    lambda: torch.stft(x.int(), 4, window=w, return_complex=True),
    lambda: torch.stft(x + 0j, 4, window=w, onesided=True),
    lambda: torch.istft(torch.ones(3, 9), 4, window=w),
    lambda: torch.istft(torch.ones(4, 9, dtype=torch.complex64), 6, window=w),
    lambda: torch.istft(torch.ones(3, 9, dtype=torch.complex64), 4, window=w, center=False),
):
    try:
        show(call())
    except RuntimeError as error:
        show(error)


# %% Its gradients
x = torch.arange(8.0, dtype=torch.float64, requires_grad=True)
w = torch.hann_window(4, dtype=torch.float64, requires_grad=True)
s = torch.stft(x, 4, window=w, return_complex=True)
show(torch.autograd.grad(s.abs().pow(2).sum(), (x, w)), s.grad_fn.name())
c = torch.stft(x, 4, window=w, return_complex=True).detach().requires_grad_()
y = torch.istft(c, 4, window=w)
show(y[1:] * 0.3, y.grad_fn.name())
for g in torch.autograd.grad(y.pow(2).sum(), (c, w)):
    show(((torch.view_as_real(g) if g.is_complex() else g) * 1e6).round().long())
