"""Train on several machines with Dask: workers compute the gradients of shards, one process makes the steps.

    python shards.py                               # two processes on this machine
    python shards.py --address tcp://10.0.0.5:8786 # a cluster that is running
    python shards.py --library torch               # the same program on PyTorch

docs/dask.md explains it.
"""

import argparse
import importlib

from dask.distributed import Client, LocalCluster, WorkerPlugin


class Importing(WorkerPlugin):
    """Each worker imports the library when it starts, before tasks and models arrive in several threads."""

    def __init__(self, library):
        self.library = library

    def setup(self, worker):
        importlib.import_module(f"{self.library}.nn")


def load_shard(library, number):
    """One part of the data. A real program reads a file here. It runs on a worker; if that worker dies, it runs again on another one."""
    lib = importlib.import_module(library)
    source = lib.Generator().manual_seed(number)
    x = lib.randn(200, 4, generator=source)
    y = (x[:, :1] * x[:, 1:2]).sin() + 0.1 * lib.randn(200, 1, generator=source)
    return x, y


def make_model(lib):
    return lib.nn.Sequential(lib.nn.Linear(4, 32), lib.nn.Tanh(), lib.nn.Linear(32, 1))


def gradients_of(model, shard, library):
    """The summed loss of a shard, its gradients, and the number of its examples. It runs on a worker.

    `autograd.grad` returns the gradients and leaves the model as it is, which several tasks of a worker may share.
    """
    lib = importlib.import_module(library)
    x, y = shard
    loss = ((model(x) - y) ** 2).sum()
    return loss.item(), lib.autograd.grad(loss, list(model.parameters())), len(x)


def added(parts):
    """The sum of what the shards gave, always in the order of the shards, so that every run rounds in the same way."""
    loss, gradients, count = parts[0]
    for other_loss, others, other_count in parts[1:]:
        loss += other_loss
        gradients = [a + b for a, b in zip(gradients, others, strict=True)]
        count += other_count
    return loss / count, [g / count for g in gradients]


def as_it_is(value):
    return value


def step(client, model, optimizer, shards, library):
    """One step of the optimizer on all shards. Returns the mean loss."""
    sent = client.submit(as_it_is, model, pure=False)  # it travels once to each worker that needs it
    parts = [client.submit(gradients_of, sent, shard, library, pure=False) for shard in shards]
    loss, gradients = added(client.gather(parts))  # in the order of the shards, whichever was done first
    for parameter, gradient in zip(model.parameters(), gradients, strict=True):
        parameter.grad = gradient
    optimizer.step()
    return loss


def train(client, library="jgrad", shards=6, steps=30):
    """Returns the model and the loss of each step."""
    lib = importlib.import_module(library)
    client.register_plugin(Importing(library))  # also for workers that come later
    lib.manual_seed(0)
    model = make_model(lib)
    optimizer = lib.optim.Adam(model.parameters(), lr=0.02)
    data = [client.submit(load_shard, library, number) for number in range(shards)]  # stays on the workers
    losses = []
    for number in range(steps):
        losses.append(step(client, model, optimizer, data, library))
        if number % 5 == 4:
            print(f"step {number + 1:2}  loss {losses[-1]:.5f}")
    return model, losses


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--address", help="of the scheduler; without it, a cluster on this machine is started"
    )
    parser.add_argument("--library", default="jgrad", choices=["jgrad", "torch"])
    parser.add_argument("--workers", type=int, default=2, help="processes, if a cluster is started")
    options = parser.parse_args()
    if options.address:
        with Client(options.address) as client:
            train(client, options.library)
    else:
        with LocalCluster(options.workers, threads_per_worker=1) as cluster, Client(cluster) as client:
            train(client, options.library)


if __name__ == "__main__":
    main()
