"""A recurrent network learns to write, one character after the other.

An LSTM reads a text from left to right and guesses each next character. The text is cut into a few long
rows that are read side by side. The state of the LSTM goes on from one piece of a row to the next, but
gradients stop there: `detach` cuts the graph ("truncated backpropagation through time"). After training
the network writes a text of its own.
"""

import math

import jgrad
from jgrad import nn
from jgrad.nn import functional as F

TEXT = """
A tensor is a window on a storage. Two tensors may look at one storage. A view shares the memory of its base.
A clone has memory of its own. A leaf has no history. A leaf that requires grad gets its gradient in grad.
The graph remembers what was done. Each node knows its inputs. The backward pass walks from the loss to the leaves.
Gradients are added, not replaced. An optimizer reads the gradients and writes to the leaves. Then the next step begins.
A write in place counts up the version of a tensor. A node that saved the tensor notes this and raises an error.
Detach cuts the graph but not the memory. Clone copies the memory but not the graph. No grad is a mode, not a tensor.
"""

ROWS = 8  # pieces of the text that are read side by side
PIECE = 20  # characters between two cuts of the graph
EPOCHS = 20


class CharacterModel(nn.Module):
    """From numbers of characters to a score for each possible next character."""

    def __init__(self, characters, size=48, layers=2):
        super().__init__()
        self.embedding = nn.Embedding(characters, 16)
        self.lstm = nn.LSTM(16, size, num_layers=layers, batch_first=True, dropout=0.1)
        self.norm = nn.LayerNorm(size)
        self.out = nn.Linear(size, characters)

    def forward(self, x, state=None):
        h, state = self.lstm(self.embedding(x), state)
        return self.out(self.norm(h)), state


class Alphabet:
    """The characters of a text and their numbers."""

    def __init__(self, text):
        self.characters = sorted(set(text))
        self.numbers = {c: i for i, c in enumerate(self.characters)}

    def __len__(self):
        return len(self.characters)

    def encode(self, text):
        return jgrad.tensor([self.numbers[c] for c in text])

    def decode(self, numbers):
        return "".join(self.characters[i] for i in numbers)


def in_rows(data):
    """The text as ROWS rows of equal length, with the character that follows each one."""
    length = (len(data) - 1) // ROWS
    inputs = data[: ROWS * length].view(ROWS, length)
    targets = data[1 : ROWS * length + 1].view(ROWS, length)
    return inputs, targets


def train_one_epoch(model, optimizer, inputs, targets):
    """Read all rows once from left to right. Returns the mean loss of a character."""
    model.train()
    state = None
    total = count = 0.0
    for start in range(0, inputs.shape[1], PIECE):
        x, y = inputs[:, start : start + PIECE], targets[:, start : start + PIECE]
        if state is not None:
            state = tuple(s.detach() for s in state)  # keep the numbers, cut the graph
        scores, state = model(x, state)
        loss = F.cross_entropy(scores.reshape(-1, scores.shape[-1]), y.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item() * y.numel()
        count += y.numel()
    return total / count


@jgrad.no_grad()
def write(model, alphabet, start, length, temperature=0.7):
    """Let the model go on after `start`. A low temperature prefers what is likely."""
    model.eval()
    scores, state = model(alphabet.encode(start)[None])
    written = []
    for _ in range(length):
        probabilities = F.softmax(scores[0, -1] / temperature, dim=-1)
        following = jgrad.multinomial(probabilities, 1)
        written.append(following.item())
        scores, state = model(following[None], state)
    return start + alphabet.decode(written)


def main():
    jgrad.manual_seed(0)
    alphabet = Alphabet(TEXT)
    inputs, targets = in_rows(alphabet.encode(TEXT))
    model = CharacterModel(len(alphabet))
    optimizer = jgrad.optim.Adam(model.parameters(), lr=0.01)
    print(f"{len(TEXT)} characters, {len(alphabet)} different ones")
    print(f"guessing at random would give a loss of {math.log(len(alphabet)):.5f}")
    for epoch in range(EPOCHS):
        loss = train_one_epoch(model, optimizer, inputs, targets)
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1:2}  loss {loss:.5f}  perplexity {math.exp(loss):.4f}")
    print("the model writes:", repr(write(model, alphabet, "A tensor", 60)))


if __name__ == "__main__":
    main()
