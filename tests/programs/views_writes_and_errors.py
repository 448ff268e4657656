x=torch.ones(2,requires_grad=True)
y=x*1
y.mul_(y)
y.sum().backward()
# ---
x=torch.ones(4,requires_grad=True)
y=x*2
z=y.exp()
y.add_(1)
z.sum().backward()
show(x.grad.tolist())
# ---
x=torch.ones(4,requires_grad=True)
y=x*2
z=y*y
y.add_(1)
z.sum().backward()
# ---
x=torch.ones(2,3,requires_grad=True)
y=x*2
z=y.sin()
y.t()[0].zero_()
z.sum().backward()
# ---
x=torch.ones(4,requires_grad=True)
v=x[:2]
v.add_(1)
# ---
x=torch.ones(4,requires_grad=True)
v=x.view(2,2)
v.zero_()
# ---
a=torch.zeros(4)
v=a[:2]
w=torch.ones(2,requires_grad=True)
v.mul_(w)
show(a.requires_grad, a.grad_fn.name(), v.grad_fn.name(), a.is_leaf)
a.sum().backward()
show(w.grad.tolist())
# ---
a=torch.zeros(4)
v=a[:2]
a.add_(torch.ones(4,requires_grad=True))
show(v.requires_grad, v.grad_fn.name(), v.is_leaf, v._version)
# ---
a=torch.zeros(4,requires_grad=True)
b=a.clone()
v=b[:2]
d=b.detach()
d[0]=7
show(b._version, v._version, b.tolist())
(b*b).sum().backward()
show(a.grad.tolist())
# ---
a=torch.ones(4,requires_grad=True)
b=a*a
d=a.detach()
d[0]=7
b.sum().backward()
# ---
a=torch.ones(4,requires_grad=True)
b=a*a
a.data[0]=7
b.sum().backward()
show(a.grad.tolist())
# ---
x=torch.tensor([1.,2.],requires_grad=True)
y=(x**2).sum()
y.backward(retain_graph=True)
y.backward()
show(x.grad.tolist())
x.grad.zero_()
show(x.grad)
x.grad=None
show(x.grad)
# ---
x=torch.tensor([1.,2.],requires_grad=True)
(x**2).sum().backward(create_graph=True)
show(x.grad.grad_fn.name())
x.grad.sum().backward()
show(x.grad.tolist())
# ---
x=torch.tensor(1.,requires_grad=True)
y=torch.tensor(2.,requires_grad=True)
z=x*y
z.backward(inputs=[x])
show(x.grad.item(), y.grad)
# ---
x=torch.tensor(1.,requires_grad=True)
y=torch.tensor(2.,requires_grad=True)
torch.autograd.grad(x*2,y)
# ---
x=torch.tensor(1.,requires_grad=True)
y=torch.tensor(2.,requires_grad=True)
show(torch.autograd.grad(x*2,[x,y],allow_unused=True))
show(torch.autograd.grad(x*2,[x,y],materialize_grads=True))
# ---
torch.autograd.grad(torch.ones(2),torch.ones(2))
# ---
torch.ones(2).backward()
# ---
x=torch.ones(2,requires_grad=True)
(x*2).backward(torch.ones(3))
# ---
x=torch.ones(2,requires_grad=True)
(x*2).backward([1,2])
# ---
x=torch.ones(2,requires_grad=True)
x.backward()
# ---
x=torch.tensor([1,2],requires_grad=True)
# ---
x=torch.tensor([1,2])
x.requires_grad_()
# ---
x=torch.tensor([1,2])
x.requires_grad=True
# ---
x=torch.ones(2,requires_grad=True)
y=x*2
y.requires_grad=False
# ---
x=torch.ones(2,requires_grad=True)
x.numpy()
# ---
x=torch.ones(2)
n=x.numpy()
n[0]=5
show(x.tolist())
f=torch.from_numpy(n)
f[1]=9
show(n)
# ---
x=torch.ones(2,requires_grad=True)
x.grad=torch.ones(3)
# ---
x=torch.ones(2,requires_grad=True)
x.grad=torch.ones(2,dtype=torch.float64)
# ---
x=torch.ones(2,requires_grad=True)
x.grad=1
# ---
x=torch.ones(2,requires_grad=True)
y=x.detach().clone().requires_grad_(True)
show(y.is_leaf,y.requires_grad)
z=x.clone().detach()
show(z.requires_grad, z._version)
# ---
x=torch.tensor([[1.,2],[3,4]])
y=x.new_tensor([1,2])
show(y.dtype, y.tolist())
y=x.new_tensor(x)
show(y.data_ptr()!=x.data_ptr())
# ---
x=torch.zeros(2,3)
y=x.t()
show(y.is_contiguous(), y.stride(), y.storage_offset(), y.untyped_storage().data_ptr()==x.untyped_storage().data_ptr(), x[1:].storage_offset(), y[1:,1:].storage_offset())
# ---
torch.ones(6).view(4)
# ---
torch.ones(2,3).t().view(6)
# ---
torch.ones(6).view(-1,-1)
# ---
torch.ones(6).reshape(-1,4)
# ---
torch.ones(2,3).permute(0,0)
# ---
torch.ones(2,3).permute(0)
# ---
torch.ones(2,3).transpose(0,3)
# ---
torch.ones(2,3).expand(3,3)
# ---
show(torch.ones(1,3).expand(2,-1).stride(), torch.ones(3).expand(2,3).shape, torch.ones(1,3).expand(4,2,3).stride())
# ---
a=torch.ones(3).expand(2,3)
a.add_(1)
# ---
a=torch.arange(4.)
a[1:].copy_(a[:-1])
show(a.tolist())
a[1:].add_(a[:-1])
# ---
a=torch.ones(2,3)
a[5]
# ---
a=torch.ones(2,3)
a[0,0,0]
# ---
a=torch.ones(2,3)
a[[0,5]]
# ---
a=torch.ones(2,3)
a[torch.tensor([True,False,True])]
# ---
a=torch.arange(12).reshape(3,4)
show(a[[0,2],[1,3]].tolist(), a[:, [1,2]].tolist(), a[a>5].tolist(), a[..., -1].tolist(), a[1, None].tolist(), a[::2].tolist(), a[[True,False,True]].tolist(), a[torch.tensor([0,1])].shape, a[0][1].item(), a[torch.tensor(1)].tolist(), a[:,torch.tensor([[0,1]])].shape)
# ---
a=torch.arange(24).reshape(2,3,4)
show(a[[0,1],:,[0,1]].shape, a[:, [0,1],[0,1]].shape, a[0,:,[1,2]].shape, a[[0],1:,None].shape)
# ---
a=torch.ones(3)
a[::-1]
# ---
a=torch.ones(3)
a[0]='x'
# ---
a=torch.ones(3)
a[0]=torch.ones(2)
# ---
a=torch.zeros(3,dtype=torch.int64)
a[0]=2.7
a[[1]]=3
show(a.tolist())
a[[1]]=torch.tensor([2.5])
# ---
x=torch.ones(3,requires_grad=True)
x[0]=1
# ---
x=torch.ones(3,requires_grad=True); y=x.clone(); y[0]=x[1]*5; show(y.grad_fn.name(), [f[0].name() for f in y.grad_fn.next_functions]); y.sum().backward(); show(x.grad.tolist())
# ---
show(len(torch.ones(2,3)), [t.tolist() for t in torch.ones(2,2)], 1.0 in torch.ones(2), bool(torch.tensor(1)), int(torch.tensor(3.7)), float(torch.tensor(3)), torch.tensor(2).__index__())
# ---
bool(torch.ones(2))
# ---
float(torch.ones(2))
# ---
torch.ones(2).item()
# ---
len(torch.tensor(1))
# ---
iter(torch.tensor(1))
# ---
import copy
x=torch.ones(2,requires_grad=True)
y=copy.deepcopy(x)
show(y.requires_grad, y.is_leaf)
z=copy.copy(x)
show(z.requires_grad, z.data_ptr()==x.data_ptr())
copy.deepcopy(x*2)
# ---
import pickle
x=torch.ones(2,3).t().requires_grad_()
y=pickle.loads(pickle.dumps(x))
show(y.stride(), y.requires_grad, y.tolist())
# ---
a=torch.tensor([1.,2.])
b=torch.zeros(2)
torch.add(a,a,out=b)
show(b.tolist())
c=torch.zeros(3)
torch.add(a,a,out=c)
show(c.shape)
e=torch.empty(0)
torch.mul(a,3,out=e)
show(e.tolist())
# ---
a=torch.ones(2,requires_grad=True)
torch.add(a,a,out=torch.zeros(2))
# ---
a=torch.ones(2)
torch.add(a,a,out=torch.zeros(2,dtype=torch.int64))
# ---
a=torch.ones(2,3)@torch.ones(2,3)
# ---
torch.ones(2,3)@torch.ones(4)
# ---
torch.ones(3)@torch.ones(4)
# ---
torch.ones(2,3)@torch.ones(3,2,dtype=torch.float64)
# ---
torch.tensor(1.)@torch.ones(2)
# ---
def names(t):
    out=[]
    n=t.grad_fn
    while n is not None:
        out.append(n.name()); n=n.next_functions[0][0] if n.next_functions else None
    return out
