"""What is left of `jgrad.distributions`."""
