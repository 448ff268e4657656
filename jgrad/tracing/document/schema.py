"""The trace document, field by field. This is its only description: everything else is derived from it.

A trace document holds what happened while a cell ran. It is plain JSON data, so that it can be saved, sent to a browser and compared.
The types below are for type checkers and for what is derived from them; at run time a document consists of dictionaries and lists.

    derived                                   by
    the check of loaded and shown documents   `jgrad/tracing/document/check.py`
    the reference in docs/trace-document.md,
    docs/trace-document.schema.json and
    js/src/schema.ts                          `python -m tests.document.schema_files`

The string below a field describes it. A tuple stands for a JSON list of that length, since JSON has no tuples. An object that is in a list
of the document has its position there as its `id`. Step numbers count from 0; -1 stands for the time before the first step.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple, NotRequired, TypedDict

SCHEMA = "jgrad-trace/2"


class Refers(NamedTuple):
    """Marks an integer that refers to an entry in a list of the document."""

    to: str
    first: int = 0  # the number of the first entry


StorageId = Annotated[int, Refers("storages")]
TensorId = Annotated[int, Refers("tensors")]
NodeId = Annotated[int, Refers("nodes")]
Line = Annotated[int, Refers("source", first=1)]
SourceId = Annotated[int, Refers("sources")]
CallId = Annotated[int, Refers("calls")]
LayerId = Annotated[int, Refers("layers")]
LayerCallId = Annotated[int, Refers("layer_calls")]
StepNumber = Annotated[int, "step"]
Span = tuple[int, int, int, int]

Origin = Literal["create", "op", "view", "detach", "data", "copy", "numpy"]
StepKind = Literal[
    "create", "op", "view", "write", "backward", "node", "accumulate", "grad", "mark", "error", "gap"
]
GradAction = Literal["add", "set", "none", "zero"]
Severity = Literal["info", "warning", "error"]
PartKind = Literal["text", "code", "number", "line"]
Problem = Literal["missing", "changed"]
Attribute = Literal["list", "tuple", "dict", "tensor"]
Remarkable = Literal[
    "loss-not-finite", "gradient-not-finite", "gradient-zero", "gradient-jump", "other-parameters"
]

# Many figures as text: the upper halves of their four-byte floats, rounded, little-endian and in base64. So a figure has an error of at most
# 0.4 percent. Two bytes with all bits set mean that there is no figure.
Bfloat16s = str


class Bands(TypedDict):
    """What a large storage holds, as at most 100 bands of equal size from its start to its end."""

    size: int
    """How many elements a band has; the last one may have fewer."""
    step: int
    """1: all elements were read; k: every k-th of them."""
    means: Bfloat16s
    """The mean of each band: nan if one of its elements is nan, infinite if one is infinite. Of complex numbers, the mean of their magnitudes."""
    least: str | None
    """The least of the elements that were read, of those that are finite; null if there is none."""
    largest: str | None
    """The largest of them."""


class Contents(TypedDict):
    """The elements of a storage, in the order of memory. Up to 64 elements all are kept; of more, the first 24 and the last 24; on the device meta,
    which has no elements, none. A saved notebook keeps fewer of most rounds."""

    numel: int
    """How many elements the storage has."""
    elements: list[str]
    """The elements that are kept, as PyTorch prints them."""
    head: int
    """How many of `elements` are from the start of the storage."""
    tail: int
    """How many of `elements` are from its end. They follow those from the start."""
    bands: NotRequired[Bands]
    """All of a storage with more than 64 elements, in short."""


class Value(TypedDict):
    """The value of a gradient."""

    shape: list[int]
    """Its shape."""
    dtype: str
    """Its dtype, such as `float32`."""
    elements: list[str] | None
    """The elements in row-major order, as PyTorch prints them; null above 64 elements and for an example of a batch under `vmap`."""
    norm: NotRequired[float | None]
    """The 2-norm of the elements that are not nan; null if it is infinite or there is no such element; left out for booleans and complex
    numbers."""
    nan_count: NotRequired[int]
    """How many elements are nan, if any are."""
    inf_count: NotRequired[int]
    """How many elements are infinite, if any are."""


class TraceStorage(TypedDict):
    """One flat buffer of memory."""

    id: int
    """Its position in `storages`. On screen the first storage is "storage 1"."""
    nbytes: int
    """Its size in bytes."""
    itemsize: int
    """The size of an element in bytes."""
    dtype: str
    """The dtype of the first tensor that was seen on it."""
    device: str
    """Where the memory is, such as `cpu` or `cuda:0`."""
    numel: int
    """How many elements of `itemsize` bytes it has."""
    created_step: StepNumber
    """The step that created it."""
    freed_step: StepNumber | None
    """The first step that no longer saw it."""
    contents: Contents
    """Its contents when it was first seen. Later contents are in the `writes` of steps."""


class TraceTensor(TypedDict):
    """A tensor as it was when it was first seen. The `changes` of later steps update it."""

    id: int
    """Its position in `tensors`."""
    storage: StorageId
    """The storage that it looks at."""
    shape: list[int]
    """Its shape."""
    stride: list[int]
    """Its strides, in elements."""
    storage_offset: int
    """Where in the storage it begins, in elements of its own dtype."""
    dtype: str
    """Its dtype."""
    device: str
    """Its device."""
    version_counter: int
    """Which version counter it has. A base, its views and its `detach()` share one; `.data` and `clone()` have one of their own."""
    version: int
    """The number on its version counter when it was first seen."""
    base: TensorId | None
    """The tensor that it is a view of."""
    created_step: StepNumber
    """The step that created it."""
    freed_step: StepNumber | None
    """The first step that no longer saw it."""
    names: list[tuple[StepNumber, str]]
    """What the user's variables called it, since which step: `x`, `xs[0]`, `model.weight`, `a.grad`. An empty name ends the one before.
    Of several names at a time only the first is listed."""
    is_leaf: bool
    """PyTorch's `is_leaf`."""
    requires_grad: bool
    """PyTorch's `requires_grad`."""
    retains_grad: bool
    """PyTorch's `retains_grad`."""
    grad_fn: NodeId | None
    """The node that computes its gradient."""
    output_nr: int
    """Which output of `grad_fn` it is."""
    origin: Origin
    """How it came about: `create` from data outside of the engine, `op` by an operator that allocated memory, `view`, `detach`, `data`
    (`x.data`), `copy` (`copy.copy`), `numpy` if it is no tensor but a NumPy array, which `%storage` shows."""


