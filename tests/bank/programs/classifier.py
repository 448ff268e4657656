"""A classifier of points in classes, with batches, a check on points that it has not seen, and a schedule."""

import torch
from torch import nn

torch.manual_seed(0)
centres = torch.randn(3, 4) * 2
labels = torch.randint(0, 3, (60,))
points = centres[labels] + 0.4 * torch.randn(60, 4)
train_x, train_y, test_x, test_y = points[:48], labels[:48], points[48:], labels[48:]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 16)
        self.drop = nn.Dropout(0.2)
        self.last = nn.Linear(16, 3)

    def forward(self, x):
        return self.last(self.drop(torch.relu(self.first(x))))


model = Net()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=4, gamma=0.5)
for epoch in range(6):
    model.train()
    total = 0.0
    for begin in range(0, 48, 12):
        x, y = train_x[begin : begin + 12], train_y[begin : begin + 12]
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    scheduler.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(test_x).argmax(dim=1) == test_y).float().mean()
    print(epoch, round(total / 4, 3), round(accuracy.item(), 2))
