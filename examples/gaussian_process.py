"""A Gaussian process: regression that knows what it does not know.

The covariance of any two points comes from a kernel with a few parameters. By the Cholesky factor of the
covariance of the data one gets the likelihood, the prediction and its uncertainty, and functions drawn
from the process. The parameters of the kernel are found by L-BFGS on the negative log-likelihood, with
gradients through `linalg.cholesky`. All is in float64, as it should be where matrices are nearly
singular.
"""

import math

import jgrad
from jgrad import nn
from jgrad.func import hessian
from jgrad.linalg import cholesky, solve_triangular

POINTS = 40
JITTER = 1e-8


def make_data(count):
    """A wave that slowly rises, seen with noise, with a gap in the middle."""
    x = jgrad.rand(count, dtype=jgrad.float64) * 8
    x = jgrad.where(x > 4, x + 2, x)
    return x[:, None], truth(x) + 0.1 * jgrad.randn(count, dtype=jgrad.float64)


def truth(x):
    return jgrad.sin(2 * x) + 0.2 * x - 1


class Kernel(nn.Module):
    """A sum: a smooth curve and a straight line. Parameters are logarithms, so that they stay positive."""

    NAMES = ("size", "length", "slope", "noise")
    START = (1.0, 2.0, 1.0, 0.5)

    def __init__(self):
        super().__init__()
        self.logs = nn.Parameter(jgrad.tensor(self.START, dtype=jgrad.float64).log())

    def forward(self, x, y, logs=None):
        size, length, slope, _ = (self.logs if logs is None else logs).exp()
        distance = x[:, None, 0] - y[None, :, 0]
        smooth = (-(distance**2) / (2 * length**2)).exp()
        line = slope**2 * x @ y.T
        return size**2 * smooth + line

    def noise(self, logs=None):
        return (self.logs if logs is None else logs)[-1].exp()


def factor(kernel, x, logs=None):
    """The Cholesky factor of the covariance of what was measured."""
    unit = jgrad.eye(len(x), dtype=x.dtype)
    return cholesky(kernel(x, x, logs) + (kernel.noise(logs) ** 2 + JITTER) * unit)


def negative_log_likelihood(kernel, x, y, logs=None):
    """Of one measurement, on average."""
    lower = factor(kernel, x, logs)
    white = solve_triangular(lower, y[:, None], upper=False)
    log_det = 2 * lower.diagonal().log().sum()
    return 0.5 * (white.square().sum() + log_det + len(y) * math.log(2 * math.pi)) / len(y)


def fit(kernel, x, y):
    optimizer = jgrad.optim.LBFGS(kernel.parameters(), max_iter=5, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = negative_log_likelihood(kernel, x, y)
        loss.backward()
        return loss

    for step in range(5):
        loss = optimizer.step(closure)
        print(f"step {step + 1}  loss {loss.item():.5f}")


@jgrad.no_grad()
def predict(kernel, x, y, new):
    """Mean and covariance of the function at new points."""
    lower = factor(kernel, x)
    across = kernel(x, new)
    mean = across.T @ jgrad.cholesky_solve(y[:, None], lower)
    white = solve_triangular(lower, across, upper=False)
    return mean.squeeze(1), kernel(new, new) - white.T @ white


def draw_functions(mean, covariance, count):
    """Functions that agree with the measurements."""
    unit = jgrad.eye(len(mean), dtype=mean.dtype)
    lower = cholesky(covariance + 1e-6 * unit)
    return mean + (lower @ jgrad.randn(len(mean), count, dtype=mean.dtype)).T


def main():
    jgrad.manual_seed(0)
    x, y = make_data(POINTS)
    kernel = Kernel()
    fit(kernel, x, y)
    for name, value in zip(kernel.NAMES, kernel.logs.detach().exp(), strict=True):
        print(f"{name}: {value.item():.3f}")

    curvature = hessian(lambda logs: negative_log_likelihood(kernel, x, y, logs))(kernel.logs.detach())
    print("it is a minimum:", bool((jgrad.linalg.eigvalsh(curvature) > 0).all()))

    new = jgrad.linspace(0, 10, 51, dtype=jgrad.float64)[:, None]
    mean, covariance = predict(kernel, x, y, new)
    scale = covariance.diagonal().clamp(min=0).sqrt()
    error = (mean - truth(new[:, 0])).abs()
    gap = (new[:, 0] > 4) & (new[:, 0] < 6)
    print(f"error {error[~gap].mean():.4f} near data, {error[gap].mean():.4f} in the gap")
    print(f"uncertainty {scale[~gap].mean():.4f} near data, {scale[gap].mean():.4f} in the gap")
    inside = (error < 2 * scale + 0.02).double().mean().item()
    print(f"the truth is within two scales at {inside:.2f} of the points")
    functions = draw_functions(mean, covariance, 200)
    print(f"drawn functions differ by {functions.std(0)[gap].mean():.2f} in the gap")


if __name__ == "__main__":
    main()