class SavedTensor(TypedDict):
    """A tensor that a node keeps for its backward."""

    name: str
    """Its name in the derivative, such as `other`."""
    tensor: TensorId | None
    """The tensor, if it was seen."""
    version: int
    """The number on its version counter when it was saved."""


class TraceNode(TypedDict):
    """A backward node."""

    id: int
    """Its position in `nodes`."""
    name: str
    """PyTorch's name of it, such as `MulBackward0`. "189998 nodes" stands for so many that were made while nothing was recorded, and leads to what they
    lead to."""
    formulas: dict[str, str]
    """The derivative for each input, as one would write it by hand: `{"self": "grad * other"}`."""
    derivatives: NotRequired[list[str]]
    """The same in the words of the program, one for each input: `["∂y/∂a = b", ""]`; what is no product as `a: grad @ b.T`. It is empty where no
    gradient is needed and where the source is not known or leaves a doubt."""
    next_functions: list[tuple[NodeId | None, int]]
    """Where it sends the gradient of each input: a node and the number of that node's output; null where no gradient is needed."""
    saved: list[SavedTensor]
    """The tensors that it keeps for its backward."""
    created_step: StepNumber
    """The step that created it."""
    freed_step: StepNumber | None
    """The step that freed its saved tensors."""
    variable: TensorId | None
    """The leaf, if this is an AccumulateGrad."""
    line: Line | None
    """The line of the source that made it."""
    hooks: NotRequired[list[tuple[StepNumber, str]]]
    """The hooks of the node and of the tensors that it computed, such as `hook (line 3)`, since the step at which a backward call, or the
    end, found them."""


