"""All rules, by what they are about. Of those about something raised the first that applies is the answer."""

from __future__ import annotations

from jgrad.trace.explain.rules import (
    accumulation,
    backward_calls,
    conversions,
    custom_functions,
    first_nan,
    hooks,
    indexing,
    inference_mode,
    layers,
    leaves,
    loops,
    losses,
    memory,
    nonfinite,
    not_tensors,
    optimizers,
    rounds,
    saved_tensors,
    second_backward,
    shapes_and_dtypes,
    slips,
    writes_to_views,
)
from jgrad.trace.explain.rules.grads import WHY

__all__ = ["ERRORS", "NOTES", "OPERATIONS", "WARNINGS", "WHY"]

ERRORS = (
    *saved_tensors.ERRORS,
    *second_backward.ERRORS,
    *backward_calls.ERRORS,
    *leaves.ERRORS,
    *memory.ERRORS,
    *writes_to_views.ERRORS,
    *inference_mode.ERRORS,
    *custom_functions.ERRORS,
    *hooks.ERRORS,
    *not_tensors.ERRORS,
    *optimizers.ERRORS,
    *nonfinite.ERRORS,
)
OPERATIONS = (
    *shapes_and_dtypes.OPERATIONS,
    *memory.OPERATIONS,
    *indexing.OPERATIONS,
    *losses.OPERATIONS,
    *layers.OPERATIONS,
    *conversions.OPERATIONS,
)
WARNINGS = (
    *leaves.WARNINGS,
    *memory.WARNINGS,
    *backward_calls.WARNINGS,
    *losses.WARNINGS,
    *conversions.WARNINGS,
    *optimizers.WARNINGS,
)
NOTES = (
    *saved_tensors.NOTES,
    *accumulation.NOTES,
    *memory.NOTES,
    *nonfinite.NOTES,
    *first_nan.NOTES,
    *losses.NOTES,
    *indexing.NOTES,
    *hooks.NOTES,
    *optimizers.NOTES,
    *loops.NOTES,
    *rounds.NOTES,
    *slips.NOTES,
)
