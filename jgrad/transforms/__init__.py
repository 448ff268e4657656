"""What carries the transforms of functions: rules of batching for `vmap`, and derivatives in forward mode."""
