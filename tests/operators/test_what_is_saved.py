"""Which tensors an operation saves for backward, in which order it saves them and in which order backward asks for them.

Saved-tensor hooks see this, and the errors of `utils.checkpoint` count it. (Where jgrad's formula needs other tensors than PyTorch's, the
operation is not in this list.)
"""

import warnings

import pytest

import jgrad

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.quick

CALLS = """
x*y | x/y | x.pow(2) | x**y | x.t()@y | x.softmax(1) | x.log_softmax(1) | x[i] | x[i, i] | x.gather(1,j) | x.scatter(1,j,y) |
x.scatter_add(1,j,y) | x.index_select(0,i) | x.max(0)[0] | x.max() | x.amax(0) | x.sort()[0] | x.cumsum(0) | x.cumprod(0) |
x.prod() | x.prod(0) | x.std() | x.var(0) | x.mean() | x.sum(0) | torch.where(x>0,x,y) | x.masked_fill(x>0,1.) |
torch.cat([x,y]) | torch.stack([x,y]) | torch.nn.functional.linear(x,y) | torch.nn.functional.layer_norm(x,(3,)) | x.sigmoid() |
x.tanh() | x.relu() | torch.nn.functional.gelu(x) | x.exp() | x.log() | x.sqrt() | x.norm() | x.norm(dim=0) | x.addcmul(x,y) |
x.addcdiv(x,y) | torch.lerp(x,y,0.3) | torch.lerp(x,y,x) | x.minimum(y) | x.clamp(0,1) | x.abs() | x.atan2(y) | x.logsumexp(0) |
x.cummax(0)[0] | x.topk(1)[0] | x.kthvalue(1)[0] | x.median() | x.tril() | x.masked_select(x>0) | x.index_fill(0,i,1.) |
x.take(i) | x.put(i,y[0,:2]) | torch.bmm(x[None],y.t()[None]) | x.mv(y[0]) | x[0].dot(y[0]) | (x.t()@y).inverse() |
torch.nn.functional.mse_loss(x,y) | torch.nn.functional.cross_entropy(x,i) | torch.nn.functional.nll_loss(x,i) |
torch.nn.functional.binary_cross_entropy(x,x.detach()) | torch.nn.functional.smooth_l1_loss(x,y) |
torch.nn.functional.embedding(i,x) | torch.nn.functional.batch_norm(x,None,None,training=True) |
torch.nn.functional.conv1d(x[None],y[:,:,None].repeat(1,2,1)[:, :2]) | torch.nn.functional.max_pool1d(x[None],2) |
torch.nn.functional.avg_pool1d(x[None],2) | torch.einsum('ij,kj->ik',x,y) | x.reshape(-1).outer(y[0]) |
torch.nn.functional.leaky_relu(x) | torch.nn.functional.elu(x) | torch.nn.functional.softplus(x) | torch.nn.functional.silu(x) |
torch.nn.functional.mish(x) | x.erf() | x.lgamma() | torch.nn.functional.prelu(x,y[0,:1]) | torch.nn.functional.pad(x,(1,1)) |
x.repeat(2,1) | x.expand(2,2,3) | x.unfold(1,2,1) | x.diagonal() | x.clone().mul_(y) | x.clone().exp_() | x.clone().div_(y) |
x.clone().index_put_((i,),y[0]) | x.clone().add_(y) | x.clone().clamp_(0) | x.clone().relu_() | x*2 | 2/x | x.clone().sigmoid_() |
x.clone().sqrt_() | x.clone().pow_(2) | x.reciprocal() | x.rsqrt() | x.fmod(y) | x.remainder(y) | x.hypot(y) | torch.cdist(x,y) |
torch.cross(x,y,dim=1) | torch.linalg.svd(x)[1] | torch.linalg.qr(x)[0] | torch.linalg.eigh(x@x.t())[0] |
torch.linalg.cholesky(x@x.t()+3*torch.eye(2)) | torch.nn.functional.normalize(x) | torch.logaddexp(x,y) | x.renorm(2,0,1.) |
x.roll(1) | x.flip(0) | x.dist(y) | torch.nn.functional.kl_div(x,y) | torch.nn.functional.huber_loss(x,y) |
torch.nn.functional.l1_loss(x,y) | torch.nn.functional.group_norm(x[None],1) | torch.nn.functional.hardtanh(x) |
torch.nn.functional.threshold(x,0.,1.) | torch.nn.functional.interpolate(x[None],scale_factor=2) |
torch.baddbmm(x[None],y[None],(x.t()@y)[None]) | torch.addmm(x,y,x.t()@y) | torch.addr(x,y[:,0],y[0]) |
torch.addmv(x[:,0],y,y[0]) | x.nansum() | x.logcumsumexp(0) | x.cumsum(0).diff() | x.aminmax(dim=0)[0] | x.mode()[0] |
x.copysign(y) | x.xlogy(y) | x.ldexp(y) | x.sinc() | x.logit(1e-6) | x.index_reduce(0,i,y[:2],'amax') |
x.scatter_reduce(1,j,y,'prod') | torch.linalg.norm(x) | torch.linalg.vector_norm(x,3) | torch.linalg.matrix_norm(x) |
torch.linalg.lstsq(x@x.t(),y)[0] | torch.nn.functional.scaled_dot_product_attention(x[None],y[None],y[None]) |
torch.nn.functional.binary_cross_entropy_with_logits(x,y) | torch.nn.functional.pairwise_distance(x,y) |
torch.nn.functional.glu(x.t()) | torch.nn.functional.softmin(x,1) | torch.nn.functional.logsigmoid(x)
"""


def history(library, call):
    """Shape, dtype, requires_grad and is_leaf of what is packed, and the shapes of what is unpacked."""
    names = {
        "torch": library,
        "x": library.tensor([[0.1, 0.2, 0.3], [0.4, 0.5, 0.7]], requires_grad=True),
        "y": library.tensor([[0.3, 0.1, 0.4], [0.2, 0.5, 0.9]], requires_grad=True),
        "i": library.tensor([0, 1]),
        "j": library.tensor([[0, 1, 2], [2, 1, 0]]),
    }
    packed, unpacked = [], []

    def pack(t):
        packed.append((list(t.shape), str(t.dtype).partition(".")[2], t.requires_grad, t.is_leaf))
        return t

    def unpack(t):
        unpacked.append(list(t.shape))
        return t

    with library.autograd.graph.saved_tensors_hooks(pack, unpack):
        result = eval(call, names)
    library.autograd.grad(result, [names["x"], names["y"]], library.ones_like(result), allow_unused=True)
    return packed, unpacked


@pytest.mark.parametrize("call", [call.strip() for call in CALLS.split("|")])
def test_what_is_saved(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert history(jgrad, call) == history(torch, call)
