"""What the translator knows of a value: its kind, the kinds of its parts, and whether it may be None."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Type:
    """The type of an expression.

    `kind` is one of the names below. `args` are the types of the elements: one for a list or a set, key and value for a dict, one for each
    element of a tuple. A record (a dict with known names) and an object (of a class of the program) have a `name`, and the `module` of it.
    """

    kind: str
    args: tuple[Type, ...] = ()
    name: str = ""
    module: str = ""
    optional: bool = False

    @property
    def element(self) -> Type:
        """The type of the elements that a loop goes through."""
        if self.kind == "text":
            return TEXT
        if self.kind == "record":
            return TEXT
        if self.kind in ("list", "set", "dict"):
            return self.args[0] if self.args else ANY
        if self.kind == "tuple":
            return join_all(self.args)
        return ANY


# A number is an int or a float: its text is that of a whole number if it is whole.
INT, FLOAT, NUMBER, BOOL, TEXT = Type("int"), Type("float"), Type("number"), Type("bool"), Type("text")
NONE, ANY = Type("none"), Type("any")
NEVER = Type("never")  # of what has no value yet, such as the elements of an empty list
PATTERN, MATCH = Type("pattern"), Type("match")

NUMBERS = ("int", "float", "number", "bool")
SCALARS = (*NUMBERS, "text")  # their values are equal if JavaScript's === says so
SEQUENCES = ("list", "tuple")
# Values that JavaScript takes for true if Python does. A list is not among them: an empty one is true in JavaScript.
SAME_TRUTH = (*SCALARS, "none", "object", "record", "function", "pattern", "match")


def list_of(element: Type) -> Type:
    return Type("list", (element,))


def set_of(element: Type) -> Type:
    return Type("set", (element,))


def dict_of(key: Type, value: Type) -> Type:
    return Type("dict", (key, value))


def tuple_of(*elements: Type) -> Type:
    return Type("tuple", elements)


def or_none(type_: Type) -> Type:
    return type_ if type_.kind in ("any", "none") else replace(type_, optional=True)


def join(a: Type, b: Type) -> Type:
    """The type of a value that has one of two types."""
    if a == b or b.kind == "never":
        return a
    if a.kind == "never":
        return b
    if a.kind == "none":
        return or_none(b)
    if b.kind == "none":
        return or_none(a)
    if "any" in (a.kind, b.kind):
        return ANY
    optional = a.optional or b.optional
    if a.kind != b.kind:
        if {a.kind, b.kind} <= {"int", "float", "number"}:
            return Type("number", optional=optional)
        if {a.kind, b.kind} == {"list", "tuple"}:
            return replace(list_of(join(a.element, b.element)), optional=optional)
        return ANY
    if (a.name, a.module) != (b.name, b.module):
        return Type(a.kind, optional=optional) if a.kind == "record" else ANY
    if len(a.args) != len(b.args):
        return replace(list_of(join(a.element, b.element)), optional=optional)
    args = tuple([join(x, y) for x, y in zip(a.args, b.args, strict=True)])
    return replace(a, args=args, optional=optional)


def join_all(types: tuple[Type, ...] | list[Type]) -> Type:
    found = NEVER
    for type_ in types:
        found = join(found, type_)
    return ANY if found.kind == "never" and types else found
