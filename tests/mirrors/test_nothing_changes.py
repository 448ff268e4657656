"""Watching changes nothing: programs of PyTorch show the same with and without the recorder."""

from __future__ import annotations

import faulthandler
import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch.overrides import TorchFunctionMode  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402

from jgrad.trace import Trace  # noqa: E402
from jgrad.tracing.document.source import Source  # noqa: E402
from jgrad.tracing.record.scope import Scope, mentioned  # noqa: E402
from tests.engine.test_versions_of_gradients import PROGRAMS as SUMS  # noqa: E402
from tests.mirrors.both import record  # noqa: E402
from tests.programs import FILENAME, PROGRAMS, Program, Shown, hold_alike, run  # noqa: E402
from tests.record.tracing import valid  # noqa: E402
from tests.same_as_torch.random_programs import always_warning  # noqa: E402

DEADLOCKED = 300  # seconds after which a test has hung
# The named exceptions of docs/torch.md, and the programs that show them.
METADATA = "a node's metadata hold our mirror"
SECOND_GRAPH = "a recorded backward pass is composed otherwise under a dispatch mode"
TRACEBACKS = "tracebacks of anomaly mode have frames of ours"
OLD_OVERLOADS = "the warning of an old overload (`x.add(2, y)`) comes twice after `set_warn_always(True)`"
EXCEPTIONS = {
    "anomaly-anomaly-mode-names-the-forward-lines-of-a-second-derivative": METADATA,
    "creation_dtypes_and_layout-the-accumulategrad-of-a-leaf-is-one-object": METADATA,
    "saved_tensors-saved-tensors-and-versions": METADATA,
    "function_passes-hooks-of-a-function-s-node": METADATA,
    "function_passes-anomaly-mode-and-the-metadata-of-a-node": METADATA,
    "functions_and_their_ctx-the-attributes-of-ctx-and-of-a-function-s-node": METADATA,
    "saved_tensors-metadata-of-nodes": METADATA,
    "operations_and_derivatives-second-derivatives-where-the-first-is-constant-or-gone": SECOND_GRAPH,
    "functional-strict-for-functions-that-are-independent-of-an-input": SECOND_GRAPH,
    "linalg-determinants-also-of-singular-and-of-empty-matrices": SECOND_GRAPH,
    "hooks_and_modes-anomaly-mode-finds-the-first-nan": TRACEBACKS,
    "linalg-beta-and-alpha-in-the-order-of-old": OLD_OVERLOADS,
    "pointwise-the-order-of-arguments-of-old-tutorials-a-number-first": OLD_OVERLOADS,
    "refused_calls-in-place-methods-called-with-too-many-too-few-or-the-wrong-arguments": OLD_OVERLOADS,
}
# A dispatch mode of PyTorch's lies below ours and writes to what was reported to ours: the document counts one write less.
DAMAGED = {"saved_tensors-allow_mutation_on_saved_tensors"}