class Write(TypedDict):
    """An in-place write."""

    tensor: TensorId
    """The tensor that was written to."""
    storage: StorageId
    """Its storage."""
    version_counter: int
    """Its version counter."""
    versions: tuple[int, int]
    """The numbers on the version counter before and after. They are equal where the counter does not count: for batch statistics, and for
    a write from outside, such as by a NumPy array that shares the memory."""
    numel: int
    """How many elements the tensor has; 0 if this only counts as a write, as `x.t_()` does."""
    changed_elements: list[int] | None
    """The elements of the storage whose values changed; null above 256 of them or where the storage has more than 4,096 elements."""
    contents: Contents
    """The contents of the storage after the write."""


class Change(TypedDict):
    """What a step changed about a tensor besides its elements: the fields of the tensor with their new values."""

    tensor: TensorId
    requires_grad: NotRequired[bool]
    is_leaf: NotRequired[bool]
    grad_fn: NotRequired[NodeId | None]
    retains_grad: NotRequired[bool]
    shape: NotRequired[list[int]]
    stride: NotRequired[list[int]]
    storage_offset: NotRequired[int]
    storage: NotRequired[StorageId]
    dtype: NotRequired[str]


class Contribution(TypedDict):
    """A gradient that arrived at a leaf along one edge of the graph."""

    node: NodeId
    """The node that sent it."""
    edge: int
    """The position of the edge in that node's `next_functions`."""
    value: Value
    """The gradient."""


class GradUpdate(TypedDict):
    """What happened to the `.grad` of a tensor."""

    tensor: TensorId
    """The tensor whose `.grad` it is."""
    action: GradAction
    """`add`: `backward()` added to it; `set`: it was assigned or written to; `none`: it was set to None; `zero`: it was zeroed in place."""
    before: Value | None
    """`.grad` before the step."""
    added: Value | None
    """What was added, if `action` is `add`."""
    after: Value | None
    """`.grad` after the step."""
    contributions: list[Contribution]
    """The gradients that arrived, whose sum `added` is unless a hook changed it."""


class Grid(TypedDict):
    """A tensor, or the part of a large one that is kept, as the grid of its elements."""

    tensor: TensorId | None
    """The tensor, if it was seen."""
    name: str
    """What the program calls it, or the name of the argument: `self`, `index`, `src`."""
    title: NotRequired[str]
    """What to call it on screen, if not by its name."""
    shape: list[int]
    """The shape of the whole tensor."""
    kept: NotRequired[list[list[int]]]
    """The coordinates along each dimension that are kept of a large tensor; left out if all are."""
    elements: list[str]
    """The elements that are kept, in row-major order."""


class IndexMap(TypedDict):
    """What an index operator (`scatter_`, `gather`, `x[index]`, ...) moved from which cell to which, so that no reader needs to know the
    operators. Cells are numbered in row-major order. Above 600 moves a window of them is kept."""

    op: str
    """The function or expression that the program called, or the operator."""
    dim: int | None
    """Its argument `dim`."""
    reduce: str | None
    """How values that meet in a cell are combined: `sum`, `prod`, `amax`, ...; null: they replace each other."""
    gathers: bool
    """Whether the index says where to read; otherwise it says where to write."""
    undefined_order: bool
    """Whether PyTorch leaves open which of several values that meet in a cell stays."""
    rule: str
    """The rule with letters: `self[index[i][j]][j] = src[i][j]`."""
    description: str
    """What the operator does, in words."""
    summary: str
    """How many moves, collisions and untouched cells there are, in words."""
    backward_rule: NotRequired[str]
    """The rule of the derivative, if the result requires grad."""
    assignment: str
    """How a cell takes a value: `=`, `+=`, `*=`, `max=`."""
    factor: str
    """What a value is multiplied with first: `2 * ` or nothing."""
    indexed_dims: list[int] | None
    """The dimensions that the index arrays replace: [] for a mask, null where cells are counted in row-major order."""
    indices: list[Grid]
    """The index arrays."""
    source: Grid | None
    """Where values come from; null if it is a number."""
    value: str | None
    """The number, if there is no `source`."""
    before: Grid | None
    """The target before the operator ran, if it is known."""
    target: Grid
    """Where values go, as it is afterwards."""
    moves: list[list[int]]
    """For each move that is kept: the cell of the index, of the source and of the target."""
    results: list[str]
    """What the target of each move holds afterwards."""
    target_counts: list[int]
    """How many moves go to each kept cell of `target`; -1 if nobody counted."""
    source_counts: list[int]
    """How many moves come from each kept cell of `source`; -1 if nobody counted."""
    total_moves: int
    """How many moves there are, with those that are not kept."""
    forward_step: NotRequired[StepNumber]
    """If this is the map of a backward node: the step of the operator."""
    drops_overwritten: NotRequired[bool]
    """If this is the map of a backward node: whether values that were overwritten get no gradient."""


