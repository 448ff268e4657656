/** The types of the trace document. Written by `python -m tests.document.schema_files` from jgrad/tracing/document/schema.py. */

export const SCHEMA = "jgrad-trace/2";

export type Origin = "create" | "op" | "view" | "detach" | "data" | "copy" | "numpy";

export type StepKind =
  | "create"
  | "op"
  | "view"
  | "write"
  | "backward"
  | "node"
  | "accumulate"
  | "grad"
  | "mark"
  | "error"
  | "gap";

export type GradAction = "add" | "set" | "none" | "zero";

export type Severity = "info" | "warning" | "error";

export type PartKind = "text" | "code" | "number" | "line";

export type Problem = "missing" | "changed";

export type Attribute = "list" | "tuple" | "dict" | "tensor";

export type Remarkable =
  | "loss-not-finite"
  | "gradient-not-finite"
  | "gradient-zero"
  | "gradient-jump"
  | "other-parameters";

/** What a large storage holds, as at most 100 bands of equal size from its start to its end. */
export interface Bands {
  /** How many elements a band has; the last one may have fewer. */
  size: number;
  /** 1: all elements were read; k: every k-th of them. */
  step: number;
  /**
   * The mean of each band: nan if one of its elements is nan, infinite if one is infinite. Of complex
   * numbers, the mean of their magnitudes.
   */
  means: string;
  /** The least of the elements that were read, of those that are finite; null if there is none. */
  least: string | null;
  /** The largest of them. */
  largest: string | null;
}

/**
 * The elements of a storage, in the order of memory. Up to 64 elements all are kept; of more, the first 24
 * and the last 24; on the device meta, which has no elements, none. A saved notebook keeps fewer of most
 * rounds.
 */
export interface Contents {
  /** How many elements the storage has. */
  numel: number;
  /** The elements that are kept, as PyTorch prints them. */
  elements: string[];
  /** How many of `elements` are from the start of the storage. */
  head: number;
  /** How many of `elements` are from its end. They follow those from the start. */
  tail: number;
  /** All of a storage with more than 64 elements, in short. */
  bands?: Bands;
}

/** The value of a gradient. */
export interface Value {
  /** Its shape. */
  shape: number[];
  /** Its dtype, such as `float32`. */
  dtype: string;
  /**
   * The elements in row-major order, as PyTorch prints them; null above 64 elements and for an example of a
   * batch under `vmap`.
   */
  elements: string[] | null;
  /**
   * The 2-norm of the elements that are not nan; null if it is infinite or there is no such element; left
   * out for booleans and complex numbers.
   */
  norm?: number | null;
  /** How many elements are nan, if any are. */
  nan_count?: number;
  /** How many elements are infinite, if any are. */
  inf_count?: number;
}

/** One flat buffer of memory. */
export interface TraceStorage {
  /** Its position in `storages`. On screen the first storage is "storage 1". */
  id: number;
  /** Its size in bytes. */
  nbytes: number;
  /** The size of an element in bytes. */
  itemsize: number;
  /** The dtype of the first tensor that was seen on it. */
  dtype: string;
  /** Where the memory is, such as `cpu` or `cuda:0`. */
  device: string;
  /** How many elements of `itemsize` bytes it has. */
  numel: number;
  /** The step that created it. */
  created_step: number;
  /** The first step that no longer saw it. */
  freed_step: number | null;
  /** Its contents when it was first seen. Later contents are in the `writes` of steps. */
  contents: Contents;
}

/** A tensor as it was when it was first seen. The `changes` of later steps update it. */
export interface TraceTensor {
  /** Its position in `tensors`. */
  id: number;
  /** The storage that it looks at. */
  storage: number;
  /** Its shape. */
  shape: number[];
  /** Its strides, in elements. */
  stride: number[];
  /** Where in the storage it begins, in elements of its own dtype. */
  storage_offset: number;
  /** Its dtype. */
  dtype: string;
  /** Its device. */
  device: string;
  /**
   * Which version counter it has. A base, its views and its `detach()` share one; `.data` and `clone()` have
   * one of their own.
   */
  version_counter: number;
  /** The number on its version counter when it was first seen. */
  version: number;
  /** The tensor that it is a view of. */
  base: number | null;
  /** The step that created it. */
  created_step: number;
  /** The first step that no longer saw it. */
  freed_step: number | null;
  /**
   * What the user's variables called it, since which step: `x`, `xs[0]`, `model.weight`, `a.grad`. An empty
   * name ends the one before. Of several names at a time only the first is listed.
   */
  names: [number, string][];
  /** PyTorch's `is_leaf`. */
  is_leaf: boolean;
  /** PyTorch's `requires_grad`. */
  requires_grad: boolean;
  /** PyTorch's `retains_grad`. */
  retains_grad: boolean;
  /** The node that computes its gradient. */
  grad_fn: number | null;
  /** Which output of `grad_fn` it is. */
  output_nr: number;
  /**
   * How it came about: `create` from data outside of the engine, `op` by an operator that allocated memory,
   * `view`, `detach`, `data` (`x.data`), `copy` (`copy.copy`), `numpy` if it is no tensor but a NumPy array,
   * which `%storage` shows.
   */
  origin: Origin;
}

