"""The rules about errors of operations: shapes, dtypes, indexes and memory; recognised by their words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jgrad.trace.document.syntax import parsed, returns
from jgrad.trace.explain.incident import Incident
from jgrad.trace.explain.rule import RUNTIME, Rule, told


def _out_of_range(incident: Incident) -> Iterator[dict]:
    yield {"last": int(re.findall(r"\d+", incident.message)[-1]) - 1}


def _permuted(incident: Incident) -> Iterator[dict]:
    yield {"maker": incident.maker_of_viewed()}


def _returns_nothing(incident: Incident) -> Iterator[dict]:
    """A module whose forward has no return, where the cell that fails defines one."""
    source = incident.code.split("\n") if incident.log is None else incident.log.source
    classes = [node for node in ast.walk(parsed(source)) if isinstance(node, ast.ClassDef)]
    for kind, method in [(one, statement) for one in classes for statement in one.body]:
        forward = isinstance(method, ast.FunctionDef) and method.name == "forward"
        if forward and not returns(method):
            yield {"name": kind.name, "line": method.lineno}
            return


def _loss_made_of_tensors(incident: Incident) -> Iterator[dict]:
    """nn.MSELoss(output, target) makes a loss with strange settings."""
    for node in ast.walk(parsed(incident.failing().strip().split("\n"))):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        if re.search(r"\b[A-Z]\w*Loss$", called) and isinstance(node, ast.Call) and len(node.args) > 1:
            yield {"loss": called}
            return


OPERATIONS = (
    Rule(
        "dtype-would-be-lost", "error", "an in-place operation gives numbers that its target's dtype can't hold",
        "{lead}{what} gives {given} numbers, and a tensor keeps its dtype when it is written to: {target} can't hold them.",
        "Use the operation that makes a new tensor, or convert the target first, as in x = x.float().",
        told,
        """
n = jgrad.tensor([1, 2, 3])
n.mul_(0.5)
""", """
n = jgrad.tensor([1, 2, 3])
n = n * 0.5
""",
        raised=(RUNTIME, r"result type (?P<given>\w+) can't be cast to the desired output type (?P<target>\w+)"),
    ),
    Rule(
        "shapes-do-not-fit", "error", "an operation on elements meets shapes that do not broadcast",
        "{lead}the shapes do not fit: along dimension {dim} one has {a} elements and the other {b}, and neither is 1.",
        "Compare x.shape and y.shape from the right; add a dimension with x[:, None], or transpose.",
        told,
        """
a = jgrad.ones(2, 3)
b = jgrad.ones(2)
a + b
""", """
a = jgrad.ones(2, 3)
b = jgrad.ones(2)
a + b[:, None]
""",
        raised=(RUNTIME, r"The size of tensor a \((?P<a>\d+)\) must match the size of tensor b \((?P<b>\d+)\) at non-singleton dimension "
                         r"(?P<dim>\d+)"),
    ),
    Rule(
        "target-too-small", "error", "an in-place operation would have to make its target larger",
        "{lead}the result has shape {wide}, but the tensor that {what} writes to has shape {shape}, and writing can't make it larger.",
        "Use the operation that makes a new tensor.",
        told,
        """
a = jgrad.ones(3)
a.add_(jgrad.ones(2, 3))
""", """
a = jgrad.ones(3)
a = a + jgrad.ones(2, 3)
""",
        raised=(RUNTIME, r"output with shape (?P<shape>\[.*?\]) doesn't match the broadcast shape (?P<wide>\[.*?\])"),
    ),
    Rule(
        "matrices-do-not-fit", "error", "a matrix product meets shapes that do not fit",
        "{lead}a matrix of {a} times a matrix of {b}: the columns of the first must be as many as the rows of the second.",
        "Transpose one of them with .T, or check which of the dimensions counts samples.",
        told,
        """
