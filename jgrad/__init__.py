"""jgrad: autograd that behaves like PyTorch's, on NumPy, and can be watched.

`import jgrad` where one would write `import torch`. In a notebook, `%load_ext jgrad` adds the magics `%%trace` and `%grad`.
Importing jgrad needs NumPy alone; the recorder, the views and the magics are loaded when first used.

PYTEST_DONT_REWRITE: `jgrad run -m pytest` imports jgrad before pytest could, which would warn of it.
"""

import sys as _sys

# pip refuses an older Python; who runs a checkout learns it here.
if _sys.version_info < (3, 11):  # noqa: UP036
    raise ImportError(
        f"jgrad needs Python 3.11 or later, and this is {_sys.version.split()[0]}: make an environment with a newer one, "
        "python3.12 -m venv jgrad-env"
    )
# The counters of versions and of nodes are right because threads take turns.
if not getattr(_sys, "_is_gil_enabled", lambda: True)():
    raise ImportError(
        "jgrad needs Python's global lock (GIL), which this build has switched off: start it as python -X gil=1"
    )

import warnings as _warnings
from math import e, inf, nan, pi
from typing import Any as _Any

from jgrad import autograd as autograd
from jgrad import cuda as cuda
from jgrad import dtypes as _dtypes
from jgrad import fft as fft
from jgrad import linalg as linalg
from jgrad import loading as _loading
from jgrad import memory as _memory  # large blocks stay with the process
from jgrad import ops as _ops  # declares the operations
from jgrad import random as random
from jgrad import sparse as sparse
from jgrad import special as special
from jgrad.devices import device, get_default_device, set_default_device
from jgrad.dispatch import public as _public
from jgrad.dtypes import (
    can_cast,
    dtype,
    finfo,
    get_default_dtype,
    iinfo,
    promote_types,
    result_type,
    set_default_dtype,
)
from jgrad.formats import channels_last, channels_last_3d, contiguous_format, memory_format, preserve_format
from jgrad.graph import overriding as _overriding
from jgrad.graph.anomaly_mode import is_anomaly_check_nan_enabled, is_anomaly_enabled, set_anomaly_enabled
from jgrad.graph.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from jgrad.ops.combining import *
from jgrad.ops.constructors import *
from jgrad.ops.constructors import TENSOR_TYPES as _TENSOR_TYPES
from jgrad.ops.constructors import typename as typename
from jgrad.ops.copying import detach, detach_
from jgrad.ops.creation import *
from jgrad.ops.distances import cdist
from jgrad.ops.einsum import einsum
from jgrad.ops.from_data import *
from jgrad.ops.indexing import unravel_index
from jgrad.ops.interchange import *
from jgrad.ops.matrix_functions import (
    chain_matmul,
    eig,
    lstsq,
    lu,
    matrix_rank,
    pca_lowrank,
    solve,
    svd_lowrank,
    symeig,
)
from jgrad.ops.ranges import *
from jgrad.ops.ranges import range as range  # noqa: A004
from jgrad.ops.resizing import resize_as_
from jgrad.ops.sorting import unique, unique_consecutive
from jgrad.ops.sparse import sparse_coo_tensor
from jgrad.ops.statistics import norm
from jgrad.printing import set_printoptions
from jgrad.random import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from jgrad.storage import UntypedStorage as UntypedStorage
from jgrad.switches import *
from jgrad.tensor import Size, Tensor, is_tensor, layout, sparse_coo, sparse_csr, strided
from jgrad.transforms import provided as _provided  # what operators do under vmap and in forward mode
from jgrad.typed_storage import (
    BFloat16Storage as BFloat16Storage,
)
from jgrad.typed_storage import (
    BoolStorage as BoolStorage,
)
from jgrad.typed_storage import (
    ByteStorage as ByteStorage,
)
from jgrad.typed_storage import (
    CharStorage as CharStorage,
)
from jgrad.typed_storage import (
    ComplexDoubleStorage as ComplexDoubleStorage,
)
from jgrad.typed_storage import (
    ComplexFloatStorage as ComplexFloatStorage,
)
from jgrad.typed_storage import (
    DoubleStorage as DoubleStorage,
)
from jgrad.typed_storage import (
    FloatStorage as FloatStorage,
)
from jgrad.typed_storage import (
    HalfStorage as HalfStorage,
)
from jgrad.typed_storage import (
    IntStorage as IntStorage,
)
from jgrad.typed_storage import (
    LongStorage as LongStorage,
)
from jgrad.typed_storage import (
    ShortStorage as ShortStorage,
)
from jgrad.typed_storage import (
    TypedStorage as TypedStorage,
)
from jgrad.typed_storage import is_storage as is_storage
from jgrad.warn import is_warn_always_enabled, set_warn_always

