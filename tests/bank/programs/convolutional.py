"""A small convolutional network with batch norm, and clipped gradients."""

import torch
import torch.nn as nn
import torch.optim as optim

torch.manual_seed(7)
images = torch.randn(32, 1, 8, 8)
labels = (images.mean((1, 2, 3)) > 0).long()


class ConvNet(nn.Module):
    def __init__(self, classes=2):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Conv2d(1, 4, 3, padding=1), nn.Conv2d(4, 4, 3, padding=1)])
        self.norm = nn.BatchNorm2d(4)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(4 * 4 * 4, classes)

    def forward(self, x):
        for block in self.blocks:
            x = torch.relu(block(x))
        x = self.pool(self.norm(x))
        return self.fc(x.flatten(1))


net = ConvNet()
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for epoch in range(3):
    net.train()
    running = 0.0
    for i in range(0, 32, 8):
        optimizer.zero_grad()
        outputs = net(images[i : i + 8])
        loss = criterion(outputs, labels[i : i + 8])
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
        optimizer.step()
        running += loss.item()
    net.eval()
    with torch.no_grad():
        correct = (net(images).argmax(1) == labels).sum().item()
    print(epoch, running, correct)
