"""What a tensor carries for autograd: its node and edges, its view and version counter, saved tensors, the grad mode, transform levels."""
