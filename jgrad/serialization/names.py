"""The names under which files know classes and functions: PyTorch's.

A file that jgrad writes names `torch.nn.modules.linear.Linear`, so PyTorch can read it. When a file is read, that name gives jgrad's class.
"""

from __future__ import annotations

import importlib
from typing import Any

from jgrad import dtypes, return_types
from jgrad.devices import device
from jgrad.random import Generator
from jgrad.return_types import NamedResults
from jgrad.serialization import rebuilding
from jgrad.serialization.rebuilding import StorageType
from jgrad.storage import Storage
from jgrad.tensor import Size, Tensor
from jgrad.typed_storage import TypedStorage

STORAGE_TYPES = {
    f"{name}Storage": StorageType(dtype)
    for name, dtype in {
        "Double": dtypes.float64, "Float": dtypes.float32, "Half": dtypes.float16, "BFloat16": dtypes.bfloat16, "Long": dtypes.int64, "Int": dtypes.int32,
        "Short": dtypes.int16, "Char": dtypes.int8, "Byte": dtypes.uint8, "Bool": dtypes.bool_,
        "ComplexDouble": dtypes.complex128, "ComplexFloat": dtypes.complex64,
    }.items()
}  # fmt: skip
STORAGE_TYPE_OF = {kind.dtype: kind for kind in STORAGE_TYPES.values()}

# Names that PyTorch knows and jgrad has nothing for: a file that uses them is sound, but can't be loaded.
MISSING = (
    *(f"torch.{name}Storage" for name in ["QInt8", "QInt32", "QUInt8", "QUInt4x2", "QUInt2x4"]),
    *(f"torch.{name}" for name in ["complex32", "float4_e2m1fn_x2", "bits8", "bits16", "bits1x8", "bits2x4", "bits4x2", "qint8", "qint32", "quint8", "quint4x2", "quint2x4", "per_tensor_affine", "per_tensor_symmetric", "per_channel_affine", "per_channel_symmetric", "per_channel_affine_float_qparams"]),
    *(f"torch._utils._rebuild_{name}" for name in ["qtensor", "nested_tensor", "wrapper_subclass", "device_tensor_from_numpy", "device_tensor_from_cpu_tensor"]),
)  # fmt: skip

_OBJECTS: dict[str, Any] = {
    "torch.Tensor": Tensor,
    "torch.Size": Size,
    "torch.device": device,
    "torch._C.Generator": Generator,
    "torch.storage.UntypedStorage": Storage,
    "torch.storage.TypedStorage": TypedStorage,
    "torch.serialization._get_layout": rebuilding.get_layout,
    "torch._utils._rebuild_tensor": rebuilding.rebuild_tensor,
    "torch._utils._rebuild_tensor_v2": rebuilding.rebuild_tensor_v2,
    "torch._utils._rebuild_tensor_v3": rebuilding.rebuild_tensor_v3,
    "torch._utils._rebuild_meta_tensor_no_storage": rebuilding.rebuild_meta_tensor,
    "torch._utils._rebuild_sparse_tensor": rebuilding.rebuild_sparse_tensor,
    "torch._utils._rebuild_parameter": rebuilding.rebuild_parameter,
    "torch._utils._rebuild_parameter_with_state": rebuilding.rebuild_parameter_with_state,
    "torch._tensor._rebuild_from_type_v2": rebuilding.rebuild_from_type_v2,
    **{f"torch.{d.name}": d for d in dtypes.ALL},
    **{f"torch.cuda.{name}": kind for name, kind in STORAGE_TYPES.items()},  # before PyTorch 1.12
    **{f"torch.{name}": kind for name, kind in STORAGE_TYPES.items()},
}
_NAMES = {id(value): tuple(name.rsplit(".", 1)) for name, value in _OBJECTS.items()}

