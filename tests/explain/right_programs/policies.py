# %% Reinforce item, as it should be
import torch
from torch import nn, optim
from torch.distributions import Categorical

torch.manual_seed(3)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 16)
        self.b = nn.Linear(16, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        return torch.softmax(self.b(torch.relu(self.a(x))), dim=-1)


policy = Policy()
optimizer = optim.Adam(policy.parameters(), lr=1e-2)


def select_action(state):
    probs = policy(state)
    m = Categorical(probs)
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    return action.item()


def finish_episode():
    R, returns = 0, []
    for r in policy.rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-8)
    loss = torch.stack([-lp * R for lp, R in zip(policy.saved_log_probs, returns)]).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    policy.rewards.clear()
    policy.saved_log_probs.clear()


for episode in range(5):
    state = torch.randn(4)
    for t in range(10):
        a = select_action(state)
        policy.rewards.append(1.0 if a == int(state[0] > 0) else 0.0)
        state = torch.randn(4)
    finish_episode()
print(policy.a.weight.sum().item())

# %% Actor critic adv, as it should be
import torch
from torch import nn

torch.manual_seed(3)
actor = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
critic = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
opt_a = torch.optim.Adam(actor.parameters(), lr=1e-2)
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-2)
for it in range(20):
    s = torch.randn(32, 4)
    dist = torch.distributions.Categorical(logits=actor(s))
    a = dist.sample()
    r = (a == (s[:, 0] > 0).long()).float()
    value = critic(s).squeeze(-1)
    advantage = r - value
    actor_loss = -(dist.log_prob(a) * advantage.detach()).mean()
    critic_loss = advantage.pow(2).mean()
    opt_a.zero_grad()
    actor_loss.backward()
    opt_a.step()
    opt_c.zero_grad()
    critic_loss.backward()
    opt_c.step()
print(actor_loss.item(), critic_loss.item())

# %% Dqn target, as it should be
import copy, random
import torch
import torch.nn as nn
import torch.nn.functional as F
from collections import deque

torch.manual_seed(0)
random.seed(0)
q_net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
target_net = copy.deepcopy(q_net)
optimizer = torch.optim.Adam(q_net.parameters(), lr=1e-3)
memory = deque(maxlen=500)
for _ in range(100):
    memory.append((torch.randn(4), random.randrange(2), random.random(), torch.randn(4)))


def learn(batch_size=16, gamma=0.9):
    s, a, r, s2 = zip(*random.sample(memory, batch_size))
    s, s2 = torch.stack(s), torch.stack(s2)
    a, r = torch.tensor(a), torch.tensor(r)
    q = q_net(s).gather(1, a.unsqueeze(1))
    target = r + gamma * target_net(s2).max(1)[0].detach()
    loss = F.smooth_l1_loss(q.squeeze(1), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


for i in range(10):
    last = learn()
print(last)

# %% Logp index columns, as it should be
import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 4))
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
for it in range(20):
    obs = torch.randn(32, 3)
    logp = torch.log_softmax(policy(obs), dim=1)
    act = torch.multinomial(logp.exp(), 1).squeeze(1)
    adv = torch.where(act == 0, 1.0, -1.0)
    loss = -(logp[torch.arange(32), act] * adv).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Detach target wrong way, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class BYOL(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
        self.predictor = nn.Linear(4, 4)
        self.target = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
        self.target.load_state_dict(self.online.state_dict())
        self.target.requires_grad_(False)

    def forward(self, a, b):
        p = self.predictor(self.online(a))
        z = self.target(b)
        return 2 - 2 * nn.functional.cosine_similarity(p, z, dim=-1).mean()


m = BYOL()
opt = torch.optim.Adam([p for p in m.parameters() if p.requires_grad], lr=1e-2)
for i in range(15):
    x = torch.randn(16, 8)
    loss = m(x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x))
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for t, o in zip(m.target.parameters(), m.online.parameters()):
            t.mul_(0.9).add_(o, alpha=0.1)
print(loss.item())

# %% Sac sample, as it should be
import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 16), nn.ReLU())
        self.mu, self.log_std = nn.Linear(16, 1), nn.Linear(16, 1)

    def forward(self, s):
        h = self.body(s)
        dist = Normal(self.mu(h), self.log_std(h).clamp(-5, 2).exp())
        a = dist.rsample()
        return torch.tanh(a), dist.log_prob(a)


actor = Actor()
critic = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
opt_a = torch.optim.Adam(actor.parameters(), lr=1e-3)
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
for step in range(10):
    s = torch.randn(32, 3)
    with torch.no_grad():
        a, _ = actor(s)
    r = -((a - s[:, :1]) ** 2)
    c_loss = nn.functional.mse_loss(critic(torch.cat([s, a], 1)), r)
    opt_c.zero_grad()
    c_loss.backward()
    opt_c.step()
    a, logp = actor(s)
    a_loss = -critic(torch.cat([s, a], 1)).mean()
    opt_a.zero_grad()
    a_loss.backward()
    opt_a.step()