x = jgrad.ones(4, 3)
w = jgrad.ones(2, 3)
x @ w
""", """
x = jgrad.ones(4, 3)
w = jgrad.ones(2, 3)
x @ w.T
""",
        raised=(RUNTIME, r"mat1 and mat2 shapes cannot be multiplied \((?P<a>\w+) and (?P<b>\w+)\)"),
    ),
    Rule(
        "dtypes-do-not-fit", "error", "a matrix product meets two dtypes",
        "{lead}a matrix product takes two tensors of one dtype, here one is {a} and the other {b}.",
        "Convert one of them, as in x.to(w.dtype); what comes from NumPy is double unless told otherwise.",
        told,
        """
w = jgrad.ones(2, 2)
x = jgrad.ones(2, 2, dtype=jgrad.float64)
w @ x
""", """
w = jgrad.ones(2, 2)
x = jgrad.ones(2, 2, dtype=jgrad.float64)
w @ x.to(w.dtype)
""",
        raised=(RUNTIME, r"expected (?:m1 and m2|mat1 and mat2) to have the same dtype, but got: (?P<a>\w+) != (?P<b>\w+)"),
    ),
    Rule(
        "dimension-out-of-range", "error", "a dim= that the tensor does not have",
        "{lead}there is no dimension {dim}: this tensor's go from {low} to {high}, negative ones counted from the end.",
        "x.shape shows how many dimensions there are.",
        told,
        """
x = jgrad.ones(2, 3)
x.sum(2)
""", """
x = jgrad.ones(2, 3)
x.sum(1)
""",
        raised=("IndexError", r"Dimension out of range \(expected to be in range of \[(?P<low>-?\d+), (?P<high>-?\d+)\], but got (?P<dim>-?\d+)\)"),
    ),
    Rule(
        "view-needs-a-copy", "error", "view() meets memory that it can't look at in that shape",
        "{lead}view() copies nothing, and the elements do not lie in memory in the order that this shape needs{maker}.",
        "Use reshape(), which copies where it must.",
        _permuted,
        """
a = jgrad.arange(6.).view(2, 3)
b = a.t()
b.view(6)
""", """
a = jgrad.arange(6.).view(2, 3)
b = a.t()
b.reshape(6)
""",
        raised=(RUNTIME, r"view size is not compatible with input tensor's size and stride"),
    ),
    Rule(
        "shape-of-another-size", "error", "a tensor is reshaped to a shape of another number of elements",
        "{lead}shape {shape} does not hold {count} elements.",
        "Let one dimension be worked out with -1, as in x.view(2, -1).",
        told,
        """
a = jgrad.ones(6)
a.view(4, 2)
""", """
a = jgrad.ones(6)
a.view(3, -1)
""",
        raised=(RUNTIME, r"shape '(?P<shape>\[.*?\])' is invalid for input of size (?P<count>\d+)"),
    ),
    Rule(
        "elements-share-memory", "error", "a tensor whose elements share memory, as after expand(), is written to",
        "{lead}several elements of this tensor are one place in memory (expand() copies nothing), so a write to one would be a write to all.",
        "Call clone() first, or use the operation that makes a new tensor.",
        told,
        """
a = jgrad.ones(3)
b = a.expand(2, 3)
b.add_(1)
""", """
a = jgrad.ones(3)
b = a.expand(2, 3).clone()
b.add_(1)
""",
        raised=(RUNTIME, r"unsupported operation: more than one element of the written-to tensor refers to a single memory location"),
    ),
    Rule(
        "operands-share-memory", "error", "an in-place operation reads memory that it writes to",
        "{lead}{what} reads some of the elements that it writes to, so the result would depend on the order.",
        "Read from a clone(), as in a[1:].add_(a[:-1].clone()).",
        told,
        """
a = jgrad.arange(4.)
a[1:].add_(a[:-1])
""", """
a = jgrad.arange(4.)
a[1:].add_(a[:-1].clone())
""",
        raised=(RUNTIME, r"unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory"),
    ),
    Rule(
        "numpy-with-history", "error", "numpy() of a tensor that requires grad",
        "{lead}a NumPy array has no history, so the gradient would silently end here.",
        "Say that you mean it: x.detach().numpy().",
        told,
        """
