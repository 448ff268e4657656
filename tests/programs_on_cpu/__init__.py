"""Programs like those of `tests/programs`, of what exists on the CPU alone, so that only `tests/same_as_torch/test_programs_on_cpu.py` runs them."""
