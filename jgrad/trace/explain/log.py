"""A trace document with what the rules ask of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from jgrad.trace.sentences import short


class Log:
    """A trace document with what the rules ask of it."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.tensors: list[dict] = document["tensors"]
        self.nodes: list[dict] = document["nodes"]
        self.steps: list[dict] = document["steps"]
        self.source: list[str] = document["source"]
        self.maker: dict[int, int] = {}  # tensor -> the step that made it
        self.final = [*self.tensors]  # as they were in the end
        self.node_maker: dict[int, int] = {}
        self.writes_to: dict[int, list[tuple[int, dict]]] = {}  # version counter -> (step, write)
        for i, step in enumerate(self.steps):
            for t in step.get("makes", ()):
                self.maker[t] = i
            if step["kind"] in ("create", "op", "view", "write") and "node" in step:
                self.node_maker.setdefault(step["node"], i)
            for write in step.get("writes", ()):
                self.writes_to.setdefault(write["counter"], []).append((i, write))
            for change in step.get("changes", ()):
                self.final[change["tensor"]] = self.final[change["tensor"]] | change
        self.lying_on: dict[int, list[int]] = {}  # storage -> the tensors that began or ended on it
        for first, last in zip(self.tensors, self.final, strict=True):
            self.lying_on.setdefault(first["storage"], []).append(first["id"])
            if last["storage"] != first["storage"]:
                self.lying_on.setdefault(last["storage"], []).append(first["id"])
        self.parameter_of: dict[int, list[int]] = {}  # a Parameter -> the tensor it was made of
        detached: dict[int, int] = {}
        for t in self.tensors:
            if t["how"] == "detach":
                detached[t["storage"]] = t["id"]
            elif t["born"] >= 0 and t["id"] not in self.maker and t["storage"] in detached:
                self.parameter_of[t["id"]] = [detached[t["storage"]]]

    def name(self, number: int, index: int | None = None) -> str:
        """What the user called a tensor at a step (in the end), or the source that made it, or its number."""
        found = ""
        for since, name in self.tensors[number]["names"]:
            if index is None or since <= index:
                found = name or (found if index is None else "")
        if not found and number in self.maker:
            step = self.steps[self.maker[number]]
            span = step["span"]
            if (
                step["kind"] in ("op", "view", "create")
                and span
                and span[0] == span[2]
                and span[3] - span[1] <= 40
            ):
                found = self.source[span[0] - 1][span[1] : span[3]]
        return found or f"tensor {number + 1}"

    def at(self, index: int | None) -> str:
        """ "line 3", or which step where no line is known."""
        if index is None:
            return "something before this cell"
        line = self.steps[index]["line"]
        return f"step {index + 1}" if line is None else f"line {line}"

    def title(self) -> str:
        """ "cell 3", or "trace 'mine'" of one that the user named."""
        name = self.document["name"]
        return name if re.fullmatch(r"cell \d+", name) else f"trace {name!r}"

    def text(self, index: int) -> str:
        """The source of a step's expression, as far as it is known."""
        span = self.steps[index]["span"]
        if span is None:
            return ""
        lines = self.source[span[0] - 1 : span[2]]
        lines[-1] = lines[-1][: span[3]]
        return "\n".join([lines[0][span[1] :], *lines[1:]])

    def lines(self, *indexes: int | None) -> list[int]:
        """The lines of steps."""
        found = [self.steps[i]["line"] for i in indexes if i is not None]
        return sorted({line for line in found if line is not None})

    def writes(self) -> Iterator[tuple[int, dict]]:
        """(step, write) in order."""
        yield from sorted((w for writes in self.writes_to.values() for w in writes), key=lambda w: w[0])

    def cutter(self, number: int) -> str:
        """What made a tensor that has no history though it was computed from one that has."""
        step, tensor = self.steps[self.maker[number]], self.tensors[number]
        text = self.text(self.maker[number])
        what = text if text and "\n" not in text and len(text) <= 40 else f"{step['op']}()"
        if step["op"] in ("detach", "data"):
            if "Parameter(" in what:
                return f"{what}, which makes a leaf of its own"
            return "detach()" if step["op"] == "detach" else ".data"
        if step["op"] in ("tensor", "new_tensor"):
            return f"{what}, which copies numbers and no history"
        if not tensor["dtype"].startswith(("float", "bfloat", "complex")):
            return f"{what}, whose result has dtype {tensor['dtype']} and so no gradient"
        return "no_grad()"

    def read_for(self, number: int, index: int) -> list[int]:
        """The tensors that one was made from before a step: those that were read, of a Parameter what it was made of."""
        if number in self.maker:
            return [] if self.maker[number] >= index else self.steps[self.maker[number]].get("reads", [])
        return self.parameter_of.get(number, [])

    def origins(self, root: int, index: int) -> list[int]:
        """The tensors from which one was computed and that were not computed themselves."""
        seen, todo = {root}, [root]
        for t in todo:  # grows while it is walked
            todo += [r for r in self.read_for(t, index) if r not in seen]
            seen.update(todo)
        return [t for t in sorted(seen) if t != root and not self.read_for(t, index)]

    def cut(self, source: int, root: int, index: int) -> int | None:
        """The tensor at which the way from `source` to `root` leaves the graph: it has no history though it was computed from one that
        has. None if the root was not computed from the source."""
        seen, todo, found = {root}, [root], None
        children: dict[int, list[int]] = {}
        while todo:
            t = todo.pop()
            for r in self.read_for(t, index):
                children.setdefault(r, []).append(t)
                if r not in seen:
                    seen.add(r)
                    todo.append(r)
        if source not in seen:
            return None
        todo, passed = [source], {source}
        while todo:
            t = todo.pop()
            for child in children.get(t, ()):
                if self.tensors[child]["is_leaf"] and self.tensors[t]["requires_grad"]:
                    found = child if found is None else min(found, child)
                elif child not in passed:
                    passed.add(child)
                    todo.append(child)
        return found

    def numbered(self, name: str, index: int) -> int | None:
        """The tensor that a variable meant at a step."""
        return next((t["id"] for t in reversed(self.tensors) if name_at(t, index) == name), None)

    def through(self, number: int, index: int) -> int | None:
        """The tensor with a name that code got hold of an unnamed view by: `a` for `a[0]`."""
        while not name_at(self.tensors[number], index):
            step = self.steps[self.maker[number]] if number in self.maker else {}
            if step.get("kind") != "view" or not step.get("reads"):
                return None
            number = step["reads"][0]
        return number

    def computed_from(self, number: int) -> set[int]:
        """The tensors that were computed from one."""
        found = {number}
        for step in self.steps:
            if not found.isdisjoint(step.get("reads", ())):
                found.update(step.get("makes", ()))
        return found - {number}

    def nodes_towards(self, number: int | None) -> set[int]:
        """The nodes through which a gradient would come to a tensor: its own (or its AccumulateGrad), and those that lead there."""
        parents: dict[int, list[int]] = {}
        for node in self.nodes:
            for target, _ in node["next"]:
                if target is not None:
                    parents.setdefault(target, []).append(node["id"])
        todo = [n["id"] for n in self.nodes if number is not None and n["variable"] == number]
        found = set(todo)
        while todo:
            for parent in parents.get(todo.pop(), ()):
                if parent not in found:
                    found.add(parent)
                    todo.append(parent)
        return found

    def node(self, number: int) -> str:
        """ "MulBackward0 (line 2)"."""
        record = self.nodes[number]
        return short(record["name"]) + ("" if record["line"] is None else f" (line {record['line']})")

    def node_at(self, number: int, index: int) -> int | None:
        """The grad_fn that a tensor had at a step."""
        node = self.tensors[number]["node"]
        for step in self.steps[:index]:
            for change in step.get("changes", ()):
                if change["tensor"] == number and "node" in change:
                    node = change["node"]
        return node

    def first_cut(self, root: int, index: int) -> tuple[int, int] | None:
        """(leaf, tensor at which the way from it to `root` leaves the graph)."""
        for t in self.tensors:
            if t["requires_grad"] and t["is_leaf"] and t["id"] != root:
                cut = self.cut(t["id"], root, index)
                if cut is not None:
                    return t["id"], cut
        return None


def name_at(tensor: dict, index: int) -> str:
    found = ""
    for since, name in tensor["names"]:
        if since <= index:
            found = name
    return found
