# %% Anomaly mode names the forward lines of a second derivative
import warnings

x0 = torch.tensor([0.0], requires_grad=True)
with torch.autograd.detect_anomaly():
    y = x0**1.5
    (g,) = torch.autograd.grad(y, x0, create_graph=True)
    show(
        list(y.grad_fn.metadata),
        list(g.grad_fn.metadata),
        g.grad_fn.metadata["parent_"] is y.grad_fn,
        type(g.grad_fn.metadata["traceback_"]),
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning)
        try:
            g.backward(torch.zeros(1))
        except RuntimeError as e:
            show(e)
    show_warnings(caught)


# %% Anomaly mode around a Function whose backward raises
import warnings

x = torch.tensor([1.0, 2.0], requires_grad=True)


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a * 2

    @staticmethod
    def backward(ctx, g):
        return G.apply(g * ctx.saved_tensors[0])


class G(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 3

    @staticmethod
    def backward(ctx, g):
        raise ValueError("boom")


with torch.autograd.detect_anomaly():
    y = F.apply(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            g.sum().backward()
        except ValueError as e:
            show(e)
    show_warnings(caught)
y = F.apply(x)
(g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
with torch.autograd.set_detect_anomaly(True):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            g.sum().backward()
        except ValueError as e:
            show(e)
    show_warnings(caught)
with torch.autograd.set_detect_anomaly(True):
    y = F.apply(x)
(g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
with torch.autograd.set_detect_anomaly(True):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            g.sum().backward()
        except ValueError as e:
            show(e)
    show_warnings(caught)


# %% Anomaly mode with and without the search for nan
import warnings

x = torch.tensor([1.0, 2.0], requires_grad=True)
with torch.autograd.detect_anomaly(check_nan=False):
    show(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
    (x * float("nan")).sum().backward()
    show(x.grad)
    with torch.autograd.set_detect_anomaly(False):
        show(torch.is_anomaly_enabled())
    show(torch.is_anomaly_enabled())
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with torch.autograd.detect_anomaly():
        y = x * 2
        y.register_hook(lambda g: g * float("nan"))
        try:
            y.sum().backward()
        except RuntimeError as e:
            show(e)
        z = x * torch.tensor(float("nan"))
        a, b = z.split(1)
        try:
            (a + b).sum().backward()
        except RuntimeError as e:
            show(e)
        i = torch.tensor([5])
        y = x.exp()
        y.add_(1)
        try:
            y.sum().backward()
        except RuntimeError as e:
            show(e)
        v = x.clone()
        v[:1].mul_(x[1:])
        try:
            (v * float("inf") * 0).sum().backward()
        except RuntimeError as e:
            show(e)
        c = torch.tensor([1 + 1j], requires_grad=True)
        try:
            (c * complex("nan")).abs().sum().backward()
        except RuntimeError as e:
            show(e)
show_warnings(caught)
show(torch.autograd.detect_anomaly(), torch.autograd.set_detect_anomaly(False)) if False else None


# %% Anomaly mode looks for nan after the hooks of a node, also for what they made
import warnings

warnings.simplefilter("ignore")
log = []
for mend in (False, True):
    x = torch.tensor([0.0], requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        y = x.sqrt()
        z = y * 0
        y.register_hook(lambda g: log.append("tensor"))
        y.grad_fn.register_prehook(lambda g: log.append("before"))
        y.grad_fn.register_hook(lambda sent, got: log.append("after") or ((torch.ones(1),) if mend else None))
        try:
            z.backward()
            log.append(x.grad)
        except RuntimeError as error:
            log.append(str(error))
show(log)
x = torch.tensor([1.0], requires_grad=True)
with torch.autograd.set_detect_anomaly(True):
    y = x * 2
    y.grad_fn.register_hook(lambda sent, got: (torch.full((1,), float("nan")), None))
    try:
        y.backward()
    except RuntimeError as error:
        show(error)


# %% Anomaly mode where warnings are errors
import contextlib
import io
import warnings

printed = io.StringIO()
with warnings.catch_warnings(), torch.autograd.detect_anomaly(), contextlib.redirect_stderr(printed):
    warnings.simplefilter("error")
    x = torch.ones(2, requires_grad=True)
    y = x + 1
    z = y**2
    y += 1
    attempt(lambda: torch.autograd.grad(z.sum(), x))
show([line for line in printed.getvalue().splitlines() if "PowBackward0" in line or "y**2" in line])
