"""Dispatch: how an operator is declared, and what happens from its call to its kernel."""
