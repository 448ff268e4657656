"""The rooms behind `jgrad.trace`: `record` notes what runs, `document` makes plain data of it, `explain` says what it means."""