print(actor.mu.weight.sum().item())

# %% Ppo old logp, as it should be
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 2))
opt = torch.optim.Adam(policy.parameters(), lr=3e-3)


def rollout(n=32):
    s = torch.randn(n, 3)
    d = Categorical(logits=policy(s))
    a = d.sample()
    r = (a == (s[:, 0] > 0)).float()
    return s, a, d.log_prob(a).detach(), r - r.mean()


for it in range(3):
    s, a, logp_old, adv = rollout()
    for epoch in range(4):
        logp = Categorical(logits=policy(s)).log_prob(a)
        ratio = (logp - logp_old).exp()
        loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
print(loss.item())

# %% Baseline value no squeeze, as it should be
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
value = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=1e-2)
for it in range(15):
    s = torch.randn(64, 4)
    d = Categorical(logits=policy(s))
    a = d.sample()
    r = (a == (s[:, 0] > 0).long()).float()
    v = value(s).squeeze(1)
    adv = r - v.detach()
    loss = -(d.log_prob(a) * adv).mean() + nn.functional.mse_loss(v, r)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% R return sign, as it should be
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for ep in range(20):
    logps, rewards = [], []
    s = torch.randn(2)
    for t in range(10):
        d = torch.distributions.Categorical(logits=net(s))
        a = d.sample()
        logps.append(d.log_prob(a))
        rewards.append(float(a == (s[0] > 0)))
        s = torch.randn(2)
    R, ret = 0.0, []
    for r in reversed(rewards):
        R = r + 0.9 * R
        ret.insert(0, R)
    ret = torch.tensor(ret)
    ret = ret - ret.mean()
    loss = -(torch.stack(logps) * ret).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% R policy ok, as it should be
import torch
from torch import nn

torch.manual_seed(1)
net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for ep in range(40):
    s = torch.randn(32, 2)
    d = torch.distributions.Categorical(logits=net(s))
    a = d.sample()
    r = (a == (s[:, 0] > 0)).float()
    loss = -(d.log_prob(a) * (r - r.mean())).mean() - 0.01 * d.entropy().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% R sign2, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
        self.log_probs, self.rewards = [], []

    def act(self, s):
        d = torch.distributions.Categorical(logits=self.net(s))
        a = d.sample()
        self.log_probs.append(d.log_prob(a))
        return a


agent = Agent()
opt = torch.optim.Adam(agent.parameters(), lr=1e-2)
for ep in range(10):
    for t in range(8):
        s = torch.randn(2)
        a = agent.act(s)
        agent.rewards.append(float(a == (s[0] > 0)))
    policy_loss = []
    R = 0
    returns = []
    for r in agent.rewards[::-1]:
        R = r + 0.9 * R
        returns.insert(0, R)
    for log_prob, R in zip(agent.log_probs, returns):
        policy_loss.append(-log_prob * R)
    opt.zero_grad()
    loss = torch.stack(policy_loss).sum()
    loss.backward()
    opt.step()
    agent.log_probs.clear()
    agent.rewards.clear()
print(loss.item())

# %% An episode's returns, normalised, for a policy in a class
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)


class Bandit:
    def reset(self):
        self.state = torch.randn(3)
        return self.state

    def step(self, action):
        reward = 1.0 if (action == 1) == bool(self.state[0] > 0) else 0.0
        return self.reset(), reward


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 2))
        self.saved = []

    def act(self, state):
        choice = Categorical(logits=self.body(state))
        action = choice.sample()
        self.saved.append(choice.log_prob(action))
        return action.item()


def discounted(rewards, gamma=0.5):
    total, found = 0.0, []
    for r in reversed(rewards):
        total = r + gamma * total
        found.insert(0, total)
    returns = torch.tensor(found)
    return (returns - returns.mean()) / (returns.std() + 1e-6)


