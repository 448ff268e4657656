"""Statements, functions and classes."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable

from js.translator.calls import Calls
from js.translator.expressions import Js
from js.translator.program import Function
from js.translator.scope import Scope, member, spelled, stored_in
from js.translator.types import ANY, INT, NEVER, Type, join, list_of

PASSES = 8  # how often a function is translated at most, until the types of its variables stay the same
OFTEN = 4  # a method that uses `self` so often has a variable for `this`


class Statements(Calls):
    """Adds statements, functions and classes."""

    def attribute(self, owner: Type, name: str) -> Type:
        found = self.program.class_of(owner)
        if found is None:
            return ANY
        home, node = found
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and part.name == name:
                returns = self.program.filled(self.program.type_of(home, part.returns), owner)
                return returns if kind_of_method(part) else Type("function", (returns,))
        fields = self.program.fields_of(owner.module, owner.name, lambda: self.read_fields(owner))
        if name not in fields:
            raise home.refuse(node, f"{node.name} has no attribute {name!r} that its __init__ sets")
        return self.program.filled(fields[name], owner)

    def is_method(self, owner: Type, name: str) -> bool:
        found = self.program.class_of(owner)
        return found is not None and any(
            isinstance(part, ast.FunctionDef) and part.name == name and not kind_of_method(part)
            for part in found[1].body
        )

    def read_fields(self, owner: Type) -> None:
        """Find the attributes that the `__init__` of a class sets."""
        found = self.program.class_of(owner)
        assert found is not None
        reader = Statements(self.program, found[0])
        for part in found[1].body:
            if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                reader.method_of(found[1], part)

    # Targets --------------------------------------------------------------------------------------

    def bind(self, target: ast.expr, type_: Type, declare: bool = False) -> str:
        if isinstance(target, ast.Attribute) and not declare:
            owner = self.expression(target.value)
            if owner.type.kind != "object":
                raise self.refuse(target, "only attributes of objects of the program are assigned")
            self.set_field(owner.type, target.attr, type_)
            return f"{owner.code}.{member(target.attr)}"
        return super().bind(target, type_, declare)

    def set_field(self, owner: Type, name: str, type_: Type, declared: bool = False) -> None:
        fields = self.program.fields.setdefault((owner.module, owner.name), {})
        known = (owner.module, owner.name, name)
        if declared:
            self.program.declared_fields.add(known)
            fields[name] = type_
        elif known not in self.program.declared_fields:
            fields[name] = join(fields.get(name, NEVER), type_)

    def put(self, node: ast.AST, target: ast.Subscript, value: Js) -> str:
        """`x[key] = value`."""
        owner, key = self.expression(target.value), target.slice
        type_ = self.program.as_dict(owner.type) or owner.type
        if isinstance(key, ast.Slice):
            raise self.refuse(node, "an assignment to a slice is outside the subset")
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and type_.kind in ("record", "any"):
            return f"{owner.code}.{self.key(node, key.value)} = {value.code};"
        if isinstance(key, ast.UnaryOp) and isinstance(key.op, ast.USub):
            raise self.refuse(
                node, "an assignment to a place that is counted from the end: write xs[len(xs) - 1]"
            )
        index = self.expression(key)
        if type_.kind == "dict":
            self.hashed(node, index.type)
            home = self.scope.home_of(target.value.id) if isinstance(target.value, ast.Name) else None
            if home is not None and isinstance(target.value, ast.Name) and target.value.id not in home.fixed:
                home.assigned(target.value.id, Type("dict", (index.type, value.type)))
            return f"{owner.code}.set({index.code}, {value.code});"
        if type_.kind == "list" and index.type.kind == "int":
            return f"{owner.code}[{index.code}] = {value.code};"
        return f"$.put({owner.code}, {index.code}, {value.code});"

    # Statements -----------------------------------------------------------------------------------

    def block(self, body: list[ast.stmt]) -> str:
        return "{\n" + "".join([self.statement(node) for node in body]) + "}"

    def statement(self, node: ast.stmt) -> str:
        translate: Callable[[ast.stmt], str] | None = getattr(self, "do_" + type(node).__name__, None)
        if translate is None:
            raise self.refuse(node, f"the statement {type(node).__name__} is outside the subset")
        return translate(node)

    def do_Expr(self, node: ast.Expr) -> str:
        if isinstance(node.value, ast.Constant):
            return ""  # a docstring
        return self.code(node.value) + ";\n"

    def do_Assign(self, node: ast.Assign) -> str:
        if len(node.targets) > 1:
            raise self.refuse(node, "an assignment to several targets is outside the subset: write two")
        target = node.targets[0]
        if isinstance(target, ast.Subscript):
            return self.put(node, target, self.expression(node.value)) + "\n"
        value = self.expression(node.value, self.declared(target))
        return f"{self.bind(target, value.type)} = {value.code};\n"

    def declared(self, target: ast.expr) -> Type:
        """The type of a variable that has an annotation."""
        home = self.scope.home_of(target.id) if isinstance(target, ast.Name) else None
        if home is not None and isinstance(target, ast.Name) and target.id in home.fixed:
            return home.type_of(target.id)
        return NEVER

    def do_AnnAssign(self, node: ast.AnnAssign) -> str:
        type_ = self.program.type_of(self.module, node.annotation)
        target = node.target
        if isinstance(target, ast.Name):
            home = self.scope.home_of(target.id)
            assert home is not None
            home.declared(target.id, type_)
            home.fixed.add(target.id)
            place = spelled(target.id)
        elif isinstance(target, ast.Attribute):
            owner = self.expression(target.value)
            self.set_field(owner.type, target.attr, type_, declared=True)
            place = f"{owner.code}.{member(target.attr)}"
        else:
            raise self.refuse(node, "an annotation here is outside the subset")
        return f"{place} = {self.expression(node.value, type_).code};\n" if node.value else ""

    def do_AugAssign(self, node: ast.AugAssign) -> str:
        loaded = ast.parse(ast.unparse(node.target), mode="eval").body
        before = self.expression(ast.copy_location(loaded, node))
        for part in ast.walk(loaded):
            ast.copy_location(part, node)
        if before.type.kind in ("list", "set"):
            raise self.refuse(node, f"{ast.unparse(node)[:40]}: use extend or update")
        value = self.binary(node, before, node.op, self.expression(node.value))
        if isinstance(node.target, ast.Subscript):
            return self.put(node, node.target, value) + "\n"
        return f"{self.bind(node.target, value.type)} = {value.code};\n"

    def do_If(self, node: ast.If) -> str:
        code = f"if ({self.condition(node.test)}) {self.block(node.body)}"
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            return f"{code} else {self.do_If(node.orelse[0])}"
        return code + (f" else {self.block(node.orelse)}\n" if node.orelse else "\n")

    def do_For(self, node: ast.For) -> str:
        if node.orelse:
            raise self.refuse(node, "else after a loop is outside the subset")
        call = node.iter
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range":
            return self.counted(node, call)
        source = self.expression(call)
        type_ = self.program.as_dict(source.type) or source.type
        target = self.bind(node.target, type_.element)
        places = ".map((x, i) => [i, x])"
        code = self.iterated(source)
        code = f"{code.removesuffix(places)}.entries()" if code.endswith(places) else code
        return f"for ({target} of {code}) {self.block(node.body)}\n"

    def counted(self, node: ast.For, call: ast.Call) -> str:
        """A loop over a range. If its body, or what comes after it, needs the variable as Python has it, a counter of its own counts."""
        args = [self.code(arg) for arg in call.args]
        begin, end = ("0", args[0]) if len(args) == 1 else args[:2]
        step = ast.literal_eval(call.args[2]) if len(args) == 3 else 1
        i = self.bind(node.target, INT)
        n, first = (i, "") if i in self.counters else ("i$", f"{i} = i$;\n")
        sign, by = ("<", f"+= {step}") if step > 0 else (">", f"-= {-step}")
        by = {"+= 1": "++", "-= 1": "--"}.get(by, by)
        head = f"let {n} = {begin}, end$ = {end}; {n} {sign} end$; {n}{by}"
        return f"for ({head}) {{\n{first}" + self.block(node.body)[2:] + "\n"

    def do_While(self, node: ast.While) -> str:
        if node.orelse:
            raise self.refuse(node, "else after a loop is outside the subset")
        return f"while ({self.condition(node.test)}) {self.block(node.body)}\n"

    def do_Return(self, node: ast.Return) -> str:
        return f"return {self.expression(node.value, self.returns).code if node.value else 'null'};\n"

    def do_Break(self, node: ast.Break) -> str:
        return "break;\n"

    def do_Continue(self, node: ast.Continue) -> str:
        return "continue;\n"

    def do_Pass(self, node: ast.Pass) -> str:
        return ""

    def do_Assert(self, node: ast.Assert) -> str:
        return ""  # for type checkers

    def do_FunctionDef(self, node: Function) -> str:
        """A function inside of a function. An arrow function, so that `this` stays that of the method around it."""
        home = self.scope.home_of(node.name)
        assert home is not None
        signature = self.program.signature(self.module, node)
        home.declared(node.name, Type("function", (signature.returns,)))
        return f"{spelled(node.name)} = ({self.parameters(node)}) => {self.body(node)};\n"

    # Functions and classes ------------------------------------------------------------------------

    returns: Type = NEVER  # what the function that is translated returns
    counters: frozenset[str] = frozenset()  # its variables that only count in loops

    def parameters(self, node: Function, method: bool = False) -> str:
        signature = self.program.signature(self.module, node, method)
        first = len(signature.names) - signature.optional
        parts = []
        for i, name in enumerate(signature.names):
            if i < first:
                parts.append(spelled(name))
                continue
            default = node.args.defaults[i - first]
            if not isinstance(default, ast.Constant | ast.Name | ast.UnaryOp | ast.Tuple):
                raise self.refuse(
                    default,
                    "a default must not be a list or a dict: Python makes it once, JavaScript at each call",
                )
            parts.append(f"{spelled(name)} = {self.code(default)}")
        return ", ".join(parts + ([f"...{spelled(signature.starred)}"] if signature.starred else []))

    def body(self, node: Function, method: bool = False) -> str:
        """The body of a function. It is translated until the types of its variables stay the same."""
        signature = self.program.signature(self.module, node, method)
        params = [*signature.names, *([signature.starred] if signature.starred else [])]
        own = sorted(set(stored_in(node.body)) - set(params))
        outer, returns, counters = self.scope, self.returns, self.counters
        self.returns, self.counters = signature.returns, counters_of(node)
        known: dict[str, Type] = {}
        for _ in range(PASSES):
            self.scope = Scope(outer, {*params, *own}, dict(known))
            for name, type_ in zip(signature.names, signature.types, strict=True):
                self.scope.declared(name, type_)
                self.scope.fixed.add(name)
            if signature.starred:
                vararg = node.args.vararg
                element = self.program.type_of(self.module, vararg.annotation if vararg else None)
                self.scope.declared(signature.starred, list_of(element))
            first = first_values(node.body, set(own) - self.counters)
            begin = "".join(["let " + self.statement(part) for part in first])
            code = "".join([self.statement(part) for part in node.body if part not in first])
            found = {name: self.scope.found.get(name, NEVER) for name in own}
            if found == known:
                break
            known = found
        else:
            raise self.refuse(node, f"the types of the variables of {node.name} were not found")
        given = set(stored_in(first))
        declared = [spelled(name) for name in own if name not in given and spelled(name) not in self.counters]
        self.scope, self.returns, self.counters = outer, returns, counters
        names = f"let {', '.join(declared)};\n" if declared else ""
        return "{\n" + begin + names + code + "}"

    def function(self, node: Function) -> str:
        if node.decorator_list:
            raise self.refuse(node, f"the decorator of {node.name} is outside the subset")
        return f"export const {spelled(node.name)} = ({self.parameters(node)}) => {self.body(node)};\n"

    def method_of(self, owner: ast.ClassDef, node: Function) -> str:
        """A method. A property becomes a getter; a cached one keeps what it has computed."""
        kind = kind_of_method(node)
        if node.decorator_list and not kind:
            raise self.refuse(node, f"the decorator of {node.name} is outside the subset")
        own = node.args.args[0].arg
        self.this = (own, self.program.type_of(self.module, ast.Name(owner.name)))
        used = len([n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == own])
        self.this_code = own if used >= OFTEN else "this"
        name = "constructor" if node.name == "__init__" else member(node.name)
        derived = any(not isinstance(base, ast.Name) for base in owner.bases)
        if name == "constructor" and derived:
            raise self.refuse(node, "the __init__ of a class with a base is outside the subset")
        code = self.body(node, method=True)
        if self.this_code != "this":  # a variable, whose name becomes one letter
            code = f"{{\nlet {own} = this;{code[1:]}"
        code = f"({self.parameters(node, method=True)}) {code}"
        self.this = None
        if kind == "cached_property":
            return (
                f"get {name}() {{ return (this.{name}known ??= this.{name}found()); }}\n{name}found{code}\n"
            )
        return ("get " if kind else "") + name + code + "\n"


def first_values(body: list[ast.stmt], variables: set[str]) -> list[ast.stmt]:
    """The assignments at the start of a function that each give a value to new variables alone: they can declare them, which is shorter."""
    found: list[ast.stmt] = []
    known: set[str] = set()
    for part in body:
        if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
            continue  # the docstring
        names = list(stored_in([part]))
        walrus = any(isinstance(inner, ast.NamedExpr) for inner in ast.walk(part))
        if not isinstance(part, ast.Assign | ast.AnnAssign) or walrus or part.value is None:
            break
        targets = part.targets if isinstance(part, ast.Assign) else [part.target]
        plain = all(isinstance(target, ast.Name | ast.Tuple) for target in targets)
        if not plain or not names or not set(names) <= variables - known:
            break
        known |= set(names)
        found.append(part)
    return found


def counters_of(function: Function) -> frozenset[str]:
    """The variables of a function that nothing but loops over ranges sets, and that nothing outside of these loops, and no function in them, reads."""
    uses = [name for part in function.body for name in ast.walk(part) if isinstance(name, ast.Name)]
    outside, spoilt = Counter(name.id for name in uses), {arg.arg for arg in function.args.args}
    for loop in [n for part in function.body for n in ast.walk(part) if isinstance(n, ast.For)]:
        if isinstance(loop.target, ast.Name) and ast.unparse(loop.iter).startswith("range("):
            name = loop.target.id
            for part in loop.body:
                inner = [n for n in ast.walk(part) if isinstance(n, ast.Lambda | ast.FunctionDef)]
                if name in stored_in([part]) or any(name in ast.unparse(n) for n in inner):
                    spoilt.add(name)
            within = [n for part in (loop.target, *loop.body) for n in ast.walk(part)]
            outside[name] -= len([n for n in within if isinstance(n, ast.Name) and n.id == name])
        else:
            spoilt |= {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
    return frozenset(spelled(name) for name, count in outside.items() if not count and name not in spoilt)


def kind_of_method(node: Function) -> str:
    """ "property" or "cached_property" for those, otherwise nothing."""
    names = [ast.unparse(decorator) for decorator in node.decorator_list]
    return names[0] if names in (["property"], ["cached_property"]) else ""
