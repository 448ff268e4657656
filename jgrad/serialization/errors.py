"""The one class of errors for files that can't be loaded, and PyTorch's texts around it."""

from __future__ import annotations

import pickle

from jgrad import manual


class LoadError(pickle.UnpicklingError, RuntimeError, EOFError):
    """A file can't be loaded: it is damaged, or it asks for something that `weights_only=True` does not allow."""


class UnsupportedError(LoadError, NotImplementedError):
    """A file holds something that PyTorch can load and for which jgrad has no counterpart."""


class UsersError(Exception):
    """An error of a function that the user gave. It passes through `load` unchanged."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


UNSAFE = (
    "In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`. Re-running "
    "`torch.load` with `weights_only` set to `False` will likely succeed, but it can result in arbitrary code execution. Do it only if "
    "you got the file from a trusted source."
)
_DOCS = (
    "\n\nCheck the documentation of torch.load to learn more about types accepted by default with weights_only "
    "https://pytorch.org/docs/stable/generated/torch.load.html."
)
_ISSUE = "Please file an issue with the following so that we can make `weights_only=True` compatible with your use case: WeightsUnpickler error: "
_CORRUPT = (
    "This is an internal miniz error. If you are seeing this error, there is a high likelihood that your checkpoint file is corrupted. "
    "This can happen if the checkpoint was not saved properly, was transferred incorrectly, or the file was modified after saving."
)


def damaged(what: str) -> LoadError:
    """The error for a pickle that no program writes."""
    return LoadError(f"Weights only load failed. The file is damaged: {what}")


def bad_archive(doing: str, reason: str) -> LoadError:
    """The error for a damaged zip archive, in PyTorch's words."""
    return LoadError(f"PytorchStreamReader failed {doing}: {reason}. {_CORRUPT}")


def refused(message: str) -> LoadError:
    """The error for an instruction that `weights_only=True` does not allow, in PyTorch's words."""
    return LoadError(f"Weights only load failed. {UNSAFE}\n{_ISSUE}\n\n{message}{_DOCS}")


def blocked_module(name: str, module: str) -> LoadError:
    """The error for a global of a module that can't be allowed."""
    message = f"Trying to load unsupported GLOBAL {name} whose module {module} is blocked."
    return LoadError(f"Weights only load failed. {UNSAFE}\n\n\n{message}{_DOCS}")


def unknown_global(name: str) -> LoadError:
    """The error for a class or function that is not among the safe ones."""
    short = name.removeprefix("builtins.")
    message = (
        f"Unsupported global: GLOBAL {short} was not an allowed global by default. Please use "
        f"`torch.serialization.add_safe_globals([{short}])` or the `torch.serialization.safe_globals([{short}])` context manager to "
        "allowlist this global if you trust this class/function."
    )
    return LoadError(
        "Weights only load failed. This file can still be loaded, to do so you have two options, "
        f"\033[1mdo those steps only if you trust the source of the checkpoint\033[0m. \n\t(1) {UNSAFE}\n\t(2) Alternatively, to load "
        "with `weights_only=True` please check the recommended steps in the following error message.\n\tWeightsUnpickler error: "
        f"{message}{_DOCS}"
    )


manual.attach(__name__)
