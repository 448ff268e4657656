"""Half an hour of what the other tests do for seconds: `pytest -m deep -n auto`."""
