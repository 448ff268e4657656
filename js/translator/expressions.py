"""Expressions: operators, displays, comprehensions, subscripts and names."""

from __future__ import annotations

import ast
import json
import re
from typing import NamedTuple

from js.translator.program import Module, OutsideTheSubsetError, Program
from js.translator.scope import Scope, member, names_in, spelled
from js.translator.types import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NEVER,
    NONE,
    NUMBER,
    NUMBERS,
    PATTERN,
    SAME_TRUTH,
    SCALARS,
    SEQUENCES,
    TEXT,
    Type,
    dict_of,
    join,
    join_all,
    list_of,
    or_none,
    set_of,
    tuple_of,
)

ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
COMPARISONS = {ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">="}
# What each object of JavaScript has.
INHERITED = (
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "toLocaleString",
    "toString",
    "valueOf",
)
CLASSES_OF_UNICODE = re.compile(r"\\[dDwWsSbB]")


class Js(NamedTuple):
    """A translated expression."""

    code: str
    type: Type


def quoted(s: str) -> str:
    return json.dumps(s, ensure_ascii=False)


class Expressions:
    """Translates the expressions of one module. `needs` collects the global names that they use, and `members` the attributes."""

    def __init__(self, program: Program, module: Module) -> None:
        self.program = program
        self.module = module
        self.scope = Scope()
        self.this: tuple[str, Type] | None = None  # the name and the type of `self`
        self.this_code = "this"  # what is written for it
        self.needs: set[str] = set()
        self.members: set[str] = set()

    def refuse(self, node: ast.AST, why: str) -> OutsideTheSubsetError:
        return self.module.refuse(node, why)

    def expression(self, node: ast.expr, hint: Type = NEVER) -> Js:
        """The translation of an expression. `hint` is the type of the variable to which it is assigned, if that is declared."""
        if isinstance(node, ast.Dict):
            return self.dict_display(node, hint)
        translate = getattr(self, "of_" + type(node).__name__, None)
        if translate is None:
            raise self.refuse(node, f"{type(node).__name__} is outside the subset: {ast.unparse(node)[:60]}")
        made: Js = translate(node)
        return made

    def code(self, node: ast.expr) -> str:
        return self.expression(node).code

    # Names and constants --------------------------------------------------------------------------

    def of_Name(self, node: ast.Name) -> Js:
        name = node.id
        home = self.scope.home_of(name)
        if home is not None:
            return Js(spelled(name), home.type_of(name))
        if self.this is not None and name == self.this[0]:
            return Js(self.this_code, self.this[1])
        found = self.program.find(self.module, name)
        if found is None:
            raise self.refuse(node, f"there is no {name}")
        self.needs.add(name)
        return Js(spelled(name), self.type_of_global(*found, name))

    def type_of_global(self, home: Module, definition: ast.stmt, name: str) -> Type:
        """The type of a constant of a module, or of a function as a value."""
        if isinstance(definition, ast.AnnAssign):
            return self.program.type_of(home, definition.annotation)
        if isinstance(definition, ast.Assign):
            reader = type(self)(self.program, home)
            target = definition.targets[0]
            if isinstance(target, ast.Tuple) and isinstance(definition.value, ast.Tuple):
                at = [part.id for part in target.elts if isinstance(part, ast.Name)].index(name)
                return reader.expression(definition.value.elts[at]).type
            return reader.expression(definition.value).type
        if isinstance(definition, ast.FunctionDef):
            return Type("function", (self.program.type_of(home, definition.returns),))
        return ANY

    def of_Constant(self, node: ast.Constant) -> Js:
        value = node.value
        if value is None:
            return Js("null", NONE)
        if isinstance(value, bool):
            return Js(str(value).lower(), BOOL)
        if isinstance(value, str):
            return Js(quoted(value), TEXT)
        if isinstance(value, int):
            return Js(str(value), INT)
        if isinstance(value, float):
            return Js(repr(value), FLOAT)
        raise self.refuse(node, f"the constant {value!r} is outside the subset")

    def of_Attribute(self, node: ast.Attribute) -> Js:
        value = self.expression(node.value)
        self.members.add(node.attr)
        if value.type.kind != "object":
            raise self.refuse(
                node,
                f"attributes are those of objects of the program; the type of {ast.unparse(node.value)} is not known",
            )
        if self.is_method(value.type, node.attr):
            raise self.refuse(
                node,
                f"a method that is handed on loses its object: write lambda *args: {ast.unparse(node)}(*args)",
            )
        return Js(f"{value.code}.{member(node.attr)}", self.attribute(value.type, node.attr))

    def is_method(self, owner: Type, name: str) -> bool:
        """Whether an attribute of an object is a method, and no property."""
        raise NotImplementedError

    def attribute(self, owner: Type, name: str) -> Type:
        """The type of an attribute of an object."""
        raise NotImplementedError

    # Operators ------------------------------------------------------------------------------------

    def condition(self, node: ast.expr) -> str:
        """An expression of which only the truth matters: a length stands for whether there is something."""
        if isinstance(node, ast.BoolOp):
            sign = " && " if isinstance(node.op, ast.And) else " || "
            return "(" + sign.join([self.condition(value) for value in node.values]) + ")"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"!{self.condition(node.operand)}"
        return self.truth(node, self.expression(node))

    def truth(self, node: ast.AST, value: Js) -> str:
        kind = value.type.kind
        if kind == "record" and not self.never_empty(value.type):
            raise self.refuse(
                node,
                "an empty dict is false in Python, and true in JavaScript: compare it with None, or ask list()",
            )
        if kind in SAME_TRUTH and self.program.as_dict(value.type) is None:
            return value.code
        if kind in (*SEQUENCES, "set", "dict") or kind == "object":
            size = "length" if kind in SEQUENCES else "size"
            return f"{value.code}{'?' if value.type.optional else ''}.{size}"
        return f"$.truth({value.code})"

    def never_empty(self, type_: Type) -> bool:
        """Whether each record of a type has a field."""
        found = self.program.class_of(type_)
        names = (
            [
                part.target.id
                for part in found[1].body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            ]
            if found
            else []
        )
        return any(self.program.field(type_, name)[1] for name in names)

    def of_UnaryOp(self, node: ast.UnaryOp) -> Js:
        if isinstance(node.op, ast.Not):
            return Js(f"!{self.condition(node.operand)}", BOOL)
        if isinstance(node.op, ast.USub):
            value = self.expression(node.operand)
            return Js(f"(-{value.code})", value.type)
        raise self.refuse(node, f"{type(node.op).__name__} is outside the subset")

    def of_BoolOp(self, node: ast.BoolOp) -> Js:
        values = [self.expression(value) for value in node.values]
        type_ = join_all([value.type for value in values])
        if isinstance(node.op, ast.Or) and not values[-1].type.optional and values[-1].type.kind != "none":
            type_ = Type(type_.kind, type_.args, type_.name, type_.module)
        sign, name = ("&&", "and") if isinstance(node.op, ast.And) else ("||", "or")
        code = values[-1].code
        for value in reversed(values[:-1]):
            simple = value.type.kind in SAME_TRUTH and self.program.as_dict(value.type) is None
            code = f"({value.code} {sign} {code})" if simple else f"$.{name}({value.code}, () => {code})"
        return Js(code, type_)

    def of_IfExp(self, node: ast.IfExp) -> Js:
        test, a, b = self.condition(node.test), self.expression(node.body), self.expression(node.orelse)
        return Js(f"({test} ? {a.code} : {b.code})", join(a.type, b.type))

    def of_BinOp(self, node: ast.BinOp) -> Js:
        return self.binary(node, self.expression(node.left), node.op, self.expression(node.right))

    def binary(self, node: ast.AST, a: Js, op: ast.operator, b: Js) -> Js:
        kinds = {a.type.kind, b.type.kind}
        numbers = kinds <= set(NUMBERS)
        if isinstance(op, ast.BitOr) and kinds <= {"set", "any"}:
            return Js(f"new Set([...{a.code}, ...{b.code}])", join(a.type, b.type))
        if isinstance(op, ast.FloorDiv):
            return Js(f"$.floor({a.code} / {b.code})", INT if kinds == {"int"} else NUMBER)
        if isinstance(op, ast.Mod):
            return Js(f"$.mod({a.code}, {b.code})", INT if kinds == {"int"} else NUMBER)
        sign = ARITHMETIC.get(type(op))
        if sign is None:
            raise self.refuse(node, f"the operator {type(op).__name__} is outside the subset")
        if sign == "/":
            return Js(f"({a.code} / {b.code})", FLOAT)
        if numbers or sign == "-":
            whole = kinds <= {"int", "bool"}
            return Js(f"({a.code} {sign} {b.code})", INT if whole else FLOAT if "float" in kinds else NUMBER)
        if sign == "+":
            return self.added(a, b)
        return self.repeated(a, b)

    def added(self, a: Js, b: Js) -> Js:
        if "text" in (a.type.kind, b.type.kind):
            return Js(f"({a.code} + {b.code})", TEXT)
        if a.type.kind in SEQUENCES or b.type.kind in SEQUENCES:
            return Js(f"[...{a.code}, ...{b.code}]", list_of(join(a.type.element, b.type.element)))
        if a.type.kind in NUMBERS or b.type.kind in NUMBERS:
            return Js(f"({a.code} + {b.code})", NUMBER)
        return Js(f"$.plus({a.code}, {b.code})", ANY)

    def repeated(self, a: Js, b: Js) -> Js:
        if a.type.kind in NUMBERS and b.type.kind not in NUMBERS:
            a, b = b, a
        if a.type.kind == "text":
            return Js(f"{a.code}.repeat($.max({b.code}, 0))", TEXT)
        type_ = list_of(a.type.element) if a.type.kind in SEQUENCES else ANY
        return Js(f"$.times({a.code}, {b.code})", type_)

    def of_Compare(self, node: ast.Compare) -> Js:
        left, parts = node.left, []
        for op, right in zip(node.ops, node.comparators, strict=True):
            parts.append(self.compared(node, left, op, right))
            if right is not node.comparators[-1] and not isinstance(
                right, ast.Name | ast.Constant | ast.Attribute
            ):
                raise self.refuse(
                    node,
                    "the middle of a chain of comparisons would be computed twice: give it a name first",
                )
            left = right
        return Js("(" + " && ".join(parts) + ")", BOOL)

    def compared(self, node: ast.Compare, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        a, b = self.expression(left), self.expression(right)
        negated = isinstance(op, ast.NotEq | ast.NotIn | ast.IsNot)
        if isinstance(op, ast.Is | ast.IsNot):
            none = "none" in (a.type.kind, b.type.kind)
            if not none and (is_field(left) or is_field(right)):
                raise self.refuse(
                    node,
                    "a field of a document may be another object each time it is read: give it a name first",
                )
            return f"{a.code} {'!' if negated else '='}={'' if none else '='} {b.code}"
        if isinstance(op, ast.In | ast.NotIn):
            return ("!" if negated else "") + self.contained(node, a, b)
        if isinstance(op, ast.Eq | ast.NotEq):
            return self.equal(node, a, b, negated)
        return f"{a.code} {COMPARISONS[type(op)]} {b.code}"

    def equal(self, node: ast.AST, a: Js, b: Js, negated: bool) -> str:
        if {a.type.kind, b.type.kind} & {"record", "object", "set", "dict"}:
            raise self.refuse(
                node, "in JavaScript dicts, sets and objects are equal only if they are the same: use `is`"
            )
        if a.type.kind in SCALARS or b.type.kind in SCALARS or "none" in (a.type.kind, b.type.kind):
            return f"{a.code} {'!' if negated else '='}== {b.code}"
        return f"{'!' if negated else ''}$.equal({a.code}, {b.code})"

    def contained(self, node: ast.AST, value: Js, container: Js) -> str:
        """`value in container`."""
        type_ = self.program.as_dict(container.type) or container.type
        code = container.code
        if type_.kind in ("set", "dict"):
            self.hashed(node, type_.element)
            return f"{code}.has({value.code})"
        if type_.kind == "record":
            named = name_written(value.code)
            if not named:
                return f"({value.code} in {code})"
            field = self.program.field(type_, named)[0] if type_.name else ANY
            nothing = "!== undefined" if field.optional or field.kind in ("any", "none") else "!= null"
            return f"({code}.{named} {nothing})"
        if type_.kind == "text":
            return f"{code}.includes({value.code})"
        if type_.kind in SEQUENCES:
            if type_.element.kind in ("record", "object"):
                raise self.refuse(
                    node, "in JavaScript a list holds a dict only if it is the same one: use `any` and `is`"
                )
            if type_.element.kind in SCALARS or value.type.kind in SCALARS:
                return f"{code}.includes({value.code})"
        return f"$.has({code}, {value.code})"

    def hashed(self, node: ast.AST, key: Type) -> None:
        """Refuse keys that JavaScript compares otherwise."""
        if key.kind in (*SEQUENCES, "set", "dict"):
            raise self.refuse(
                node,
                f"a {key.kind} as a key or in a set: JavaScript finds it only if it is the same object",
            )

    # Displays -------------------------------------------------------------------------------------

    def of_Starred(self, node: ast.Starred) -> Js:
        value = self.expression(node.value)
        return Js(f"...{self.iterated(value)}", value.type)

    def parts(self, nodes: list[ast.expr]) -> tuple[str, Type]:
        made = [self.expression(node) for node in nodes]
        types = [
            value.type.element if isinstance(node, ast.Starred) else value.type
            for node, value in zip(nodes, made, strict=True)
        ]
        return "[" + ", ".join([value.code for value in made]) + "]", join_all(types)

    def of_List(self, node: ast.List) -> Js:
        code, element = self.parts(node.elts)
        return Js(code, list_of(element))

    def of_Tuple(self, node: ast.Tuple) -> Js:
        if any(isinstance(part, ast.Starred) for part in node.elts):
            code, element = self.parts(node.elts)
            return Js(code, list_of(element))
        made = [self.expression(part) for part in node.elts]
        return Js(
            "[" + ", ".join([part.code for part in made]) + "]", tuple_of(*[part.type for part in made])
        )

    def of_Set(self, node: ast.Set) -> Js:
        code, element = self.parts(node.elts)
        self.hashed(node, element)
        return Js(f"new Set({code})", set_of(element))

    def dict_display(self, node: ast.Dict, hint: Type) -> Js:
        """A record if all keys are names that are written out, unless the variable is declared to be another dict; otherwise a Map."""
        named = all(
            key is None or (isinstance(key, ast.Constant) and isinstance(key.value, str)) for key in node.keys
        )
        if hint.kind == "record" or (named and node.keys and hint.kind != "dict"):
            if not named:
                raise self.refuse(node, "the keys of a record must be written out")
            return self.record(node, hint)
        if None in node.keys:
            raise self.refuse(node, "** is for records")
        pairs = [
            (self.expression(key), self.expression(value))
            for key, value in zip(node.keys, node.values, strict=True)
            if key
        ]
        key = join_all([pair[0].type for pair in pairs])
        value = join_all([pair[1].type for pair in pairs])
        self.hashed(node, key)
        code = "[" + ", ".join([f"[{k.code}, {v.code}]" for k, v in pairs]) + "]"
        return Js(
            f"new Map({code if pairs else ''})", dict_of(key, value) if pairs else dict_of(NEVER, NEVER)
        )

    def record(self, node: ast.Dict, hint: Type) -> Js:
        parts: list[str] = []
        fields: list[str] = []
        spread = None in node.keys
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                if fields:
                    parts.append("{ " + ", ".join(fields) + " }")
                fields = []
                parts.append(self.code(value))
            else:
                assert isinstance(key, ast.Constant)
                assert isinstance(key.value, str)
                wanted = self.program.field(hint, key.value)[0] if hint.name else NEVER
                if key.value in INHERITED:
                    raise self.refuse(node, f"each object of JavaScript has {key.value!r}")
                made = self.expression(value, wanted)
                if wanted.kind == "record" and made.type.kind == "dict":
                    raise self.refuse(
                        value, f"{key.value} is a dict by name in a record, so an object: not a Map"
                    )
                fields.append(f"{field_name(key.value)}: {made.code}")
        if fields:
            parts.append("{ " + ", ".join(fields) + " }")
        code = f"$.merged({', '.join(parts)})" if spread else "".join(parts) or "{}"
        return Js(code, hint if hint.kind == "record" else Type("record"))

    def of_JoinedStr(self, node: ast.JoinedStr) -> Js:
        parts = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                assert isinstance(part.value, str)
                parts.append(
                    quoted(part.value)[1:-1].replace('\\"', '"').replace("`", "\\`").replace("${", "\\${")
                )
            else:
                assert isinstance(part, ast.FormattedValue)
                parts.append("${" + self.formatted(part) + "}")
        return Js("`" + "".join(parts) + "`", TEXT)

    def formatted(self, part: ast.FormattedValue) -> str:
        value = self.expression(part.value)
        shape = None if part.format_spec is None else ast.unparse(part.format_spec)[2:-1]
        if part.conversion != -1 or shape not in (None, ","):
            raise self.refuse(part, f"the only format of a number is {{n:,}}, not {ast.unparse(part)}")
        if shape == ",":
            return f"$.grouped({value.code})"
        if value.type.kind in ("int", "number", "text") and not value.type.optional:
            return value.code  # a template writes it as Python does
        return self.as_text(part, value)

    def as_text(self, node: ast.AST, value: Js) -> str:
        """`str(value)`."""
        kind = value.type.kind
        if kind == "float":
            raise self.refuse(
                node, "the text of a float differs between the languages (2.0 and 2): use number() or r1()"
            )
        if kind in ("int", "number", "text") and not value.type.optional:
            return f"String({value.code})"
        if kind in (*SEQUENCES, "set", "dict", "record", "object"):
            raise self.refuse(node, f"the text of a {kind} is outside the subset")
        return f"$.str({value.code})"

    # Subscripts -----------------------------------------------------------------------------------

    def of_Subscript(self, node: ast.Subscript) -> Js:
        value = self.expression(node.value)
        if isinstance(node.slice, ast.Slice):
            return self.part(node, value, node.slice)
        return self.item(node, value, node.slice)

    def part(self, node: ast.AST, value: Js, cut: ast.Slice) -> Js:
        if cut.step is not None:
            raise self.refuse(node, "a slice with a step is outside the subset")
        low = self.code(cut.lower) if cut.lower else "0"
        high = f", {self.code(cut.upper)}" if cut.upper else ""
        type_ = list_of(value.type.element) if value.type.kind == "tuple" else value.type
        return Js(f"{value.code}.slice({low}{high})", Type(type_.kind, type_.args))

    def item(self, node: ast.AST, value: Js, key: ast.expr) -> Js:
        type_ = self.program.as_dict(value.type) or value.type
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and type_.kind in ("record", "any"):
            return Js(f"{value.code}.{self.key(node, key.value)}", self.field_type(type_, key.value))
        negative = isinstance(key, ast.UnaryOp) and isinstance(key.op, ast.USub)
        index = self.expression(key)
        if type_.kind == "dict":
            self.hashed(node, type_.args[0])
            return Js(f"{value.code}.get({index.code})", type_.args[1])
        if type_.kind == "match":
            return Js(f"({value.code}[{index.code}] ?? null)", or_none(TEXT))
        if type_.kind in (*SEQUENCES, "text"):
            element = type_.element
            if type_.kind == "tuple" and isinstance(key, ast.Constant) and isinstance(key.value, int):
                element = type_.args[key.value]
            code = f"{value.code}.at({index.code})" if negative else f"{value.code}[{index.code}]"
            return Js(code, element)
        if type_.kind == "record":
            return Js(f"{value.code}[{index.code}]", type_.args[1] if type_.args else ANY)
        return Js(f"$.at({value.code}, {index.code})", ANY)

    def key(self, node: ast.AST, name: str) -> str:
        """A key of a record as a property."""
        if not name.isidentifier() or name in INHERITED:
            raise self.refuse(node, f"the key {name!r} is no name, or one that each object of JavaScript has")
        return name

    def field_type(self, type_: Type, name: str) -> Type:
        return self.program.field(type_, name)[0]

    # Comprehensions -------------------------------------------------------------------------------

    def iterated(self, value: Js) -> str:
        """What a loop goes through, as something that JavaScript's loops go through in the same way."""
        type_ = self.program.as_dict(value.type) or value.type
        if type_.kind in (*SEQUENCES, "set", "text"):
            return value.code
        return f"{value.code}.keys()" if type_.kind == "dict" else f"$.list({value.code})"

    def as_array(self, value: Js) -> str:
        type_ = self.program.as_dict(value.type) or value.type
        if type_.kind in ("set", "text", "dict"):
            return f"[...{self.iterated(value)}]"
        return self.iterated(value)

    def bind(self, target: ast.expr, type_: Type, declare: bool = False) -> str:
        """The translation of a target, whose variables get the types of parts of a value."""
        if isinstance(target, ast.Name):
            home = self.scope if declare else self.scope.home_of(target.id)
            if home is not None:
                (home.declared if declare else home.assigned)(target.id, type_)
            return spelled(target.id)
        if isinstance(target, ast.Tuple | ast.List):
            parts = []
            for i, part in enumerate(target.elts):
                if isinstance(part, ast.Starred):
                    rest = type_.args[i:] if type_.kind == "tuple" else (type_.element,)
                    parts.append("..." + self.bind(part.value, list_of(join_all(rest)), declare))
                else:
                    known = type_.kind == "tuple" and i < len(type_.args)
                    parts.append(self.bind(part, type_.args[i] if known else type_.element, declare))
            return "[" + ", ".join(parts) + "]"
        raise self.refuse(target, f"an assignment to {ast.unparse(target)} here is outside the subset")

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Js:
        """An array of the elements; of a dict comprehension, of its pairs."""
        outer = self.scope
        self.scope = Scope(outer, {name for g in node.generators for name in names_in(g.target)})
        wraps: list[tuple[str, str]] = []  # per generator: the array, and the parameter of the function
        for g in node.generators:
            if g.is_async:
                raise self.refuse(node, "async is outside the subset")
            inner, self.scope = self.scope, outer if g is node.generators[0] else self.scope
            source = self.expression(g.iter)
            self.scope = inner
            type_ = self.program.as_dict(source.type) or source.type
            target = f"({self.bind(g.target, type_.element, declare=True)})"
            array = self.as_array(source)
            for test in g.ifs:
                array += f".filter({target} => {self.condition(test)})"
            wraps.append((array, target))
        if isinstance(node, ast.DictComp):
            key, value = self.expression(node.key), self.expression(node.value)
            self.hashed(node, key.type)
            made = Js(f"[{key.code}, {value.code}]", tuple_of(key.type, value.type))
        else:
            made = self.expression(node.elt)
        self.scope = outer
        code = made.code
        for i, (array, target) in reversed(list(enumerate(wraps))):
            # The elements themselves; a lone array would be the one that it was made of, and no copy.
            if i == len(wraps) - 1 and target == f"({code})" and (i or ".filter(" in array):
                code = array
            else:
                body = f"({code})" if code.startswith("{") else code
                code = f"{array}.{'map' if i == len(wraps) - 1 else 'flatMap'}({target} => {body})"
        return Js(code, list_of(made.type))

    def of_ListComp(self, node: ast.ListComp) -> Js:
        return self.comprehension(node)

    def of_GeneratorExp(self, node: ast.GeneratorExp) -> Js:
        return self.comprehension(node)

    def of_SetComp(self, node: ast.SetComp) -> Js:
        made = self.comprehension(node)
        self.hashed(node, made.type.element)
        return Js(f"new Set({made.code})", set_of(made.type.element))

    def of_DictComp(self, node: ast.DictComp) -> Js:
        made = self.comprehension(node)
        return Js(f"new Map({made.code})", dict_of(*made.type.element.args))

    # Functions ------------------------------------------------------------------------------------

    def of_Lambda(self, node: ast.Lambda) -> Js:
        names = [arg.arg for arg in node.args.args]
        outer = self.scope
        self.scope = Scope(outer, set(names))
        for name in names:
            self.scope.declared(name, ANY)
        made = self.expression(node.body)
        self.scope = outer
        return Js(f"(({', '.join(map(spelled, names))}) => {made.code})", Type("function", (made.type,)))

    def of_NamedExpr(self, node: ast.NamedExpr) -> Js:
        value = self.expression(node.value)
        return Js(f"({self.bind(node.target, value.type)} = {value.code})", value.type)

    def of_Call(self, node: ast.Call) -> Js:
        raise NotImplementedError

    def pattern(self, node: ast.Call) -> Js:
        """`re.compile("...")`, or the first argument of `re.search`: a regular expression without flags."""
        text = node.args[0]
        if not (isinstance(text, ast.Constant) and isinstance(text.value, str)):
            raise self.refuse(node, "a regular expression must be written out")
        flags = [ast.unparse(arg) for arg in node.args[1:]] if ast.unparse(node.func) == "re.compile" else []
        if CLASSES_OF_UNICODE.search(text.value) and flags != ["re.ASCII"]:
            raise self.refuse(
                node, r"\d, \w, \s and \b mean ASCII in JavaScript: compile the expression with re.ASCII"
            )
        if "(?P" in text.value or "(?<" in text.value:
            raise self.refuse(
                node, "a regular expression with named groups or a look behind is outside the subset"
            )
        return Js("/" + text.value.replace("\\Z", "$").replace("/", "\\/") + "/", PATTERN)


def is_field(node: ast.expr) -> bool:
    """Whether an expression is a field of a record: `x["name"]`."""
    key = node.slice if isinstance(node, ast.Subscript) else None
    return isinstance(key, ast.Constant) and isinstance(key.value, str)


def name_written(code: str) -> str:
    """The name in a translated constant, if it is one."""
    name = code[1:-1]
    return name if code == quoted(name) and name.isidentifier() else ""


def field_name(name: str) -> str:
    return name if name.isidentifier() else quoted(name)