# %%
env, policy = Bandit(), Policy()
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
for episode in range(5):
    state, rewards = env.reset(), []
    for _ in range(10):
        state, reward = env.step(policy.act(state))
        rewards.append(reward)
    loss = -(torch.stack(policy.saved) * discounted(rewards)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    policy.saved.clear()
print(sum(rewards))

# %% Double Q-learning with a replay buffer and a target that is copied now and then
import copy
import random
from collections import deque

import torch
from torch import nn

random.seed(0)
torch.manual_seed(0)


class Agent:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
        self.frozen = copy.deepcopy(self.net).requires_grad_(False)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.memory = deque(maxlen=200)

    @torch.no_grad()
    def act(self, s, eps=0.2):
        return random.randrange(3) if random.random() < eps else int(self.net(s).argmax())

    def learn(self, n=16):
        s, a, r, s2, done = zip(*random.sample(self.memory, n))
        s, s2 = torch.stack(s), torch.stack(s2)
        a, r, done = torch.tensor(a), torch.tensor(r), torch.tensor(done)
        q = self.net(s).gather(1, a.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            best = self.net(s2).argmax(1, keepdim=True)
            target = r + 0.9 * self.frozen(s2).gather(1, best).squeeze(1) * (1 - done)
        loss = nn.functional.smooth_l1_loss(q, target)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(self.net.parameters(), 1.0)
        self.opt.step()


# %%
agent, state = Agent(), torch.randn(4)
for t in range(40):
    action = agent.act(state)
    following = torch.randn(4)
    agent.memory.append((state, action, float(action == 0), following, float(t % 10 == 9)))
    state = following
    if len(agent.memory) >= 20:
        agent.learn()
    if t % 15 == 0:
        agent.frozen.load_state_dict(agent.net.state_dict())
print(len(agent.memory))

# %% Clipped steps of a policy with a value head and an entropy bonus
import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 16), nn.Tanh())
        self.mean, self.value = nn.Linear(16, 1), nn.Linear(16, 1)
        self.log_std = nn.Parameter(torch.zeros(1))

    def forward(self, s):
        h = self.body(s)
        return Normal(self.mean(h), self.log_std.exp()), self.value(h).squeeze(1)


def collect(model, n):
    s = torch.randn(n, 2)
    with torch.no_grad():
        choice, value = model(s)
        a = choice.sample()
        old = choice.log_prob(a).sum(1)
    reward = -(a.squeeze(1) - s[:, 0]).abs()
    return s, a, old, reward, reward - value


# %%
model = ActorCritic()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for update in range(3):
    s, a, old, reward, adv = collect(model, 32)
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    for epoch in range(3):
        choice, value = model(s)
        ratio = (choice.log_prob(a).sum(1) - old).exp()
        gain = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
        loss = -gain + 0.5 * nn.functional.mse_loss(value, reward) - 0.01 * choice.entropy().mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        opt.step()
print(reward.mean().item())

# %% A target network whose steps are counted
import copy

import torch
from torch import nn

q = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
target = copy.deepcopy(q)
opt = torch.optim.Adam(q.parameters(), lr=0.01)
step = 1
for i in range(12):
    obs, after = torch.randn(8, 3), torch.randn(8, 3)
    with torch.no_grad():
        goal = obs[:, 0] + 0.9 * target(after).max(1).values
    loss = nn.functional.smooth_l1_loss(q(obs).gather(1, torch.randint(0, 2, (8, 1))).squeeze(1), goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 4 == 0:
        target.load_state_dict(q.state_dict())
    step += 1

# %% A demonstration that ends before its target network is updated
import copy

import torch
from torch import nn

q = nn.Linear(3, 2)
target = copy.deepcopy(q)
opt = torch.optim.SGD(q.parameters(), lr=0.01)
for step in range(1, 9):
    obs = torch.randn(8, 3)
    with torch.no_grad():
        goal = obs[:, 0] + 0.9 * target(obs).max(1).values
    loss = nn.functional.mse_loss(q(obs).max(1).values, goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 100 == 0:
        target.load_state_dict(q.state_dict())

# %% A policy that stays near the one it began with, in a stage that has a number
import copy

import torch
from torch import nn

policy = nn.Linear(3, 2)
reference = copy.deepcopy(policy)
opt = torch.optim.Adam(policy.parameters(), lr=0.01)
stage = 1
for i in range(6):
    obs = torch.randn(16, 3)
    logp = policy(obs).log_softmax(1)
    with torch.no_grad():
        ref = reference(obs).log_softmax(1)
    loss = -(logp.exp() * obs[:, :2]).sum(1).mean() + 0.1 * (logp.exp() * (logp - ref)).sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if stage % 2 == 0:
        print("second stage", i)

# %% An entropy that is estimated by samples of its own
import torch
from torch import nn
from torch.distributions import Categorical

policy = nn.Linear(3, 2)
opt = torch.optim.Adam(policy.parameters(), lr=0.01)


def act(state):
    dist = Categorical(logits=policy(state))
    action = dist.sample()
    entropy = -dist.log_prob(dist.sample())
    return action, dist.log_prob(action), entropy


for i in range(4):
    state = torch.randn(8, 3)
    action, logp, entropy = act(state)
    reward = (action == (state[:, 0] > 0).long()).float()
    loss = -(logp * (reward - 0.5)).mean() - 0.01 * entropy.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