w = jgrad.ones(2, requires_grad=True)
w.numpy()
""", """
w = jgrad.ones(2, requires_grad=True)
w.detach().numpy()
""",
        raised=(RUNTIME, r"Can't call numpy\(\) on Tensor that requires grad"),
    ),
    Rule(
        "number-of-several", "error", "item() or float() of a tensor of several elements",
        "{lead}a tensor of {count} elements is not one number.",
        "Take one element, as in x[0].item(), reduce it, as in x.sum().item(), or take them all with x.tolist().",
        told,
        """
x = jgrad.ones(3)
x.item()
""", """
x = jgrad.ones(3)
x.sum().item()
""",
        raised=(RUNTIME, r"a Tensor with (?P<count>\d+) elements cannot be converted to Scalar"),
    ),
    Rule(
        "loss-made-of-tensors", "error", "a loss of jgrad.nn is given the tensors where it is made",
        "{lead}{loss} is made here, from its settings, and tensors are none.",
        "Make it first and call it then, as in {loss}()(output, target).",
        _loss_made_of_tensors,
        """
output = jgrad.ones(3, requires_grad=True)
loss = jgrad.nn.MSELoss(output, jgrad.zeros(3))
""", """
output = jgrad.ones(3, requires_grad=True)
loss = jgrad.nn.MSELoss()(output, jgrad.zeros(3))
""",
        raised=(RUNTIME, r"Boolean value of Tensor with more than one value is ambiguous"),
    ),
    Rule(
        "truth-of-several", "error", "if, while, and, or, not of a tensor of several elements",
        "{lead}a tensor of several elements is neither true nor false.",
        "Say which is meant: (x > 0).any() or (x > 0).all(); combine conditions with & and |.",
        told,
        """
x = jgrad.ones(3)
if x > 0:
    x = -x
""", """
x = jgrad.ones(3)
if (x > 0).all():
    x = -x
""",
        raised=(RUNTIME, r"Boolean value of Tensor with more than one value is ambiguous"),
    ),
    Rule(
        "index-dtype", "error", "gather() or scatter() with an index that is not of dtype int64",
        "{lead}{op}() takes an index of dtype int64.",
        "Write index.long().",
        told,
        """
x = jgrad.ones(3)
index = jgrad.tensor([0., 2.])
x.gather(0, index)
""", """
x = jgrad.ones(3)
index = jgrad.tensor([0., 2.]).long()
x.gather(0, index)
""",
        raised=(RUNTIME, r"(?P<op>\w+)\(\): Expected dtype int32/int64 for index"),
    ),
    Rule(
        "index-dimensions", "error", "gather() or scatter() with an index that has not as many dimensions as the tensor",
        "{lead}gather() and scatter() take an index with as many dimensions as the tensor: it has a cell for each element that is to be moved.",
        "Add the dimension, as in index[:, None] or index.unsqueeze(0).",
        told,
        """
x = jgrad.ones(2, 3)
index = jgrad.tensor([0, 2])
x.gather(1, index)
""", """
x = jgrad.ones(2, 3)
index = jgrad.tensor([0, 2])[:, None]
x.gather(1, index)
""",
        raised=(RUNTIME, r"Index tensor must have the same number of dimensions as \w+ tensor"),
    ),
    Rule(
        "index-too-long", "error", "gather() or scatter() with an index that is longer than the tensor in another dimension",
        "{lead}the index has shape {index}, the tensor {shape}: apart from dimension {dim}, along which places are looked up, an index may "
        "not be longer than the tensor (nor than what scatter() takes the values from).",
        "Each row of the index belongs to the same row of the tensor; to look up whole rows, write x[index] or index_select().",
        told,
        """
