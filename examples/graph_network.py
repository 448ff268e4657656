"""A graph network: nodes of a graph send messages to their neighbours.

The graph has three groups of nodes. Most edges stay within a group. Only two nodes of each group are
named; the network has to find the group of all others from the edges. A message goes along each edge:
`index_add` sums what arrives at a node, and a softmax over the edges of each node (`scatter_reduce`,
then `index_add`) says how much it listens to each neighbour.
"""

import jgrad
from jgrad import nn
from jgrad.nn import functional as F

GROUPS, MEMBERS = 3, 40
NODES = GROUPS * MEMBERS
NAMED = 3  # nodes of each group whose group is known
EPOCHS = 80


def random_graph(inside=0.15, outside=0.01):
    """The groups of the nodes, and the edges as two rows: from, to. Each edge is there in both directions."""
    groups = jgrad.arange(NODES) // MEMBERS
    same = groups[:, None] == groups[None, :]
    probability = jgrad.where(same, inside, outside)
    upper = jgrad.triu(jgrad.rand(NODES, NODES) < probability, diagonal=1)
    edges = upper.nonzero().t()
    loops = jgrad.arange(NODES).expand(2, -1)  # each node hears itself, too
    return groups, jgrad.cat([edges, edges.flip(0), loops], dim=1)


def softmax_by_node(scores, node, count):
    """A softmax over the edges that end in the same node."""
    index = node[:, None].expand_as(scores)
    largest = jgrad.full((count, scores.shape[1]), float("-inf")).scatter_reduce(
        0, index, scores.detach(), "amax"
    )
    weights = (scores - largest[node]).exp()
    total = jgrad.zeros_like(largest).index_add(0, node, weights)
    return weights / total[node]


class AttentionLayer(nn.Module):
    """Messages along the edges, with weights that the network computes (GAT)."""

    def __init__(self, inputs, outputs, heads):
        super().__init__()
        self.heads, self.outputs = heads, outputs
        self.value = nn.Linear(inputs, heads * outputs, bias=False)
        self.of_sender = nn.Parameter(jgrad.empty(heads, outputs))
        self.of_receiver = nn.Parameter(jgrad.empty(heads, outputs))
        self.bias = nn.Parameter(jgrad.zeros(heads * outputs))
        nn.init.xavier_uniform_(self.value.weight)
        nn.init.xavier_uniform_(self.of_sender)
        nn.init.xavier_uniform_(self.of_receiver)

    def forward(self, x, edges):
        sender, receiver = edges
        h = self.value(x).view(-1, self.heads, self.outputs)
        scores = (h * self.of_sender).sum(-1)[sender] + (h * self.of_receiver).sum(-1)[receiver]
        weights = softmax_by_node(F.leaky_relu(scores, 0.2), receiver, len(x))
        messages = weights[:, :, None] * h[sender]
        heard = jgrad.zeros_like(h).index_add(0, receiver, messages)
        return heard.flatten(1) + self.bias


class GraphNetwork(nn.Module):
    def __init__(self, inputs, hidden=8, heads=4):
        super().__init__()
        self.first = AttentionLayer(inputs, hidden, heads)
        self.second = AttentionLayer(hidden * heads, hidden, heads)
        self.dropout = nn.Dropout(0.3)
        self.out = nn.Linear(hidden * heads, GROUPS)

    def forward(self, x, edges):
        x = F.elu(self.first(self.dropout(x), edges))
        x = x + F.elu(self.second(self.dropout(x), edges))
        return self.out(x)


def main():
    jgrad.manual_seed(0)
    groups, edges = random_graph()
    features = 0.2 * jgrad.randn(NODES, 8)  # they say nothing about the groups
    named = jgrad.zeros(NODES, dtype=jgrad.bool)
    for group in range(GROUPS):
        members = (groups == group).nonzero().flatten()
        named[members[jgrad.randperm(MEMBERS)[:NAMED]]] = True
    features = jgrad.cat([features, F.one_hot(groups, GROUPS) * named[:, None] * 3.0], dim=1)

    degree = jgrad.bincount(edges[1], minlength=NODES)
    print(f"{NODES} nodes, {edges.shape[1]} edges, up to {degree.max().item()} at a node")
    model = GraphNetwork(features.shape[1])
    optimizer = jgrad.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-3)
    for epoch in range(EPOCHS):
        model.train()
        loss = F.cross_entropy(model(features, edges)[named], groups[named])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if epoch % 20 == 19:
            model.eval()
            with jgrad.no_grad():
                guess = model(features, edges).argmax(dim=1)
            right = (guess == groups)[~named].float().mean().item()
            print(f"epoch {epoch + 1:2}  loss {loss.item():.5f}  right among the others {right:.3f}")


if __name__ == "__main__":
    main()
