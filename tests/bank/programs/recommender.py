"""Ratings as products of what users and films are like."""

import torch
from torch import nn

torch.manual_seed(9)
users = torch.randint(0, 10, (80,))
films = torch.randint(0, 12, (80,))
ratings = torch.randint(1, 6, (80,)).float()


class Factors(nn.Module):
    def __init__(self, n_users, n_films, size=4):
        super().__init__()
        self.user = nn.Embedding(n_users, size)
        self.film = nn.Embedding(n_films, size)
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, u, f):
        return (self.user(u) * self.film(f)).sum(dim=1) + self.bias


model = Factors(10, 12)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5, weight_decay=1e-4)
history = []
for epoch in range(8):
    optimizer.zero_grad()
    prediction = model(users, films)
    loss = nn.functional.mse_loss(prediction, ratings)
    loss.backward()
    optimizer.step()
    history.append(loss.item())
print(history)
