"""REINFORCE: a network learns to balance a pole on a cart, from rewards alone.

The environment is ours, a few lines of physics for many carts at once. The network draws each action
from a `Categorical` distribution. A reward has no derivative; so the log-probability of each action is
pushed up or down, by how much more reward followed than a second network, the baseline, had expected
(actor and critic). A bonus for entropy keeps the network trying.
"""

import math

import jgrad
from jgrad import nn
from jgrad.distributions import Categorical
from jgrad.nn import functional as F

CARTS = 16  # that run side by side
LONGEST = 100  # steps of an episode
EPISODES = 30
DISCOUNT = 0.97


class CartPole:
    """Carts with poles. The state is (place, speed, angle, turning); a pole that leans too far ends its episode."""

    gravity, cart_mass, pole_mass, half_length, force, dt = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02

    def __init__(self, count):
        self.count = count

    def reset(self):
        self.state = 0.1 * jgrad.rand(self.count, 4) - 0.05
        self.alive = jgrad.ones(self.count, dtype=jgrad.bool)
        return self.state

    def step(self, action):
        """Push each cart to the left (0) or to the right (1)."""
        place, speed, angle, turning = self.state.unbind(dim=1)
        force = jgrad.where(action == 1, self.force, -self.force)
        mass = self.cart_mass + self.pole_mass
        pole = self.pole_mass * self.half_length
        push = (force + pole * turning**2 * angle.sin()) / mass
        resistance = self.half_length * (4 / 3 - self.pole_mass * angle.cos() ** 2 / mass)
        bend = (self.gravity * angle.sin() - angle.cos() * push) / resistance
        move = push - pole * bend * angle.cos() / mass
        place, speed = place + self.dt * speed, speed + self.dt * move
        angle, turning = angle + self.dt * turning, turning + self.dt * bend
        reward = self.alive.float()  # one for each step that begins upright
        self.state = jgrad.stack([place, speed, angle, turning], dim=1)
        self.alive = self.alive & (angle.abs() < math.radians(12)) & (place.abs() < 2.4)
        return self.state, reward


class ActorCritic(nn.Module):
    """Scores for both actions, and the return that is to be expected."""

    def __init__(self, hidden=32):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, 2))
        self.critic = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, state):
        state = state * jgrad.tensor([0.5, 0.5, 5.0, 1.0])  # to similar sizes
        return Categorical(logits=self.actor(state)), self.critic(state).squeeze(-1)


def play(model, carts):
    """One episode of all carts. Everything comes back as (time, cart)."""
    state = carts.reset()
    logs, entropies, values, rewards = [], [], [], []
    for _ in range(LONGEST):
        policy, value = model(state)
        action = policy.sample()
        state, reward = carts.step(action)
        logs.append(policy.log_prob(action))
        entropies.append(policy.entropy())
        values.append(value)
        rewards.append(reward)
        if not carts.alive.any():
            break
    return tuple(jgrad.stack(each) for each in (logs, entropies, values, rewards))


def returns_of(rewards):
    """The discounted sum of the rewards from each step on, between 0 and 1."""
    returns, following = jgrad.empty_like(rewards), jgrad.zeros(rewards.shape[1])
    for time in reversed(range(len(rewards))):
        following = rewards[time] + DISCOUNT * following
        returns[time] = following
    return (1 - DISCOUNT) * returns


def main():
    jgrad.manual_seed(0)
    model, carts = ActorCritic(), CartPole(CARTS)
    optimizer = jgrad.optim.Adam(model.parameters(), lr=0.02)
    for episode in range(EPISODES):
        logs, entropies, values, rewards = play(model, carts)
        returns = returns_of(rewards)
        running = rewards > 0  # steps after the end of an episode don't count
        surprise = (returns - values).detach()[running]
        surprise = (surprise - surprise.mean()) / (surprise.std() + 1e-6)
        policy_loss = -(logs[running] * surprise).mean()
        value_loss = F.smooth_l1_loss(values[running], returns[running])
        loss = policy_loss + value_loss - 0.01 * entropies[running].mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if episode % 5 == 4:
            length = rewards.sum(0).mean().item()
            parts = f"loss {loss.item():.5f}  value {value_loss.item():.5f}"
            print(f"episode {episode + 1:2}  {parts}  upright {length:.3f} steps")


if __name__ == "__main__":
    main()
