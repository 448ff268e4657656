"""Where the storages of a file go: to the device that they were on, or where `map_location` puts them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from jgrad import cuda, manual
from jgrad.devices import device, resolve
from jgrad.serialization.errors import LoadError, UsersError, damaged
from jgrad.storage import Storage

Restore = Callable[[Storage, Any], Storage]


def restorer(map_location: Any) -> Restore:
    """The function that gives a storage of the file, which is on the CPU, its place. `map_location` is as in `load`."""
    if map_location is None:
        return default_restore_location
    if isinstance(map_location, dict):
        return lambda storage, location: default_restore_location(
            storage, map_location.get(location, location)
        )
    if isinstance(map_location, (str, bytes, device)):
        name = map_location.decode() if isinstance(map_location, bytes) else str(map_location)
        return lambda storage, location: default_restore_location(storage, name)
    return lambda storage, location: _mapped(map_location, storage, location)


def _mapped(function: Callable[[Storage, str], Any], storage: Storage, location: str) -> Storage:
    try:
        place = function(storage, location)
        if place is not None and not isinstance(place, Storage):
            raise TypeError(f"map_location must return a storage or None, not {type(place).__name__}")
    except Exception as error:
        raise UsersError(error) from error
    return default_restore_location(storage, location) if place is None else place


def default_restore_location(storage: Storage, location: Any) -> Storage:
    """Puts a storage that was read from a file on the device from which it was saved. `load` calls this where `map_location` is not given."""
    if not isinstance(location, str):
        raise damaged("the location of a storage is not a text")
    if location == "cpu":
        return storage
    if re.fullmatch(r"cuda(:[0-9]{1,9})?", location):
        return storage.to(device=_existing(device(location)))
    if location == "meta":
        return storage.to(device=resolve(location))
    raise LoadError(
        f"don't know how to restore data location of torch.storage.UntypedStorage (tagged with {location})"
    )


def _existing(requested: device) -> device:
    if not cuda.is_available():
        raise LoadError(
            "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running on a CPU-only "
            "machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU."
        )
    count = cuda.device_count()
    if (requested.index or 0) >= count:
        raise LoadError(
            f"Attempting to deserialize object on CUDA device {requested.index} but torch.cuda.device_count() is {count}. Please use "
            "torch.load with map_location to map your storages to an existing device."
        )
    return requested


manual.attach(__name__)
