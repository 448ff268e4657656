"""Programs like those of `tests/programs`, of what exists on the CPU alone, so that only `test_programs_on_cpu.py` runs them."""
