"""`jgrad run`: a program under the recorder (`program`), and what is said at its end (`report`)."""