class Excerpt(TypedDict):
    """Lines of user code outside of the cell: functions of another cell or file that ran."""

    name: str
    """What it is called, as the user sees it: `cell 4`, `model.py`; `<string>` for code that was compiled from a text."""
    first: int
    """The number of its first line in that cell or file."""
    lines: list[str]
    """The lines; none if there is a problem."""
    problem: NotRequired[Problem]
    """Why there are no lines. `missing`: there is no source, as of code that was compiled from a text. `changed`: the source is not the one
    from which the function was made."""


class Call(TypedDict):
    """A place in user code that a step came from, with the calls that led there. Steps that came the same way share it."""

    function: str
    """The function that it is in, by its qualified name, such as `Net.forward`; `<module>` outside of functions."""
    source: SourceId | None
    """The source that it is in; null for the cell itself."""
    line: int
    """Its line, counted as in its cell or file."""
    span: Span | None
    """The expression there: line, column, end line, end column; null if the source is not known."""
    caller: CallId | None
    """The place that called the function; null for the outermost."""
    older: NotRequired[bool]
    """Whether the function had been redefined, and this is the older definition."""


class TraceLayer(TypedDict):
    """A module whose forward ran."""

    name: str
    """What code calls it, such as `model.blocks[0].q`. Empty if no variable held it, or the model that it is part of."""
    type: str
    """The name of its class."""
    arguments: str
    """The arguments that say what it is, such as `32, 64` of a `Linear`. Empty for classes of the user's own."""
    parameters: list[tuple[str, TensorId]]
    """Its own parameters, by the names that it has for them."""


class StepError(TypedDict):
    """An exception."""

    type: str
    """The name of its class."""
    message: str
    """Its text, at most 2,000 characters of it."""


class Gap(TypedDict):
    """Steps that were not kept."""

    rounds: tuple[int, int] | None
    """The first and the last round that they are part of, counted from 1; null where the log has no rounds."""
    steps: int | None
    """How many steps there were; null if they were not counted."""