/** A tensor that a node keeps for its backward. */
export interface SavedTensor {
  /** Its name in the derivative, such as `other`. */
  name: string;
  /** The tensor, if it was seen. */
  tensor: number | null;
  /** The number on its version counter when it was saved. */
  version: number;
}

/** A backward node. */
export interface TraceNode {
  /** Its position in `nodes`. */
  id: number;
  /**
   * PyTorch's name of it, such as `MulBackward0`. "189998 nodes" stands for so many that were made while
   * nothing was recorded, and leads to what they lead to.
   */
  name: string;
  /** The derivative for each input, as one would write it by hand: `{"self": "grad * other"}`. */
  formulas: Record<string, string>;
  /**
   * The same in the words of the program, one for each input: `["∂y/∂a = b", ""]`; what is no product as `a:
   * grad @ b.T`. It is empty where no gradient is needed and where the source is not known or leaves a
   * doubt.
   */
  derivatives?: string[];
  /**
   * Where it sends the gradient of each input: a node and the number of that node's output; null where no
   * gradient is needed.
   */
  next_functions: [number | null, number][];
  /** The tensors that it keeps for its backward. */
  saved: SavedTensor[];
  /** The step that created it. */
  created_step: number;
  /** The step that freed its saved tensors. */
  freed_step: number | null;
  /** The leaf, if this is an AccumulateGrad. */
  variable: number | null;
  /** The line of the source that made it. */
  line: number | null;
  /**
   * The hooks of the node and of the tensors that it computed, such as `hook (line 3)`, since the step at
   * which a backward call, or the end, found them.
   */
  hooks?: [number, string][];
}

/** An in-place write. */
export interface Write {
  /** The tensor that was written to. */
  tensor: number;
  /** Its storage. */
  storage: number;
  /** Its version counter. */
  version_counter: number;
  /**
   * The numbers on the version counter before and after. They are equal where the counter does not count:
   * for batch statistics, and for a write from outside, such as by a NumPy array that shares the memory.
   */
  versions: [number, number];
  /** How many elements the tensor has; 0 if this only counts as a write, as `x.t_()` does. */
  numel: number;
  /**
   * The elements of the storage whose values changed; null above 256 of them or where the storage has more
   * than 4,096 elements.
   */
  changed_elements: number[] | null;
  /** The contents of the storage after the write. */
  contents: Contents;
}

/**
 * What a step changed about a tensor besides its elements: the fields of the tensor with their new values.
 */
export interface Change {
  tensor: number;
  requires_grad?: boolean;
  is_leaf?: boolean;
  grad_fn?: number | null;
  retains_grad?: boolean;
  shape?: number[];
  stride?: number[];
  storage_offset?: number;
  storage?: number;
  dtype?: string;
}

/** A gradient that arrived at a leaf along one edge of the graph. */
export interface Contribution {
  /** The node that sent it. */
  node: number;
  /** The position of the edge in that node's `next_functions`. */
  edge: number;
  /** The gradient. */
  value: Value;
}

/** What happened to the `.grad` of a tensor. */
export interface GradUpdate {
  /** The tensor whose `.grad` it is. */
  tensor: number;
  /**
   * `add`: `backward()` added to it; `set`: it was assigned or written to; `none`: it was set to None;
   * `zero`: it was zeroed in place.
   */
  action: GradAction;
  /** `.grad` before the step. */
  before: Value | null;
  /** What was added, if `action` is `add`. */
  added: Value | null;
  /** `.grad` after the step. */
  after: Value | null;
  /** The gradients that arrived, whose sum `added` is unless a hook changed it. */
  contributions: Contribution[];
}

