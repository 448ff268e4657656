"""Deep Q-learning: a network learns the worth of each action, from remembered steps.

The world is a small grid with walls, a goal and a pit. The agent sees its place as a picture. What it
lives through goes into a replay memory, from which batches are drawn, so that neighbouring steps don't
come together. The worth of the next place comes from a second network, the target, which follows slowly.
The action is chosen by one network and judged by the other (double Q-learning).
"""

import copy
import random
from collections import deque
from typing import NamedTuple

import jgrad
from jgrad import nn
from jgrad.nn import functional as F

MAP = ["S..#..", ".#.#..", ".#...P", "...#.G"]
MOVES = [(-1, 0), (0, 1), (1, 0), (0, -1)]
ARROWS = "^>v<"
LONGEST, EPISODES, BATCH = 30, 120, 32
DISCOUNT, FOLLOWS = 0.95, 0.05


class Step(NamedTuple):
    place: jgrad.Tensor
    action: int
    reward: float
    following: jgrad.Tensor
    ended: bool


class Grid:
    """The world. A step costs a little, the pit costs much, the goal ends all pain."""

    def __init__(self):
        self.rows, self.columns = len(MAP), len(MAP[0])

    def reset(self):
        self.row, self.column = 0, 0
        return self.picture()

    def picture(self):
        """Where the agent is: one channel with a single one."""
        picture = jgrad.zeros(1, self.rows, self.columns)
        picture[0, self.row, self.column] = 1
        return picture

    def step(self, action):
        row, column = self.row + MOVES[action][0], self.column + MOVES[action][1]
        if 0 <= row < self.rows and 0 <= column < self.columns and MAP[row][column] != "#":
            self.row, self.column = row, column
        here = MAP[self.row][self.column]
        reward = {"G": 1.0, "P": -1.0}.get(here, -0.02)
        return self.picture(), reward, here in "GP"


class QNetwork(nn.Module):
    """The worth of each action. Split: that of the place, and the advantage of the action (dueling)."""

    def __init__(self, cells, hidden=48):
        super().__init__()
        self.body = nn.Sequential(
            nn.Flatten(), nn.Linear(cells, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()
        )
        self.value, self.advantage = nn.Linear(hidden, 1), nn.Linear(hidden, len(MOVES))

    def forward(self, x):
        h = self.body(x)
        advantage = self.advantage(h)
        return self.value(h) + advantage - advantage.mean(dim=1, keepdim=True)


def choose(network, place, curiosity):
    if random.random() < curiosity:
        return random.randrange(len(MOVES))
    with jgrad.no_grad():
        return network(place[None]).argmax(dim=1).item()


def loss_of(network, target, steps):
    """By how much the network is surprised by remembered steps."""
    place, following = (jgrad.stack([getattr(s, name) for s in steps]) for name in ("place", "following"))
    action = jgrad.tensor([s.action for s in steps])
    reward = jgrad.tensor([s.reward for s in steps])
    running = jgrad.tensor([not s.ended for s in steps])
    worth = network(place).gather(1, action[:, None]).squeeze(1)
    with jgrad.no_grad():
        best = network(following).argmax(dim=1, keepdim=True)
        later = target(following).gather(1, best).squeeze(1)
        expected = reward + DISCOUNT * later * running
    return F.smooth_l1_loss(worth, expected)


@jgrad.no_grad()
def follow(target, network):
    """The target moves a little towards the network."""
    for t, p in zip(target.parameters(), network.parameters(), strict=True):
        t.lerp_(p, FOLLOWS)


def policy(network, grid):
    """The best action at each place, as arrows."""
    lines = []
    for row in range(grid.rows):
        line = ""
        for column in range(grid.columns):
            grid.row, grid.column = row, column
            there = MAP[row][column]
            line += there if there in "#GP" else ARROWS[choose(network, grid.picture(), 0)]
        lines.append(line)
    return "\n".join(lines)


def main():
    jgrad.manual_seed(0)
    random.seed(0)
    grid = Grid()
    network = QNetwork(grid.rows * grid.columns)
    target = copy.deepcopy(network).requires_grad_(False)
    optimizer = jgrad.optim.Adam(network.parameters(), lr=3e-3)
    memory: deque[Step] = deque(maxlen=1000)
    losses, rewards = [], []
    for episode in range(EPISODES):
        place, total = grid.reset(), 0.0
        curiosity = max(0.05, 1 - episode / 60)
        for _ in range(LONGEST):
            action = choose(network, place, curiosity)
            following, reward, ended = grid.step(action)
            memory.append(Step(place, action, reward, following, ended))
            place, total = following, total + reward
            if len(memory) >= 2 * BATCH and len(memory) % 2 == 0:
                loss = loss_of(network, target, random.sample(memory, BATCH))
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                follow(target, network)
                losses.append(loss.item())
            if ended:
                break
        rewards.append(total)
        if episode % 20 == 19:
            print(
                f"episode {episode + 1:3}  loss {sum(losses) / len(losses):.5f}  reward {sum(rewards) / 20:.4f}"
            )
            losses, rewards = [], []
    print(policy(network, grid))


if __name__ == "__main__":
    main()
