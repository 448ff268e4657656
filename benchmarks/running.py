"""What `jgrad run` and `%trace on` cost on PyTorch: CPU time next to `python`, the start, memory, the size of the document, and
a round of a long cell.

Both sides run modules that are compiled, as pip leaves them: a first turn that is not counted writes them into a folder of its own.

python -m benchmarks.running
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

TURNS = 5
HEAD = "import torch\nfrom torch import nn\ntorch.manual_seed(0)\n"
LOOP = """
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for i in range({rounds}):
    loss = nn.functional.cross_entropy(model(x), t)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
MLP = """
model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))
x, t = torch.randn(32, 64), torch.randint(0, 10, (32,))
"""
WIDE = """
model = nn.Sequential(nn.Linear(512, 2048), nn.ReLU(), nn.Linear(2048, 10))
x, t = torch.randn(256, 512), torch.randint(0, 10, (256,))
"""
LARGE = """
model = nn.Sequential(nn.Linear(2048, 4096), nn.ReLU(), nn.Linear(4096, 10))
x, t = torch.randn(64, 2048), torch.randint(0, 10, (64,))
"""
CNN = """
model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3), nn.ReLU(), nn.Flatten(), nn.Linear(1936, 10))
x, t = torch.randn(16, 1, 28, 28), torch.randint(0, 10, (16,))
"""
PROGRAMS = {
    "nothing but the import of PyTorch": HEAD,
    "MLP 64-128-10, batch 32, 200 rounds": HEAD + MLP + LOOP.format(rounds=200),
    "MLP 64-128-10, batch 32, 5,000 rounds": HEAD + MLP + LOOP.format(rounds=5000),
    "CNN of two convolutions, batch 16, 200 rounds": HEAD + CNN + LOOP.format(rounds=200),
    "MLP 512-2048-10, batch 256, 200 rounds": HEAD + WIDE + LOOP.format(rounds=200),
}
CELLS = {
    "a cell without tensors": "import math\nx = 3\ny = [i * i for i in range(10)]\nz = math.sin(x)",
    "(w * 2).sum().backward()": "(w * 2).sum().backward()",
    "MLP 64-128-10, 200 rounds": MLP + LOOP.format(rounds=200),
    "MLP 512-2048-10, 200 rounds": WIDE + LOOP.format(rounds=200),
}

# Cells of which the rounds after the first second are measured.
LONG = {
    "MLP 64-128-10": (MLP, 20_000),
    "CNN of two convolutions": (CNN, 1500),
    "MLP 512-2048-10, batch 256": (WIDE, 400),
    "MLP 2048-4096-10, batch 64": (LARGE, 90),
}


def run(command: list[str], folder: str) -> tuple[float, float]:
    """The CPU seconds and the largest memory in MB of a process."""
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "PYTHONPYCACHEPREFIX": os.path.join(folder, "compiled"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} ended with status {status}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def programs() -> None:
    print(
        "| program | python, CPU s | jgrad run, CPU s | ratio | more memory, MB | document, kB |\n|---|---:|---:|---:|---:|---:|"
    )
    ours = [sys.executable, "-m", "jgrad", "run", "--save", "t.json", "train.py"]
    with tempfile.TemporaryDirectory() as folder:
        for name, source in PROGRAMS.items():
            Path(folder, "train.py").write_text(source, encoding="utf-8")
            if name == next(iter(PROGRAMS)):
                run(ours, folder)
            turns = [(run([sys.executable, "train.py"], folder), run(ours, folder)) for _ in range(TURNS)]
            plain, recorded = (statistics.median(turn[k][0] for turn in turns) for k in (0, 1))
            memory = statistics.median(b[1] - a[1] for a, b in turns)
            size = Path(folder, "t.json").stat().st_size / 1000
            print(
                f"| {name} | {plain:.2f} | {recorded:.2f} | {recorded / plain:.2f} | {memory:.0f} | {size:.0f} |",
                flush=True,
            )


def cells() -> None:
    from IPython.core.interactiveshell import InteractiveShell

    print("\n| cell | off, ms | `%trace on`, ms | ratio |\n|---|---:|---:|---:|")
    shell = InteractiveShell.instance()
    shell.run_cell("%load_ext jgrad")
    shell.run_cell(f"{HEAD}torch.set_num_threads(1)\nw = torch.ones(3, requires_grad=True)")
    for name, cell in CELLS.items():
        times: dict[str, list[float]] = {"off": [], "on": []}
        many = 3 if "rounds" in name else 100
        for _ in range(TURNS):
            for state, found in times.items():
                shell.run_cell(f"%trace {state}")
                before = process_time()
                for _ in range(many):
                    shell.run_cell(cell, store_history=True)
                found.append((process_time() - before) / many * 1000)
        off, on = (statistics.median(found) for found in times.values())
        print(f"| {name} | {off:.1f} | {on:.1f} | {on / off:.2f} |", flush=True)


def rounds() -> None:
    """What a round costs after the first second of a cell: the mean, of the turn in which that is least. (Some rounds cost more than others, so a median
    would hide something.)"""
    from IPython.core.interactiveshell import InteractiveShell

    print("\n| rounds of | off, ms | `%trace on`, ms | ratio |\n|---|---:|---:|---:|")
    shell = InteractiveShell.instance()
    for name, (model, count) in LONG.items():
        timed = LOOP.format(rounds=count).replace(
            "    loss =", "    began.append(process_time())\n    loss ="
        )
        cell = f"from time import process_time\nbegan = []\n{model}{timed}"
        times: dict[str, list[float]] = {"off": [], "on": []}
        for _ in range(TURNS):
            for state, found in times.items():
                shell.run_cell(f"%trace {state}")
                shell.run_cell(cell, store_history=True)
                began = shell.user_ns["began"]
                began = [t for t in began if t > began[0] + 1]
                found.append((began[-1] - began[0]) / (len(began) - 1) * 1000)
        off, on = (min(found) for found in times.values())
        print(f"| {name} | {off:.2f} | {on:.2f} | {on / off:.2f} |", flush=True)


if __name__ == "__main__":
    programs()
    cells()
    rounds()