# Classes that are in another module than in PyTorch: the end of PyTorch's module name, then the classes.
_MODULES = {
    "nn.modules.activation": "MultiheadAttention",
    "nn.modules.batchnorm": "BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm",
    "nn.modules.channelshuffle": "ChannelShuffle",
    "nn.modules.distance": "CosineSimilarity PairwiseDistance",
    "nn.modules.flatten": "Flatten Unflatten",
    "nn.modules.fold": "Fold Unfold",
    "nn.modules.instancenorm": "InstanceNorm1d InstanceNorm2d InstanceNorm3d",
    "nn.modules.linear": "NonDynamicallyQuantizableLinear",
    "nn.modules.loss": "LinearCrossEntropyLoss",
    "nn.modules.padding": "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d "
    "ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d",
    "nn.modules.pixelshuffle": "PixelShuffle PixelUnshuffle",
    "nn.modules.pooling": "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d "
    "AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d FractionalMaxPool3d LPPool1d LPPool2d LPPool3d MaxPool1d MaxPool2d MaxPool3d "
    "MaxUnpool1d MaxUnpool2d MaxUnpool3d",
    "nn.modules.sparse": "Embedding EmbeddingBag",
    "nn.modules.upsampling": "Upsample UpsamplingBilinear2d UpsamplingNearest2d",
    **{f"optim.{name.lower()}": name for name in ["ASGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "NAdam", "RAdam", "RMSprop", "Rprop"]},
    "optim._adafactor": "Adafactor",
    "optim._muon": "Muon",
    "optim.lr_scheduler": "ChainedScheduler CosineAnnealingWarmRestarts CyclicLR OneCycleLR SequentialLR",
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}
_PACKAGES = ("jgrad.nn", "jgrad.optim", "jgrad.distributions", "jgrad.utils.data")


def torch_name(value: Any, name: str | None = None) -> tuple[str, str] | None:
    """PyTorch's module and name of a class or function of jgrad; None for everything else."""
    known = _NAMES.get(id(value))
    if known is not None:
        return known  # type: ignore[return-value]
    module = getattr(value, "__module__", None)
    if not isinstance(module, str):
        return None
    name = name or getattr(value, "__qualname__", None) or value.__name__
    if isinstance(value, type) and issubclass(value, NamedResults):
        return "torch.return_types", name
    if not f"{module}.".startswith(tuple(f"{package}." for package in _PACKAGES)):
        return None
    if isinstance(value, type) and name in _MODULE_OF:
        return f"torch.{_MODULE_OF[name]}", name
    return "torch" + module.removeprefix("jgrad"), name


def find(module: str, name: str) -> Any:
    """What PyTorch's name means in jgrad. Raises AttributeError if jgrad has nothing of that name."""
    known = _OBJECTS.get(f"{module}.{name}")
    if known is not None:
        return known
    if f"{module}.{name}" in MISSING:
        raise rebuilding.missing(f"{module}.{name}")
    # A class may be in another module than in PyTorch. Then a package above it has the name.
    if module == "torch.return_types":
        cls = getattr(return_types, name)
        return lambda values, fields: cls(values)
    module = module.replace("torch._C._nn", "torch.nn.functional")
    parts = ["jgrad", *module.split(".")[1:]]
    for end in range(len(parts), 0, -1):
        path = ".".join(parts[:end])
        try:
            found = importlib.import_module(path)
        except ImportError:
            continue
        try:
            for part in name.split("."):
                found = getattr(found, part)
        except AttributeError:
            continue
        return found
    raise AttributeError(f"Can't get attribute '{name}' on jgrad for '{module}'")


def is_torch(module: str) -> bool:
    """Whether a module is PyTorch's."""
    return module == "torch" or module.startswith("torch.")


def allowed() -> dict[str, Any]:
    """What a file may name under `weights_only=True`, by the whole name."""
    from jgrad.nn import Parameter

    return {**_ALLOWED, "torch.nn.parameter.Parameter": Parameter}


_ALLOWED = {name: value for name, value in _OBJECTS.items() if value is not Generator}
