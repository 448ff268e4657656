"""Programs of PyTorch's in a real JupyterLab: the header of a traced cell names the mistake."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Notebook
from tests.browser.test_lab import LOAD, Trace
from tests.browser.test_why import Answer, run

pytest.importorskip("torch")

MLP = """\
%%trace
import torch
from torch import nn
torch.manual_seed(0)
class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = nn.Linear(2, 8), nn.Linear(8, 1)
    def forward(self, x):
        h = self.hidden(x).sigmoid()
        h += 1                        # overwrites what sigmoid saved
        return self.out(h)
model = MLP()
opt = torch.optim.Adam(model.parameters(), lr=0.01)
x, y = torch.randn(16, 2), torch.randn(16, 1)
loss = nn.functional.mse_loss(model(x), y)
opt.zero_grad()
loss.backward()
opt.step()"""
RNN = """\
%%trace
import torch
from torch import nn
torch.manual_seed(0)
rnn, head = nn.RNN(3, 5), nn.Linear(5, 1)
opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
state = torch.zeros(1, 4, 5)
for step in range(3):
    out, state = rnn(torch.randn(6, 4, 3), state)
    loss = head(out).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()"""
GAN = """\
%%trace
import torch
from torch import nn
torch.manual_seed(0)
G, D = nn.Linear(2, 3), nn.Linear(3, 1)
opt_g = torch.optim.SGD(G.parameters(), lr=0.1)
opt_d = torch.optim.SGD(D.parameters(), lr=0.1)
bce = nn.functional.binary_cross_entropy_with_logits
real, ones, zeros = torch.randn(8, 3), torch.ones(8, 1), torch.zeros(8, 1)
fake = G(torch.randn(8, 2))
opt_d.zero_grad()
(bce(D(real), ones) + bce(D(fake), zeros)).backward()
opt_d.step()
opt_g.zero_grad()
bce(D(fake), ones).backward()
opt_g.step()"""


@pytest.mark.cells(LOAD, MLP, "%why", RNN, GAN)
def test_the_header_names_the_culprit(notebook: Notebook) -> None:
    """An in-place write, a state that keeps its graph, a generator that is not cut off."""
    for cell in range(5):
        run(notebook, cell)
    said = [
        notebook.cell(cell).locator(".jg-diagnosis:visible, .jg-headline:visible").first.locator("..")
        for cell in (1, 3, 4)
    ]
    expect(said[0]).to_contain_text(
        re.compile("h was saved by sigmoid.*line 10.*overwritten by h \\+= 1.*line 11", re.DOTALL)
    )
    expect(said[0]).to_contain_text("Write h = h + 1")
    expect(said[1]).to_contain_text("freed in an earlier round")
    expect(said[1]).to_contain_text("state = state.detach()")
    expect(said[2]).to_contain_text("ran backward() and freed the saved tensors")
    expect(said[2]).to_contain_text("detach()")
    expect(Answer(notebook, 2).live).to_contain_text("line 11 (h += 1)")
    expect(Trace(notebook, 1).slider).to_be_visible()
