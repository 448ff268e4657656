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

def adaptive_avg_pool1d(input: Tensor, output_size: _int | Sequence[_int]) -> Tensor:
    """The means of windows of a row, as many as asked for."""
def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows of an image, as many as asked for; None keeps a size."""
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows of a volume, as many as asked for; None keeps a size."""
def adaptive_max_pool1d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """The largest elements of windows, as many as asked for; with return_indices=True also where they are."""
def adaptive_max_pool1d_with_indices(input: Tensor, output_size: Any, return_indices: _bool = False) -> tuple[Tensor, Tensor]:
    ...
def adaptive_max_pool2d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """The largest elements of windows, as many as asked for; with return_indices=True also where they are."""
def adaptive_max_pool2d_with_indices(input: Tensor, output_size: Any, return_indices: _bool = False) -> tuple[Tensor, Tensor]:
    ...
def adaptive_max_pool3d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """The largest elements of windows, as many as asked for; with return_indices=True also where they are."""
def adaptive_max_pool3d_with_indices(input: Tensor, output_size: Any, return_indices: _bool = False) -> tuple[Tensor, Tensor]:
    ...
def affine_grid(theta: Tensor, size: Any, align_corners: _bool | None = None) -> Tensor:
    """The points of a grid for images of this size, moved by affine maps."""
def alpha_dropout(input: Tensor, p: _float = 0.5, training: _bool = False, inplace: _bool = False) -> Tensor:
    """Dropout that keeps mean and variance, to go with selu."""
def avg_pool1d(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = 0, ceil_mode: _bool = False, count_include_pad: _bool = True) -> Tensor:
    """The mean of each window of a row."""
def avg_pool2d(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = ..., ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """The mean of each window of an image."""
def avg_pool3d(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = ..., ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """The mean of each window of a volume."""
def batch_norm(input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None, bias: Tensor | None = None, training: _bool = False, momentum: _float = 0.1, eps: _float = 1e-05) -> Tensor:
    """Normalize each channel (dimension 1) over the batch, or by running statistics; then times weight, plus bias."""
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """For each matrix of weight the product input1 matrix input2, plus bias."""
def binary_cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """-(target log input + (1 - target) log(1 - input))."""
def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean', pos_weight: Tensor | None = None) -> Tensor:
    """binary_cross_entropy of sigmoid(input), without overflow."""
def celu(input: Tensor, alpha: _float = 1.0, inplace: _bool = False) -> Tensor:
    """input where it is positive, alpha * (exp(input / alpha) - 1) elsewhere."""
def celu_(input: Tensor, alpha: Number = 1.0) -> Tensor:
    """celu into its own argument; the derivative is found from the result."""
def channel_shuffle(input: Tensor, groups: _int) -> Tensor:
    """Channels in another order: the first of each group, then the second of each, and so on."""
@overload
def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """Every window of a row, times weights of shape (outputs, channels / groups, window), plus a bias per output; padding may be "same" or "valid"."""
@overload
def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _str = 'valid', dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """Every window of a row, times weights of shape (outputs, channels / groups, window), plus a bias per output; padding may be "same" or "valid"."""
@overload
def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """Every window of an image, times weights of shape (outputs, channels / groups, window), plus a bias per output; padding may be "same" or "valid"."""
@overload
def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _str = 'valid', dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """Every window of an image, times weights of shape (outputs, channels / groups, window), plus a bias per output; padding may be "same" or "valid"."""
@overload
def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """Every window of a volume, times weights of shape (outputs, channels / groups, window), plus a bias per output; padding may be "same" or "valid"."""
@overload
def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _str = 'valid', dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """Every window of a volume, times weights of shape (outputs, channels / groups, window), plus a bias per output; padding may be "same" or "valid"."""
def conv_transpose1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, output_padding: _int | Sequence[_int] = 0, groups: _int = 1, dilation: _int | Sequence[_int] = 1) -> Tensor:
    """Every element of a row, spread over a window by weights of shape (channels, outputs / groups, window) and added up: what undoes the shapes of conv1d, and its gradient."""
def conv_transpose2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, output_padding: _int | Sequence[_int] = 0, groups: _int = 1, dilation: _int | Sequence[_int] = 1) -> Tensor:
    """Every element of an image, spread over a window by weights of shape (channels, outputs / groups, window) and added up: what undoes the shapes of conv2d, and its gradient."""