class Step(TypedDict):
    """One thing that happened. Optional fields that hold nothing are left out."""

    kind: StepKind
    """`create`: a tensor was made from outside data. `op`: an operator allocated its result. `view`: an operator made another tensor on the
    same storage. `write`: an in-place change. `backward`: a backward call; its nodes follow. `node`: a backward node ran. `accumulate`: a
    `.grad` received a gradient. `grad`: the user assigned or zeroed a `.grad`. `mark`: the user changed whether a tensor requires grad, or
    retains it. `error`: the cell raised. `gap`: it stands for steps of a long
    run that were not kept; it has what they wrote and changed, in sum."""
    line: Line | None
    """The innermost line of the cell that ran; null if none did."""
    span: Span | None
    """The expression of the cell that ran: line, column, end line, end column. Columns count characters from 0; the end is exclusive."""
    call: NotRequired[CallId]
    """The innermost place in user code, if that is in a function: of the cell, of another cell or of a file."""
    layer_call: NotRequired[LayerCallId]
    """The innermost call of a module in whose forward an operator ran."""
    op: str
    """The name that a user would type: `mul`, `mul_`, `__getitem__`, `detach`, `data`, `backward`; `outside` for a write that was found
    afterwards. For a node its name."""
    text: str
    """A sentence for a learner."""
    reads: NotRequired[list[TensorId]]
    """The tensors that were read."""
    makes: NotRequired[list[TensorId]]
    """The tensors that were made."""
    writes: NotRequired[list[Write]]
    """The in-place writes."""
    changes: NotRequired[list[Change]]
    """What changed about tensors besides their elements."""
    node: NotRequired[NodeId]
    """The node that this operator made, or that ran."""
    backward_call: NotRequired[int]
    """Which backward call this belongs to, counted from 0."""
    grads_in: NotRequired[list[Value | None]]
    """`node`: the gradients that arrived, one for each output of the node. `backward`: those that it started with."""
    grads_out: NotRequired[list[Value | None]]
    """`node`: the gradients that it sent, one for each entry of `next_functions`, in the shape and dtype of what they are for."""
    roots: NotRequired[list[TensorId]]
    """`backward`: the tensors at which it started."""
    grad: NotRequired[GradUpdate]
    """`accumulate` and `grad`: what happened to the `.grad`."""
    frees: NotRequired[list[NodeId]]
    """The nodes whose saved tensors this step freed."""
    gap: NotRequired[Gap]
    """`gap`: which steps are missing."""
    updates: NotRequired[list[GradUpdate]]
    """`gap`: what happened to the `.grad` of tensors, in sum."""
    index_map: NotRequired[IndexMap]
    """What an index operator, or the node of its backward, moved where."""
    error: NotRequired[StepError]
    """`error`: what was raised."""


class SwitchedLayer(TypedDict):
    """A dropout or batch norm layer: `train()` and `eval()` change what it computes."""

    name: str
    """What code calls it, such as `net[2]`."""
    type: str
    """The name of its class."""
    training: bool
    """Whether it was in training mode when it was last seen."""
    running_mean: TensorId | None
    """The running mean of a batch norm."""


class UnlistedTensors(TypedDict):
    """An attribute of a module that `parameters()` leaves out, although it holds leaves that require grad."""

    name: str
    """What code calls it, such as `net.layers`."""
    kind: Attribute
    """What it is."""
    layers: bool
    """Whether there are layers in it."""
    parameters: list[TensorId]
    """The leaves in it that the module does not list."""


class TraceModule(TypedDict):
    """A module that a variable held, as it was when it was last seen. Layers of a module are not listed by themselves."""

    name: str
    """What code calls it."""
    type: str
    """The name of its class."""
    met_step: StepNumber
    """The last step before it was met."""
    parameters: list[TensorId]
    """What its `parameters()` gives."""
    training: bool | None
    """Whether it was in training mode in the end; null if it was gone by then."""
    unlisted: list[UnlistedTensors]
    """What its `parameters()` leaves out."""
    switched: list[SwitchedLayer]
    """The dropout and batch norm layers in it."""


class TraceOptimizer(TypedDict):
    """An optimizer that a variable held, as it was when it was last seen."""

    name: str
    """What code calls it."""
    type: str
    """The name of its class."""
    met_step: StepNumber
    """The last step before it was met."""
    parameters: list[TensorId]
    """The tensors that it changes."""
    rates: list[float]
    """The learning rate of each group, as far as they are finite numbers."""
    maximize: bool
    """Whether it maximizes."""
    stepped: NotRequired[list[tuple[CallId | None, Span | None]]]
    """From where it was asked for steps, by the user's code or a framework that this code called: the call, or the expression of the cell."""


class CodeEdit(TypedDict):
    """A text of the user's that becomes another one."""

    file: str
    """The cell or file in which it stands; empty for the cell of the trace."""
    span: list[int]
    """Where: first line, column, last line, column behind. Lines are counted from 1, columns in characters from 0."""
    text: str
    """What stands there then."""


