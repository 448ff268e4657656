"""Which libraries compute, and their switches; `torch.backends`. The switches are there to be set and change nothing: NumPy and CuPy compute."""

from jgrad.backends import cuda as cuda
from jgrad.backends import cudnn as cudnn
from jgrad.backends import mps as mps