/** A tensor, or the part of a large one that is kept, as the grid of its elements. */
export interface Grid {
  /** The tensor, if it was seen. */
  tensor: number | null;
  /** What the program calls it, or the name of the argument: `self`, `index`, `src`. */
  name: string;
  /** What to call it on screen, if not by its name. */
  title?: string;
  /** The shape of the whole tensor. */
  shape: number[];
  /** The coordinates along each dimension that are kept of a large tensor; left out if all are. */
  kept?: number[][];
  /** The elements that are kept, in row-major order. */
  elements: string[];
}

/**
 * What an index operator (`scatter_`, `gather`, `x[index]`, ...) moved from which cell to which, so that no
 * reader needs to know the operators. Cells are numbered in row-major order. Above 600 moves a window of
 * them is kept.
 */
export interface IndexMap {
  /** The function or expression that the program called, or the operator. */
  op: string;
  /** Its argument `dim`. */
  dim: number | null;
  /**
   * How values that meet in a cell are combined: `sum`, `prod`, `amax`, ...; null: they replace each other.
   */
  reduce: string | null;
  /** Whether the index says where to read; otherwise it says where to write. */
  gathers: boolean;
  /** Whether PyTorch leaves open which of several values that meet in a cell stays. */
  undefined_order: boolean;
  /** The rule with letters: `self[index[i][j]][j] = src[i][j]`. */
  rule: string;
  /** What the operator does, in words. */
  description: string;
  /** How many moves, collisions and untouched cells there are, in words. */
  summary: string;
  /** The rule of the derivative, if the result requires grad. */
  backward_rule?: string;
  /** How a cell takes a value: `=`, `+=`, `*=`, `max=`. */
  assignment: string;
  /** What a value is multiplied with first: `2 * ` or nothing. */
  factor: string;
  /**
   * The dimensions that the index arrays replace: [] for a mask, null where cells are counted in row-major
   * order.
   */
  indexed_dims: number[] | null;
  /** The index arrays. */
  indices: Grid[];
  /** Where values come from; null if it is a number. */
  source: Grid | null;
  /** The number, if there is no `source`. */
  value: string | null;
  /** The target before the operator ran, if it is known. */
  before: Grid | null;
  /** Where values go, as it is afterwards. */
  target: Grid;
  /** For each move that is kept: the cell of the index, of the source and of the target. */
  moves: number[][];
  /** What the target of each move holds afterwards. */
  results: string[];
  /** How many moves go to each kept cell of `target`; -1 if nobody counted. */
  target_counts: number[];
  /** How many moves come from each kept cell of `source`; -1 if nobody counted. */
  source_counts: number[];
  /** How many moves there are, with those that are not kept. */
  total_moves: number;
  /** If this is the map of a backward node: the step of the operator. */
  forward_step?: number;
  /** If this is the map of a backward node: whether values that were overwritten get no gradient. */
  drops_overwritten?: boolean;
}

/** Lines of user code outside of the cell: functions of another cell or file that ran. */
export interface Excerpt {
  /**
   * What it is called, as the user sees it: `cell 4`, `model.py`; `<string>` for code that was compiled from
   * a text.
   */
  name: string;
  /** The number of its first line in that cell or file. */
  first: number;
  /** The lines; none if there is a problem. */
  lines: string[];
  /**
   * Why there are no lines. `missing`: there is no source, as of code that was compiled from a text.
   * `changed`: the source is not the one from which the function was made.
   */
  problem?: Problem;
}

/**
 * A place in user code that a step came from, with the calls that led there. Steps that came the same way
 * share it.
 */
export interface Call {
  /**
   * The function that it is in, by its qualified name, such as `Net.forward`; `<module>` outside of
   * functions.
   */
  function: string;
  /** The source that it is in; null for the cell itself. */
  source: number | null;
  /** Its line, counted as in its cell or file. */
  line: number;
  /** The expression there: line, column, end line, end column; null if the source is not known. */
  span: [number, number, number, number] | null;
  /** The place that called the function; null for the outermost. */
  caller: number | null;
  /** Whether the function had been redefined, and this is the older definition. */
  older?: boolean;
}

