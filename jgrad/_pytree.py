"""Trees of containers with anything as leaves: what `torch.func` takes and gives back; `torch.utils._pytree`.

A tree is taken apart into its leaves and a `TreeSpec` that can put others in their places. What is no registered container is a leaf:
containers are registered by their exact type, named tuples and the named results of operations are recognized.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from jgrad.return_types import NamedResults


class NodeDef(NamedTuple):
    """How a container is taken apart, into its children and what else there is to know, and put together again."""

    flatten_fn: Callable[[Any], tuple[list[Any], Any]]
    unflatten_fn: Callable[[Iterable[Any], Any], Any]


SUPPORTED_NODES: dict[Any, NodeDef] = {
    tuple: NodeDef(lambda t: (list(t), None), lambda values, _: tuple(values)),
    list: NodeDef(lambda t: (list(t), None), lambda values, _: list(values)),
    dict: NodeDef(
        lambda t: (list(t.values()), list(t)), lambda values, keys: dict(zip(keys, values, strict=True))
    ),
    OrderedDict: NodeDef(
        lambda t: (list(t.values()), list(t)),
        lambda values, keys: OrderedDict(zip(keys, values, strict=True)),
    ),
    defaultdict: NodeDef(
        lambda t: (list(t.values()), [t.default_factory, list(t)]),
        lambda values, known: defaultdict(known[0], zip(known[1], values, strict=True)),
    ),
    namedtuple: NodeDef(lambda t: (list(t), type(t)), lambda values, cls: cls(*values)),
    deque: NodeDef(lambda t: (list(t), t.maxlen), lambda values, maxlen: deque(values, maxlen=maxlen)),
}
_BUILTIN = frozenset(SUPPORTED_NODES)
_DICTS = (dict, OrderedDict, defaultdict)
_NAMED_RESULTS = NodeDef(lambda t: (list(t), None), lambda values, _: tuple(values))


def register_pytree_node(cls: type, flatten_fn: Callable, unflatten_fn: Callable, **other: Any) -> None:
    """Make a class a container: `flatten_fn(tree)` gives its children and a context, `unflatten_fn(children, context)` a tree.

    (The other arguments of PyTorch's are about writing trees to files and are not needed.)
    """
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    SUPPORTED_NODES[cls] = NodeDef(flatten_fn, unflatten_fn)


def _node_type(tree: Any) -> Any:
    """What a tree is registered as."""
    cls = type(tree)
    if cls not in SUPPORTED_NODES:
        if issubclass(cls, NamedResults):
            SUPPORTED_NODES[cls] = NodeDef(_NAMED_RESULTS.flatten_fn, lambda values, _: cls(values))
        elif cls.__bases__ == (tuple,) and isinstance(fields := getattr(cls, "_fields", None), tuple):
            return namedtuple if all(type(field) is str for field in fields) else cls
    return cls


class TreeSpec:
    """A tree without its leaves."""

    __slots__ = ("type", "context", "_children", "num_leaves")

    def __init__(self, type: Any, context: Any, children: list[TreeSpec]) -> None:
        self.type, self.context, self._children = type, context, children
        self.num_leaves: int = 1 if type is None else sum(child.num_leaves for child in children)

    @property
    def num_children(self) -> int:
        return len(self._children)

    @property
    def num_nodes(self) -> int:
        return 1 + sum(child.num_nodes for child in self._children)

    def is_leaf(self) -> bool:
        return self.type is None

    def children(self) -> list[TreeSpec]:
        return list(self._children)

    def child(self, index: int) -> TreeSpec:
        return self._children[index]

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """The tree with these leaves."""
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(
                f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a pytree that holds "
                f"{self.num_leaves} items ({self})."
            )
        return self._built(iter(leaves))

    def _built(self, leaves: Any) -> Any:
        if self.type is None:
            return next(leaves)
        children = [child._built(leaves) for child in self._children]
        return SUPPORTED_NODES[self.type].unflatten_fn(children, self.context)

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """The subtrees of `tree` where this tree has its leaves."""
        if self.type is None:
            return [tree]
        kind, expected = _node_type(tree), self.type
        both_dicts = expected in _DICTS and kind in _DICTS
        if kind is not expected and not both_dicts:
            word = "Node type" if expected in _BUILTIN else "Type"
            raise ValueError(f"{word} mismatch; expected {expected!r}, but got {kind!r}.")
        children, context = SUPPORTED_NODES[kind].flatten_fn(tree)
        if len(children) != self.num_children:
            raise ValueError(f"Node arity mismatch; expected {self.num_children}, but got {len(children)}.")
        if both_dicts:
            keys = self.context[1] if expected is defaultdict else self.context
            if set(keys) != set(tree):
                missing, extra = set(keys) - set(tree), set(tree) - set(keys)
                found = f"; missing key(s): {missing}" * bool(missing) + f"; extra key(s): {extra}" * bool(
                    extra
                )
                raise ValueError(f"Node keys mismatch{found}.")
            children = [tree[key] for key in keys]
        elif kind is not deque and context != self.context:
            raise ValueError(
                f"Node context mismatch for node type {expected!r}; expected {self.context!r}, but got {context!r}."
                if expected in _BUILTIN
                else f"Node context mismatch for custom node type {expected!r}."
            )
        return [
            leaf
            for spec, child in zip(self._children, children, strict=True)
            for leaf in spec.flatten_up_to(child)
        ]

    def __repr__(self, indent: int = 0) -> str:
        if self.type is None:
            return "*"
        indent += 2
        children = f",\n{' ' * indent}".join([child.__repr__(indent) for child in self._children])
        return f"TreeSpec({self.type.__name__}, {self.context}, [{children}])"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TreeSpec):
            return NotImplemented
        return (self.type, self.context, self._children) == (other.type, other.context, other._children)

    def __hash__(self) -> int:
        return hash((self.type, self.num_leaves, tuple(self._children)))


_LEAF = TreeSpec(None, None, [])


def tree_flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> tuple[list[Any], TreeSpec]:
    """The leaves of a tree and its spec; `is_leaf` may stop at what would be a container."""
    leaves: list[Any] = []

    def visit(node: Any) -> TreeSpec:
        kind = _node_type(node)
        if kind not in SUPPORTED_NODES or (is_leaf is not None and is_leaf(node)):
            leaves.append(node)
            return _LEAF
        children, context = SUPPORTED_NODES[kind].flatten_fn(node)
        return TreeSpec(kind, context, [visit(child) for child in children])

    spec = visit(tree)
    return leaves, spec


def tree_unflatten(leaves: Iterable[Any], treespec: TreeSpec) -> Any:
    """The tree with these leaves."""
    if not isinstance(treespec, TreeSpec):
        raise TypeError(
            f"Expected `treespec` to be an instance of PyTreeSpec but got item of type {type(treespec)}."
        )
    return treespec.unflatten(leaves)


def tree_leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list[Any]:
    """The leaves of a tree."""
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> TreeSpec:
    """The spec of a tree."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(
    func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Callable[[Any], bool] | None = None
) -> Any:
    """The tree of `func(leaf)`; of further trees the parts in the same places are passed too."""
    leaves, spec = tree_flatten(tree, is_leaf)
    return spec.unflatten(list(map(func, leaves, *[spec.flatten_up_to(rest) for rest in rests])))


def tree_map_only(types: Any, func: Callable[[Any], Any], tree: Any) -> Any:
    """The tree with `func(leaf)` for the leaves of these types."""
    return tree_map(lambda leaf: func(leaf) if isinstance(leaf, types) else leaf, tree)


def treespec_pprint(treespec: TreeSpec) -> str:
    """A tree of stars, as text."""
    return repr(treespec.unflatten([_Star()] * treespec.num_leaves))


class _Star:
    def __repr__(self) -> str:
        return "*"


def _broadcast_to_and_flatten(tree: Any, treespec: TreeSpec) -> list[Any] | None:
    """The leaves of `tree`, each as often as `treespec` has leaves in its place; None if it is no prefix of that tree."""
    leaves, prefix = tree_flatten(tree)
    try:
        parts = prefix.flatten_up_to(treespec.unflatten([0] * treespec.num_leaves))
    except ValueError:
        return None
    return [
        leaf for leaf, part in zip(leaves, parts, strict=True) for _ in range(tree_structure(part).num_leaves)
    ]
