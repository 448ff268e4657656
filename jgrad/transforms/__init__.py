"""What carries the transforms of functions: rules of batching for `vmap`, derivatives in forward mode, which transforms follow a tensor."""
