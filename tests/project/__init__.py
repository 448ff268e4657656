"""What is around the package: its rooms, pages, wheel, stubs, examples and benchmarks."""
