"""The rest of PyTorch: what few programs name. `docs/decisions/19-the-rest-of-pytorch.md` says what is here, and why."""
