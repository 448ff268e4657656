"""The magics, in an IPython of their own."""
