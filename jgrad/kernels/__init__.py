"""What operations call for raw arrays: one module per array library, the same names in each."""