Storage = FloatStorage  # as PyTorch names it
__version__ = "0.1.0"

newaxis = None
globals().update(_public(""))
globals().update(_TENSOR_TYPES)
for _name, _type in _TENSOR_TYPES.items():
    _type.__doc__ = f"""The older name for tensors of dtype {_type.dtype.name}. Prefer `jgrad.tensor(..., dtype=jgrad.{_type.dtype.name})`.

    Calling it makes such a tensor. `isinstance` with it asks for the dtype.

    Args:
        size: ints that give the shape of a tensor whose elements are not set; or one list or array, which gives a tensor with these values
        data: such a list or array, by name
        other: a tensor of this dtype; the result is a detached alias that shares its memory
        storage: a storage of this dtype, whose memory the result has
        device: None or the CPU; other devices are not possible here

    >>> x = jgrad.{_name}([1, 2]){"  # jgrad only" if _name.startswith("Float8") else ""}
    >>> x.dtype
    jgrad.{_type.dtype.name}
    >>> isinstance(x, jgrad.{_name})
    True
    """
for _dtype in _dtypes.ALL:
    globals()[_dtype.name] = _dtype
for _name, _dtype in _dtypes.SHORT_NAMES.items():
    globals()[_name] = _dtype

# Divisions by zero and overflows give inf and nan without a word, as in PyTorch. (A filter, since np.errstate costs as much as an addition.)
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"jgrad(\.|$)")


# What PyTorch asks `__torch_function__` about, besides the operators.
_overriding.offer(
    globals(),
    "atleast_1d atleast_2d atleast_3d block_diag broadcast_tensors cartesian_prod cdist chain_matmul detach einsum empty_like full_like get_device "
    "is_complex is_floating_point is_inference is_nonzero is_same_size is_signed linspace logspace lu meshgrid norm numel ones_like pca_lowrank split svd_lowrank "
    "tensordot unique unique_consecutive unravel_index zeros_like result_type".split(),
)
_overriding.offer(
    globals(),
    "arange as_tensor asarray can_cast empty empty_permuted empty_strided eye full ones promote_types scalar_tensor "
    "sparse_coo_tensor tensor zeros".split(),
    makes=True,
)