/** A module whose forward ran. */
export interface TraceLayer {
  /**
   * What code calls it, such as `model.blocks[0].q`. Empty if no variable held it, or the model that it is
   * part of.
   */
  name: string;
  /** The name of its class. */
  type: string;
  /**
   * The arguments that say what it is, such as `32, 64` of a `Linear`. Empty for classes of the user's own.
   */
  arguments: string;
  /** Its own parameters, by the names that it has for them. */
  parameters: [string, number][];
}

/** An exception. */
export interface StepError {
  /** The name of its class. */
  type: string;
  /** Its text, at most 2,000 characters of it. */
  message: string;
}

/** Steps that were not kept. */
export interface Gap {
  /** The first and the last round that they are part of, counted from 1; null where the log has no rounds. */
  rounds: [number, number] | null;
  /** How many steps there were; null if they were not counted. */
  steps: number | null;
}

/** One thing that happened. Optional fields that hold nothing are left out. */
export interface Step {
  /**
   * `create`: a tensor was made from outside data. `op`: an operator allocated its result. `view`: an
   * operator made another tensor on the same storage. `write`: an in-place change. `backward`: a backward
   * call; its nodes follow. `node`: a backward node ran. `accumulate`: a `.grad` received a gradient.
   * `grad`: the user assigned or zeroed a `.grad`. `mark`: the user changed whether a tensor requires grad,
   * or retains it. `error`: the cell raised. `gap`: it stands for steps of a long run that were not kept; it
   * has what they wrote and changed, in sum.
   */
  kind: StepKind;
  /** The innermost line of the cell that ran; null if none did. */
  line: number | null;
  /**
   * The expression of the cell that ran: line, column, end line, end column. Columns count characters from
   * 0; the end is exclusive.
   */
  span: [number, number, number, number] | null;
  /**
   * The innermost place in user code, if that is in a function: of the cell, of another cell or of a file.
   */
  call?: number;
  /** The innermost call of a module in whose forward an operator ran. */
  layer_call?: number;
  /**
   * The name that a user would type: `mul`, `mul_`, `__getitem__`, `detach`, `data`, `backward`; `outside`
   * for a write that was found afterwards. For a node its name.
   */
  op: string;
  /** A sentence for a learner. */
  text: string;
  /** The tensors that were read. */
  reads?: number[];
  /** The tensors that were made. */
  makes?: number[];
  /** The in-place writes. */
  writes?: Write[];
  /** What changed about tensors besides their elements. */
  changes?: Change[];
  /** The node that this operator made, or that ran. */
  node?: number;
  /** Which backward call this belongs to, counted from 0. */
  backward_call?: number;
  /**
   * `node`: the gradients that arrived, one for each output of the node. `backward`: those that it started
   * with.
   */
  grads_in?: (Value | null)[];
  /**
   * `node`: the gradients that it sent, one for each entry of `next_functions`, in the shape and dtype of
   * what they are for.
   */
  grads_out?: (Value | null)[];
  /** `backward`: the tensors at which it started. */
  roots?: number[];
  /** `accumulate` and `grad`: what happened to the `.grad`. */
  grad?: GradUpdate;
  /** The nodes whose saved tensors this step freed. */
  frees?: number[];
  /** `gap`: which steps are missing. */
  gap?: Gap;
  /** `gap`: what happened to the `.grad` of tensors, in sum. */
  updates?: GradUpdate[];
  /** What an index operator, or the node of its backward, moved where. */
  index_map?: IndexMap;
  /** `error`: what was raised. */
  error?: StepError;
}

/** A dropout or batch norm layer: `train()` and `eval()` change what it computes. */
export interface SwitchedLayer {
  /** What code calls it, such as `net[2]`. */
  name: string;
  /** The name of its class. */
  type: string;
  /** Whether it was in training mode when it was last seen. */
  training: boolean;
  /** The running mean of a batch norm. */
  running_mean: number | null;
}

/** An attribute of a module that `parameters()` leaves out, although it holds leaves that require grad. */
export interface UnlistedTensors {
  /** What code calls it, such as `net.layers`. */
  name: string;
  /** What it is. */
  kind: Attribute;
  /** Whether there are layers in it. */
  layers: boolean;
  /** The leaves in it that the module does not list. */
  parameters: number[];
}

/**
 * A module that a variable held, as it was when it was last seen. Layers of a module are not listed by
 * themselves.
 */