def conv_transpose3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, output_padding: _int | Sequence[_int] = 0, groups: _int = 1, dilation: _int | Sequence[_int] = 1) -> Tensor:
    """Every element of a volume, spread over a window by weights of shape (channels, outputs / groups, window) and added up: what undoes the shapes of conv3d, and its gradient."""
def cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """1 minus the cosine where the target is 1, how far it exceeds the margin where that is -1."""
def cosine_similarity(x1: Tensor, x2: Tensor, dim: _int = 1, eps: _float = 1e-08) -> Tensor:
    """The cosine of the angle between vectors along a dimension."""
def cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, ignore_index: _int = -100, reduce: _bool | None = None, reduction: _str = 'mean', label_smoothing: _float = 0.0) -> Tensor:
    """How surprising the target (classes, or probabilities of all of them) is to the softmax of the input."""
def ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: _int = 0, reduction: _str = 'mean', zero_infinity: _bool = False) -> Tensor:
    """Minus the log-probability of target sequences, in any alignment with blanks, given those of classes in each step."""
def dropout(input: Tensor, p: _float = 0.5, training: _bool = True, inplace: _bool = False) -> Tensor:
    """The input with elements set to zero with the probability p, the others scaled up."""
def dropout1d(input: Tensor, p: _float = 0.5, training: _bool = True, inplace: _bool = False) -> Tensor:
    """Dropout of whole channels of (batch, channels, length)."""
def dropout2d(input: Tensor, p: _float = 0.5, training: _bool = True, inplace: _bool = False) -> Tensor:
    """Dropout of whole channels of (batch, channels, height, width)."""
def dropout3d(input: Tensor, p: _float = 0.5, training: _bool = True, inplace: _bool = False) -> Tensor:
    """Dropout of whole channels of (batch, channels, depth, height, width)."""
def elu(input: Tensor, alpha: _float = 1.0, inplace: _bool = False) -> Tensor:
    """input where it is positive, alpha * (exp(input) - 1) elsewhere."""
def elu_(input: Tensor, alpha: Number = 1, scale: Number = 1, input_scale: Number = 1) -> Tensor:
    """elu into its own argument; the derivative is found from the result."""
def embedding(input: Tensor, weight: Tensor, padding_idx: _int | None = None, max_norm: _float | None = None, norm_type: _float = 2.0, scale_grad_by_freq: _bool = False, sparse: _bool = False) -> Tensor:
    """The rows of weight that the input names; the row padding_idx gets no gradient, rows longer than max_norm are scaled down first."""
def embedding_bag(input: Tensor, weight: Tensor, offsets: Tensor | None = None, max_norm: _float | None = None, norm_type: _float = 2, scale_grad_by_freq: _bool = False, mode: _str = 'mean', sparse: _bool = False, per_sample_weights: Tensor | None = None, include_last_offset: _bool = False, padding_idx: _int | None = None) -> Tensor:
    """The sums, means or maxima of bags of rows of weight: the rows of a 2-D input, or stretches of a 1-D input that begin at `offsets`."""
def feature_alpha_dropout(input: Tensor, p: _float = 0.5, training: _bool = False, inplace: _bool = False) -> Tensor:
    """Alpha dropout of whole channels."""