# What is above the operators is loaded when a program first names it. This is the one place where a lower room names a higher one, and no
# code of the lower rooms uses these names. They are strings, since those rooms import this module.
_loading.offer(__name__, {
    "_C": "jgrad._C",
    "accelerator": "jgrad.cuda.accelerator",
    "amp": "jgrad.amp",
    "backends": "jgrad.backends",
    "compile": "jgrad.nn.compiling:compile",
    "compiler": "jgrad.compiler",
    "distributions": "jgrad.distributions",
    "func": "jgrad.func",
    "jit": "jgrad.jit",
    "multiprocessing": "jgrad.multiprocessing",
    "nn": "jgrad.nn",
    "optim": "jgrad.optim",
    "overrides": "jgrad.overrides",
    "profiler": "jgrad.profiler",
    "serialization": "jgrad.serialization",
    "testing": "jgrad.testing",
    "trace": "jgrad.trace",
    "types": "jgrad.types",
    "utils": "jgrad.utils",
    "version": "jgrad.version",
    "GradScaler": "jgrad.amp:GradScaler",
    "at": "jgrad.asking.moment:at",
    "autocast": "jgrad.amp.autocast_mode:autocast",
    "autocast_decrement_nesting": "jgrad.amp.autocast_mode:autocast_decrement_nesting",
    "autocast_increment_nesting": "jgrad.amp.autocast_mode:autocast_increment_nesting",
    "clear_autocast_cache": "jgrad.amp.autocast_mode:clear_autocast_cache",
    "get_autocast_cpu_dtype": "jgrad.amp.autocast_mode:get_autocast_cpu_dtype",
    "get_autocast_dtype": "jgrad.amp.autocast_mode:get_autocast_dtype",
    "get_autocast_gpu_dtype": "jgrad.amp.autocast_mode:get_autocast_gpu_dtype",
    "is_autocast_cache_enabled": "jgrad.amp.autocast_mode:is_autocast_cache_enabled",
    "is_autocast_cpu_enabled": "jgrad.amp.autocast_mode:is_autocast_cpu_enabled",
    "is_autocast_enabled": "jgrad.amp.autocast_mode:is_autocast_enabled",
    "set_autocast_cache_enabled": "jgrad.amp.autocast_mode:set_autocast_cache_enabled",
    "set_autocast_cpu_dtype": "jgrad.amp.autocast_mode:set_autocast_cpu_dtype",
    "set_autocast_cpu_enabled": "jgrad.amp.autocast_mode:set_autocast_cpu_enabled",
    "set_autocast_dtype": "jgrad.amp.autocast_mode:set_autocast_dtype",
    "set_autocast_enabled": "jgrad.amp.autocast_mode:set_autocast_enabled",
    "set_autocast_gpu_dtype": "jgrad.amp.autocast_mode:set_autocast_gpu_dtype",
    "load": "jgrad.serialization:load",
    "load_ipython_extension": "jgrad.notebook.magics:load_ipython_extension",  # what `%load_ext jgrad` calls
    "save": "jgrad.serialization:save",
    "unload_ipython_extension": "jgrad.notebook.magics:unload_ipython_extension",
    "traced": "jgrad.trace:traced",
    "vmap": "jgrad.func:vmap",
    "why": "jgrad.asking.calling:why",
})  # fmt: skip

_loading.offer("jgrad.autograd", {
    "forward_ad": "jgrad.autograd.forward_ad",
    "functional": "jgrad.autograd.functional",
    "gradcheck": "jgrad.autograd.gradcheck:gradcheck",
    "gradgradcheck": "jgrad.autograd.gradcheck:gradgradcheck",
    "GradcheckError": "jgrad.autograd.gradcheck:GradcheckError",
})  # fmt: skip
_loading.offer("jgrad.nn.utils", {"stateless": "jgrad.func.stateless"})
_loading.offer("jgrad.ops.interchange", {"array_api": "jgrad.utils.array_api"})
_loading.offer("jgrad.storage", {"TypedStorage": "jgrad.typed_storage:TypedStorage"})
_loading.offer("jgrad.testing", {"assert_trains": "jgrad.asking.training:assert_trains"})
# PyTorch's names of modules that are in other folders here, and the names that other libraries expect.
_loading.rename({
    "einops.layers.jgrad": "jgrad.utils.einops_layers",
    "jgrad.accelerator": "jgrad.cuda.accelerator",
    "jgrad.safetensors": "jgrad.serialization.safetensors",
    "jgrad.utils._pytree": "jgrad._pytree",
})  # fmt: skip
# PyTorch has a file for each kind of layer and optimizer: by module of ours, the names of these files.
for _module, _names in {
    "jgrad": "functional",
    "jgrad.autograd": "autograd.variable",
    "jgrad.backends.absent": "backends.mkl backends.mkldnn backends.nnpack backends.openmp backends.opt_einsum",
    "jgrad.cuda": "cuda.memory cuda.random cuda.streams",
    "jgrad.func.stateless": "nn.utils.stateless",
    "jgrad.nn.modules.embedding": "nn.modules.sparse",
    "jgrad.nn.modules.linear": "nn.modules.flatten",
    "jgrad.nn.modules.loss": "nn.modules.distance",
    "jgrad.nn.modules.normalization": "nn.modules.instancenorm",
    "jgrad.nn.modules.spatial": "nn.modules.channelshuffle nn.modules.fold nn.modules.padding nn.modules.pixelshuffle nn.modules.pooling "
    "nn.modules.upsampling",
    "jgrad.optim.adaptive": "optim.adadelta optim.adagrad optim.adam optim.adamax optim.adamw optim.nadam optim.radam optim.rmsprop",
    "jgrad.optim.sgd": "optim.asgd optim.rprop",
    "jgrad.profiler": "autograd.profiler",
}.items():
    _loading.rename({f"jgrad.{_name}": _module for _name in _names.split()})