export interface TraceModule {
  /** What code calls it. */
  name: string;
  /** The name of its class. */
  type: string;
  /** The last step before it was met. */
  met_step: number;
  /** What its `parameters()` gives. */
  parameters: number[];
  /** Whether it was in training mode in the end; null if it was gone by then. */
  training: boolean | null;
  /** What its `parameters()` leaves out. */
  unlisted: UnlistedTensors[];
  /** The dropout and batch norm layers in it. */
  switched: SwitchedLayer[];
}

/** An optimizer that a variable held, as it was when it was last seen. */
export interface TraceOptimizer {
  /** What code calls it. */
  name: string;
  /** The name of its class. */
  type: string;
  /** The last step before it was met. */
  met_step: number;
  /** The tensors that it changes. */
  parameters: number[];
  /** The learning rate of each group, as far as they are finite numbers. */
  rates: number[];
  /** Whether it maximizes. */
  maximize: boolean;
  /**
   * From where it was asked for steps, by the user's code or a framework that this code called: the call, or
   * the expression of the cell.
   */
  stepped?: [number | null, [number, number, number, number] | null][];
}

/** A text of the user's that becomes another one. */
export interface CodeEdit {
  /** The cell or file in which it stands; empty for the cell of the trace. */
  file: string;
  /**
   * Where: first line, column, last line, column behind. Lines are counted from 1, columns in characters
   * from 0.
   */
  span: number[];
  /** What stands there then. */
  text: string;
}

/** What `%why` found in the trace. There are at most 100, the gravest. */
export interface Note {
  /** The step that it is about. */
  step: number;
  /**
   * Which mistake it is: a heading of docs/mistakes.md; `recorder-failed` if a part of the trace is missing
   * because of a bug in jgrad, `not-followed` if something ran that can't be seen.
   */
  code: string;
  /** How grave it is. */
  severity: Severity;
  /** The mistake and its repair, in sentences. */
  text: string;
  /** The tensors that it is about. */
  tensors: number[];
  /** The lines that it is about. */
  lines: number[];
  /** The repair as edits, where they can be made for certain. They were not tried. */
  edits?: CodeEdit[];
}

/** A part of a sentence. */
export interface Part {
  /**
   * `text`: words. `code`: what one could type. `number`: a value of a gradient. `line`: a line of code, as
   * one names it.
   */
  kind: PartKind;
  /** What it says. */
  text: string;
  /** `line`: the line, if it is one of the cell. */
  line?: number;
  /** `line`: the source and the line, if it is one of another cell or file. */
  there?: [number, number];
  /** `line`: where the cursor shows what happened there: after so many steps. */
  cursor?: number;
  /** `line`: whether it is no word of the sentence, but stands beside it: "(line 3)". */
  aside?: boolean;
}

/**
 * What is to be said of the trace at first: what `%why` says without an argument, in short. Without a
 * mistake, what the cell did.
 */
export interface Diagnosis {
  /** Which mistake it is, as in `notes`; nothing without a mistake. */
  code: string;
  /** How grave it is; `info` without a mistake. */
  severity: Severity;
  /** The step that it is about; null if it is about all. */
  step: number | null;
  /** One sentence. */
  headline: Part[];
  /** What else is to be said: sentences; none if the headline says it all. */
  more: Part[];
  /** What to do: sentences. */
  repair: Part[];
  /** The statements in `repair`, to be copied. */
  proposes: string[];
  /** What was raised: the class and the message. */
  error: string | null;
}

/** How much of a log that was too long is in the document. */
export interface Truncation {
  /** How many steps are in the document. */
  kept_steps: number;
  /** How many steps were seen. Most steps of a long run are not counted. */
  seen_steps: number;
}

/**
 * The losses of the rounds, as far as backward calls began at one place. Of several calls in a round the
 * mean, of LBFGS the first.
 */
export interface Losses {
  /** The line of that place. */
  line: number | null;
  /**
   * A figure per round: the upper halves of four-byte floats, rounded, little-endian and in base64, so with
   * an error of at most 0.4 percent. Two bytes with all bits set mean that there is no figure.
   */
  figures: string;
}

/**
 * The figures of a parameter: a leaf that got gradients. A figure is nan if an element is nan, else infinite
 * if one is infinite.
 */
