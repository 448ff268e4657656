"""A policy that learns which of four arms pays, with a critic as the baseline."""

import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(6)
pays = torch.tensor([0.1, 0.2, 0.8, 0.4])


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(1, 8)
        self.actor = nn.Linear(8, 4)
        self.critic = nn.Linear(8, 1)

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return torch.softmax(self.actor(h), dim=-1), self.critic(h)


model = ActorCritic()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for episode in range(6):
    log_probs, values, rewards = [], [], []
    for t in range(8):
        probabilities, value = model(torch.ones(1, 1))
        chosen = Categorical(probabilities)
        action = chosen.sample()
        log_probs.append(chosen.log_prob(action))
        values.append(value.squeeze())
        rewards.append(torch.bernoulli(pays[action]).squeeze())
    returns = torch.stack(rewards)
    baseline = torch.stack(values)
    advantage = returns - baseline.detach()
    policy_loss = -(torch.stack(log_probs).squeeze() * advantage).mean()
    value_loss = (returns - baseline).pow(2).mean()
    loss = policy_loss + 0.5 * value_loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(episode, loss.item())