x = jgrad.ones(2, 3)
index = jgrad.tensor([[0], [2], [1]])
x.gather(1, index)
""", """
x = jgrad.ones(2, 3)
index = jgrad.tensor([[0], [2]])
x.gather(1, index)
""",
        raised=(RUNTIME, r"xpected index (?P<index>\[.*?\]) to be no larger than self (?P<shape>\[.*?\]) apart from dimension (?P<dim>\d+)"),
    ),
    Rule(
        "deepcopy-of-computed", "error", "copy.deepcopy() of a tensor that was computed",
        "{lead}a computed tensor hangs on a graph, which deepcopy does not copy; only leaves are copied so.",
        "Copy x.detach(), or use clone(), which stays in the graph.",
        told,
        """
import copy
x = jgrad.ones(2, requires_grad=True)
y = x * 2
copy.deepcopy(y)
""", """
import copy
x = jgrad.ones(2, requires_grad=True)
y = x * 2
copy.deepcopy(y.detach())
""",
        raised=(RUNTIME, r"Only Tensors created explicitly by the user \(graph leaves\) support the deepcopy protocol"),
    ),
    Rule(
        "index-out-of-range", "error", "an index beyond the end",
        "{lead}there is no element {index} along dimension {dim}, which has {size}: they are counted from 0 to {last}.",
        "x.shape shows how many there are.",
        _out_of_range,
        """
x = jgrad.ones(3)
x[3]
""", """
x = jgrad.ones(3)
x[2]
""",
        raised=("IndexError|RuntimeError", r"index (?P<index>-?\d+) is out of bounds for dimension (?P<dim>\d+) with size (?P<size>\d+)"),
    ),
    Rule(
        "classes-and-labels", "error", "cross_entropy() gets labels of a floating dtype that are not probabilities",
        "{lead}class labels are whole numbers (Long), these are {given}.",
        "Write target.long(); probabilities need the shape of the input.",
        told,
        """
scores = jgrad.ones(3, 2)
target = jgrad.tensor([0., 1., 1.])
jgrad.nn.functional.cross_entropy(scores, target)
""", """
scores = jgrad.ones(3, 2)
target = jgrad.tensor([0., 1., 1.]).long()
jgrad.nn.functional.cross_entropy(scores, target)
""",
        raised=(RUNTIME, r"expected target dtype to be Long or Byte, but got (?P<given>\w+)"),
    ),
    Rule(
        "label-without-class", "error", "a label names a class for which there is no score",
        "{lead}there is no class {label}: there are as many classes as columns of scores, counted from 0.",
        "Count labels from 0, or give the last layer an output for each class.",
        told,
        """
scores = jgrad.ones(2, 3)
target = jgrad.tensor([1, 3])
jgrad.nn.functional.cross_entropy(scores, target)
""", """
scores = jgrad.ones(2, 3)
target = jgrad.tensor([1, 3]) - 1
jgrad.nn.functional.cross_entropy(scores, target)
""",
        raised=("IndexError", r"Target (?P<label>-?\d+) is out of bounds"),
    ),
    Rule(
        "scores-and-labels", "error", "there are not as many labels as rows of scores",
        "{lead}scores for {a} samples meet labels for {b}: each row of scores needs one label.",
        "Scores have the shape (samples, classes); bring them there with view(-1, classes), or look whether the last batch was cut differently.",
        told,
        """
scores = jgrad.ones(4, 3)
target = jgrad.tensor([0, 1, 2])
jgrad.nn.functional.cross_entropy(scores, target)
""", """
scores = jgrad.ones(4, 3)
target = jgrad.tensor([0, 1, 2, 0])
jgrad.nn.functional.cross_entropy(scores, target)
""",
        raised=("ValueError", r"Expected input batch_size \((?P<a>\d+)\) to match target batch_size \((?P<b>\d+)\)"),
    ),
    Rule(
        "labels-in-columns", "error", "cross_entropy() gets class labels with a dimension too many",
        "{lead}class labels are one number for each sample, of shape (samples,); these have another dimension.",
        "Write target.squeeze(1); for one-hot rows, target.argmax(1), or target.float() to have them taken as probabilities.",
        told,
        """
