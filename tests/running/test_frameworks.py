"""`jgrad run` on programs of frameworks: what is wrong is named at the user's line, and rounds and losses are the program's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from jgrad.tracing.document.files import load
from tests.running.test_run import COMMAND, ran

pytestmark = pytest.mark.deep  # the frameworks are in the extra `frameworks`

LIGHTNING = """\
import torch
from torch import nn
import torch.nn.functional as F
import lightning as L

class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 3)

    def training_step(self, batch, index):
        x, y = batch
        scores = self.head(torch.relu(self.body(x)))
        loss = F.nll_loss(scores, y)
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)

def main():
    L.seed_everything(0)
    data = torch.utils.data.TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
    loader = torch.utils.data.DataLoader(data, 8)
    trainer = L.Trainer(max_epochs=2, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(Net(), loader)

if __name__ == "__main__":
    main()
"""

TRANSFORMERS = """\
import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments
import torch.nn.functional as F

class Mine(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        labels = inputs.pop("labels")
        out = model(**inputs)
        loss = F.nll_loss(out.logits, labels)
        return (loss, out) if return_outputs else loss

def main():
    torch.manual_seed(0)
    config = BertConfig(vocab_size=50, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, num_labels=3)
    model = BertForSequenceClassification(config)
    data = [{"input_ids": torch.randint(0, 50, (8,)), "labels": torch.tensor(i % 3)} for i in range(32)]
    args = TrainingArguments(output_dir="out", max_steps=10, per_device_train_batch_size=4, report_to=[], use_cpu=True, save_strategy="no", disable_tqdm=True, logging_strategy="no")
    Mine(model, args, train_dataset=data).train()

if __name__ == "__main__":
    main()
"""

ACCELERATE = """\
import torch
import torch.nn.functional as F
from accelerate import Accelerator

def train(accelerator):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = torch.utils.data.TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
    loader = torch.utils.data.DataLoader(data, 8)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(2):
        for x, y in loader:
            loss = F.nll_loss(model(x), y)
            optimizer.zero_grad()
            accelerator.backward(loss)
            optimizer.step()

if __name__ == "__main__":
    train(Accelerator(cpu=True))
"""

SKORCH = """\
import numpy as np
import torch
from torch import nn
from skorch import NeuralNetClassifier

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.last = nn.Linear(8, 3)

    def forward(self, x):
        h = self.first(x)
        return self.last(torch.relu(h.detach()))

def main():
    torch.manual_seed(0)
    x = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
    y = np.arange(64) % 3
    net = NeuralNetClassifier(Net, criterion=nn.CrossEntropyLoss, max_epochs=3, lr=0.1, batch_size=8, train_split=None, verbose=0)
    net.fit(x, y)

if __name__ == "__main__":
    main()
"""

SEQUENTIAL = """\
import numpy as np
import torch
from torch import nn
from skorch import NeuralNetBinaryClassifier

def main():
    torch.manual_seed(0)
    x = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
    y = (np.arange(64) % 2).astype("float32")
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1), nn.Sigmoid())
    NeuralNetBinaryClassifier(model, max_epochs=3, lr=0.1, batch_size=8, train_split=None, verbose=0).fit(x, y)

main()
"""

FABRIC = """\
import torch
import torch.nn.functional as F
from lightning.fabric import Fabric

def main():
    fabric = Fabric(accelerator="cpu", devices=1)
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
    model, optimizer = fabric.setup(model, torch.optim.SGD(model.parameters(), lr=0.1))
    data = torch.utils.data.TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
    loader = fabric.setup_dataloaders(torch.utils.data.DataLoader(data, 8))
    for epoch in range(2):
        for x, y in loader:
            fabric.backward(F.cross_entropy(model(x), y))
            optimizer.step()

main()
"""

IGNITE = """\
import torch
from torch import nn
from ignite.engine import Engine

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.last = nn.Linear(8, 1)

    def forward(self, x):
        return torch.sigmoid(self.last(torch.relu(self.first(x))))

def build():
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loss_of = nn.BCEWithLogitsLoss()

    def update(engine, batch):
        x, y = batch
        optimizer.zero_grad()
        loss = loss_of(net(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    return Engine(update)

torch.manual_seed(0)
data = torch.utils.data.TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64, 1)).float())
build().run(torch.utils.data.DataLoader(data, 8), max_epochs=3)
"""

FASTAI = """\
import torch
from torch import nn
from fastai.basics import *

class Clear(Callback):
    def before_step(self):
        self.learn.model.zero_grad()

def main():
    torch.manual_seed(0)
    data = torch.utils.data.TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
    dls = DataLoaders(torch.utils.data.DataLoader(data, 8), torch.utils.data.DataLoader(data, 8))
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
    learn = Learner(dls, net, loss_func=nn.CrossEntropyLoss(), cbs=[Clear()])
    with learn.no_logging():
        learn.fit(3, 0.1)

main()
"""


@pytest.mark.parametrize(
    ("package", "program", "said", "rounds"),
    [
        ("lightning", LIGHTNING, "train.py:15: F.nll_loss(scores, y) needs the logarithms of probabilities", 16),
        ("transformers", TRANSFORMERS, "train.py:9: F.nll_loss(out.logits, labels) needs the logarithms of probabilities", 10),
        ("accelerate", ACCELERATE, "train.py:14: F.nll_loss(model(x), y) needs the logarithms of probabilities", 16),
        ("skorch", SKORCH, "Net.first.weight and Net.first.bias may be meant to learn, but never get a gradient", 24),
        ("skorch", SEQUENTIAL, "Take Sigmoid() out of model.", 24),
        ("lightning", FABRIC, "hold the sum of many backward passes (train.py:14), because nothing cleared them in between", 16),
        ("fastai", FASTAI, "train.py:7 clears net[0].weight.grad, net[0].bias.grad, net[2].weight.grad and net[2].bias.grad in each round", 24),
        ("ignite", IGNITE, "train.py:22: binary_cross_entropy_with_logits in loss_of(net(x), y) gets probabilities from sigmoid (train.py:12)", 24),
    ],
)  # fmt: skip
def test_a_mistake_is_named_at_the_line_of_the_user(
    package: str, program: str, said: str, rounds: int, tmp_path: Path
) -> None:
    pytest.importorskip(package)
    (tmp_path / "train.py").write_text(program)
    done = ran([COMMAND, "run", "--save", "t.json", "train.py"], tmp_path, HF_HUB_OFFLINE="1")
    assert done.returncode == 0, done.stderr
    assert said in done.stderr
    document = load(tmp_path / "t.json")
    assert document["rounds"]["total"] == rounds
    assert len(document["rounds"]["losses"]) == 1
    names = [p["name"] for p in document["rounds"]["parameters"]]
    assert names
    assert not [name for name in names if name.startswith("parameter ")]
