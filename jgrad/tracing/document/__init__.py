"""The trace document: how it is made from a recording, packed, indexed and compared. It is plain data, which can be saved and sent."""