scores = jgrad.ones(3, 2)
target = jgrad.tensor([[0], [1], [1]])
jgrad.nn.functional.cross_entropy(scores, target)
""", """
scores = jgrad.ones(3, 2)
target = jgrad.tensor([[0], [1], [1]]).squeeze(1)
jgrad.nn.functional.cross_entropy(scores, target)
""",
        raised=(RUNTIME, r"0D or 1D target tensor expected, multi-target not supported"),
    ),
    Rule(
        "target-of-other-shape", "error", "binary_cross_entropy_with_logits() gets a target of another shape than the input",
        "{lead}the input has shape {shape}, the target {target}: each score is compared with one number.",
        "Bring them to one shape, with scores.squeeze(1) or target[:, None], and write target.float() for whole numbers.",
        told,
        """
scores = jgrad.ones(3, 1)
target = jgrad.tensor([0., 1., 1.])
jgrad.nn.functional.binary_cross_entropy_with_logits(scores, target)
""", """
scores = jgrad.ones(3, 1)
target = jgrad.tensor([0., 1., 1.])[:, None]
jgrad.nn.functional.binary_cross_entropy_with_logits(scores, target)
""",
        raised=("ValueError", r"Target size \(\w+\.Size\((?P<target>.*?)\)\) must be the same as input size \(\w+\.Size\((?P<shape>.*?)\)\)"),
    ),
    Rule(
        "one-value-per-channel", "error", "batch_norm() in training gets a single sample",
        "{lead}in training a batch norm divides by the spread of the batch, and one sample has none.",
        "Use larger batches (drop a last one of a single sample), or call eval() on the model to use the averages it has kept.",
        told,
        """
bn = jgrad.nn.BatchNorm1d(2)
bn(jgrad.ones(1, 2))
""", """
bn = jgrad.nn.BatchNorm1d(2)
bn.eval()
bn(jgrad.ones(1, 2))
""",
        raised=("ValueError", r"Expected more than 1 value per channel when training"),
    ),
    Rule(
        "index-not-whole", "error", "a tensor of a floating dtype is used as an index",
        "{lead}an index counts elements, so it has an integer dtype (or bool, as a mask of what to take); this one has another.",
        "Write index.long().",
        told,
        """
x = jgrad.ones(3)
index = jgrad.tensor([0., 2.])
x[index]
""", """
x = jgrad.ones(3)
index = jgrad.tensor([0., 2.]).long()
x[index]
""",
        raised=("IndexError", r"tensors used as indices must be long, int, byte or bool tensors"),
    ),
    Rule(
        "row-not-whole", "error", "an embedding is asked for rows by numbers of a floating dtype",
        "{lead}an embedding looks rows up by their number, so it takes integers (Long or Int); these are {given}.",
        "Write index.long(), and 1 for 1. where the numbers are given.",
        told,
        """
rows = jgrad.nn.Embedding(4, 2)
rows(jgrad.tensor([1., 2.]))
""", """
rows = jgrad.nn.Embedding(4, 2)
rows(jgrad.tensor([1, 2]))
""",
        raised=(RUNTIME, r"Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
                         r"torch\.(?:cuda\.)?(?P<given>\w+)Tensor instead"),
    ),
    Rule(
        "row-out-of-range", "error", "an embedding is asked for a row that it does not have",
        "{lead}one of the numbers is negative or not less than the number of rows, the first argument of Embedding.",
        "Make as many rows as there are numbers, the highest one plus 1.",
        told,
        """
rows = jgrad.nn.Embedding(4, 2)
rows(jgrad.tensor([4]))
""", """
rows = jgrad.nn.Embedding(5, 2)
rows(jgrad.tensor([4]))
""",
        raised=("IndexError", r"index out of range in self"),
    ),
    Rule(
        "channels-do-not-fit", "error", "a convolution meets an image with another number of channels",
        "{lead}the layer expects {expected} channels (its weight has shape {weight}), the input has {given}; it has shape {shape}, and channels are "
        "the dimension after the batch.",
        "Make the layer with in_channels={given}, or bring the dimensions into order with permute().",
        told,
        """