a=torch.ones(2,3,requires_grad=True)
for b in (torch.ones(3),torch.ones(3,4),torch.ones(5,3,4),torch.ones(2,5,3,4)):
    c=a@b; show(c.shape, c.stride(), names(c))
v=torch.ones(3,requires_grad=True)
for b in (torch.ones(3),torch.ones(3,4),torch.ones(5,3,4)):
    c=v@b; show(c.shape, names(c))
d=torch.ones(5,2,3,requires_grad=True)
for b in (torch.ones(3),torch.ones(3,4),torch.ones(5,3,4),torch.ones(1,3,4)):
    c=d@b; show(c.shape, names(c))
# ---
torch.cat([torch.ones(2,3),torch.ones(3,2)])
# ---
torch.cat([])
# ---
torch.cat([torch.ones(2),1])
# ---
torch.cat([torch.tensor(1.),torch.tensor(2.)])
# ---
show(torch.cat([torch.ones(2),torch.tensor([1])]).dtype, torch.cat((torch.ones(0),torch.ones(2,2))).shape, torch.stack([torch.ones(2),torch.zeros(2)],1).tolist())
# ---
torch.stack([torch.ones(2),torch.ones(3)])
# ---
x=torch.ones(2,3,requires_grad=True)
a,b=x.unbind(0)
show(a.grad_fn.name(), b.output_nr)
(a*2+b*3).sum().backward()
show(x.grad.tolist())
# ---
x=torch.arange(6.).requires_grad_(); p=x.chunk(4); show([t.tolist() for t in p]); (p[0]*p[1]).sum().backward(); show(x.grad.tolist())
# ---
x=torch.arange(6.).requires_grad_()
p=x.split([1,2,3])
(p[2]**2).sum().backward()
show(x.grad.tolist(), p[0].grad_fn.name())
# ---
torch.ones(6).split([1,2])
# ---
x=torch.zeros(3,5)
torch.scatter(x,0,torch.tensor([[0,9]]),1.)
