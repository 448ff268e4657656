# Written by `python -m stubs` from jgrad's declarations.
from builtins import bool as _bool, complex as _complex, float as _float, int as _int, str as _str, type as _type
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from jgrad import return_types
from jgrad.devices import device as _device
from jgrad.dtypes import dtype as _dtype
from jgrad.formats import memory_format as _memory_format
from jgrad.random import Generator as _Generator
from jgrad.tensor import Number, Size as _Size, Tensor, layout as _layout

from jgrad.nn.modules import activation as activation
from jgrad.nn.modules import container as container
from jgrad.nn.modules import conv as conv
from jgrad.nn.modules import dropout as dropout
from jgrad.nn.modules import embedding as embedding
from jgrad.nn.modules import lazy as lazy
from jgrad.nn.modules import linear as linear
from jgrad.nn.modules import loss as loss
from jgrad.nn.modules import module as module
from jgrad.nn.modules import normalization as normalization
from jgrad.nn.modules import rnn as rnn
from jgrad.nn.modules import spatial as spatial
from jgrad.nn.modules import transformer as transformer
class AdaptiveAvgPool1d(Module):
    """Means, as many as asked for, over (N, C, L)."""
    def __init__(self, output_size: Any) -> None:
        ...
class AdaptiveAvgPool2d(Module):
    """Means, as many as asked for, over (N, C, H, W)."""
    def __init__(self, output_size: Any) -> None:
        ...
class AdaptiveAvgPool3d(Module):
    """Means, as many as asked for, over (N, C, D, H, W)."""
    def __init__(self, output_size: Any) -> None:
        ...
class AdaptiveMaxPool1d(Module):
    """Maxima, as many as asked for, over (N, C, L)."""
    def __init__(self, output_size: Any, return_indices: _bool = False) -> None:
        ...
class AdaptiveMaxPool2d(Module):
    """Maxima, as many as asked for, over (N, C, H, W)."""
    def __init__(self, output_size: Any, return_indices: _bool = False) -> None:
        ...
class AdaptiveMaxPool3d(Module):
    """Maxima, as many as asked for, over (N, C, D, H, W)."""
    def __init__(self, output_size: Any, return_indices: _bool = False) -> None:
        ...
from jgrad.nn.modules.dropout import AlphaDropout as AlphaDropout
from jgrad.nn.modules.spatial import AvgPool1d as AvgPool1d
class AvgPool2d(Module):
    """Means over windows of (N, C, H, W)."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int | None = None) -> None:
        ...
class AvgPool3d(Module):
    """Means over windows of (N, C, D, H, W)."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int | None = None) -> None:
        ...