layer = jgrad.nn.Conv2d(3, 2, 3)
layer(jgrad.ones(2, 1, 5, 5))
""", """
layer = jgrad.nn.Conv2d(1, 2, 3)
layer(jgrad.ones(2, 1, 5, 5))
""",
        raised=(RUNTIME, r"weight of size (?P<weight>\[.*?\]), expected input(?P<shape>\[.*?\]) to have (?P<expected>\d+) channels, but got "
                         r"(?P<given>\d+) channels"),
    ),
    Rule(
        "module-not-begun", "error", "a module gets layers or parameters before super().__init__() was called",
        "{lead}a module can't take notice of its {kind} before Module.__init__() has run.",
        "Call super().__init__() first in __init__.",
        told,
        """
class Net(jgrad.nn.Module):
    def __init__(self):
        self.layer = jgrad.nn.Linear(2, 2)

Net()
""", """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = jgrad.nn.Linear(2, 2)

Net()
""",
        raised=("AttributeError", r"cannot assign (?P<kind>module|parameters|buffer)\w* before Module.__init__\(\) call"),
    ),
    Rule(
        "forward-returns-nothing", "error", "a forward() without return",
        "{lead}{name}.forward (line {line}) returns nothing, so what the module gives is None.",
        "End it with return and the result.",
        _returns_nothing,
        """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = jgrad.nn.Linear(2, 1)

    def forward(self, x):
        y = self.layer(x)

net = Net()
net(jgrad.ones(1, 2)).sum()
""", """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = jgrad.nn.Linear(2, 1)

    def forward(self, x):
        y = self.layer(x)
        return y

net = Net()
net(jgrad.ones(1, 2)).sum()
""",
        raised=("AttributeError|TypeError", r"NoneType"),
    ),
    Rule(
        "sizes-to-join-along", "error", "cat() of tensors that differ in another dimension",
        "{lead}cat() along dimension {dim} joins tensors that are alike in all other dimensions; where the first has {a} elements, number "
        "{index} has {b}.",
        "Join along the dimension in which they differ, or bring the others to one size.",
        told,
        """
a = jgrad.ones(2, 3)
b = jgrad.ones(2, 4)
jgrad.cat([a, b])
""", """
a = jgrad.ones(2, 3)
b = jgrad.ones(2, 4)
jgrad.cat([a, b], dim=1)
""",
        raised=(RUNTIME, r"Sizes of tensors must match except in dimension (?P<dim>\d+)\. Expected size (?P<a>\d+) but got size (?P<b>\d+) for "
                         r"tensor number (?P<index>\d+)"),
    ),
    Rule(
        "sizes-to-join", "error", "stack() of tensors of different shapes",
        "{lead}stack() lays tensors of one shape side by side; the first has {a}, number {index} has {b}.",
        "Use cat() to join them along a dimension that they have, or bring them to one shape.",
        told,
        """
jgrad.stack([jgrad.ones(2), jgrad.ones(3)])
""", """
jgrad.cat([jgrad.ones(2), jgrad.ones(3)])
""",
        raised=(RUNTIME, r"stack expects each tensor to be equal size, but got (?P<a>\[.*?\]) at entry 0 and (?P<b>\[.*?\]) at entry (?P<index>\d+)"),
    ),
    Rule(
        "no-gpu", "error", "a GPU is asked for where there is none",
        "{lead}there is no CUDA here.",
        "Leave device= out, or choose it by what there is: 'cuda' if jgrad.cuda.is_available() else 'cpu'.",
        told,
        """
x = jgrad.ones(2)
x.cuda()
""", """
x = jgrad.ones(2)
x.to("cuda" if jgrad.cuda.is_available() else "cpu")
""",
        raised=("AssertionError", r"Torch not compiled with CUDA enabled"),
    ),
)  # fmt: skip