export interface ParameterFigures {
  /** The tensor, if it is in the document. If a round makes it anew, it is that of the first round. */
  tensor: number | null;
  /** What the user called it; "parameter 3" if that is not known. */
  name: string;
  /** Its shape. */
  shape: number[];
  /**
   * The 2-norm of its `.grad`, per round: after the optimizer's step or, without optimizer, after
   * `backward()`.
   */
  gradient: string;
  /**
   * The 2-norm of what the round added to its value. Above 16,384 elements it is estimated from a part of
   * them.
   */
  update: string;
  /** The 2-norm of its value at the end of the round. */
  value: string;
  /**
   * The rounds with nan or infinite elements in its gradient: first round, last round, and how many elements
   * are nan and infinite in each of these rounds. At most 200 entries.
   */
  gradient_not_finite: [number, number, number, number][];
  /** The same for its value. */
  value_not_finite: [number, number, number, number][];
  /**
   * The 2-norm of its value when it was first seen, and that of what all rounds together added to it. Above
   * 16,384 elements they are estimated from a part of them.
   */
  moved?: [number, number];
}

/**
 * A loss that compares predictions with targets, by operator and place, and what its targets were in the
 * rounds that were recorded. Shares are of the elements that were looked at.
 */
export interface Objective {
  /**
   * `cross_entropy`, `nll_loss`, `mse_loss`, `binary_cross_entropy` and so on, also if it is written by
   * hand.
   */
  op: string;
  /** The line of that place. */
  line: number | null;
  /** How often it was computed. */
  calls: number;
  /** The share of backward calls that began at it, or at a multiple of it. */
  roots: number;
  /**
   * The loss of the best prediction that is the same for all samples: by the frequencies of the labels, the
   * mean of the targets or their median. Null if it is not known.
   */
  constant: number | null;
  /** Among how many classes it decides. */
  width?: number;
  /** The labels and how often they were met. */
  labels?: [number, number][];
  /**
   * How many different labels a call has on average, and how many it would have if they were drawn at
   * random.
   */
  batches?: [number, number];
  /** The least target, the largest, and the root of the mean of the squares. */
  targets?: [number, number, number];
  /** The shares of the targets that are below 0, outside of 0 to 1, and outside of -1 to 1. */
  outside?: [number, number, number];
  /** The share of rows of targets that have a single 1 and zeros. */
  one_hot?: number;
  /** The share of rows of probabilities whose sum is not 1. */
  wrong_sums?: number;
  /**
   * How far the logarithms of probabilities, as it got them, are from adding up to 1: 0 for the results of
   * `log_softmax`.
   */
  unnormalized?: number;
}

/** A layer with weights, and what came into it. */
export interface Weight {
  /** The weight, by its position in `parameters`. */
  parameter: number;
  /** Whether its input was computed from no parameter. */
  first: boolean;
  /** The root of the mean square of its inputs in rounds, the median of those that were looked at. */
  inputs: number | null;
  /** The same where gradients were not recorded. */
  evaluated: number | null;
  /** From how many numbers a unit is computed. */
  inside: number;
  /** How many units it has. */
  units: number;
  /** Whether all units had the same weights at first, other than 0. */
  alike: boolean;
  /** The standard deviation of the weights at first, times the root of `inside`. */
  spread: number;
}

/** The outputs of an activation at a place. */
export interface Activation {
  /** `relu`, `sigmoid` or `tanh`. */
  op: string;
  /** The line of that place. */
  line: number | null;
  /** How many units it has. */
  units: number;
  /**
   * The share of units of a relu that gave 0 for all samples of the last tenth of the rounds; null for the
   * others.
   */
  dead: number | null;
  /**
   * The share of outputs of a sigmoid or tanh beyond 0.99, in the first round and in the last; null for a
   * relu.
   */
  flat: [number, number] | null;
  /** The standard deviation over the samples of the last round, the mean over the units. */
  spread: number;
}

/** A dropout at a place. */
export interface Dropout {
  /** The line of that place. */
  line: number | null;
  /** The probability with which it drops an element. */
  drops: number;
}

/** A softmax over a dimension of size 1, all results of which are 1. */
export interface Narrow {
  /** `softmax` or `log_softmax`. */
  op: string;
  /** The line of that place. */
  line: number | null;
  /** How often it was called. */
  calls: number;
}

/** The first round in which something happened. */
export interface RemarkableRound {
  /** The round, counted from 1. */
  round: number;
  /**
   * It may have been in one of so many rounds before: in these, only a sample of a large gradient was read.
   */
  late?: number;
  /**
   * `loss-not-finite`: a loss is nan or infinite. `gradient-not-finite`: an element of a gradient is.
   * `gradient-zero`: all gradients are 0. `gradient-jump`: the norm of all gradients is 100 times what it
   * was before. `other-parameters`: others than before have a `.grad`.
   */
  what: Remarkable;
}

