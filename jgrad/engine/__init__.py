"""The engine: the backward pass through the graph, with hooks, accumulation into leaves, and `backward()` and `grad()`, which begin a pass."""
