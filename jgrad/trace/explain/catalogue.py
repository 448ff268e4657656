"""All rules, by what they are about. Of those about something raised the first that applies is the answer."""

from __future__ import annotations

from jgrad.trace.explain.rules import (
    accumulation,
    backward_calls,
    conversions,
    copies,
    custom_functions,
    cut_networks,
    deep_chains,
    first_nan,
    flat_operators,
    graph_ends,
    hooks,
    indexing,
    inference_mode,
    layer_inputs,
    layers,
    learning_rates,
    leaves,
    loops,
    losses,
    memory,
    modes,
    nonfinite,
    not_tensors,
    optimizers,
    promotion,
    saved_tensors,
    second_backward,
    shapes_and_dtypes,
    slips,
    unchanged_parameters,
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
    *layer_inputs.OPERATIONS,
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
    *copies.NOTES,
    *nonfinite.NOTES,
    *first_nan.NOTES,
    *losses.NOTES,
    *indexing.NOTES,
    *hooks.NOTES,
    *graph_ends.NOTES,
    *deep_chains.NOTES,
    *flat_operators.NOTES,
    *promotion.NOTES,
    *optimizers.NOTES,
    *loops.NOTES,
    *slips.NOTES,
    *unchanged_parameters.NOTES,
    *cut_networks.NOTES,
    *modes.NOTES,
    *learning_rates.NOTES,
)
