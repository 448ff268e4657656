"""The libraries that compute, and their switches: `torch.backends`. A switch can be set, but has no effect: NumPy and CuPy compute."""

from jgrad.backends import cuda as cuda
from jgrad.backends import cudnn as cudnn
from jgrad.backends import mps as mps
