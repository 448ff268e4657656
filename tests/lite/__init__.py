"""JupyterLite with the course: `pytest -m lite`."""