def fold(input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """The images that columns add up to: the opposite of unfold, except that windows may overlap."""
def fractional_max_pool2d(input: Any, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: Any = False, _random_samples: Any = None) -> Any:
    """The largest elements of windows that begin at random places; with return_indices=True also where they are."""
def fractional_max_pool2d_with_indices(input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: _bool = False, _random_samples: Tensor | None = None) -> tuple[Tensor, Tensor]:
    ...
def fractional_max_pool3d(input: Any, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: Any = False, _random_samples: Any = None) -> Any:
    """The largest elements of windows that begin at random places; with return_indices=True also where they are."""
def fractional_max_pool3d_with_indices(input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: _bool = False, _random_samples: Tensor | None = None) -> tuple[Tensor, Tensor]:
    ...
def gaussian_nll_loss(input: Tensor, target: Tensor, var: Tensor | _float, full: _bool = False, eps: _float = 1e-06, reduction: _str = 'mean') -> Tensor:
    """Minus the log-likelihood of normal distributions with the mean `input` and the variance `var`."""
def gelu(input: Tensor, *, approximate: _str = 'none', out: Tensor | None = None) -> Tensor:
    """self times the share of the normal distribution below it, exactly ('none') or by a 'tanh'."""
def glu(input: Tensor, dim: _int = -1) -> Tensor:
    """The first half along a dimension times the sigmoid of the second."""
def grid_sample(input: Tensor, grid: Tensor, mode: _str = 'bilinear', padding_mode: _str = 'zeros', align_corners: _bool | None = None) -> Tensor:
    """What images have at the points of a grid, whose coordinates go from -1 to 1."""
def group_norm(input: Tensor, num_groups: _int, weight: Tensor | None = None, bias: Tensor | None = None, eps: _float = 1e-05) -> Tensor:
    """Normalize groups of channels of each sample; then times weight, plus bias."""
def gumbel_softmax(logits: Tensor, tau: _float = 1, hard: _bool = False, eps: _float = 1e-10, dim: _int = -1) -> Tensor:
    """The softmax of logits with Gumbel noise: a sample that gradients flow through; `hard` gives one-hot samples."""
def hardshrink(input: Tensor, lambd: Number = 0.5, *, out: Tensor | None = None) -> Tensor:
    """self, with elements between -lambd and lambd set to zero."""
def hardsigmoid(input: Tensor, inplace: _bool = False) -> Tensor:
    """A sigmoid of three straight lines: 0 up to -3, 1 from 3 on."""
def hardswish(input: Tensor, inplace: _bool = False) -> Tensor:
    """input * hardsigmoid(input)."""
def hardtanh(input: Tensor, min_val: _float = -1.0, max_val: _float = 1.0, inplace: _bool = False) -> Tensor:
    """input, held between min_val and max_val."""
def hardtanh_(input: Tensor, min_val: Number = -1, max_val: Number = 1) -> Tensor:
    """hardtanh into its own argument."""
def hinge_embedding_loss(input: Tensor, target: Tensor, margin: _float = 1.0, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """The input where the target is 1, what it lacks to the margin where that is -1."""
def huber_loss(input: Tensor, target: Tensor, reduction: _str = 'mean', delta: _float = 1.0, weight: Tensor | None = None) -> Tensor:
    """Half the square of the distance, from delta on a straight line."""
def instance_norm(input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None, bias: Tensor | None = None, use_input_stats: _bool = True, momentum: _float = 0.1, eps: _float = 1e-05) -> Tensor:
    """Normalize each channel of each sample; then times weight, plus bias."""
def interpolate(input: Tensor, size: Any = None, scale_factor: Any = None, mode: _str = 'nearest', align_corners: _bool | None = None, recompute_scale_factor: _bool | None = None, antialias: _bool = False) -> Tensor:
    """Images of another size, or of one `scale_factor` times as large."""
def kl_div(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean', log_target: _bool = False) -> Tensor:
    """The Kullback-Leibler divergence of the distribution whose logarithms are the input from the target."""
def l1_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean', weight: Tensor | None = None) -> Tensor:
    """The distance."""
def layer_norm(input: Tensor, normalized_shape: Any, weight: Tensor | None = None, bias: Tensor | None = None, eps: _float = 1e-05) -> Tensor:
    """Normalize over the last dimensions, each sample by itself; then times weight, plus bias."""
def leaky_relu(input: Tensor, negative_slope: _float = 0.01, inplace: _bool = False) -> Tensor:
    """input where it is positive, negative_slope * input elsewhere."""
def leaky_relu_(input: Tensor, negative_slope: Number = 0.01) -> Tensor:
    """leaky_relu into its own argument; the derivative is found from the result."""
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """input times the transpose of weight, plus bias."""
def linear_cross_entropy(input: Tensor, linear_weight: Tensor, target: Tensor, *, linear_bias: Tensor | None = None, weight: Tensor | None = None, reduction: _str = 'mean', ignore_index: _int | None = None, label_smoothing: _float = 0.0, options: Any = None) -> Tensor:
    """cross_entropy of the scores that a linear map gives; its weight may have further dimensions between classes and features.
    
    `options`, which ask PyTorch to save memory and go block by block, are accepted and change nothing."""
def local_response_norm(input: Tensor, size: _int, alpha: _float = 0.0001, beta: _float = 0.75, k: _float = 1.0) -> Tensor:
    """Divide by a power of the mean square of the channels around each."""
def log_softmax(input: Tensor, dim: _int | None = None, _stacklevel: _int = 3, dtype: Any = None) -> Tensor:
    """The logarithm of the softmax."""
def logsigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the sigmoid, without overflow."""
def lp_pool1d(input: Tensor, norm_type: _float, kernel_size: _int, stride: Any = None, ceil_mode: _bool = False) -> Tensor:
    """The p-norm of each window of a row."""
def lp_pool2d(input: Tensor, norm_type: _float, kernel_size: Any, stride: Any = None, ceil_mode: _bool = False) -> Tensor:
    """The p-norm of each window of an image."""
def lp_pool3d(input: Tensor, norm_type: _float, kernel_size: Any, stride: Any = None, ceil_mode: _bool = False) -> Tensor:
    """The p-norm of each window of a volume."""
def margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """How far input1 is from exceeding input2 by the margin (target 1) or the other way round (-1)."""
def max_pool1d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: Any = False, return_indices: Any = False) -> Any:
    """The largest element of each window; with return_indices=True also where it is."""
def max_pool1d_with_indices(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: _bool = False, return_indices: _bool = False) -> tuple[Tensor, Tensor]:
    ...
def max_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: Any = False, return_indices: Any = False) -> Any:
    """The largest element of each window; with return_indices=True also where it is."""
def max_pool2d_with_indices(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: _bool = False, return_indices: _bool = False) -> tuple[Tensor, Tensor]:
    ...
def max_pool3d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: Any = False, return_indices: Any = False) -> Any:
    """The largest element of each window; with return_indices=True also where it is."""
def max_pool3d_with_indices(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: _bool = False, return_indices: _bool = False) -> tuple[Tensor, Tensor]:
    ...
def max_unpool1d(input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None) -> Tensor:
    """Rows that max_pool1d made smaller, with zeros where the maxima were not."""
def max_unpool2d(input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None) -> Tensor:
    """Images that max_pool2d made smaller, with zeros where the maxima were not."""
def max_unpool3d(input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None) -> Tensor:
    """Volumes that max_pool3d made smaller, with zeros where the maxima were not."""
def mish(input: Tensor, inplace: _bool = False) -> Tensor:
    """input * tanh(softplus(input))."""
def mse_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean', weight: Tensor | None = None) -> Tensor:
    """The square of the distance."""
def multi_head_attention_forward(query: Tensor, key: Tensor, value: Tensor, embed_dim_to_check: _int, num_heads: _int, in_proj_weight: Tensor | None, in_proj_bias: Tensor | None, bias_k: Tensor | None, bias_v: Tensor | None, add_zero_attn: _bool, dropout_p: _float, out_proj_weight: Tensor, out_proj_bias: Tensor | None, training: _bool = True, key_padding_mask: Tensor | None = None, need_weights: _bool = True, attn_mask: Tensor | None = None, use_separate_proj_weight: _bool = False, q_proj_weight: Tensor | None = None, k_proj_weight: Tensor | None = None, v_proj_weight: Tensor | None = None, static_k: Tensor | None = None, static_v: Tensor | None = None, average_attn_weights: _bool = True, is_causal: _bool = False) -> tuple[Tensor, Tensor | None]:
    """What `torch.nn.MultiheadAttention` computes: projections, attention in each head, a projection back; and the weights."""
def multi_margin_loss(input: Tensor, target: Tensor, p: _int = 1, margin: _float = 1.0, weight: Tensor | None = None, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """How far each other class comes within the margin of the target class."""
def multilabel_margin_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """How far each other class comes within the margin of each label (up to the first -1)."""
def multilabel_soft_margin_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """The binary cross entropy of every label, its mean over the labels."""
def native_channel_shuffle(input: Tensor, groups: _int) -> Tensor:
    """channel_shuffle without a derivative."""
def nll_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, ignore_index: _int = -100, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """Minus what stands at the target class, where the input holds logarithms of probabilities."""
def normalize(input: Tensor, p: _float = 2.0, dim: _int = 1, eps: _float = 1e-12, out: Tensor | None = None) -> Tensor:
    """Divide vectors, which are along a dimension, by their norm (at least eps)."""
def one_hot(input: Tensor, num_classes: _int = -1) -> Tensor:
    """For each class a row with a 1 at its place and zeros elsewhere."""
def pad(input: Tensor, pad: Any, mode: _str = 'constant', value: _float | None = None) -> Tensor:
    """The last dimensions made larger (smaller with negative numbers) at their ends; `pad` begins with the last dimension."""
def pairwise_distance(x1: Tensor, x2: Tensor, p: _float = 2.0, eps: _float = 1e-06, keepdim: _bool = False) -> Tensor:
    """The norm of the difference of vectors, which are along the last dimension."""
def pdist(input: Tensor, p: _float = 2.0) -> Tensor:
    """The distance (p-norm of the difference) of each row from each later one, in one vector."""
def pixel_shuffle(input: Tensor, upscale_factor: _int) -> Tensor:
    """Groups of r * r channels spread out as r by r pixels."""
def pixel_unshuffle(input: Tensor, downscale_factor: _int) -> Tensor:
    """Squares of r by r pixels stacked as channels."""
def poisson_nll_loss(input: Tensor, target: Tensor, log_input: _bool = True, full: _bool = False, size_average: _bool | None = None, eps: _float = 1e-08, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """Minus the log-likelihood of counts of the Poisson distribution."""
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """self where it is positive, weight * self elsewhere, with one weight or one for each channel (dimension 1)."""
def relu(input: Tensor, inplace: _bool = False) -> Tensor:
    """input where it is positive, 0 elsewhere."""
def relu6(input: Tensor, inplace: _bool = False) -> Tensor:
    """input, held between 0 and 6."""
def relu_(input: Tensor) -> Tensor:
    """self where it is positive, 0 elsewhere."""
def rms_norm(input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: _float | None = None) -> Tensor:
    """Divide by the root of the mean square over the last dimensions; then times weight."""
def rrelu(input: Tensor, lower: _float = 0.125, upper: _float = 0.3333333333333333, training: _bool = False, inplace: _bool = False) -> Tensor:
    """leaky_relu, in training with slopes drawn between lower and upper, otherwise with their mean."""
def rrelu_(input: Tensor, lower: Number = 0.125, upper: Number = 0.3333333333333333, training: _bool = False, generator: _Generator | None = None) -> Tensor:
    """rrelu into its own argument."""
def scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: _float = 0.0, is_causal: _bool = False, *, scale: _float | None = None, enable_gqa: _bool = False) -> Tensor:
    """For each query the values, averaged by the softmax of its products with the keys."""
def selu(input: Tensor, inplace: _bool = False) -> Tensor:
    """The elu that keeps mean and variance of what goes through many layers."""
def selu_(input: Tensor) -> Tensor:
    """selu into its own argument."""
def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + exp(-input))."""
def silu(input: Tensor, inplace: _bool = False) -> Tensor:
    """input * sigmoid(input)."""
def smooth_l1_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean', beta: _float = 1.0) -> Tensor:
    """The distance, or below beta its square, so that it has no corner."""
def soft_margin_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """log(1 + exp(-target * input))."""
def softmax(input: Tensor, dim: _int | None = None, _stacklevel: _int = 3, dtype: Any = None) -> Tensor:
    """exp(input), divided so that it sums to 1 along a dimension."""
def softmin(input: Tensor, dim: _int | None = None, _stacklevel: _int = 3, dtype: Any = None) -> Tensor:
    """The softmax of -input."""
def softplus(input: Tensor, beta: Number = 1, threshold: Number = 20, *, out: Tensor | None = None) -> Tensor:
    """log(1 + exp(beta * self)) / beta; self where beta * self is above the threshold."""
def softshrink(input: Tensor, lambd: Number = 0.5, *, out: Tensor | None = None) -> Tensor:
    """self, drawn towards zero by lambd."""
def softsign(input: Tensor) -> Tensor:
    """input / (1 + abs(input))."""
def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent."""
def tanhshrink(input: Tensor) -> Tensor:
    """input - tanh(input)."""
def threshold(input: Tensor, threshold: _float, value: _float, inplace: _bool = False) -> Tensor:
    """input where it is above the threshold, `value` elsewhere."""
def threshold_(input: Tensor, threshold: Number, value: Number) -> Tensor:
    """`value` into this tensor wherever it is not above the threshold."""
def triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: _float = 1.0, p: _float = 2, eps: _float = 1e-06, swap: _bool = False, size_average: _bool | None = None, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor:
    """How far the anchor is from being nearer to the positive than to the negative by the margin."""
def triplet_margin_with_distance_loss(anchor: Tensor, positive: Tensor, negative: Tensor, *, distance_function: Callable[[Tensor, Tensor], Tensor] | None = None, margin: _float = 1.0, swap: _bool = False, reduction: _str = 'mean') -> Tensor:
    """triplet_margin_loss with a distance of one's own."""
def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """Every window of a batch of images as a column."""
def upsample(input: Tensor, size: Any = None, scale_factor: Any = None, mode: _str = 'nearest', align_corners: _bool | None = None) -> Tensor:
    """The older name of interpolate."""
def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """interpolate(mode="bilinear", align_corners=True)."""
def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """interpolate(mode="nearest")."""
