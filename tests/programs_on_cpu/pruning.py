# %% Pruning a layer, step by step
P, nn = torch.nn.utils.prune, torch.nn
torch.manual_seed(0)
m = nn.Linear(3, 2)
show(P.is_pruned(m))
show(P.l1_unstructured(m, "weight", 2) is m, m.weight_mask, m.weight, type(m.weight).__name__)
show(
    list(m._parameters),
    list(m._buffers),
    list(m.state_dict()),
    P.is_pruned(m),
    [type(h).__name__ for h in m._forward_pre_hooks.values()],
)
P.random_unstructured(m, "weight", 0.5)
hook = list(m._forward_pre_hooks.values())[0]
show(type(hook).__name__, [type(h).__name__ for h in hook], len(hook), m.weight_mask)
m(torch.ones(1, 3)).sum().backward()
show(m.weight_orig.grad, m.bias.grad)
with torch.no_grad():
    m.weight_orig.mul_(2)
show(m(torch.ones(1, 3)), m.weight)
attempt(lambda: P.remove(m, "bias"))
show(P.remove(m, "weight") is m, m.weight, list(m.state_dict()), P.is_pruned(m))
attempt(lambda: P.remove(m, "weight"))

# %% Amounts
P, nn = torch.nn.utils.prune, torch.nn
torch.manual_seed(0)
for amount in (-1, 7, 1.5, "x", 0, 0.0, 1.0, 6, None, 0.3):
    attempt(lambda: P.l1_unstructured(nn.Linear(3, 2), "weight", amount).weight)
    attempt(lambda: P.random_unstructured(nn.Linear(3, 2), "weight", amount).weight_mask)
for amount in (0.1, 0.5, 3, 2, 0.9, 1):
    attempt(lambda: P.ln_structured(nn.Linear(3, 2), "weight", amount, 2, 0).weight_mask)
    attempt(lambda: P.random_structured(nn.Linear(3, 2), "weight", amount, 0).weight_mask)

# %% Structured pruning
P, nn = torch.nn.utils.prune, torch.nn
torch.manual_seed(0)
m = nn.Linear(3, 2)
attempt(lambda: P.random_structured(m, "weight", 1, dim=5))
attempt(lambda: P.ln_structured(m, "weight", 1, n=2, dim=5))
show(list(m._parameters), list(m._buffers))
attempt(lambda: P.random_structured(m, "bias", 1, dim=0))
show(P.random_structured(nn.Linear(3, 2), "weight", 1, dim=-1).weight_mask)
m = nn.Conv2d(2, 3, 2)
show(P.random_structured(m, "weight", 0.5, 1).weight_mask)
show(P.ln_structured(m, "weight", 0.5, float("inf"), 0).weight_mask, m.weight.grad_fn.name())
show(P.ln_structured(m, "weight", 1, 1, 2).weight_mask, P.ln_structured(m, "weight", 1, 2, -1).weight_mask)
show(m(torch.ones(1, 2, 3, 3)))

# %% Masks and scores of one's own
P, nn = torch.nn.utils.prune, torch.nn
torch.manual_seed(0)
m = nn.Linear(3, 2)
attempt(lambda: P.custom_from_mask(m, "weight", torch.ones(2, 2)))
attempt(lambda: P.l1_unstructured(m, "nope", 1))
show(P.custom_from_mask(m, "weight", torch.eye(2, 3)).weight)
show(P.identity(nn.Linear(3, 2), "weight").weight_mask)
scores = torch.tensor([[1.0, 2, 3], [6, 5, 4]])
show(P.l1_unstructured(nn.Linear(3, 2), "weight", 2, importance_scores=scores).weight_mask)
show(P.ln_structured(nn.Linear(3, 2), "weight", 1, 2, 1, importance_scores=scores).weight_mask)
x = P.L1Unstructured(1)
t = torch.tensor([3.0, 1, 2])
show(
    x.prune(t),
    x.prune(t, default_mask=torch.tensor([1.0, 0, 1])),
    x.prune(t, importance_scores=torch.tensor([1.0, 2, 3])),
)
attempt(lambda: x.prune(t, importance_scores=torch.tensor([1.0, 2])))


class Threshold(P.BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        return torch.abs(t) > 0.2


class Other(Threshold):
    PRUNING_TYPE = "other"


m = nn.Linear(3, 2)
Threshold.apply(m, "weight")
show(m.weight_mask, m.weight)
Other.apply(m, "bias")
attempt(lambda: Other.apply(m, "bias"))
attempt(P.BasePruningMethod)

# %% Several parameters together
P, nn = torch.nn.utils.prune, torch.nn
torch.manual_seed(0)
a, b = nn.Linear(3, 2), nn.Linear(2, 2)
pairs = [(a, "weight"), (b, "weight")]
show(P.global_unstructured(pairs, P.L1Unstructured, amount=4), a.weight_mask, b.weight_mask)
show(P.global_unstructured(pairs, P.RandomUnstructured, amount=0.5), a.weight_mask, b.weight_mask)
attempt(lambda: P.global_unstructured(pairs, P.LnStructured, amount=1, n=2))
attempt(lambda: P.global_unstructured(3, P.L1Unstructured, amount=1))
attempt(lambda: P.global_unstructured([], P.L1Unstructured, amount=1))
attempt(lambda: P.global_unstructured(pairs, P.L1Unstructured, [1], amount=1))
a, b = nn.Linear(3, 2), nn.Linear(2, 2)
P.global_unstructured(
    [(a, "weight"), (b, "weight")], P.L1Unstructured, {(a, "weight"): torch.ones(2, 3) * 9}, amount=3
)
show(a.weight_mask, b.weight_mask, P.is_pruned(nn.Sequential(a, b)))

# %% Containers
P = torch.nn.utils.prune
x, y = P.L1Unstructured(1), P.L1Unstructured(1)
x._tensor_name, y._tensor_name = "w", "z"
attempt(lambda: type(P.PruningContainer(x)).__name__)
container = P.PruningContainer(x)
attempt(lambda: container.add_pruning_method(y))
attempt(lambda: container.add_pruning_method(3))
show(len(container), container[0] is x, list(container) == [x], container._tensor_name)
attempt(lambda: container[4])
attempt(lambda: P.PruningContainer(P.L1Unstructured(1)))
