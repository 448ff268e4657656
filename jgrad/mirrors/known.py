"""The mirrors that there are. The rooms of the libraries fill this table, and every look-up of a mirror begins here."""

from typing import Any

known: dict[int, Any] = {}  # by the address of the tensor for which a mirror stands
