"""The libraries that compute, and their switches: `torch.backends`. NumPy and CuPy compute, so the switches have no effect, but for those of attention."""

from jgrad.backends import absent
from jgrad.backends import cuda as cuda
from jgrad.backends import cudnn as cudnn
from jgrad.backends import mps as mps

mkl = mkldnn = nnpack = openmp = opt_einsum = absent
