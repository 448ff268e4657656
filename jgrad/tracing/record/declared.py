"""How the recorder's tuples are declared, written and read.

Most of the time of a recording goes into noting things, and a plain tuple takes half as long to make as a NamedTuple. So what is noted often is
*declared* as a NamedTuple, *written* as a plain tuple of its fields by the function that `plain` makes of the declaration, and *read*
with `read`, which gives the fields their names again. Nothing else knows the order of the fields.

A `TensorRef` is the number of a tensor in the recorder's list, a `StepRef` that of a step in its log, and so on. When steps are dropped these
numbers change: `jgrad/tracing/record/references.py` finds them by the types of the fields.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Generic, NamedTuple, ParamSpec, TypeVar, cast

T = TypeVar("T")
P = ParamSpec("P")
new: Any = tuple.__new__


class Ref(NamedTuple):
    """A number is that of something of this kind."""

    kind: str


TensorRef = Annotated[int, Ref("tensor")]
StorageRef = Annotated[int, Ref("storage")]
NodeRef = Annotated[int, Ref("node")]
CallRef = Annotated[int, Ref("call")]  # of backward
StepRef = Annotated[int, Ref("step")]


class Plain(Generic[T]):
    """A plain tuple of the fields of a declaration. (It is a tuple: this class is for the type checker, which refuses to look into one.)"""


def plain(declared: Callable[P, T]) -> Callable[P, Plain[T]]:
    """The function that makes a plain tuple of the fields of a declaration."""
    return writing(declared, "({fields},)")


def writing(declared: Any, form: str) -> Any:
    """A function of the fields of a declaration, which returns what `form` says."""
    fields = ", ".join(declared._fields)
    return eval(f"lambda {fields}: {form.format(fields=fields)}", {"declared": declared})


def read(declared: type[T], fields: Plain[T]) -> T:
    """The fields of a plain tuple by name."""
    return cast(T, new(declared, fields))


def replaced(declared: Any, fields: Plain[T], **others: Any) -> Plain[T]:
    """The plain tuple with some other fields."""
    return cast("Plain[T]", tuple(read(declared, fields)._replace(**others)))


def part(whole: Any, declared: Any) -> Callable[[Plain[Any]], Any]:
    """The function that reads those fields of a plain tuple, declared as `whole`, that another declaration has too."""
    fields = ", ".join([f"fields[{whole._fields.index(name)}]" for name in declared._fields])
    return eval(f"lambda fields: new(declared, ({fields},))", {"declared": declared, "new": new})
