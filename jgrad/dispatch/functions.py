"""The functions of all operators by the names that errors give them: `linalg_inv`, `gelu`. Here pickle finds those that `jgrad` has under no such name."""
