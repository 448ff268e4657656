"""What runs while the user's code runs: the recorder, its event log, and the records of tensors, storages and backward nodes."""
