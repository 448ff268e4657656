"""What programs that run on both libraries can't show of `autograd.graph`."""

import gc
import weakref

import pytest

import jgrad

pytestmark = pytest.mark.quick

graph = jgrad.autograd.graph


def test_a_write_to_part_of_a_saved_tensor_copies_it_before():
    """(PyTorch looks for the address of what is written, so it misses this one and computes with the new elements.)"""
    with graph.allow_mutation_on_saved_tensors():
        x = jgrad.tensor([1.0, 2.0, 3.0])
        w = jgrad.ones(3, requires_grad=True)
        y = (x * w).sum()
        x[1] = 5
        x.view(3)[2:].zero_()
        y.backward()
    assert w.grad.tolist() == [1.0, 2.0, 3.0]
    assert x.tolist() == [1.0, 5.0, 0.0]


def test_what_was_saved_goes_when_the_graph_goes():
    with graph.allow_mutation_on_saved_tensors():
        x = jgrad.ones(3, requires_grad=True)
        a = x * 2
        saved = weakref.ref(a)
        y = (a * a).sum()
        del a
        assert saved() is not None
        y.backward()
        assert saved() is None


def test_hooks_make_no_cycles():
    x = jgrad.ones(3, requires_grad=True)
    gc.collect()
    gc.disable()
    try:
        with graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
            y = x.exp()
        node = weakref.ref(y.grad_fn)
        del y
        assert node() is None
        y = x * x
        y.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)
        node = weakref.ref(y.grad_fn)
        del y
        assert node() is None
    finally:
        gc.enable()


def test_a_checkpointed_call_makes_no_cycles():
    from jgrad.utils.checkpoint import checkpoint

    x = jgrad.ones(3, requires_grad=True)
    gc.collect()
    gc.disable()
    try:
        for reentrant in (True, False):
            y = checkpoint(lambda t: t.sin().exp(), x, use_reentrant=reentrant)
            node = weakref.ref(y.grad_fn)
            y.sum().backward()
            del y
            assert node() is None
    finally:
        gc.enable()


def test_checkpointing_keeps_nothing_in_between():
    from jgrad.utils.checkpoint import checkpoint

    kept = []

    def function(t):
        a = t * 2
        kept.append(weakref.ref(a))
        return (a * a).sum()

    x = jgrad.ones(3, requires_grad=True)
    y = checkpoint(function, x, use_reentrant=False)
    assert kept[0]() is None
    y.backward()
    assert kept[1]() is None
    assert x.grad.tolist() == [8.0, 8.0, 8.0]


def test_debugging_a_checkpoint_lists_the_operations_of_both_runs():
    from jgrad.utils.checkpoint import CheckpointError, checkpoint

    runs = []

    def function(t):
        runs.append(1)
        return t.sin().exp() if len(runs) == 1 else t.sin().cos().exp()

    x = jgrad.ones(3, requires_grad=True)
    y = checkpoint(function, x, use_reentrant=False, debug=True, early_stop=False)
    try:
        y.sum().backward()
    except CheckpointError as error:
        text = str(error)
    assert "$1: float32[3] = sin($0)\n$2: float32[3] = exp($1)" in text
    assert "float32[3] = cos($" in text
    assert text.count(__file__) >= 5
