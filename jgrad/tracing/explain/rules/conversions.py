"""What is made of a tensor: a number, an array, a truth value, a copy, a tensor on a GPU."""

from __future__ import annotations

from jgrad.tracing.explain.repairs import argument, instead, mended, named, operand
from jgrad.tracing.explain.rule import RUNTIME, USER_WARNING, Rules

OPERATIONS = Rules()
WARNINGS = Rules()

OPERATIONS.by_words(
    "numpy-with-history", "error", "numpy() of a tensor that requires grad",
    "{lead}a NumPy array has no history, so no gradient can pass through numpy().",
    "Write {name}.detach().numpy() if {subject} needs no gradient here.",
    """
w = jgrad.ones(2, requires_grad=True)
w.numpy()
""", """
w = jgrad.ones(2, requires_grad=True)
w.detach().numpy()
""",
    raised=(RUNTIME, r"Can't call numpy\(\) on Tensor that requires grad"),
    blanks=mended(named("numpy"), instead("numpy", "{owner}.detach().numpy({arguments})")),
)  # fmt: skip

OPERATIONS.by_words(
    "number-of-several", "error", "item() of a tensor of several elements",
    "{lead}a tensor of {count} elements is not one number.",
    "Take one element with {name}[0].item(), reduce it with {name}.sum().item(), or take all with {name}.tolist().",
    """
x = jgrad.ones(3)
x.item()
""", """
x = jgrad.ones(3)
x.sum().item()
""",
    raised=(RUNTIME, r"a Tensor with (?P<count>\d+) elements cannot be converted to Scalar"),
    blanks=operand,
)  # fmt: skip

OPERATIONS.by_words(
    "scalar-of-several", "error", "float() or int() of a tensor of several elements",
    "{lead}a tensor of several elements is not one number.",
    "Take one element with {name}[0].item(), reduce it with {name}.sum().item(), or take all with {name}.tolist().",
    """
x = jgrad.ones(3)
float(x)
""", """
x = jgrad.ones(3)
float(x.sum())
""",
    raised=("ValueError", r"only one element tensors can be converted to Python scalars"),
    blanks=argument("x"),
)  # fmt: skip

OPERATIONS.by_words(
    "truth-of-several", "error", "a tensor of several elements is used in if, while, and, or, not",
    "{lead}a tensor of several elements is neither true nor false.",
    "Write (x > 0).any() or (x > 0).all(), and combine conditions with & and |.",
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
)  # fmt: skip

OPERATIONS.by_words(
    "deepcopy-of-computed", "error", "copy.deepcopy() of a tensor that was computed",
    "{lead}deepcopy() copies leaves only, because a computed tensor belongs to a graph.",
    "Write copy.deepcopy({name}.detach()), or {name}.clone(), which stays in the graph.",
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
    blanks=argument(),
)  # fmt: skip

OPERATIONS.by_words(
    "no-gpu", "error", "a GPU is requested where there is none",
    "{lead}CUDA is not available here.",
    "Leave device= out, or write `device = 'cuda' if jgrad.cuda.is_available() else 'cpu'`.",
    """
x = jgrad.ones(2)
x.cuda()
""", """
x = jgrad.ones(2)
x.to("cuda" if jgrad.cuda.is_available() else "cpu")
""",
    raised=("AssertionError", r"Torch not compiled with CUDA enabled"),
)  # fmt: skip

WARNINGS.by_words(
    "tensor-of-tensor", "warning", "tensor() gets a tensor",
    "{lead}tensor({name}) copies the numbers of the tensor {name} without its history.",
    "Write {name}.detach().clone() for such a copy, or {name}.clone() to stay in the graph.",
    """
x = jgrad.ones(2, requires_grad=True)
y = jgrad.tensor(x)
""", """
x = jgrad.ones(2, requires_grad=True)
y = x.detach().clone()
""",
    raised=(USER_WARNING, r"To copy construct from a tensor, it is recommended to use"),
    blanks=argument("x"),
)  # fmt: skip

WARNINGS.by_words(
    "number-of-requiring", "warning", "float() or int() of a tensor that requires grad",
    "{lead}a Python number has no history, so no gradient passes through it.",
    "Write x.item() if the tensor x needs no gradient here; otherwise compute with x itself.",
    """
x = jgrad.ones(1, requires_grad=True)
float(x)
""", """
x = jgrad.ones(1, requires_grad=True)
x.item()
""",
    raised=(USER_WARNING, r"Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior"),
)  # fmt: skip
