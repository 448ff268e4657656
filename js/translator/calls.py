"""Calls: of functions and classes of the program, of Python's built-in functions, and of the methods of texts, lists, sets and dicts."""

from __future__ import annotations

import ast

from js.translator.expressions import Expressions, Js, quoted
from js.translator.program import Module, Signature
from js.translator.scope import Scope, member, spelled
from js.translator.types import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    MATCH,
    NEVER,
    NONE,
    NUMBER,
    NUMBERS,
    SCALARS,
    SEQUENCES,
    TEXT,
    Type,
    join,
    join_all,
    list_of,
    or_none,
    set_of,
    tuple_of,
)

# Methods of texts: the name in JavaScript, and the type of the result.
OF_TEXT = {
    "startswith": ("startsWith", BOOL), "endswith": ("endsWith", BOOL), "strip": ("trim", TEXT), "rstrip": ("trimEnd", TEXT), "lstrip": ("trimStart", TEXT),
    "find": ("indexOf", INT), "rfind": ("lastIndexOf", INT), "lower": ("toLowerCase", TEXT), "upper": ("toUpperCase", TEXT), "split": ("split", list_of(TEXT)),
}  # fmt: skip
ARGUMENTS = {"strip": 0, "rstrip": 0, "lstrip": 0, "lower": 0, "upper": 0}  # how many they take, if not one
OF_MATH = {"floor": INT, "ceil": INT, "sqrt": FLOAT, "log10": FLOAT}


