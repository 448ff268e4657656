"""On a real GPU: `pytest -m gpu`."""
