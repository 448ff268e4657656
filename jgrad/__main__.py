"""`python -m jgrad` is the command `jgrad`."""

from jgrad.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