class Calls(Expressions):
    """Adds calls to the expressions."""

    def of_Call(self, node: ast.Call) -> Js:
        function = node.func
        if isinstance(function, ast.Name):
            return self.call_of_name(node, function)
        if isinstance(function, ast.Attribute):
            if isinstance(function.value, ast.Name) and self.scope.home_of(function.value.id) is None:
                source, original = self.program.origin(self.module, function.value.id)
                if source in ("math", "re") and not original:
                    return self.call_of_library(node, source, function.attr)
            return self.call_of_method(node, function)
        value = self.expression(function)
        return Js(f"{value.code}({self.arguments(node)})", value.type.args[0] if value.type.args else ANY)

    def arguments(self, node: ast.Call) -> str:
        self.no_keywords(node)
        return ", ".join([self.code(arg) for arg in node.args])

    def no_keywords(self, node: ast.Call, *but: str) -> dict[str, Js]:
        """The arguments by keyword, which may only be these."""
        for keyword in node.keywords:
            if keyword.arg not in but:
                raise self.refuse(node, f"the argument {keyword.arg}= of {ast.unparse(node.func)}")
        return {keyword.arg: self.expression(keyword.value) for keyword in node.keywords if keyword.arg}

    # Of the program -------------------------------------------------------------------------------

    def call_of_name(self, node: ast.Call, function: ast.Name) -> Js:
        name = function.id
        if self.scope.home_of(name) is not None:
            value = self.of_Name(function)
            return Js(f"{value.code}({self.arguments(node)})", value.type.args[0] if value.type.args else ANY)
        found = self.program.find(self.module, name)
        if found is None:
            return self.call_of_builtin(node, name)
        home, definition = found
        self.needs.add(name)
        if isinstance(definition, ast.FunctionDef):
            signature = self.program.signature(home, definition)
            return Js(f"{spelled(name)}({self.passed(node, signature)})", signature.returns)
        if isinstance(definition, ast.ClassDef):
            return self.new(node, name, home, definition)
        value = self.of_Name(function)
        return Js(f"{value.code}({self.arguments(node)})", value.type.args[0] if value.type.args else ANY)

    def new(self, node: ast.Call, name: str, home: Module, definition: ast.ClassDef) -> Js:
        type_ = Type("object", (), definition.name, home.name)
        for part in definition.body:
            if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                signature = self.program.signature(home, part, method=True)
                return Js(f"new {spelled(name)}({self.passed(node, signature)})", type_)
        return Js(f"new {spelled(name)}({self.arguments(node)})", type_)

    def passed(self, node: ast.Call, signature: Signature) -> str:
        """The arguments of a call in the order of the parameters. What is left out in between is undefined, which takes the default."""
        hints = [*signature.types, *[NEVER] * len(node.args)]
        args = [self.expression(arg, hint).code for arg, hint in zip(node.args, hints, strict=False)]
        given = {keyword.arg: self.code(keyword.value) for keyword in node.keywords}
        missing = set(given) - set(signature.names[len(args) :])
        if missing:
            raise self.refuse(node, f"{ast.unparse(node.func)} has no parameter {missing.pop()}")
        rest = list(signature.names[len(args) :])
        while rest and rest[-1] not in given:
            rest.pop()
        return ", ".join(args + [given.get(name, "undefined") for name in rest])

    # Built-in functions ---------------------------------------------------------------------------

    def call_of_builtin(self, node: ast.Call, name: str) -> Js:
        source, original = self.program.origin(self.module, name)
        if source == "typing" and original == "cast":
            value = self.expression(node.args[1])
            return Js(value.code, self.program.type_of(self.module, node.args[0]))
        if source == "operator" and original == "itemgetter":
            return Js(f"((x) => x[{self.code(node.args[0])}])", Type("function"))
        if source == "bisect":
            key = self.no_keywords(node, "key").get("key")
            args = [self.code(arg) for arg in node.args] + ([key.code] if key else [])
            return Js(f"$.{original}({', '.join(args)})", INT)
        translate = getattr(self, "call_" + name, None)
        if source or translate is None:
            raise self.refuse(node, f"the function {name} is outside the subset")
        made: Js = translate(node)
        return made

    def call_len(self, node: ast.Call) -> Js:
        value = self.expression(node.args[0])
        type_ = self.program.as_dict(value.type) or value.type
        if type_.kind in (*SEQUENCES, "text"):
            return Js(f"{value.code}.length", INT)
        if type_.kind in ("set", "dict"):
            return Js(f"{value.code}.size", INT)
        return Js(f"$.len({value.code})", INT)

    def call_range(self, node: ast.Call) -> Js:
        args = [self.code(arg) for arg in node.args]
        return Js(f"$.range({', '.join(args if len(args) > 1 else ['0', *args])})", list_of(INT))

    def call_max(self, node: ast.Call) -> Js:
        return self.extreme(node, "max", "1")

    def call_min(self, node: ast.Call) -> Js:
        return self.extreme(node, "min", "-1")

    def extreme(self, node: ast.Call, name: str, sign: str) -> Js:
        otherwise = self.no_keywords(node, "default").get("default")
        values = [self.expression(arg) for arg in node.args]
        if len(values) > 1:
            type_ = join_all([value.type for value in values])
            return Js(
                f"$.{name}({', '.join([value.code for value in values])})",
                type_ if type_.kind in NUMBERS else NUMBER,
            )
        element = values[0].type.element
        if otherwise:
            element = join(element, otherwise.type)
        more = f", {otherwise.code}" if otherwise else ""
        return Js(f"$.most({sign}, {self.iterated(values[0])}{more})", element)

    def call_int(self, node: ast.Call) -> Js:
        value = self.expression(node.args[0])
        number = value.code if value.type.kind in NUMBERS else f"Number({value.code})"
        return Js(f"$.trunc({number})", INT)

    def call_float(self, node: ast.Call) -> Js:
        value = self.expression(node.args[0])
        return Js(value.code if value.type.kind in NUMBERS else f"Number({value.code})", FLOAT)

    def call_str(self, node: ast.Call) -> Js:
        value = self.expression(node.args[0])
        return Js(value.code if value.type.kind == "text" else self.as_text(node, value), TEXT)

    def call_bool(self, node: ast.Call) -> Js:
        return Js(f"!!{self.condition(node.args[0])}", BOOL)

    def call_abs(self, node: ast.Call) -> Js:
        value = self.expression(node.args[0])
        return Js(f"$.abs({value.code})", value.type)

    def call_any(self, node: ast.Call) -> Js:
        return self.quantified(node, "some")

    def call_all(self, node: ast.Call) -> Js:
        return self.quantified(node, "every")

    def quantified(self, node: ast.Call, method: str) -> Js:
        """`any` and `all` of a comprehension ask its elements one after the other."""
        arg = node.args[0]
        if isinstance(arg, ast.ListComp | ast.GeneratorExp) and len(arg.generators) == 1:
            # The comprehension without its element, and then the element as a condition.
            outer = self.scope
            g = arg.generators[0]
            source = self.expression(g.iter)
            self.scope = Scope(outer, {part.id for part in ast.walk(g.target) if isinstance(part, ast.Name)})
            type_ = self.program.as_dict(source.type) or source.type
            target = f"({self.bind(g.target, type_.element, declare=True)})"
            tests = "".join([f".filter({target} => {self.condition(test)})" for test in g.ifs])
            code = f"{self.as_array(source)}{tests}.{method}({target} => {self.condition(arg.elt)})"
            self.scope = outer
            return Js(code, BOOL)
        value = self.expression(arg)
        return Js(f"{self.as_array(value)}.{method}($.truth)", BOOL)

    def call_sorted(self, node: ast.Call) -> Js:
        key = self.no_keywords(node, "key").get("key")
        value = self.expression(node.args[0])
        more = f", {key.code}" if key else ""
        return Js(f"$.sorted({self.iterated(value)}{more})", list_of(value.type.element))

    def call_set(self, node: ast.Call) -> Js:
        if not node.args:
            return Js("new Set()", set_of(NEVER))
        value = self.expression(node.args[0])
        self.hashed(node, value.type.element)
        return Js(f"new Set({self.iterated(value)})", set_of(value.type.element))

    def call_list(self, node: ast.Call) -> Js:
        value = self.expression(node.args[0])
        return Js(f"[...{self.iterated(value)}]", list_of(value.type.element))

    def call_dict(self, node: ast.Call) -> Js:
        value = self.expression(node.args[0])
        if value.type.kind == "dict":
            return Js(f"new Map({value.code})", value.type)
        return Js(f"$.merged({value.code})", value.type)

    def call_zip(self, node: ast.Call) -> Js:
        self.no_keywords(node, "strict")
        values = [self.expression(arg) for arg in node.args]
        types = tuple_of(*[value.type.element for value in values])
        return Js(f"$.zip({', '.join([self.as_array(value) for value in values])})", list_of(types))

    def call_enumerate(self, node: ast.Call) -> Js:
        value = self.expression(node.args[0])
        return Js(f"{self.as_array(value)}.map((x, i) => [i, x])", list_of(tuple_of(INT, value.type.element)))

    def call_ord(self, node: ast.Call) -> Js:
        return Js(f"{self.code(node.args[0])}.codePointAt(0)", INT)

    def call_isinstance(self, node: ast.Call) -> Js:
        if ast.unparse(node.args[1]) != "str":
            raise self.refuse(node, "isinstance asks for str alone")
        return Js(f'(typeof {self.code(node.args[0])} === "string")', BOOL)

    # Modules of the standard library --------------------------------------------------------------

    def call_of_library(self, node: ast.Call, module: str, name: str) -> Js:
        if module == "re":
            if name == "compile":
                return self.pattern(node)
            if name == "search":
                return Js(f"{self.pattern(node).code}.exec({self.code(node.args[1])})", or_none(MATCH))
        elif name == "prod":
            return Js(f"$.prod({self.code(node.args[0])})", INT)
        elif name in OF_MATH:
            return Js(f"$.{name}({self.arguments(node)})", OF_MATH[name])
        raise self.refuse(node, f"{module}.{name} is outside the subset")

    # Methods --------------------------------------------------------------------------------------

    def call_of_method(self, node: ast.Call, function: ast.Attribute) -> Js:
        value = self.expression(function.value)
        name = function.attr
        type_ = value.type
        if type_.kind == "object":
            signature = self.method(type_, name)
            if signature is not None:
                self.members.add(name)
                returns = self.program.filled(signature.returns, type_)
                return Js(f"{value.code}.{member(name)}({self.passed(node, signature)})", returns)
            type_ = self.program.as_dict(type_) or type_
        translate = getattr(self, f"{type_.kind}_{name}", None) or getattr(self, f"any_{name}", None)
        if type_.kind in ("text", "any") and name in OF_TEXT and translate is None:
            return self.method_of_text(node, value, name)
        if translate is None or type_.kind in ("none", "function", *NUMBERS):
            raise self.refuse(
                node, f"the method {name} of a value of type {type_.kind} is outside the subset"
            )
        made: Js = translate(node, Js(value.code, type_))
        return made

    def method(self, type_: Type, name: str) -> Signature | None:
        found = self.program.class_of(type_)
        if found is not None:
            for part in found[1].body:
                if isinstance(part, ast.FunctionDef) and part.name == name:
                    return self.program.signature(found[0], part, method=True)
        return None

    def method_of_text(self, node: ast.Call, value: Js, name: str) -> Js:
        self.no_keywords(node)
        spelling, type_ = OF_TEXT[name]
        if len(node.args) != ARGUMENTS.get(name, 1):
            raise self.refuse(node, f"{name} with {len(node.args)} arguments is outside the subset")
        if node.args:
            arg = self.expression(node.args[0])
            if arg.type.kind in SEQUENCES:
                return Js(f"{arg.code}.some((s) => {value.code}.{spelling}(s))", type_)
            return Js(f"{value.code}.{spelling}({arg.code})", type_)
        return Js(f"{value.code}.{spelling}()", type_)

    def any_join(self, node: ast.Call, value: Js) -> Js:
        parts = self.expression(node.args[0])
        return Js(f"{self.as_array(parts)}.join({value.code})", TEXT)

    def any_replace(self, node: ast.Call, value: Js) -> Js:
        old, new = node.args
        plain = isinstance(new, ast.Constant) and "$" not in str(new.value)
        by = self.code(new) if plain else f"() => {self.code(new)}"
        return Js(f"{value.code}.replaceAll({self.code(old)}, {by})", TEXT)

    def any_isdigit(self, node: ast.Call, value: Js) -> Js:
        return Js(f"$.isdigit({value.code})", BOOL)

    def any_append(self, node: ast.Call, value: Js) -> Js:
        item = self.expression(node.args[0])
        self.grows(node, item.type)
        return Js(f"{value.code}.push({item.code})", NONE)

    def any_extend(self, node: ast.Call, value: Js) -> Js:
        more = self.expression(node.args[0])
        self.grows(node, more.type.element)
        return Js(f"$.extend({value.code}, {self.iterated(more)})", NONE)

    def any_insert(self, node: ast.Call, value: Js) -> Js:
        at, item = node.args
        made = self.expression(item)
        self.grows(node, made.type)
        return Js(f"{value.code}.splice({self.code(at)}, 0, {made.code})", NONE)

    def grows(self, node: ast.Call, element: Type) -> None:
        """Note that a list in a variable has such an element too."""
        assert isinstance(node.func, ast.Attribute)
        owner = node.func.value
        home = self.scope.home_of(owner.id) if isinstance(owner, ast.Name) else None
        if home is not None and isinstance(owner, ast.Name) and home.type_of(owner.id).kind == "list":
            home.assigned(owner.id, list_of(element))

    def any_pop(self, node: ast.Call, value: Js) -> Js:
        if node.args or value.type.kind not in ("list", "any"):
            raise self.refuse(node, "pop takes the last element of a list, without an argument")
        return Js(f"{value.code}.pop()", value.type.element)

    def any_index(self, node: ast.Call, value: Js) -> Js:
        wanted = self.expression(node.args[0])
        if {wanted.type.kind, value.type.element.kind} & set(SCALARS):
            return Js(f"{value.code}.indexOf({wanted.code})", INT)
        return Js(f"$.indexOf({value.code}, {wanted.code})", INT)

    def any_sort(self, node: ast.Call, value: Js) -> Js:
        key = self.no_keywords(node, "key").get("key")
        by = f"(a, b) => $.order({key.code}(a), {key.code}(b))" if key else "$.order"
        return Js(f"{value.code}.sort({by})", NONE)

    def any_add(self, node: ast.Call, value: Js) -> Js:
        item = self.expression(node.args[0])
        self.hashed(node, item.type)
        return Js(f"{value.code}.add({item.code})", NONE)

    def any_update(self, node: ast.Call, value: Js) -> Js:
        if value.type.kind not in ("set", "any"):
            raise self.refuse(node, "update is for sets")
        return Js(f"$.update({value.code}, {self.iterated(self.expression(node.args[0]))})", NONE)

    def any_get(self, node: ast.Call, value: Js) -> Js:
        key, *rest = node.args
        otherwise = self.expression(rest[0]) if rest else Js("null", NONE)
        type_ = value.type
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and type_.kind == "record":
            found, _ = self.program.field(type_, key.value) if type_.name else (ANY, False)
            result = join(found, otherwise.type)
            # A field that is there may be None. Names are never written as texts, so that the build can shorten them.
            if rest and (found.optional or found.kind == "any"):
                return Js(f"$.given({value.code}.{key.value}, {otherwise.code})", result)
            return Js(f"({value.code}.{key.value} ?? {otherwise.code})", result)
        if type_.kind == "dict":
            result = join(type_.args[1], otherwise.type)
            if not rest or not (type_.args[1].optional or type_.args[1].kind == "any"):
                return Js(f"({value.code}.get({self.code(key)}) ?? {otherwise.code})", result)
        more = f", {otherwise.code}" if rest else ""
        return Js(f"$.get({value.code}, {self.code(key)}{more})", ANY)

    def any_setdefault(self, node: ast.Call, value: Js) -> Js:
        key, otherwise = self.expression(node.args[0]), self.expression(node.args[1])
        if value.type.kind not in ("dict", "any"):
            raise self.refuse(node, "setdefault is for dicts that are no records")
        type_ = value.type.args[1] if value.type.kind == "dict" else otherwise.type
        self.hashed(node, key.type)
        return Js(f"$.setdefault({value.code}, {key.code}, {otherwise.code})", type_)

    def any_items(self, node: ast.Call, value: Js) -> Js:
        if value.type.kind == "dict":
            return Js(f"[...{value.code}]", list_of(tuple_of(*value.type.args)))
        return Js(f"$.items({value.code})", list_of(tuple_of(TEXT, ANY)))

    def any_values(self, node: ast.Call, value: Js) -> Js:
        if value.type.kind == "dict":
            return Js(f"[...{value.code}.values()]", list_of(value.type.args[1]))
        return Js(f"$.items({value.code}).map((x) => x[1])", list_of(ANY))

    def any_keys(self, node: ast.Call, value: Js) -> Js:
        return Js(f"[...{self.iterated(value)}]", list_of(value.type.element))

    # Regular expressions --------------------------------------------------------------------------

    def pattern_match(self, node: ast.Call, value: Js) -> Js:
        return Js(f"$.match({value.code}, {self.arguments(node)})", or_none(MATCH))

    def pattern_search(self, node: ast.Call, value: Js) -> Js:
        return Js(f"{value.code}.exec({self.arguments(node)})", or_none(MATCH))

    def pattern_finditer(self, node: ast.Call, value: Js) -> Js:
        return Js(f"$.finditer({value.code}, {self.arguments(node)})", list_of(MATCH))

    def pattern_sub(self, node: ast.Call, value: Js) -> Js:
        by, text = node.args
        if not (isinstance(by, ast.Constant) and isinstance(by.value, str)):
            raise self.refuse(node, "what is put in the place of matches must be written out")
        written = quoted(by.value.replace("$", "$$").replace("\\", "$"))
        return Js(f"$.sub({value.code}, {written}, {self.code(text)})", TEXT)

    def match_start(self, node: ast.Call, value: Js) -> Js:
        return Js(f"{value.code}.index", INT)