class Note(TypedDict):
    """What `%why` found in the trace. There are at most 100, the gravest."""

    step: StepNumber
    """The step that it is about."""
    code: str
    """Which mistake it is: a heading of docs/mistakes.md; `recorder-failed` if a part of the trace is missing because of a bug in jgrad, `not-followed` if
    something ran that can't be seen."""
    severity: Severity
    """How grave it is."""
    text: str
    """The mistake and its repair, in sentences."""
    tensors: list[TensorId]
    """The tensors that it is about."""
    lines: list[Line]
    """The lines that it is about."""
    edits: NotRequired[list[CodeEdit]]
    """The repair as edits, where they can be made for certain. They were not tried."""


class Part(TypedDict):
    """A part of a sentence."""

    kind: PartKind
    """`text`: words. `code`: what one could type. `number`: a value of a gradient. `line`: a line of code, as one names it."""
    text: str
    """What it says."""
    line: NotRequired[Line]
    """`line`: the line, if it is one of the cell."""
    there: NotRequired[tuple[SourceId, int]]
    """`line`: the source and the line, if it is one of another cell or file."""
    cursor: NotRequired[int]
    """`line`: where the cursor shows what happened there: after so many steps."""
    aside: NotRequired[bool]
    """`line`: whether it is no word of the sentence, but stands beside it: "(line 3)"."""


class Diagnosis(TypedDict):
    """What is to be said of the trace at first: what `%why` says without an argument, in short. Without a mistake, what the cell did."""

    code: str
    """Which mistake it is, as in `notes`; nothing without a mistake."""
    severity: Severity
    """How grave it is; `info` without a mistake."""
    step: StepNumber | None
    """The step that it is about; null if it is about all."""
    headline: list[Part]
    """One sentence."""
    more: list[Part]
    """What else is to be said: sentences; none if the headline says it all."""
    repair: list[Part]
    """What to do: sentences."""
    proposes: list[str]
    """The statements in `repair`, to be copied."""
    error: str | None
    """What was raised: the class and the message."""


class Truncation(TypedDict):
    """How much of a log that was too long is in the document."""

    kept_steps: int
    """How many steps are in the document."""
    seen_steps: int
    """How many steps were seen. Most steps of a long run are not counted."""


class Losses(TypedDict):
    """The losses of the rounds, as far as backward calls began at one place. Of several calls in a round the mean, of LBFGS the first."""

    line: Line | None
    """The line of that place."""
    figures: Bfloat16s
    """A figure per round: the upper halves of four-byte floats, rounded, little-endian and in base64, so with an error of at most 0.4 percent.
    Two bytes with all bits set mean that there is no figure."""


class ParameterFigures(TypedDict):
    """The figures of a parameter: a leaf that got gradients. A figure is nan if an element is nan, else infinite if one is infinite."""

    tensor: TensorId | None
    """The tensor, if it is in the document. If a round makes it anew, it is that of the first round."""
    name: str
    """What the user called it; "parameter 3" if that is not known."""
    shape: list[int]
    """Its shape."""
    gradient: Bfloat16s
    """The 2-norm of its `.grad`, per round: after the optimizer's step or, without optimizer, after `backward()`."""
    update: Bfloat16s
    """The 2-norm of what the round added to its value. Above 16,384 elements it is estimated from a part of them."""
    value: Bfloat16s
    """The 2-norm of its value at the end of the round."""
    gradient_not_finite: list[tuple[int, int, int, int]]
    """The rounds with nan or infinite elements in its gradient: first round, last round, and how many elements are nan and infinite in each of
    these rounds. At most 200 entries."""
    value_not_finite: list[tuple[int, int, int, int]]
    """The same for its value."""
    moved: NotRequired[tuple[float, float]]
    """The 2-norm of its value when it was first seen, and that of what all rounds together added to it. Above 16,384 elements they are estimated
    from a part of them."""


