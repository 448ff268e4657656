"""Values of actions on a small road, with a target network that follows slowly."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(5)
SIZE = 6


def make():
    return nn.Sequential(nn.Linear(SIZE, 16), nn.ReLU(), nn.Linear(16, 2))


policy, target = make(), make()
target.load_state_dict(policy.state_dict())
optimizer = torch.optim.Adam(policy.parameters(), lr=5e-3)
one_hot = torch.eye(SIZE)
for step in range(16):
    state = torch.randint(0, SIZE - 1, (16,))
    action = torch.randint(0, 2, (16,))
    following = torch.where(action == 1, state + 1, (state - 1).clamp(min=0))
    reward = (following == SIZE - 1).float()
    q = policy(one_hot[state]).gather(1, action.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        best = target(one_hot[following]).max(1).values
        expected = reward + 0.9 * best * (1 - reward)
    loss = F.smooth_l1_loss(q, expected)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy.parameters(), 10)
    optimizer.step()
    if step % 4 == 3:
        target.load_state_dict(policy.state_dict())
    print(step, loss.item())
