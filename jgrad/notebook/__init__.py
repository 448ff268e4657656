"""What IPython and Jupyter need: the magics, what Tab completes for them, and the answers of `%grad` and `%why`."""