class Objective(TypedDict):
    """A loss that compares predictions with targets, by operator and place, and what its targets were in the rounds that were recorded. Shares are
    of the elements that were looked at."""

    op: str
    """`cross_entropy`, `nll_loss`, `mse_loss`, `binary_cross_entropy` and so on, also if it is written by hand."""
    line: Line | None
    """The line of that place."""
    calls: int
    """How often it was computed."""
    roots: float
    """The share of backward calls that began at it, or at a multiple of it."""
    constant: float | None
    """The loss of the best prediction that is the same for all samples: by the frequencies of the labels, the mean of the targets or their
    median. Null if it is not known."""
    width: NotRequired[int]
    """Among how many classes it decides."""
    labels: NotRequired[list[tuple[int, int]]]
    """The labels and how often they were met."""
    batches: NotRequired[tuple[float, float]]
    """How many different labels a call has on average, and how many it would have if they were drawn at random."""
    targets: NotRequired[tuple[float, float, float]]
    """The least target, the largest, and the root of the mean of the squares."""
    outside: NotRequired[tuple[float, float, float]]
    """The shares of the targets that are below 0, outside of 0 to 1, and outside of -1 to 1."""
    one_hot: NotRequired[float]
    """The share of rows of targets that have a single 1 and zeros."""
    wrong_sums: NotRequired[float]
    """The share of rows of probabilities whose sum is not 1."""
    unnormalized: NotRequired[float]
    """How far the logarithms of probabilities, as it got them, are from adding up to 1: 0 for the results of `log_softmax`."""


class Weight(TypedDict):
    """A layer with weights, and what came into it."""

    parameter: int
    """The weight, by its position in `parameters`."""
    first: bool
    """Whether its input was computed from no parameter."""
    inputs: float | None
    """The root of the mean square of its inputs in rounds, the median of those that were looked at."""
    evaluated: float | None
    """The same where gradients were not recorded."""
    inside: int
    """From how many numbers a unit is computed."""
    units: int
    """How many units it has."""
    alike: bool
    """Whether all units had the same weights at first, other than 0."""
    spread: float
    """The standard deviation of the weights at first, times the root of `inside`."""


class Activation(TypedDict):
    """The outputs of an activation at a place."""

    op: str
    """`relu`, `sigmoid` or `tanh`."""
    line: Line | None
    """The line of that place."""
    units: int
    """How many units it has."""
    dead: float | None
    """The share of units of a relu that gave 0 for all samples of the last tenth of the rounds; null for the others."""
    flat: tuple[float, float] | None
    """The share of outputs of a sigmoid or tanh beyond 0.99, in the first round and in the last; null for a relu."""
    spread: float
    """The standard deviation over the samples of the last round, the mean over the units."""


class Dropout(TypedDict):
    """A dropout at a place."""

    line: Line | None
    """The line of that place."""
    drops: float
    """The probability with which it drops an element."""


class Narrow(TypedDict):
    """A softmax over a dimension of size 1, all results of which are 1."""

    op: str
    """`softmax` or `log_softmax`."""
    line: Line | None
    """The line of that place."""
    calls: int
    """How often it was called."""


class RemarkableRound(TypedDict):
    """The first round in which something happened."""

    round: int
    """The round, counted from 1."""
    late: NotRequired[int]
    """It may have been in one of so many rounds before: in these, only a sample of a large gradient was read."""
    what: Remarkable
    """`loss-not-finite`: a loss is nan or infinite. `gradient-not-finite`: an element of a gradient is. `gradient-zero`: all gradients are 0.
    `gradient-jump`: the norm of all gradients is 100 times what it was before. `other-parameters`: others than before have a `.grad`."""


class Vanished(TypedDict):
    """Where gradients have vanished: all parameters of some layers have less than a hundred thousandth of the largest gradient, round after round."""

    parameters: list[int]
    """The parameters, by their position in `parameters`."""
    rounds: tuple[int, int]
    """The first and the last round. In a long run they are known to about half a percent of the rounds."""
    zero: bool
    """Whether the gradients are 0."""