class BCELoss(Module):
    """Binary cross-entropy of probabilities."""
    def __init__(self, weight: Tensor | None = None, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
class BCEWithLogitsLoss(Module):
    """Binary cross-entropy of logits."""
    def __init__(self, weight: Tensor | None = None, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean', pos_weight: Tensor | None = None) -> None:
        ...
from jgrad.nn.modules.normalization import BatchNorm1d as BatchNorm1d
from jgrad.nn.modules.normalization import BatchNorm2d as BatchNorm2d
from jgrad.nn.modules.normalization import BatchNorm3d as BatchNorm3d
from jgrad.nn.modules.linear import Bilinear as Bilinear
class CELU(Module):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    def __init__(self, alpha: _float = 1.0, inplace: _bool = False) -> None:
        ...
class CTCLoss(Module):
    """Minus the log-probability of all alignments of a sequence with its target."""
    def __init__(self, blank: _int = 0, reduction: _str = 'mean', zero_infinity: _bool = False) -> None:
        ...
class ChannelShuffle(Module):
    """The channels of the groups in turn."""
    def __init__(self, groups: _int) -> None:
        ...
class CircularPad1d(Module):
    """Pad with the opposite side of (N, C, L)."""
    def __init__(self, padding: Any) -> None:
        ...
class CircularPad2d(Module):
    """Pad with the opposite side of (N, C, H, W)."""
    def __init__(self, padding: Any) -> None:
        ...
class CircularPad3d(Module):
    """Pad with the opposite side of (N, C, D, H, W)."""
    def __init__(self, padding: Any) -> None:
        ...
class ConstantPad1d(Module):
    """Pad with a value (N, C, L)."""
    def __init__(self, padding: Any, value: _float) -> None:
        ...
class ConstantPad2d(Module):
    """Pad with a value (N, C, H, W)."""
    def __init__(self, padding: Any, value: _float) -> None:
        ...
class ConstantPad3d(Module):
    """Pad with a value (N, C, D, H, W)."""
    def __init__(self, padding: Any, value: _float) -> None:
        ...
from jgrad.nn.modules.conv import Conv1d as Conv1d
from jgrad.nn.modules.conv import Conv2d as Conv2d
from jgrad.nn.modules.conv import Conv3d as Conv3d
from jgrad.nn.modules.conv import ConvTranspose1d as ConvTranspose1d
from jgrad.nn.modules.conv import ConvTranspose2d as ConvTranspose2d
from jgrad.nn.modules.conv import ConvTranspose3d as ConvTranspose3d
class CosineEmbeddingLoss(Module):
    """1 - cosine where the target is 1, the cosine above the margin where it is -1."""
    def __init__(self, margin: _float = 0.0, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
class CosineSimilarity(Module):
    """The cosine of the angle between vectors."""
    def __init__(self, dim: _int = 1, eps: _float = 1e-08) -> None:
        ...
class CrossEntropyLoss(Module):
    """Minus the log-probability of the target class, from logits."""
    def __init__(self, weight: Tensor | None = None, size_average: Any = None, ignore_index: _int = -100, reduce: Any = None, reduction: _str = 'mean', label_smoothing: _float = 0.0) -> None:
        ...
from jgrad.nn.modules.dropout import Dropout as Dropout
from jgrad.nn.modules.dropout import Dropout1d as Dropout1d
from jgrad.nn.modules.dropout import Dropout2d as Dropout2d
from jgrad.nn.modules.dropout import Dropout3d as Dropout3d
class ELU(Module):
    """x where positive, alpha * (exp(x) - 1) elsewhere."""
    def __init__(self, alpha: _float = 1.0, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.embedding import Embedding as Embedding
from jgrad.nn.modules.embedding import EmbeddingBag as EmbeddingBag
from jgrad.nn.modules.dropout import FeatureAlphaDropout as FeatureAlphaDropout
class Flatten(Module):
    """Dimensions `start_dim` to `end_dim` become one."""
    def __init__(self, start_dim: _int = 1, end_dim: _int = -1) -> None:
        ...
class Fold(Module):
    """Sum sliding windows back into an image."""
    def __init__(self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        ...
class FractionalMaxPool2d(Module):
    """Maxima over random windows of (N, C, H, W)."""
    def __init__(self, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: _bool = False, _random_samples: Any = None) -> None:
        ...
class FractionalMaxPool3d(Module):
    """Maxima over random windows of (N, C, D, H, W)."""
    def __init__(self, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: _bool = False, _random_samples: Any = None) -> None:
        ...
class GELU(Module):
    """x times the normal distribution function of x, or its tanh approximation."""
    def __init__(self, approximate: _str = 'none') -> None:
        ...
class GLU(Module):
    """One half of x times the sigmoid of the other."""
    def __init__(self, dim: _int = -1) -> None:
        ...
from jgrad.nn.modules.rnn import GRU as GRU
from jgrad.nn.modules.rnn import GRUCell as GRUCell
class GaussianNLLLoss(Module):
    """Minus the log-likelihood of normal variables with given variances."""
    def __init__(self, *, full: _bool = False, eps: _float = 1e-06, reduction: _str = 'mean') -> None:
        ...
from jgrad.nn.modules.normalization import GroupNorm as GroupNorm
class Hardshrink(Module):
    """x where its magnitude is above lambd, 0 elsewhere."""
    def __init__(self, lambd: _float = 0.5) -> None:
        ...
class Hardsigmoid(Module):
    """relu6(x + 3) / 6."""
    def __init__(self, inplace: _bool = False) -> None:
        ...
class Hardswish(Module):
    """x * relu6(x + 3) / 6."""
    def __init__(self, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.activation import Hardtanh as Hardtanh
class HingeEmbeddingLoss(Module):
    """The input where the target is 1, what is missing to the margin where it is -1."""
    def __init__(self, margin: _float = 1.0, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
class HuberLoss(Module):
    """Squares for differences below delta, absolute values above."""
    def __init__(self, reduction: _str = 'mean', delta: _float = 1.0) -> None:
        ...
from jgrad.nn.modules.linear import Identity as Identity
from jgrad.nn.modules.normalization import InstanceNorm1d as InstanceNorm1d
from jgrad.nn.modules.normalization import InstanceNorm2d as InstanceNorm2d
from jgrad.nn.modules.normalization import InstanceNorm3d as InstanceNorm3d
class KLDivLoss(Module):
    """The Kullback-Leibler divergence of target from input (log-probabilities)."""
    def __init__(self, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean', log_target: _bool = False) -> None:
        ...
from jgrad.nn.modules.loss import L1Loss as L1Loss
class LPPool1d(Module):
    """Norms over windows of (N, C, L)."""
    def __init__(self, norm_type: _float, kernel_size: Any, stride: Any = None, ceil_mode: _bool = False) -> None:
        ...
class LPPool2d(Module):
    """Norms over windows of (N, C, H, W)."""
    def __init__(self, norm_type: _float, kernel_size: Any, stride: Any = None, ceil_mode: _bool = False) -> None:
        ...
class LPPool3d(Module):
    """Norms over windows of (N, C, D, H, W)."""
    def __init__(self, norm_type: _float, kernel_size: Any, stride: Any = None, ceil_mode: _bool = False) -> None:
        ...
from jgrad.nn.modules.rnn import LSTM as LSTM
from jgrad.nn.modules.rnn import LSTMCell as LSTMCell
from jgrad.nn.modules.normalization import LayerNorm as LayerNorm
from jgrad.nn.modules.lazy import LazyBatchNorm1d as LazyBatchNorm1d
from jgrad.nn.modules.lazy import LazyBatchNorm2d as LazyBatchNorm2d
from jgrad.nn.modules.lazy import LazyBatchNorm3d as LazyBatchNorm3d
from jgrad.nn.modules.lazy import LazyConv1d as LazyConv1d
from jgrad.nn.modules.lazy import LazyConv2d as LazyConv2d
from jgrad.nn.modules.lazy import LazyConv3d as LazyConv3d
from jgrad.nn.modules.lazy import LazyConvTranspose1d as LazyConvTranspose1d
from jgrad.nn.modules.lazy import LazyConvTranspose2d as LazyConvTranspose2d
from jgrad.nn.modules.lazy import LazyConvTranspose3d as LazyConvTranspose3d
from jgrad.nn.modules.lazy import LazyInstanceNorm1d as LazyInstanceNorm1d
from jgrad.nn.modules.lazy import LazyInstanceNorm2d as LazyInstanceNorm2d
from jgrad.nn.modules.lazy import LazyInstanceNorm3d as LazyInstanceNorm3d
from jgrad.nn.modules.lazy import LazyLinear as LazyLinear
class LeakyReLU(Module):
    """x where positive, negative_slope * x elsewhere."""
    def __init__(self, negative_slope: _float = 0.01, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.linear import Linear as Linear
class LocalResponseNorm(Module):
    """Divide by a power of the mean square of the neighbouring channels."""
    def __init__(self, size: _int, alpha: _float = 0.0001, beta: _float = 0.75, k: _float = 1.0) -> None:
        ...
from jgrad.nn.modules.activation import LogSigmoid as LogSigmoid
class LogSoftmax(Module):
    """log(softmax(x))."""
    def __init__(self, dim: _int | None = None) -> None:
        ...
from jgrad.nn.modules.loss import MSELoss as MSELoss
class MarginRankingLoss(Module):
    """What the larger input lacks of leading by the margin."""
    def __init__(self, margin: _float = 0.0, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
class MaxPool1d(Module):
    """Maxima over windows of (N, C, L)."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: _bool = False, ceil_mode: _bool = False) -> None:
        ...
class MaxPool2d(Module):
    """Maxima over windows of (N, C, H, W)."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: _bool = False, ceil_mode: _bool = False) -> None:
        ...
class MaxPool3d(Module):
    """Maxima over windows of (N, C, D, H, W)."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: _bool = False, ceil_mode: _bool = False) -> None:
        ...
class MaxUnpool1d(Module):
    """Maxima put back where they came from, zeros elsewhere: (N, C, L)."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        ...
class MaxUnpool2d(Module):
    """Maxima put back where they came from, zeros elsewhere: (N, C, H, W)."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        ...
class MaxUnpool3d(Module):
    """Maxima put back where they came from, zeros elsewhere: (N, C, D, H, W)."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        ...
class Mish(Module):
    """x * tanh(softplus(x))."""
    def __init__(self, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.module import Module as Module
from jgrad.nn.modules.container import ModuleDict as ModuleDict
from jgrad.nn.modules.container import ModuleList as ModuleList
from jgrad.nn.modules.loss import MultiLabelMarginLoss as MultiLabelMarginLoss
from jgrad.nn.modules.loss import MultiLabelSoftMarginLoss as MultiLabelSoftMarginLoss
from jgrad.nn.modules.loss import MultiMarginLoss as MultiMarginLoss
from jgrad.nn.modules.transformer import MultiheadAttention as MultiheadAttention
class NLLLoss(Module):
    """Minus the log-probability of the target class."""
    def __init__(self, weight: Tensor | None = None, size_average: Any = None, ignore_index: _int = -100, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
from jgrad.nn.modules.transformer import NonDynamicallyQuantizableLinear as NonDynamicallyQuantizableLinear
from jgrad.nn.modules.activation import PReLU as PReLU
from jgrad.nn.modules.loss import PairwiseDistance as PairwiseDistance
from jgrad.nn.modules.container import ParameterDict as ParameterDict
from jgrad.nn.modules.container import ParameterList as ParameterList
class PixelShuffle(Module):
    """Channels become pixels: (N, C r², H, W) to (N, C, H r, W r)."""
    def __init__(self, upscale_factor: _int) -> None:
        ...
class PixelUnshuffle(Module):
    """Pixels become channels: (N, C, H r, W r) to (N, C r², H, W)."""
    def __init__(self, downscale_factor: _int) -> None:
        ...
class PoissonNLLLoss(Module):
    """Minus the log-likelihood of counts."""
    def __init__(self, log_input: _bool = True, full: _bool = False, size_average: Any = None, eps: _float = 1e-08, reduce: Any = None, reduction: _str = 'mean') -> None:
        ...
from jgrad.nn.modules.normalization import RMSNorm as RMSNorm
from jgrad.nn.modules.rnn import RNN as RNN
from jgrad.nn.modules.rnn import RNNBase as RNNBase
from jgrad.nn.modules.rnn import RNNCell as RNNCell
from jgrad.nn.modules.rnn import RNNCellBase as RNNCellBase
class RReLU(Module):
    """Leaky ReLU whose slope is random in training and the mean of the bounds else."""
    def __init__(self, lower: _float = 0.125, upper: _float = 0.3333333333333333, inplace: _bool = False) -> None:
        ...
class ReLU(Module):
    """max(0, x)."""
    def __init__(self, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.activation import ReLU6 as ReLU6
class ReflectionPad1d(Module):
    """Pad with the mirror image of (N, C, L)."""
    def __init__(self, padding: Any) -> None:
        ...
class ReflectionPad2d(Module):
    """Pad with the mirror image of (N, C, H, W)."""
    def __init__(self, padding: Any) -> None:
        ...
class ReflectionPad3d(Module):
    """Pad with the mirror image of (N, C, D, H, W)."""
    def __init__(self, padding: Any) -> None:
        ...
class ReplicationPad1d(Module):
    """Pad with the border of (N, C, L)."""
    def __init__(self, padding: Any) -> None:
        ...
class ReplicationPad2d(Module):
    """Pad with the border of (N, C, H, W)."""
    def __init__(self, padding: Any) -> None:
        ...
class ReplicationPad3d(Module):
    """Pad with the border of (N, C, D, H, W)."""
    def __init__(self, padding: Any) -> None:
        ...
class SELU(Module):
    """The ELU that keeps mean 0 and variance 1."""
    def __init__(self, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.container import Sequential as Sequential
class SiLU(Module):
    """x * sigmoid(x)."""
    def __init__(self, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.activation import Sigmoid as Sigmoid
class SmoothL1Loss(Module):
    """Squares for differences below beta, absolute values above."""
    def __init__(self, size_average: Any = None, reduce: Any = None, reduction: _str = 'mean', beta: _float = 1.0) -> None:
        ...
from jgrad.nn.modules.loss import SoftMarginLoss as SoftMarginLoss
class Softmax(Module):
    """exp(x), scaled to sum 1 along `dim`."""
    def __init__(self, dim: _int | None = None) -> None:
        ...
from jgrad.nn.modules.activation import Softmax2d as Softmax2d
class Softmin(Module):
    """softmax(-x)."""
    def __init__(self, dim: _int | None = None) -> None:
        ...
class Softplus(Module):
    """log(1 + exp(beta * x)) / beta."""
    def __init__(self, beta: _float = 1.0, threshold: _float = 20.0) -> None:
        ...
class Softshrink(Module):
    """x moved towards 0 by lambd, 0 where it is nearer."""
    def __init__(self, lambd: _float = 0.5) -> None:
        ...
from jgrad.nn.modules.activation import Softsign as Softsign
from jgrad.nn.modules.activation import Tanh as Tanh
from jgrad.nn.modules.activation import Tanhshrink as Tanhshrink
class Threshold(Module):
    """x where it is above `threshold`, `value` elsewhere."""
    def __init__(self, threshold: _float, value: _float, inplace: _bool = False) -> None:
        ...
from jgrad.nn.modules.transformer import Transformer as Transformer
from jgrad.nn.modules.transformer import TransformerDecoder as TransformerDecoder
from jgrad.nn.modules.transformer import TransformerDecoderLayer as TransformerDecoderLayer
from jgrad.nn.modules.transformer import TransformerEncoder as TransformerEncoder
from jgrad.nn.modules.transformer import TransformerEncoderLayer as TransformerEncoderLayer
from jgrad.nn.modules.loss import TripletMarginLoss as TripletMarginLoss
from jgrad.nn.modules.loss import TripletMarginWithDistanceLoss as TripletMarginWithDistanceLoss
from jgrad.nn.modules.linear import Unflatten as Unflatten
class Unfold(Module):
    """The sliding windows of an image as columns."""
    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        ...
from jgrad.nn.modules.spatial import Upsample as Upsample
from jgrad.nn.modules.spatial import UpsamplingBilinear2d as UpsamplingBilinear2d
from jgrad.nn.modules.spatial import UpsamplingNearest2d as UpsamplingNearest2d
class ZeroPad1d(Module):
    """Pad with zeros (N, C, L)."""
    def __init__(self, padding: Any) -> None:
        ...
class ZeroPad2d(Module):
    """Pad with zeros (N, C, H, W)."""
    def __init__(self, padding: Any) -> None:
        ...
class ZeroPad3d(Module):
    """Pad with zeros (N, C, D, H, W)."""
    def __init__(self, padding: Any) -> None:
        ...