@pytest.fixture(autouse=True)
def watchdog() -> Iterator[None]:
    """A program that hangs ends the test run, with the stacks of all threads: see Note [Views under way] in `jgrad/mirrors/torch/tensors.py`."""
    faulthandler.dump_traceback_later(DEADLOCKED, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@contextmanager
def traced(t: Any, program: Program, variables: dict[str, Any]) -> Iterator[None]:
    """A block that is recorded as a cell is. What it raises is raised."""
    t._source = Source(program.text.split("\n"))
    names = mentioned(compile(program.text, FILENAME, "exec"))
    with t.recording(Scope(FILENAME, variables, [*names])) as outcome:
        yield
    if outcome.error is not None:
        raise outcome.error


# Tens of thousands of operators: a mode costs four microseconds for each, also when the recorder sleeps.
LONG = {"cumulative-long-and-few-or-short-and-many-both-ways-of-summing-give-the-same"}


@pytest.mark.one_in(12)
@pytest.mark.parametrize(
    "program", [p for p in PROGRAMS if p.name not in LONG], ids=lambda program: program.name
)
def test_a_program_shows_the_same(program: Program) -> None:
    t = Trace("cell", max_steps=4000)
    with always_warning():
        run(torch, program)  # some warnings come once
        torch.manual_seed(0)
        plain, state = run(torch, program), torch.get_rng_state()
        torch.manual_seed(0)
        watched = run(torch, program, lambda variables: traced(t, program, variables))
    if program.name in EXCEPTIONS:
        with pytest.raises(AssertionError):  # so that the list can only shrink
            hold_alike(program, ("plain", plain), ("watched", watched))
    else:
        hold_alike(program, ("plain", plain), ("watched", watched))
    assert torch.equal(torch.get_rng_state(), state)
    assert t.failures == []
    assert program.name in DAMAGED or valid(t.document)


class EmptyFunctionMode(TorchFunctionMode):
    """Does nothing."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


class EmptyDispatchMode(TorchDispatchMode):
    """Does nothing."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


@contextmanager
def empty_mode_in_recorded_passes() -> Iterator[None]:
    """A block in which backward passes with `create_graph=True` run under a dispatch mode that does nothing."""

    def engine(run: Any) -> Any:
        def under(roots: Any, gradients: Any, keep: Any, create: Any, *args: Any, **options: Any) -> Any:
            with EmptyDispatchMode() if create else nullcontext():
                return run(roots, gradients, keep, create, *args, **options)

        return under

    with pytest.MonkeyPatch.context() as patch:
        for module in (torch.autograd.graph, torch.autograd):
            patch.setattr(module, "_engine_run_backward", engine(module._engine_run_backward))
        yield


# What makes the same difference without jgrad: so this is the cause.
CAUSES = {SECOND_GRAPH: empty_mode_in_recorded_passes, OLD_OVERLOADS: EmptyFunctionMode}
NAMED = [p for p in PROGRAMS if p.name in EXCEPTIONS]


@pytest.mark.parametrize("program", [p for p in NAMED if EXCEPTIONS[p.name] in CAUSES], ids=lambda p: p.name)
def test_an_exception_has_the_cause_that_is_named(program: Program) -> None:
    cause = CAUSES[EXCEPTIONS[program.name]]
    with always_warning():
        run(torch, program)
        torch.manual_seed(0)
        caused = run(torch, program, lambda variables: cause())
        torch.manual_seed(0)
        watched = run(torch, program, lambda variables: traced(Trace("cell"), program, variables))
    hold_alike(program, ("with a mode that does nothing", caused), ("watched", watched))


@pytest.mark.parametrize(
    "program", [p for p in NAMED if EXCEPTIONS[p.name] is METADATA], ids=lambda p: p.name
)
def test_nothing_but_our_key_in_the_metadata_of_a_node_is_new(program: Program) -> None:
    with always_warning():
        run(torch, program)
        plain = run(torch, program)
        watched = run(torch, program, lambda variables: traced(Trace("cell"), program, variables))
    ours = re.compile(r"'jgrad'(: <[^>]*>)?, |(, )?'jgrad'(: <[^>]*>)?")  # with one of the commas around it
    without = [Shown(ours.sub("", shown.text), shown.line) for shown in watched]
    hold_alike(program, ("plain", plain), ("watched", without))


@pytest.mark.quick
@pytest.mark.parametrize("program", SUMS)
def test_versions_of_gradients_are_the_same(program: str) -> None:
    """PyTorch adds gradients in place unless a dispatch mode looks on."""
    source = f"w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)\nseen = []\n{SUMS[program]}"
    plain: dict[str, Any] = {"torch": torch}
    exec(source, plain)
    watched = record(source, torch).namespace
    assert watched["w"].grad._version == plain["w"].grad._version
    assert watched["seen"] == plain["seen"]
