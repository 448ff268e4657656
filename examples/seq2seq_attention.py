"""Sequence to sequence with attention: a GRU reads numbers as words, another one writes them as digits.

"three hundred and five" becomes "305". Sentences have different lengths: they are padded, and
`pack_padded_sequence` tells the encoder where each one ends. The decoder looks back at all words with
additive attention, which must not see the padding. While it learns, it is sometimes given its own last
answer and not the right one (scheduled sampling).
"""

import random

import jgrad
from jgrad import nn
from jgrad.nn import functional as F
from jgrad.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
ONES += ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
WORDS = ["<pad>", *ONES, *TENS[2:], "hundred", "and"]
NUMBER = {word: i for i, word in enumerate(WORDS)}
BEGIN, END = 10, 11  # the tokens of the answer are ten digits and these
HIDDEN, BATCH, STEPS = 48, 32, 150


def in_words(n):
    """A number below 1000 in words."""
    if n < 20:
        return ONES[n].split()
    if n < 100:
        return [TENS[n // 10]] + ([ONES[n % 10]] if n % 10 else [])
    return [ONES[n // 100], "hundred"] + (["and", *in_words(n % 100)] if n % 100 else [])


def example(n):
    """The words of a number, and its digits with a token at the end."""
    words = jgrad.tensor([NUMBER[word] for word in in_words(n)])
    return words, jgrad.tensor([int(digit) for digit in str(n)] + [END])


def collate(numbers):
    """A batch: words, their lengths, and digits. What is padded in the answer is ignored by the loss."""
    words, digits = zip(*[example(n) for n in numbers], strict=True)
    lengths = jgrad.tensor([len(each) for each in words])
    return (
        pad_sequence(words, batch_first=True),
        lengths,
        pad_sequence(digits, batch_first=True, padding_value=-100),
    )


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(WORDS), HIDDEN, padding_idx=0)
        self.gru = nn.GRU(HIDDEN, HIDDEN // 2, bidirectional=True, batch_first=True)

    def forward(self, words, lengths):
        packed = pack_padded_sequence(self.embedding(words), lengths, batch_first=True, enforce_sorted=False)
        states, last = self.gru(packed)
        states, _ = pad_packed_sequence(states, batch_first=True)
        return states, last.transpose(0, 1).flatten(1)  # both directions side by side


class Attention(nn.Module):
    """How much the decoder looks at each word."""

    def __init__(self):
        super().__init__()
        self.query, self.key = nn.Linear(HIDDEN, HIDDEN), nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.score = nn.Linear(HIDDEN, 1, bias=False)

    def forward(self, state, states, mask):
        scores = self.score(jgrad.tanh(self.query(state)[:, None] + self.key(states))).squeeze(-1)
        weights = F.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
        return jgrad.bmm(weights[:, None], states).squeeze(1), weights


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(12, HIDDEN)
        self.attention = Attention()
        self.cell = nn.GRUCell(2 * HIDDEN, HIDDEN)
        self.out = nn.Linear(2 * HIDDEN, 12)

    def forward(self, token, state, states, mask):
        seen, weights = self.attention(state, states, mask)
        state = self.cell(jgrad.cat([self.embedding(token), seen], dim=-1), state)
        return self.out(jgrad.cat([state, seen], dim=-1)), state, weights


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = Encoder(), Decoder()

    def forward(self, words, lengths, digits=None, own_answers=0.0, longest=4):
        """Scores for each place of the answer. With `digits` it gets the right ones most of the time."""
        states, state = self.encoder(words, lengths)
        mask = words != 0
        token = jgrad.full((len(words),), BEGIN)
        scores, looked = [], []
        for place in range(longest if digits is None else digits.shape[1]):
            score, state, weights = self.decoder(token, state, states, mask)
            scores.append(score)
            looked.append(weights)
            token = score.argmax(dim=-1)
            if digits is not None and random.random() >= own_answers:
                token = digits[:, place].clamp(min=0)
        return jgrad.stack(scores, dim=1), jgrad.stack(looked, dim=1)


def read(tokens):
    """The digits before the end."""
    tokens = tokens.tolist()
    return "".join(str(t) for t in tokens[: tokens.index(END) if END in tokens else None] if t < 10)


def main():
    jgrad.manual_seed(0)
    random.seed(0)
    numbers = jgrad.randperm(1000).tolist()
    held_out, training = numbers[:100], numbers[100:]
    model = Translator()
    optimizer = jgrad.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(STEPS):
        words, lengths, digits = collate(random.sample(training, BATCH))
        scores, _ = model(words, lengths, digits, own_answers=0.25)
        loss = F.cross_entropy(scores.flatten(0, 1), digits.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 25 == 24:
            print(f"step {step + 1:3}  loss {loss.item():.5f}")
    model.eval()
    with jgrad.no_grad():
        words, lengths, _ = collate(held_out)
        scores, looked = model(words, lengths)
    answers = [read(row) for row in scores.argmax(dim=-1)]
    right = sum(answer == str(n) for answer, n in zip(answers, held_out, strict=True))
    print(f"{right} of {len(held_out)} new numbers are right")
    sentence = in_words(held_out[0])
    print(f"{' '.join(sentence)} = {answers[0]}")
    for digit, weights in zip(answers[0], looked[0], strict=False):
        print(f"for {digit} it looked most at {sentence[weights.argmax().item()]!r}")


if __name__ == "__main__":
    main()
