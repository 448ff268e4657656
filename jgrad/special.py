"""Special functions: `jgrad.special.erf`, `jgrad.special.i0e`, ... declared in `jgrad/ops/special.py` and elsewhere."""

from jgrad import ops as _ops  # noqa: F401  declares them
from jgrad.dispatch import alias_of as _alias_of
from jgrad.dispatch import public as _public

# What PyTorch has under other names, too.
for _name, _other in {
    "digamma": "digamma", "erf": "erf", "erfc": "erfc", "erfinv": "erfinv", "exp2": "exp2", "expit": "sigmoid", "expm1": "expm1",
    "gammainc": "igamma", "gammaincc": "igammac", "gammaln": "lgamma", "i0": "i0", "log1p": "log1p",
    "logit": "logit", "logsumexp": "logsumexp", "multigammaln": "mvlgamma", "polygamma": "polygamma", "psi": "digamma",
    "sinc": "sinc", "xlogy": "xlogy",
}.items():  # fmt: skip
    _alias_of(_other, f"special.{_name}")
for _name in ("softmax", "log_softmax"):
    _alias_of(_name, f"special.{_name}", forms=["function"])

globals().update({_name: _function for _name, _function in _public("special").items() if _name[-1] != "_"})
