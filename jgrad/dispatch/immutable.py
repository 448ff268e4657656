"""Objects that are made once and never change."""

from typing import Any, Self, dataclass_transform


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=False)
class Immutable:
    """A class of annotated attributes, which are given by name when an object is made.

    It is what a frozen dataclass would be; but `dataclass` compiles an `__init__` for each class, which would take 3 of the 30 ms of
    `import jgrad`.
    """

    def __init__(self, **attributes: Any) -> None:
        vars(self).update(attributes)

    def changed(self, **attributes: Any) -> Self:
        """A copy with other values of some attributes."""
        return type(self)(**{**vars(self), **attributes})

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"cannot assign to {name!r}: {type(self).__name__} objects do not change")