class Noticed(TypedDict):
    """A sentence of what stands out."""

    severity: Severity
    """How grave it is."""
    text: str
    """The sentence, with its numbers."""
    round: int
    """The round that it is about, counted from 1."""


class Rate(TypedDict):
    """From a round on, parameters of an optimizer have this learning rate."""

    round: int
    """The first round with it."""
    optimizer: int
    """Which one, in the order in which they made their first steps. One takes the number of one that is gone."""
    group: int
    """Which of its parameter groups."""
    rate: float
    """The learning rate."""


class Rounds(TypedDict):
    """The rounds of a training loop, and a few figures of each. A round ends with an optimizer's step; without an optimizer, when `backward()` is
    called again at the same place. `jgrad/tracing/record/rounds.py` has the exact rule. Rounds count from 1."""

    total: int
    """How many rounds there were."""
    kept: list[tuple[int, StepNumber, int]]
    """The rounds that are in the document in full: the round, its first step, and the step after its last one."""
    bin: int
    """How many rounds a figure stands for: 1, or more in a very long run. Then a list of figures holds the figure of the first round of each
    bin, after those the least of each bin, then the largest."""
    losses: list[Losses]
    """The losses, by place."""
    parameters: list[ParameterFigures]
    """The figures of each parameter."""
    remarkable: list[RemarkableRound]
    """The first rounds in which something happened, in order."""
    rates: NotRequired[list[Rate]]
    """The first learning rates, and each change; of more than 256 changes some."""
    vanished: NotRequired[list[Vanished]]
    """Where gradients have vanished; at most three places."""
    noticed: NotRequired[list[Noticed]]
    """What to look at, the gravest first."""
    objectives: NotRequired[list[Objective]]
    """The losses that compare predictions with targets."""
    weights: NotRequired[list[Weight]]
    """The layers with weights, in the order in which they were first used."""
    activations: NotRequired[list[Activation]]
    """The activations, in the order in which they were first used."""
    dropouts: NotRequired[list[Dropout]]
    """The dropouts."""
    narrow: NotRequired[list[Narrow]]
    """Softmaxes over a dimension of size 1."""


class TraceDocument(TypedDict):
    """What happened while a cell ran."""

    schema: str
    """The version of this description: `jgrad-trace/2`."""
    name: str
    """What the user called the trace, or `cell 3` by the cell's execution count."""
    library: NotRequired[str]
    """The library that the cell used, if it is not jgrad: `torch`. Sentences name it."""
    source: list[str]
    """The lines of the cell, also that with `%%trace`. Line numbers count them from 1."""
    file: NotRequired[str]
    """The file that these lines are in, if it is not a cell: `train.py`."""
    first: NotRequired[int]
    """The number of the first of them in the file; 1 if it is not there."""
    sources: NotRequired[list[Excerpt]]
    """The functions of other cells and of files that ran."""
    calls: NotRequired[list[Call]]
    """The places in functions that steps came from; a call comes after its caller."""
    layers: NotRequired[list[TraceLayer]]
    """The modules whose forward ran operators, in the order in which they did."""
    layer_calls: NotRequired[list[tuple[LayerId, LayerCallId | None]]]
    """Their calls: the module, and the call of another one within which it was called. A call comes after that one."""
    storages: list[TraceStorage]
    """The storages, in the order in which they were first seen."""
    tensors: list[TraceTensor]
    """The tensors, likewise."""
    nodes: list[TraceNode]
    """The backward nodes, likewise. Of those made before the cell at most 500 are listed."""
    steps: list[Step]
    """What happened, in order."""
    notes: list[Note]
    """What `%why` found."""
    diagnosis: NotRequired[Diagnosis]
    """What is to be said at first."""
    modules: NotRequired[list[TraceModule]]
    """The modules that variables held."""
    optimizers: NotRequired[list[TraceOptimizer]]
    """The optimizers that variables held."""
    truncated: Truncation | None
    """Set if the log was cut because it was longer than `--max-steps` or larger than 3.5 MB."""
    rounds: NotRequired[Rounds]
    """The rounds of a training loop, if there are at least four."""