# Libraries that know tensor libraries by name.
_loading.follow({
    "einops._backends": "jgrad.utils.einops_backend",
    "multiprocessing.reduction": "jgrad.ops.sending",
    "opt_einsum.backends.dispatch": "jgrad.utils.opt_einsum_backend",
    "polars.series.series": "jgrad.utils.polars_series",
})  # fmt: skip

# What `jgrad/extra/` has.
_loading.rest("jgrad", "cpu quasirandom signal")
_loading.rest("jgrad.cpu", "amp")
_loading.rest(
    "jgrad.cuda",
    "amp tensor_types:BFloat16Tensor,BoolTensor,ByteTensor,CharTensor,DoubleTensor,FloatTensor,HalfTensor,IntTensor,LongTensor,ShortTensor",
)
_loading.rest("jgrad.signal", "windows")
_loading.rest("jgrad.nn", "grad")
_loading.rest("jgrad.optim", "adafactor:Adafactor muon:Muon sparse_adam:SparseAdam")
_loading.rest(
    "jgrad.nn.utils",
    "prune older_norms:remove_spectral_norm,remove_weight_norm,spectral_norm,weight_norm",
)
_loading.offer("jgrad.nn.functional.losses", {
    "chunked_linear_cross_entropy": "jgrad.extra.nn.functional.chunked_losses:chunked_linear_cross_entropy",
})  # fmt: skip
for _package in ("jgrad.nn", "jgrad.nn.modules"):
    _loading.offer(_package, {
        "AdaptiveLogSoftmaxWithLoss": "jgrad.extra.nn.modules.adaptive:AdaptiveLogSoftmaxWithLoss",
        "LinearCrossEntropyLoss": "jgrad.extra.nn.modules.adaptive:LinearCrossEntropyLoss",
        "LinearCrossEntropyOptions": "jgrad.extra.nn.modules.linear_cross_entropy_options:LinearCrossEntropyOptions",
    })  # fmt: skip
_loading.rest("jgrad.nn.modules", "adaptive linear_cross_entropy_options")
_loading.rest(
    "jgrad.distributions",
    "beta:Beta binomial:Binomial cauchy:Cauchy chi2:Chi2 constraint_registry:biject_to,transform_to "
    "continuous_bernoulli:ContinuousBernoulli dirichlet:Dirichlet exponential:Exponential "
    "fishersnedecor:FisherSnedecor gamma:Gamma generalized_pareto:GeneralizedPareto geometric:Geometric "
    "gumbel:Gumbel half_cauchy:HalfCauchy half_normal:HalfNormal inverse_gamma:InverseGamma kumaraswamy:Kumaraswamy "
    "laplace:Laplace lkj_cholesky:LKJCholesky log_normal:LogNormal logistic_normal:LogisticNormal "
    "lowrank_multivariate_normal:LowRankMultivariateNormal multinomial:Multinomial "
    "multivariate_normal:MultivariateNormal negative_binomial:NegativeBinomial "
    "one_hot_categorical:OneHotCategorical,OneHotCategoricalStraightThrough pareto:Pareto poisson:Poisson "
    "relaxed_bernoulli:RelaxedBernoulli relaxed_categorical:RelaxedOneHotCategorical studentT:StudentT "
    "von_mises:VonMises weibull:Weibull wishart:Wishart",
)
_loading.offer("jgrad.distributions.kl", {"FORMULAS": "jgrad.extra.distributions.kl:FORMULAS"})
_TRANSFORMS = (
    "AbsTransform",
    "CatTransform",
    "CorrCholeskyTransform",
    "CumulativeDistributionTransform",
    "LowerCholeskyTransform",
    "PositiveDefiniteTransform",
    "PowerTransform",
    "ReshapeTransform",
    "SoftmaxTransform",
    "SoftplusTransform",
    "StackTransform",
    "StickBreakingTransform",
)
for _package in ("jgrad.distributions", "jgrad.distributions.transforms"):
    _loading.offer(_package, {name: f"jgrad.extra.distributions.transforms:{name}" for name in _TRANSFORMS})


def __getattr__(name: str) -> _Any:
    return _loading.offered(__name__, name)
