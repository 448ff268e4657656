'''Datasets and how they are loaded: in batches, shuffled, by workers; `torch.utils.data`.

A Dataset answers `dataset[i]` and `len(dataset)`, and a DataLoader makes batches of it. Arrays need no class of their own:

>>> import numpy as np
>>> import jgrad
>>> from jgrad.utils.data import DataLoader, TensorDataset
>>> X, y = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]), np.array([0, 1, 1])  # as scikit-learn has them
>>> dataset = TensorDataset(jgrad.from_numpy(X).float(), jgrad.from_numpy(y))
>>> for inputs, labels in DataLoader(dataset, batch_size=2):
...     print(inputs.tolist(), labels.tolist())
[[0.0, 1.0], [2.0, 3.0]] [0, 1]
[[4.0, 5.0]] [1]

A CSV file is read once, when the dataset is made:

>>> import csv, os, tempfile
>>> from jgrad.utils.data import Dataset
>>> class Flowers(Dataset):
...     """Rows of a CSV file: the columns of numbers as a tensor, the last column as the number of a class."""
...     def __init__(self, path):
...         with open(path, newline="") as file:
...             header, *rows = csv.reader(file)
...         self.classes = sorted({row[-1] for row in rows})
...         self.numbers = jgrad.tensor([[float(cell) for cell in row[:-1]] for row in rows])
...         self.labels = [self.classes.index(row[-1]) for row in rows]
...     def __len__(self):
...         return len(self.labels)
...     def __getitem__(self, index):
...         return self.numbers[index], self.labels[index]
>>> folder = tempfile.TemporaryDirectory()
>>> path = os.path.join(folder.name, "flowers.csv")
>>> with open(path, "w") as file:
...     _ = file.write("width,length,kind\\n0.5,2.5,iris\\n1.5,3.0,rose\\n0.25,2.0,iris\\n")
>>> next(iter(DataLoader(Flowers(path), batch_size=3)))
[tensor([[0.5000, 2.5000],
        [1.5000, 3.0000],
        [0.2500, 2.0000]]), tensor([0, 1, 0])]

An NPY file that is larger than the memory stays on the disk; each sample is read when it is asked for:

>>> class Images(Dataset):
...     def __init__(self, path):
...         self.array = np.load(path, mmap_mode="r")
...     def __len__(self):
...         return len(self.array)
...     def __getitem__(self, index):
...         return jgrad.tensor(self.array[index])
>>> path = os.path.join(folder.name, "images.npy")
>>> np.save(path, np.zeros((100, 8, 8), np.float32))
>>> next(iter(DataLoader(Images(path), batch_size=32, shuffle=True))).shape
jgrad.Size([32, 8, 8])
>>> folder.cleanup()
'''

from jgrad.utils.data import _utils as _utils
from jgrad.utils.data._utils.iterators import _DatasetKind as _DatasetKind
from jgrad.utils.data.dataloader import DataLoader as DataLoader
from jgrad.utils.data.dataloader import default_collate as default_collate
from jgrad.utils.data.dataloader import default_convert as default_convert
from jgrad.utils.data.dataloader import get_worker_info as get_worker_info
from jgrad.utils.data.dataset import ChainDataset as ChainDataset
from jgrad.utils.data.dataset import ConcatDataset as ConcatDataset
from jgrad.utils.data.dataset import Dataset as Dataset
from jgrad.utils.data.dataset import IterableDataset as IterableDataset
from jgrad.utils.data.dataset import StackDataset as StackDataset
from jgrad.utils.data.dataset import Subset as Subset
from jgrad.utils.data.dataset import TensorDataset as TensorDataset
from jgrad.utils.data.dataset import random_split as random_split
from jgrad.utils.data.distributed import DistributedSampler as DistributedSampler
from jgrad.utils.data.sampler import BatchSampler as BatchSampler
from jgrad.utils.data.sampler import RandomSampler as RandomSampler
from jgrad.utils.data.sampler import Sampler as Sampler
from jgrad.utils.data.sampler import SequentialSampler as SequentialSampler
from jgrad.utils.data.sampler import SubsetRandomSampler as SubsetRandomSampler
from jgrad.utils.data.sampler import WeightedRandomSampler as WeightedRandomSampler

__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "DistributedSampler",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "StackDataset",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "_DatasetKind",
    "default_collate",
    "default_convert",
    "get_worker_info",
    "random_split",
]