/**
 * Where gradients have vanished: all parameters of some layers have less than a hundred thousandth of the
 * largest gradient, round after round.
 */
export interface Vanished {
  /** The parameters, by their position in `parameters`. */
  parameters: number[];
  /** The first and the last round. In a long run they are known to about half a percent of the rounds. */
  rounds: [number, number];
  /** Whether the gradients are 0. */
  zero: boolean;
}

/** A sentence of what stands out. */
export interface Noticed {
  /** How grave it is. */
  severity: Severity;
  /** The sentence, with its numbers. */
  text: string;
  /** The round that it is about, counted from 1. */
  round: number;
}

/** From a round on, parameters of an optimizer have this learning rate. */
export interface Rate {
  /** The first round with it. */
  round: number;
  /**
   * Which one, in the order in which they made their first steps. One takes the number of one that is gone.
   */
  optimizer: number;
  /** Which of its parameter groups. */
  group: number;
  /** The learning rate. */
  rate: number;
}

/**
 * The rounds of a training loop, and a few figures of each. A round ends with an optimizer's step; without
 * an optimizer, when `backward()` is called again at the same place. `jgrad/tracing/record/rounds.py` has
 * the exact rule. Rounds count from 1.
 */
export interface Rounds {
  /** How many rounds there were. */
  total: number;
  /**
   * The rounds that are in the document in full: the round, its first step, and the step after its last one.
   */
  kept: [number, number, number][];
  /**
   * How many rounds a figure stands for: 1, or more in a very long run. Then a list of figures holds the
   * figure of the first round of each bin, after those the least of each bin, then the largest.
   */
  bin: number;
  /** The losses, by place. */
  losses: Losses[];
  /** The figures of each parameter. */
  parameters: ParameterFigures[];
  /** The first rounds in which something happened, in order. */
  remarkable: RemarkableRound[];
  /** The first learning rates, and each change; of more than 256 changes some. */
  rates?: Rate[];
  /** Where gradients have vanished; at most three places. */
  vanished?: Vanished[];
  /** What to look at, the gravest first. */
  noticed?: Noticed[];
  /** The losses that compare predictions with targets. */
  objectives?: Objective[];
  /** The layers with weights, in the order in which they were first used. */
  weights?: Weight[];
  /** The activations, in the order in which they were first used. */
  activations?: Activation[];
  /** The dropouts. */
  dropouts?: Dropout[];
  /** Softmaxes over a dimension of size 1. */
  narrow?: Narrow[];
}

/** What happened while a cell ran. */
export interface TraceDocument {
  /** The version of this description: `jgrad-trace/2`. */
  schema: string;
  /** What the user called the trace, or `cell 3` by the cell's execution count. */
  name: string;
  /** The library that the cell used, if it is not jgrad: `torch`. Sentences name it. */
  library?: string;
  /** The lines of the cell, also that with `%%trace`. Line numbers count them from 1. */
  source: string[];
  /** The file that these lines are in, if it is not a cell: `train.py`. */
  file?: string;
  /** The number of the first of them in the file; 1 if it is not there. */
  first?: number;
  /** The functions of other cells and of files that ran. */
  sources?: Excerpt[];
  /** The places in functions that steps came from; a call comes after its caller. */
  calls?: Call[];
  /** The modules whose forward ran operators, in the order in which they did. */
  layers?: TraceLayer[];
  /**
   * Their calls: the module, and the call of another one within which it was called. A call comes after that
   * one.
   */
  layer_calls?: [number, number | null][];
  /** The storages, in the order in which they were first seen. */
  storages: TraceStorage[];
  /** The tensors, likewise. */
  tensors: TraceTensor[];
  /** The backward nodes, likewise. Of those made before the cell at most 500 are listed. */
  nodes: TraceNode[];
  /** What happened, in order. */
  steps: Step[];
  /** What `%why` found. */
  notes: Note[];
  /** What is to be said at first. */
  diagnosis?: Diagnosis;
  /** The modules that variables held. */
  modules?: TraceModule[];
  /** The optimizers that variables held. */
  optimizers?: TraceOptimizer[];
  /** Set if the log was cut because it was longer than `--max-steps` or larger than 3.5 MB. */
  truncated: Truncation | null;
  /** The rounds of a training loop, if there are at least four. */
  rounds?: Rounds;
}
