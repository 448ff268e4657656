"""Word vectors with negative samples (word2vec), from sentences that a small grammar makes.

A word is known by the company it keeps. For each pair of words that stand near each other, the product
of their vectors should be large; for words drawn at random it should be small. Common words are drawn
more often, by the power 3/4 of their frequency. Nothing says that a word is like another one: pets come to lie
near each other because they do the same things.
"""

import collections

import jgrad
from jgrad import nn
from jgrad.nn import functional as F

GRAMMAR = {
    "pet": ["cat", "dog", "hamster", "parrot"],
    "person": ["girl", "boy", "teacher", "farmer"],
    "food": ["bread", "cheese", "apple", "soup"],
    "place": ["garden", "kitchen", "school", "forest"],
    "moves": ["walks", "runs", "hurries", "strolls"],
    "likes": ["likes", "wants", "eats", "tastes"],
    "strokes": ["strokes", "feeds", "calls", "follows"],
}
PATTERNS = [
    "the person likes the food",
    "the pet likes the food",
    "a person moves to the place",
    "a person strokes the pet",
    "the pet moves to the place",
]
WINDOW, NEGATIVES, SIZE = 2, 5, 16
SENTENCES, BATCH, EPOCHS = 600, 256, 8


def make_sentences(count):
    """Sentences of the grammar, drawn at random."""
    sentences = []
    for pattern in jgrad.randint(0, len(PATTERNS), (count,)).tolist():
        words = PATTERNS[pattern].split()
        choice = jgrad.randint(0, 4, (len(words),)).tolist()
        sentences.append([GRAMMAR[w][c] if w in GRAMMAR else w for w, c in zip(words, choice, strict=True)])
    return sentences


class Vocabulary:
    def __init__(self, sentences):
        counts = collections.Counter(word for sentence in sentences for word in sentence)
        self.words = [word for word, _ in counts.most_common()]
        self.numbers = {word: i for i, word in enumerate(self.words)}
        self.frequency = jgrad.tensor([counts[word] for word in self.words], dtype=jgrad.get_default_dtype())

    def __len__(self):
        return len(self.words)


def pairs_of(sentences, numbers):
    """Each word with each of its neighbours."""
    pairs = []
    for sentence in sentences:
        row = [numbers[word] for word in sentence]
        for i, word in enumerate(row):
            near = row[max(0, i - WINDOW) : i] + row[i + 1 : i + 1 + WINDOW]
            pairs += [(word, other) for other in near]
    return jgrad.tensor(pairs)


class SkipGram(nn.Module):
    """Two tables: the vector of a word, and its vector as a neighbour."""

    def __init__(self, words):
        super().__init__()
        self.word = nn.Embedding(words, SIZE)
        self.neighbour = nn.Embedding(words, SIZE)
        nn.init.uniform_(self.word.weight, -0.5 / SIZE, 0.5 / SIZE)
        nn.init.zeros_(self.neighbour.weight)

    def forward(self, words, neighbours, negatives):
        v = self.word(words)
        near = (v * self.neighbour(neighbours)).sum(-1)
        far = jgrad.einsum("bs,bns->bn", v, self.neighbour(negatives))
        return -(F.logsigmoid(near) + F.logsigmoid(-far).sum(-1)).mean()


def nearest(model, vocabulary, word, count=3):
    """The words whose vectors point in the most similar direction."""
    vectors = F.normalize(model.word.weight.detach(), dim=1)
    similar = vectors @ vectors[vocabulary.numbers[word]]
    return [vocabulary.words[i] for i in similar.topk(count + 1).indices[1:].tolist()]


def main():
    jgrad.manual_seed(0)
    sentences = make_sentences(SENTENCES)
    vocabulary = Vocabulary(sentences)
    pairs = pairs_of(sentences, vocabulary.numbers)
    drawn_by = vocabulary.frequency**0.75
    model = SkipGram(len(vocabulary))
    optimizer = jgrad.optim.Adam(model.parameters(), lr=0.02)
    print(f"{len(vocabulary)} words, {len(pairs)} pairs, for example: {' '.join(sentences[0])}")
    for epoch in range(EPOCHS):
        total = 0.0
        batches = pairs[jgrad.randperm(len(pairs))].split(BATCH)
        for batch in batches:
            negatives = jgrad.multinomial(drawn_by, len(batch) * NEGATIVES, replacement=True).view(
                len(batch), NEGATIVES
            )
            loss = model(batch[:, 0], batch[:, 1], negatives)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch + 1}  loss {total / len(batches):.5f}")
    for word in ("cat", "girl", "bread", "walks"):
        print(f"near {word}: {', '.join(nearest(model, vocabulary, word))}")


if __name__ == "__main__":
    main()
